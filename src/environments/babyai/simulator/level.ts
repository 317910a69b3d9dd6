import type { Subtask, Description, Instruction } from './instructions.js'
import type { Floor, Rooms } from './rooms.js'
import { Rejection } from './rooms.js'

/** How a level is made. */
export interface Level {
  /** Minigrid's name between `BabyAI-` and `-v0`. */
  readonly name: string
  readonly floor: Floor
  /** Default: computed from the floor and the instruction. */
  readonly maxSteps?: number
  /**
   * Fills the rooms and draws an instruction, in the original's order of draws. @throws Rejection to start again
   */
  build(rooms: Rooms): Instruction
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

/** @throws Rejection if other things block the way to a thing */
export function requireReachable(rooms: Rooms): void {
  const place = rooms.findUnreachable()
  if (place !== undefined)
    throw new Rejection('rejected', `unreachable object at (${String(place.x)}, ${String(place.y)})`)
}

/** Adds things and draws one of them for a subtask. @throws Rejection as {@link requireReachable} */
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

/** Adds four doors to the middle room of a floor of three by three. */
export function addFourDoors(rooms: Rooms, options: Parameters<Rooms['addDoor']>[2] = {}): number[] {
  return Array.from({ length: 4 }, () => rooms.addDoor(1, 1, options))
}
