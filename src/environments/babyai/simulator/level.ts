import type { Floor, Room, Rooms } from './rooms.js'
import type { Instruction } from './instructions.js'

/**
 * `minigrid-2.3.0` is the original to the draw, faults included; `fixed` is without them: what stands in a locked room can be reached, the level
 * called S6 has rooms of that size, the first view shows a hand that is full, and of two doors in order the first can be opened without failing.
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
  /** Furnishes the rooms and says what is to be done, drawing in the original's order. @throws Rejection to try again */
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
