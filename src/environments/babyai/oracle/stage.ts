import { type Board, type Place, doorStates, empty, setThing, thingAt } from '../simulator/board.js'
import { type Instruction, isPair } from '../simulator/instructions.js'
import type { Simulation, Target } from '../simulator/simulation.js'
import { actions } from '../simulator/verifier.js'
import { type Pose, type Route, findRoute, holdsKeyOf, poseAt, posesFacing } from './route.js'

/** The next step of a plan: reach a goal pose of the route and take the action there, if there is one. */
export interface Stage {
  readonly route: Route
  readonly action?: number
}

/** The next stage on the way to the goal; undefined if the goal cannot be reached. */
export function nextStage(simulation: Simulation): Stage | undefined {
  const done = simulation.done()
  const open = pending(simulation.instruction, done, 0)
  for (const index of open) {
    const stage = stageOf(simulation.board, simulation.subtasks[index]!)
    if (stage !== undefined) return stage
  }
  return undefined
}

/** The indices of the subtasks that may be done now. */
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

function stageOf(board: Board, { subtask, things }: Target): Stage | undefined {
  switch (subtask.verb) {
    case 'goto':
      return getTo(board, facing(board, things), undefined, []) ?? putDownOne(board, things)
    case 'open':
      return openOne(board, things)
    case 'pickup':
      return fetch(board, things)
  }
}

/**
 * Picks up one of some things. A carried key first opens its locked door, if that door is on the way to these things or
 * to the key of a door on that way; anything else carried is put down first. `later` are the poses to go to afterwards.
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
  const [obstacle] = findRoute(handsFree, goals, keysToGet(board, sought)).obstacles(start)
  if (obstacle?.kind !== 'locked') return putDown(board, [goals, later])
  if (holdsKeyOf(board, obstacle.thing)) return getTo(board, facing(board, [obstacle.thing]), actions.toggle, sought)
  const { colour } = board.things[obstacle.thing]!
  return fetch(board, keysOf(board, obstacle.thing), [...sought, colour], goals)
}

function keysOf({ things }: Board, door: number): number[] {
  return things.flatMap(({ kind, colour }, key) => (kind === 'key' && colour === things[door]!.colour ? [key] : []))
}

/** Reaches a goal pose after removing obstacles; `sought` are the colours of keys that are already being fetched. */
function getTo(
  board: Board,
  goals: readonly Pose[],
  action: number | undefined,
  sought: readonly string[],
): Stage | undefined {
  const route = findRoute(board, goals, keysToGet(board, sought))
  const start = poseAt(board, board.agent, board.direction)
  if (route.distance(start) === Infinity) return undefined
  const [obstacle] = route.obstacles(start)
  if (obstacle === undefined) return { route, ...(action !== undefined && { action }) }
  return obstacle.kind === 'locked'
    ? fetchKey(board, obstacle.thing, goals, sought)
    : clear(board, obstacle.thing, goals, sought)
}

/** Moves a thing out of the way to some poses. */
function clear(board: Board, thing: number, goals: readonly Pose[], sought: readonly string[]): Stage | undefined {
  return board.carrying === undefined
    ? getTo(board, facing(board, [thing]), actions.pickup, sought)
    : putDown(board, [goals])
}

/** Opens one of some doors: an unlocked one that can be reached, otherwise one whose key can be fetched. */
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

/** Fetches the key of a door, after a thing that blocks the way to the door has been moved. */
function fetchKey(board: Board, door: number, goals: readonly Pose[], sought: readonly string[]): Stage | undefined {
  const { colour } = board.things[door]!
  const keys = keysOf(board, door)
  const way = findRoute(board, goals, keysToGet(board, sought)).obstacles(poseAt(board, board.agent, board.direction))
  const thing = way.find((obstacle) => obstacle.kind === 'thing' && !keys.includes(obstacle.thing))
  const isBefore = thing !== undefined && way.slice(0, way.indexOf(thing)).every(({ thing: other }) => other === door)
  if (isBefore && isReachable(board, thing.thing)) return clear(board, thing.thing, goals, sought)
  return fetch(board, keys, [...sought, colour], goals)
}

/** Whether the agent can walk up to a thing without unlocking a door or moving a thing. */
function isReachable(board: Board, thing: number): boolean {
  const start = poseAt(board, board.agent, board.direction)
  const route = findRoute(board, facing(board, [thing]), new Set())
  return route.distance(start) < Infinity && route.obstacles(start).length === 0
}

/** The colours of keys on the grid or carried, except those that are being fetched. */
function keysToGet({ things, places, carrying }: Board, sought: readonly string[]): Set<string> {
  const found = things.flatMap(({ kind, colour }, thing) =>
    kind === 'key' && (places[thing] !== undefined || carrying === thing) && !sought.includes(colour) ? [colour] : [],
  )
  return new Set(found)
}

/** Puts down what is carried if it is one of some things: the agent cannot go to what it holds. */
function putDownOne(board: Board, things: readonly number[]): Stage | undefined {
  return board.carrying !== undefined && things.includes(board.carrying) ? putDown(board, []) : undefined
}

/** Puts what is carried onto the nearest free cell where it does not block the way to the goals. */
function putDown(board: Board, goals: readonly (readonly Pose[])[]): Stage | undefined {
  const { width, height, cells, agent } = board
  const start = poseAt(board, agent, board.direction)
  const candidates: { readonly place: Place; readonly route: Route; readonly distance: number }[] = []
  for (let cell = 0; cell < width * height; cell++) {
    const place = { x: cell % width, y: Math.floor(cell / width) }
    const steps = Math.abs(place.x - agent.x) + Math.abs(place.y - agent.y)
    if (cells[cell] !== empty || steps === 0 || steps > maxDropSteps) continue
    const route = findRoute(board, posesFacing(board, place), new Set())
    const distance = route.distance(start)
    if (distance < Infinity && route.obstacles(start).length === 0) candidates.push({ place, route, distance })
  }
  candidates.sort((a, b) => a.distance - b.distance)
  const before = goals.map((some) => distanceFrom(board, some))
  const unobstructing = candidates.find(({ place }) => {
    const blocked = { ...board, cells: cells.slice(), carrying: undefined }
    setThing(blocked, place, board.carrying!)
    return goals.every((some, index) => distanceFrom(blocked, some) <= before[index]! + detour)
  })
  const chosen = unobstructing ?? candidates[0]
  return chosen && { route: chosen.route, action: actions.drop }
}

const maxDropSteps = 8
/** Maximum extra path length that a thing may cause where it is put down. */
const detour = 2

/** The distance from the agent's cell with free hands, in whichever direction it is shortest. */
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
