import type { Board, Place } from '../simulator/board.js'
import { doorStates, empty, setThing, thingAt } from '../simulator/board.js'
import type { Instruction } from '../simulator/instructions.js'
import { isPair } from '../simulator/instructions.js'
import type { Simulation, Target } from '../simulator/simulation.js'
import { actions } from '../simulator/verifier.js'
import type { Pose, Route } from './route.js'
import { findRoute, holdsKeyOf, poseAt, posesFacing } from './route.js'

/**
 * What is to be done next: get to one of the poses of the route, and there the action; undefined where arriving is all.
 */
export interface Stage {
  readonly route: Route
  readonly action?: number
}

/** The next thing to do on the way to the goal, knowing everything; undefined where the goal cannot be reached. */
export function nextStage(simulation: Simulation): Stage | undefined {
  const done = simulation.done()
  const open = pending(simulation.instruction, done, 0)
  for (const index of open) {
    const stage = stageOf(simulation.board, simulation.subtasks[index]!)
    if (stage !== undefined) return stage
  }
  return undefined
}

/** Places in the list of subtasks of those that may be done now. */
function pending(instruction: Instruction, done: readonly boolean[], first: number): number[] {
  if (!isPair(instruction)) return done[first] ? [] : [first]
  const second = first + countSubtasks(instruction.first)
  const left = pending(instruction.first, done, first)
  const right = pending(instruction.second, done, second)
  if (instruction.verb === 'and') return [...left, ...right]
  const [earlier, later] = instruction.verb === 'before' ? [left, right] : [right, left]
  return earlier.length > 0 ? earlier : later
}

function countSubtasks(instruction: Instruction): number {
  return isPair(instruction) ? countSubtasks(instruction.first) + countSubtasks(instruction.second) : 1
}

function stageOf(board: Board, { subtask, things, beside }: Target): Stage | undefined {
  switch (subtask.verb) {
    case 'goto':
      return getTo(board, facing(board, things), undefined, []) ?? putDownOne(board, things)
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

/**
 * Picks up one of some things, with free hands: a key that is carried opens first the locked door that it is for, on
 * the way to these things or to the key of a door on that way. `later` is where to go afterwards.
 */
function fetch(
  board: Board,
  things: readonly number[],
  sought: readonly string[] = [],
  later: readonly Pose[] = [],
): Stage | undefined {
  const goals = facing(board, things)
  if (board.carrying === undefined) return getTo(board, goals, actions.pickup, sought)
  const handsFree = { ...board, carrying: undefined }
  const start = poseAt(board, board.agent, board.direction)
  const [trouble] = findRoute(handsFree, goals, keysToGet(board, sought)).troubles(start)
  if (trouble?.kind !== 'locked') return putDown(board, [goals, later])
  if (holdsKeyOf(board, trouble.thing)) return getTo(board, facing(board, [trouble.thing]), actions.toggle, sought)
  const { colour } = board.things[trouble.thing]!
  return fetch(board, keysOf(board, trouble.thing), [...sought, colour], goals)
}

function keysOf({ things }: Board, door: number): number[] {
  return things.flatMap(({ kind, colour }, key) => (kind === 'key' && colour === things[door]!.colour ? [key] : []))
}

/**
 * Gets to a pose, or first gets what is in the way out of it; `sought` are the colours of keys that are being fetched
 * already.
 */
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
    : putDown(board, [goals])
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
  const { colour } = board.things[door]!
  const keys = keysOf(board, door)
  const way = findRoute(board, goals, keysToGet(board, sought)).troubles(poseAt(board, board.agent, board.direction))
  const thing = way.find((trouble) => trouble.kind === 'thing' && !keys.includes(trouble.thing))
  const isBefore = thing !== undefined && way.slice(0, way.indexOf(thing)).every(({ thing: other }) => other === door)
  if (isBefore && isReachable(board, thing.thing)) return clear(board, thing.thing, goals, sought)
  return fetch(board, keys, [...sought, colour], goals)
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

/** Puts down what is carried where it is one of some things: nobody can go to what they hold. */
function putDownOne(board: Board, things: readonly number[]): Stage | undefined {
  return board.carrying !== undefined && things.includes(board.carrying) ? putDown(board, []) : undefined
}

/** Puts what is carried onto the nearest free cell where it is in nobody's way. */
function putDown(board: Board, goals: readonly (readonly Pose[])[]): Stage | undefined {
  const { width, height, cells, agent } = board
  const start = poseAt(board, agent, board.direction)
  const candidates: { readonly place: Place; readonly route: Route; readonly distance: number }[] = []
  for (let cell = 0; cell < width * height; cell++) {
    const place = { x: cell % width, y: Math.floor(cell / width) }
    const steps = Math.abs(place.x - agent.x) + Math.abs(place.y - agent.y)
    if (cells[cell] !== empty || steps === 0 || steps > farthest) continue
    const route = findRoute(board, posesFacing(board, place), new Set())
    const distance = route.distance(start)
    if (distance < Infinity && route.troubles(start).length === 0) candidates.push({ place, route, distance })
  }
  candidates.sort((a, b) => a.distance - b.distance)
  const before = goals.map((some) => distanceFrom(board, some))
  const harmless = candidates.find(({ place }) => {
    const blocked = { ...board, cells: cells.slice(), carrying: undefined }
    setThing(blocked, place, board.carrying!)
    return goals.every((some, index) => distanceFrom(blocked, some) <= before[index]! + detour)
  })
  const chosen = harmless ?? candidates[0]
  return chosen && { route: chosen.route, action: actions.drop }
}

const farthest = 8
/** What a thing that was put down may lengthen the way by. */
const detour = 2

/** From where the agent stands, whichever way it faces, so that turning around changes nothing; with free hands. */
function distanceFrom(board: Board, goals: readonly Pose[]): number {
  const route = findRoute({ ...board, carrying: undefined }, goals, keysToGet(board, []))
  return Math.min(...[0, 1, 2, 3].map((direction) => route.distance(poseAt(board, board.agent, direction))))
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
