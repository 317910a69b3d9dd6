import type { Subtask, Description, Instruction } from './instructions.js'
import type { Floor, Room, Rooms } from './rooms.js'
import { Rejection } from './rooms.js'

/**
 * `minigrid-2.3.0` is the original to the draw, faults included; `fixed` is without them: what stands in a locked room
 * can be reached, the level called S6 has rooms of that size, the first view shows a hand that is full, and of two
 * doors in order the first can be opened without failing.
 */
export type Profile = 'minigrid-2.3.0' | 'fixed'

/** How one level is made. */
export interface Level {
  /** Minigrid's name between `BabyAI-` and `-v0`. */
  readonly name: string
  readonly floor: Floor
  /** Most steps; computed from the floor and the instruction where absent. */
  readonly maxSteps?: number
  /** Whether a locked door's key must not be part of what is asked. */
  readonly unblocking?: true
  /**
   * Furnishes the rooms and says what is to be done, drawing in the original's order. @throws Rejection to try again
   */
  build(rooms: Rooms, memory: Memory): Mission
}

/** What is kept from one try at a level to the next, as the original keeps it. */
export interface Memory {
  readonly profile: Profile
  /** The room that was locked last. */
  locked?: Room
}

/** What a level asks for. */
export interface Mission {
  readonly instruction: Instruction
  /** Number of a thing that the agent is given into its hands at the start. */
  readonly carrying?: number
}

/** A thing described by kind and colour. */
export function described({ board }: Rooms, thing: number): Description {
  const { kind, colour } = board.things[thing]!
  return { kind, colour }
}

/** A subtask on a thing described by kind and colour. */
export function subtask(verb: 'goto' | 'open' | 'pickup', rooms: Rooms, thing: number): Subtask {
  return { verb, what: described(rooms, thing) }
}

/** Puts one thing, described by kind and colour, beside another. */
export function putNext(rooms: Rooms, thing: number, beside: number): Subtask {
  return { verb: 'putnext', what: described(rooms, thing), beside: described(rooms, beside) }
}

/** @throws Rejection where things are walled in by others */
export function requireReachable(rooms: Rooms): void {
  const place = rooms.findUnreachable()
  if (place !== undefined)
    throw new Rejection('rejected', `unreachable object at (${String(place.x)}, ${String(place.y)})`)
}

/** Adds things and draws one of them for a subtask. @throws Rejection where things are walled in by others */
export function subtaskOnDistractor(verb: 'goto' | 'pickup', rooms: Rooms, count: number): Subtask {
  const things = rooms.addDistractors({ count, unique: false })
  requireReachable(rooms)
  return subtask(verb, rooms, rooms.pick(things))
}

/** Places the agent until it stands outside a room. */
export function placeAgentOutside(rooms: Rooms, room: unknown): void {
  do rooms.placeAgent()
  while (rooms.roomAt(rooms.board.agent) === room)
}

/** Adds as many doors to the middle room of a three by three floor. */
export function addFourDoors(rooms: Rooms, options: Parameters<Rooms['addDoor']>[2] = {}): number[] {
  return Array.from({ length: 4 }, () => rooms.addDoor(1, 1, options))
}
