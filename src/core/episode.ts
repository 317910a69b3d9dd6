import { createHash } from 'node:crypto'
import type { Attempt, Completion, Message, TokenLogprob } from './model.js'
import type { Wording } from './text.js'

/** The step limit of an experiment that sets none. */
export const defaultStepLimit = 30

/**
 * How an episode ended. `model-error` and `environment-error` are neither success nor failure: they are played again on
 * resume and never enter a mean.
 */
export const outcomes = [
  'success',
  'failure',
  'step-limit',
  'context-overflow',
  'budget',
  'model-error',
  'environment-error',
] as const
/** One of {@link outcomes}. */
export type Outcome = (typeof outcomes)[number]

/** Whether an outcome is a measurement, not an error. */
export function isValid(outcome: Outcome): boolean {
  return outcome !== 'model-error' && outcome !== 'environment-error'
}

/**
 * Why an action was not understood, after the phases of failures in clembench's AdventureGame (arXiv 2502.11733).
 * - `unparsable`: the reply was incomplete, empty, or not in the agent's layout.
 * - `unknown-verb`: the action begins like no action form of the episode.
 * - `unknown-item`: it begins like one, but what follows is not items of the episode in the form's slots.
 * - `wrong-state`: it is an action form with items of the episode, and not possible now.
 */
export const invalidKinds = ['unparsable', 'unknown-verb', 'unknown-item', 'wrong-state'] as const
/** One of {@link invalidKinds}. */
export type InvalidKind = (typeof invalidKinds)[number]

/**
 * One step of a trajectory, with both wordings. What is equal or empty is left out, so that a million of them stay
 * small.
 */
export interface Step {
  /** The reply as it came, where it is more than the action. */
  readonly reply?: string
  /** Replies before it that were thoughts alone. */
  readonly thoughts?: readonly string[]
  /** The action as read from the reply and tidied by the environment, in the agent's wording. */
  readonly action: string
  /** The environment's wording, where it differs; null where a perturbation refused the action. */
  readonly command?: string | null
  /** In the agent's wording. */
  readonly observation: string
  /** In the environment's wording, where it differs. */
  readonly original?: string
  readonly progress: number
  /** Absent where the environment cannot tell. */
  readonly understood?: boolean
  readonly memorised?: boolean
  /** See Turn.wording. */
  readonly wording?: Wording | 'mixed'
  /** Why the action was not understood; absent where it was, and where the environment cannot tell. */
  readonly invalid?: InvalidKind
  /** See Turn.failed. */
  readonly failed?: 'before' | 'after'
  /** The step did not count against the step limit. */
  readonly refunded?: boolean
  readonly formatError?: string
  /** Why the reply is incomplete, which differs from a format error. */
  readonly fault?: ReplyFault
  /** Finish reasons of its replies, in the server's words, that are neither an end, a limit of tokens nor a call. */
  readonly finishes?: readonly string[]
  /** Reasoning as it came, of every call of the step. */
  readonly reasoning?: readonly string[]
  readonly toolCalls?: Completion['toolCalls']
  /**
   * The tokens of the reply that make up the action, where log-probabilities were asked for and it is found in them.
   */
  readonly actionTokens?: Summed & {
    /** The first of them, at most 256. */
    readonly list: readonly TokenLogprob[]
  }
  /** How likely both wordings of the action are, where log-probabilities were asked for and the wordings differ. */
  readonly wordings?: WordingScores
  /** How many parts of the history were left out before this step so that the prompt fits. */
  readonly cut?: number
  readonly promptTokens?: number
  readonly completionTokens?: number
  /** Attempts of every call of the step, in order. They and the time it took are stored apart from the step. */
  readonly attempts?: readonly Attempt[]
  readonly milliseconds?: number
}

/** A number of tokens, and the sum of their log-probabilities in nats. */
export interface Summed {
  readonly tokens: number
  readonly sum: number
}

/**
 * The same action in two wordings, with the log-probabilities of the first tokens in which they differ where both are
 * known.
 */
export interface WordingScores {
  /** In the present wording. */
  readonly present: Readonly<Partial<Summed>> & { readonly text: string }
  /** In the original wording of the action's form. */
  readonly original: Readonly<Partial<Summed>> & { readonly text: string }
}

/**
 * The reply is empty, ran into the limit of tokens, is reasoning that was never closed, or was longer than what is kept
 * of a reply.
 */
export type ReplyFault = 'empty' | 'length' | 'unclosed-reasoning' | 'too-long'

/** The full text of an episode. */
export interface Trajectory {
  /** The first prompt. */
  readonly prompt: readonly Message[]
  readonly opening: { readonly observation: string; readonly original?: string }
  /** Of all trials, one after the other. */
  readonly steps: readonly Step[]
  /** Where the agent may try more than once: what came of each trial. */
  readonly trials?: readonly Trial[]
  /** The attempts of the call that ended the episode without a reply. */
  readonly failedCall?: readonly Attempt[]
}

/** One trial of an episode. */
export interface Trial {
  /** How many steps of the episode came before it. */
  readonly from: number
  /** The seed that the model was given, see trialSeed(). */
  readonly seed: number
  readonly outcome: Outcome
  readonly progress: number
  /** The model's reflection after it. */
  readonly reflection?: Reflection
}

/** A model's reflection on a failed trial. */
export interface Reflection {
  /** The reply as it came. */
  readonly reply: string
  readonly reasoning?: string
  readonly fault?: ReplyFault
  /** How many of the trial's steps, oldest first, were not shown to it, so that the request fits. */
  readonly left?: number
  readonly promptTokens?: number
  readonly completionTokens?: number
  readonly attempts?: readonly Attempt[]
  readonly milliseconds?: number
}

/** A hash of plain JSON that does not depend on the order of an object's keys. */
export function hashOf(value: unknown, digits = 64): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, digits)
}

/** A seed made from plain JSON: 31 bits of its hash, which every server takes. */
export function seedOf(value: unknown): number {
  return Number.parseInt(hashOf(value, 8), 16) >>> 1
}

/** JSON with sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
