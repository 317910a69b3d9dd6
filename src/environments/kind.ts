import type { z } from 'zod'
import type { Environment, Task } from '../core/environment.js'

/** A kind of environment as an experiment names it: what it is, which options it takes, and how it is opened. */
export interface EnvironmentKind<Options = unknown> {
  readonly name: string
  readonly summary: string
  readonly source: string
  /** Every option is optional: a kind opens without any. */
  readonly options: z.ZodType<Options>
  /** Names of the options that are paths: one file or folder is seldom meant for several environments. */
  readonly paths: readonly string[]
  /** What playing by hand takes for options that are not given, such as a folder that a variable names. No experiment asks for it. */
  byHand?(): Readonly<Record<string, unknown>>
  /** Opens the environment. @throws ShaketableError `usage` or `bad-input` where an option cannot be used as given. */
  open(options: Options): OpenedEnvironment | Promise<OpenedEnvironment>
}

/** An environment with what people ask of it outside an episode. */
export interface OpenedEnvironment extends Environment {
  /** Sentences that a person should read before the numbers, such as parts of a prompt file that could not be understood. */
  readonly notes: readonly string[]
  /**
   * One task by its id, without reading all others; it may be of another split.
   * @throws ShaketableError `bad-input` with the near miss where there is no such task, or it cannot be played.
   */
  find(id: string): Task
  /** The engine below the benchmark's protocol, for an environment that has one. */
  raw?(task: Task): RawGame
}

/** One live game without any protocol: no limit, no scoring but its own, no end. */
export interface RawGame {
  readonly opening: string
  readonly won: boolean
  admissible(): readonly string[]
  step(command: string): { readonly observation: string }
}
