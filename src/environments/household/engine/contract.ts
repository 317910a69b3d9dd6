import type { Facts } from '../../pddl/tables.js'
import type { GroundAction, Task } from '../../pddl/task.js'
import type { CommandWriter } from './command-writer.js'
import type { GameFile } from './game-file.js'
import type { Generation } from './generation.js'
import type { Grammar } from './grammar.js'
import type { TextChanges } from './text-facts.js'

/** A game file made ready; any number of episodes can be played from one. */
export interface Game {
  readonly file: GameFile
  /** Which wording the game has: `put … in/on …` and `You arrive at loc 1.` are old, `move … to …` is new. */
  readonly generation: Generation
  /** What is to be done, with its full stop: `put a clean apple in fridge.`; empty where the opening does not say. */
  readonly goalSentence: string
  /** What the agent sees first. */
  readonly opening: string
  /** The display names of all receptacles and objects of the game, seen or not. */
  readonly names: readonly string[]
  /** Everything that has a display name, with its PDDL id. */
  readonly entities: readonly Entity[]
  readonly task: Task
  readonly grammar: Grammar
  /** Display name of each object of the task. */
  readonly nameOf: readonly string[]
  /** The command of a ground action, where it does not depend on the state. */
  readonly write: CommandWriter
  /** What a ground action changes in the facts that texts are made from. */
  textChanges(ground: GroundAction): TextChanges
  /** Begins an episode. */
  start(): Engine
}

/** Something with a number in the episode. */
export interface Entity {
  readonly id: string
  readonly name: string
  /** Its PDDL type: `receptacle`, `object`, `location`, … */
  readonly type: string
}

/** One episode of a game, played by the rules of the engine that ALFWorld runs on. It never ends by itself, not even when won. */
export interface Engine {
  readonly game: Game
  /** What the agent sees first. */
  readonly opening: string
  /** Whether the goal holds now. It can cease to hold. */
  readonly won: boolean
  readonly score: 0 | 1
  /** How many commands were accepted. */
  readonly moves: number
  /** The commands accepted now, sorted by code point, each once. */
  admissible(): readonly string[]
  /** Whether a command would be accepted now. White space around it does not count. */
  accepts(command: string): boolean
  /** Carries out a command; one that is not accepted changes nothing and is answered `Nothing happens.` */
  step(command: string): Step
  /** An episode of its own that stands where this one stands. */
  clone(): Engine
  /** For planners: what holds now. Not to be changed. */
  readonly facts: Facts
  /** For planners: the ground actions that can be taken now. */
  actions(): readonly GroundAction[]
  /** For planners: the command of one of {@link Engine.actions}. */
  commandOf(action: GroundAction): string
}

/** What comes of a command. */
export interface Step {
  readonly observation: string
  readonly accepted: boolean
}
