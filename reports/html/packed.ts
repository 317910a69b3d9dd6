/**
 * The page's index of episodes in columnar form: each list has one entry per row. A row's place identifies its episode:
 * a number with the digits seed, temperature, task, column, pair, whose bases are the lengths of these lists (tasks are
 * numbered through all environments).
 */
export interface PackedIndex {
  readonly environments: readonly PackedEnvironment[]
  readonly columns: readonly string[]
  /** What the perturbations of each column do, in words; empty for the clean column. */
  readonly rules: readonly string[]
  /** The index of the clean column; −1 without one. */
  readonly clean: number
  readonly models: readonly string[]
  readonly agents: readonly string[]
  /** Indexes of each model and an agent that plays it. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly outcomes: readonly string[]
  /** Each place as the distance from the one before it, the first from −1; places ascend. */
  readonly places: readonly number[]
  /** The first 12 hex digits of every key, without separators. */
  readonly keys: string
  /** Indexes of outcomes. */
  readonly outcome: readonly number[]
  readonly progress: readonly number[]
  readonly steps: readonly number[]
  /** Counts, or {@link unknownCount}; so is `memorised`. */
  readonly understood: readonly number[]
  readonly memorised: readonly number[]
  readonly formatErrors: readonly number[]
  /** The first row of each chunk. */
  readonly chunks: readonly number[]
  /** The files that hold the chunks, in order; absent if the page holds them itself. */
  readonly files?: readonly PackedFile[]
}

/** An environment of the index: lists with one entry per task, which is empty where the run does not know it. */
interface PackedEnvironment {
  readonly name: string
  /** Ids. */
  readonly tasks: readonly string[]
  readonly goals: readonly string[]
  readonly kinds: readonly string[]
}

/** A file beside the page with chunks of episodes; a file with another hash does not belong to this page. */
export interface PackedFile {
  readonly file: string
  readonly hash: string
  /** The number of chunks. */
  readonly chunks: number
}

/** Consecutive episodes, and each message of their prompts once. */
export interface PackedChunk {
  readonly messages: readonly ShownMessage[]
  readonly episodes: readonly PackedEpisode[]
}

/** The data of an episode that is not in the index. Fields that are undefined are left out of the JSON. */
export interface PackedEpisode {
  readonly key: string
  readonly error?: string | undefined
  readonly calls: { readonly made: number; readonly promptTokens: number; readonly completionTokens: number }
  readonly changed?: Readonly<Record<'forms' | 'commandsSaid' | 'commandsSeen' | 'names', number>> | undefined
  /** Which changes lost it, in sentences; absent unless they were looked for. */
  readonly shrunk?: string | undefined
  /** The trajectory; absent if the run has none. */
  readonly said?: PackedTrajectory | undefined
}

/** A trajectory whose prompt is indexes of the chunk's messages. */
export interface PackedTrajectory {
  readonly prompt: readonly number[]
  readonly opening: { readonly observation: string; readonly original?: string }
  readonly steps: readonly ShownStep[]
  /** Absent if the agent plays a task once. */
  readonly trials?: readonly ShownTrial[] | undefined
}

/** The fields of Trial that the page shows. */
export interface ShownTrial {
  readonly from: number
  readonly outcome: string
  readonly progress: number
  readonly reflection?: { readonly reply: string; readonly fault?: string | undefined } | undefined
}

/** One message of a prompt. */
export interface ShownMessage {
  readonly role: string
  readonly content: string
}

/** The fields of Step that the page shows. */
export interface ShownStep {
  readonly failed?: 'before' | 'after' | undefined
  readonly reply?: string | undefined
  readonly thoughts?: readonly string[] | undefined
  readonly action: string
  readonly command?: string | null | undefined
  readonly observation: string
  readonly original?: string | undefined
  readonly progress: number
  /** Absent if the environment cannot decide it. */
  readonly understood?: boolean | undefined
  readonly memorised?: boolean | undefined
  readonly formatError?: string | undefined
  readonly fault?: string | undefined
  readonly reasoning?: readonly string[] | undefined
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[] | undefined
  readonly cut?: number | undefined
}

/** A table as text in each format that the page's buttons copy: what the report's files have of it. */
export type Copies = Readonly<Record<'latex' | 'markdown' | 'csv', string>>

/** Stands for a count that the environment cannot determine. */
export const unknownCount = -1

/** The number of hex digits of a key in the index. */
export const keyDigits = 12
