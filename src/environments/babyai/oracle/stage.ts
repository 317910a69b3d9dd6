import type { Board, Place } from '../simulator/board.js'
import { doorStates, empty, setThing, thingAt } from '../simulator/board.js'
import type { Instruction } from '../simulator/instructions.js'
import { isPair } from '../simulator/instructions.js'
import type { Simulation, Target } from '../simulator/simulation.js'
import { actions } from '../simulator/verifier.js'
import type { Pose, Route } from './route.js'
import { findRoute, holdsKeyOf, poseAt, posesFacing } from './route.js'

/** What is to be done next: get to one of the poses of the route, and there the action; undefined where arriving is all. */
export interface Stage {
  readonly route: Route
  readonly action?: number
}

/** The next thing to do on the way to the goal, knowing everything; undefined where the goal cannot be reached. */
export function nextStage(simulation: Simulation): Stage | undefined {
  const done = simulation.done()
  const open = pending(simulation.instruction, done, 0)
  for (const index of open) {
    const stage = stageOf(simulation.board, simulation.deeds[index]!)
    if (stage !== undefined) return stage
  }
  return undefined
}

/** Places in the list of deeds of those that may be done now. */
function pending(instruction: Instruction, done: readonly boolean[], first: number): number[] {
  if (!isPair(instruction)) return done[first] ? [] : [first]
  const second = first + countDeeds(instruction.first)
  const left = pending(instruction.first, done, first)
  const right = pending(instruction.second, done, second)
  if (instruction.verb === 'and') return [...left, ...right]
  const [earlier, later] = instruction.verb === 'before' ? [left, right] : [right, left]
  return earlier.length > 0 ? earlier : later
}

function countDeeds(instruction: Instruction): number {
  return isPair(instruction) ? countDeeds(instruction.first) + countDeeds(instruction.second) : 1
}

function stageOf(board: Board, { deed, things, beside }: Target): Stage | undefined {
  switch (deed.verb) {
    case 'goto':
      return getTo(board, facing(board, things), undefined, [])
    case 'open':
      return openOne(board, things)
    case 'pickup':
      return fetch(board, things)
    case 'putnext': {
      if (board.carrying === undefined || !things.includes(board.carrying)) return fetch(board, things)
      const free = beside.flatMap((thing) => placesAround(board, thing)).flatMap((place) => posesFacing(board, place))
      return getTo(board, free, actions.drop, [])
    }
  }
}

/** Picks up one of some things; a key that is carried is kept as long as a door on the way is locked. */
function fetch(board: Board, things: readonly number[]): Stage | undefined {
  const goals = facing(board, things)
  if (board.carrying === undefined) return getTo(board, goals, actions.pickup, [])
  const handsFree = { ...board, carrying: undefined }
  const way = findRoute(handsFree, goals, keysToGet(board, [])).troubles(poseAt(board, board.agent, board.direction))
  const needsKey = way.some(({ kind, thing }) => kind === 'locked' && holdsKeyOf(board, thing))
  return needsKey ? getTo(board, goals, undefined, []) : putDown(board, goals)
}

/** Gets to a pose, or first gets what is in the way out of it; `sought` are the colours of keys that are being fetched already. */
function getTo(
  board: Board,
  goals: readonly Pose[],
  action: number | undefined,
  sought: readonly string[],
): Stage | undefined {
  const route = findRoute(board, goals, keysToGet(board, sought))
  const start = poseAt(board, board.agent, board.direction)
  if (route.distance(start) === Infinity) return undefined
  const [trouble] = route.troubles(start)
  if (trouble === undefined) return { route, ...(action !== undefined && { action }) }
  return trouble.kind === 'locked'
    ? fetchKey(board, trouble.thing, goals, sought)
    : clear(board, trouble.thing, goals, sought)
}

/** Carries a thing off that is in the way to some poses. */
function clear(board: Board, thing: number, goals: readonly Pose[], sought: readonly string[]): Stage | undefined {
  return board.carrying === undefined
    ? getTo(board, facing(board, [thing]), actions.pickup, sought)
    : putDown(board, goals)
}

