/**
 * What the page knows of its episodes: one short row for each, in lists that run beside each other. A row's place says
 * which episode it is: a number with the digits seed, temperature, task, column, pair, whose bases are the lengths of
 * these lists (tasks run through all environments).
 */
export interface PackedIndex {
  readonly environments: readonly { readonly name: string; readonly tasks: readonly string[] }[]
  readonly columns: readonly string[]
  /** Which of the columns is the clean one; −1 without one. */
  readonly clean: number
  readonly models: readonly string[]
  readonly agents: readonly string[]
  /** Who played: the places of a model and of an agent that it was played with in their lists. */
  readonly pairs: readonly (readonly [number, number])[]
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly outcomes: readonly string[]
  /** Each place as the distance to the one before it, the first from −1; they ascend. */
  readonly places: readonly number[]
  /** The first 12 hex digits of every key, without gaps. */
  readonly keys: string
  /** Which of the outcomes. */
  readonly outcome: readonly number[]
  readonly progress: readonly number[]
  readonly steps: readonly number[]
  /** Or {@link untold}, as with `memorised`. */
  readonly understood: readonly number[]
  readonly memorised: readonly number[]
  readonly formatErrors: readonly number[]
  /** The row with which each chunk begins. */
  readonly chunks: readonly number[]
  /** The files that hold the chunks, in order; absent where the page holds them itself. */
  readonly files?: readonly PackedFile[]
}

/** A file beside the page with chunks of episodes; the hash tells whether it belongs to this page. */
export interface PackedFile {
  readonly file: string
  readonly hash: string
  /** How many chunks. */
  readonly chunks: number
}

/** Consecutive episodes, and the messages of their prompts once each. */
export interface PackedChunk {
  readonly messages: readonly ShownMessage[]
  readonly episodes: readonly PackedEpisode[]
}

/** What is shown of an episode beside its row. */
export interface PackedEpisode {
  readonly key: string
  readonly error?: string
  readonly calls: { readonly made: number; readonly promptTokens: number; readonly completionTokens: number }
  readonly changed?: Readonly<
    Record<'forms' | 'commandsSaid' | 'commandsSeen' | 'names' | 'characters' | 'leaks', number>
  >
  /** Absent where the run holds none. */
  readonly said?: PackedTrajectory
}

/** A trajectory whose prompt is places in the chunk's messages. */
export interface PackedTrajectory {
  readonly prompt: readonly number[]
  readonly opening: { readonly observation: string; readonly original?: string }
  readonly steps: readonly ShownStep[]
  /** Absent where the agent plays a task once. */
  readonly trials?: readonly ShownTrial[]
}

/** What the page reads of a trial; see Trial. */
export interface ShownTrial {
  readonly from: number
  readonly outcome: string
  readonly progress: number
  readonly reflection?: { readonly reply: string; readonly fault?: string }
}

/** One message of a prompt. */
export interface ShownMessage {
  readonly role: string
  readonly content: string
}

/** What the page reads of a step; see Step. */
export interface ShownStep {
  readonly failed?: 'before' | 'after'
  readonly reply?: string
  readonly thoughts?: readonly string[]
  readonly action: string
  readonly command?: string | null
  readonly observation: string
  readonly original?: string
  readonly progress: number
  /** Absent where the environment cannot tell. */
  readonly understood?: boolean
  readonly memorised?: boolean
  readonly formatError?: string
  readonly fault?: string
  readonly reasoning?: readonly string[]
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[] | undefined
  readonly cut?: number
}

/** A count that the environment cannot tell. */
export const untold = -1

/** Hex digits of a key in the index. */
export const keyDigits = 12