/** Opens one of some doors: one that is not locked if there is a way to it, else one whose key can be got. */
function openOne(board: Board, doors: readonly number[]): Stage | undefined {
  const ready = doors.filter((door) => board.doors[door] !== doorStates.locked || holdsKeyOf(board, door))
  if (ready.length > 0) {
    const stage = getTo(board, facing(board, ready), actions.toggle, [])
    if (stage !== undefined) return stage
  }
  for (const door of doors) {
    const stage = ready.includes(door) ? undefined : fetchKey(board, door, facing(board, [door]), [])
    if (stage !== undefined) return stage
  }
  return undefined
}

/** Fetches the key of a door with free hands, once the way to where it is to be taken is clear. */
function fetchKey(board: Board, door: number, goals: readonly Pose[], sought: readonly string[]): Stage | undefined {
  if (board.carrying !== undefined) return putDown(board, goals)
  const { colour } = board.things[door]!
  const keys = board.things.flatMap((thing, key) => (thing.kind === 'key' && thing.colour === colour ? [key] : []))
  const way = findRoute(board, goals, keysToGet(board, sought)).troubles(poseAt(board, board.agent, board.direction))
  const thing = way.find((trouble) => trouble.kind === 'thing' && !keys.includes(trouble.thing))
  const isBefore = thing !== undefined && way.slice(0, way.indexOf(thing)).every(({ thing: other }) => other === door)
  if (isBefore && isReachable(board, thing.thing)) return clear(board, thing.thing, goals, sought)
  return getTo(board, facing(board, keys), actions.pickup, [...sought, colour])
}

/** Whether a thing can be walked up to as the doors are. */
function isReachable(board: Board, thing: number): boolean {
  const start = poseAt(board, board.agent, board.direction)
  const route = findRoute(board, facing(board, [thing]), new Set())
  return route.distance(start) < Infinity && route.troubles(start).length === 0
}

/** Colours of which a key lies somewhere or is carried, but for those that are being fetched. */
function keysToGet({ things, places, carrying }: Board, sought: readonly string[]): Set<string> {
  const found = things.flatMap(({ kind, colour }, thing) =>
    kind === 'key' && (places[thing] !== undefined || carrying === thing) && !sought.includes(colour) ? [colour] : [],
  )
  return new Set(found)
}

/** Puts what is carried onto the nearest free cell where it is in nobody's way. */
function putDown(board: Board, goals: readonly Pose[]): Stage | undefined {
  const { width, height, cells } = board
  const start = poseAt(board, board.agent, board.direction)
  const before = findRoute(board, goals, keysToGet(board, []))
  const onTheWay = before.cells(start)
  const candidates: { readonly place: Place; readonly route: Route; readonly distance: number }[] = []
  for (let cell = 0; cell < width * height; cell++) {
    const place = { x: cell % width, y: Math.floor(cell / width) }
    if (cells[cell] !== empty || onTheWay.has(cell) || (place.x === board.agent.x && place.y === board.agent.y))
      continue
    if (Math.abs(place.x - board.agent.x) + Math.abs(place.y - board.agent.y) > farthest) continue
    const route = findRoute(board, posesFacing(board, place), new Set())
    const distance = route.distance(start)
    if (distance < Infinity && route.troubles(start).length === 0) candidates.push({ place, route, distance })
  }
  candidates.sort((a, b) => a.distance - b.distance)
  const harmless = candidates.find(({ place }) => !isInTheWay(board, place, goals, before.distance(start)))
  const chosen = harmless ?? candidates[0]
  return chosen && { route: chosen.route, action: actions.drop }
}

const farthest = 8

function isInTheWay(board: Board, place: Place, goals: readonly Pose[], distance: number): boolean {
  const blocked = { ...board, cells: board.cells.slice() }
  setThing(blocked, place, board.carrying!)
  const after = findRoute(blocked, goals, keysToGet(board, []))
  return after.distance(poseAt(board, board.agent, board.direction)) > distance
}

function facing(board: Board, things: readonly number[]): Pose[] {
  return things.flatMap((thing) => {
    const place = board.places[thing]
    return place === undefined || thingAt(board, place) !== thing ? [] : posesFacing(board, place)
  })
}

function placesAround(board: Board, thing: number): Place[] {
  const place = board.places[thing]
  if (place === undefined || thingAt(board, place) !== thing) return []
  const { x, y } = place
  const around = [
    { x: x + 1, y },
    { x: x - 1, y },
    { x, y: y + 1 },
    { x, y: y - 1 },
  ]
  return around.filter((one) => thingAt(board, one) === empty)
}
