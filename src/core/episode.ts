import { createHash } from 'node:crypto'
import type { Dose } from './environment.js'
import type { Attempt, Completion, Message, TokenLogprob } from './model.js'
import type { PerturbationSettings } from './perturbation.js'
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

/** Whether an episode is not played again: it is a measurement, or its server would refuse its conversation again. */
export function isSettled({ outcome, refused }: Pick<EpisodeRow, 'outcome' | 'refused'>): boolean {
  return isValid(outcome) || refused === true
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
  /**
   * Attempts of every call of the step, in order, those that scored wordings last. They and the time it took are stored
   * apart from the step.
   */
  readonly attempts?: readonly Attempt[]
  readonly milliseconds?: number
}

/** A number of tokens, and the sum of their log-probabilities in nats. */
export interface Summed {
  readonly tokens: number
  readonly sum: number
}

/**
 * The same action in two wordings as continuations of one prompt, with their log-probabilities where they are known.
 */
export interface WordingScores {
  /** In the present wording. */
  readonly present: Readonly<Partial<Summed>> & { readonly text: string }
  /** In the original wording of the action's form. */
  readonly original: Readonly<Partial<Summed>> & { readonly text: string }
  /** Whether log-probabilities were requested; an episode of many such steps requests them for some only. */
  readonly asked: boolean
  /** Replies to the calls that scored them, and their tokens. */
  readonly calls?: number
  readonly promptTokens?: number
  readonly completionTokens?: number
}

/**
 * The reply is empty, ran into the limit of tokens, is reasoning that was never closed, or was longer than what is kept
 * of a reply.
 */
export type ReplyFault = 'empty' | 'length' | 'unclosed-reasoning' | 'too-long'

/**
 * What came of an episode: a few hundred bytes, and all that a report reads. Settings and versions stand once in the
 * run's plan, not in each row; the key covers them.
 */
export interface EpisodeRow extends EpisodeResult {
  /** See {@link episodeKey}. */
  readonly key: string
  readonly environment: string
  readonly task: string
  /** Label of the perturbation column, `none` for the clean twin. */
  readonly column: string
  readonly model: string
  readonly agent: string
  readonly temperature: number
  readonly seed: number
  /**
   * The day (UTC) on which it ended, `2026-11-22`, where a model behind a server played; control models play alike on
   * any day.
   */
  readonly date?: string
  /** See `traceOf`; absent where the episode ended in an error, and in rows of older versions. */
  readonly trace?: string
  /**
   * The episode ended because the server refused its conversation, as a content filter does: it would refuse it again.
   */
  readonly refused?: true
  /** Names of models in its replies, in the order in which they first came; absent where the server signs none. */
  readonly servedBy?: readonly string[]
  /** See `openingOf`; absent as `trace` is. */
  readonly opening?: string
  /** See `actionsOf`; absent as `trace` is. */
  readonly actions?: string
}

/** Everything that decides an episode. */
export interface EpisodeIdentity {
  readonly environment: string
  readonly environmentVersion: string
  readonly environmentSettings: Readonly<Record<string, unknown>>
  readonly task: string
  readonly taskHash: string
  /** In order, nearest the environment first; empty for the clean twin. */
  readonly perturbations: readonly PerturbationIdentity[]
  readonly model: string
  readonly modelSettings: Readonly<Record<string, unknown>>
  readonly agent: string
  readonly agentSettings: Readonly<Record<string, unknown>>
  readonly temperature: number
  readonly seed: number
  readonly stepLimit: number
  readonly maxTokens: number
}

/** A perturbation with everything that decides its wording. */
export interface PerturbationIdentity extends PerturbationSettings<string> {
  readonly name: string
  readonly version: string
  /**
   * Set on draws beyond the first: their episodes have random numbers of their own, those of the clean repeat of that
   * number. Absent in runs of versions in which every draw had the numbers of the clean twin.
   */
  readonly numbers?: 'own'
}

/** What came of an episode. */
export interface EpisodeResult {
  readonly outcome: Outcome
  /** 0 to 1: the largest that the environment gave, whatever the outcome; a success can have less than 1. */
  readonly progress: number
  /** The step limit, where a perturbation changed it. */
  readonly stepLimit?: number
  /** Of all trials together, but for `gains`, which are those of the trial that counts. */
  readonly measures: Measures
  /**
   * Progress of each trial in order, where the agent may try more than once (see TrialRules); which of them counts is
   * the agent's rule.
   */
  readonly trials?: readonly number[]
  /** Absent on the clean twin. Counts are of all trials together, forms of one. */
  readonly dose?: Dose
  readonly error?: string
}

/** What explains a result; see measure(). */
export interface Measures {
  readonly steps: number
  /**
   * Actions that the environment understood. Grounding accuracy is understood / steps. Absent where the environment
   * cannot tell it of every step.
   */
  readonly understood?: number
  readonly formatErrors: number
  /** Replies that were not whole, by kind; absent where every reply was. */
  readonly faults?: Readonly<Partial<Record<ReplyFault, number>>>
  /** Replies by the finish reasons of `Step.finishes`; absent where there are none. */
  readonly finishes?: Readonly<Record<string, number>>
  /** Actions repeated right after they were not understood. */
  readonly repeats: number
  /**
   * Actions refused for their wording that the unperturbed environment would have understood. Absent where it cannot
   * tell what it understands.
   */
  readonly memorised?: number
  /**
   * Number of the first step (from 1) with an understood action in the new wording; absent where there was none, and
   * where `understood` is.
   */
  readonly adapted?: number
  /**
   * Number of the first step (from 1) with an understood action in any wording; absent where there was none, where
   * `understood` is, and, as the next three, in rows of older versions.
   */
  readonly firstUnderstood?: number
  /** The first action that was not understood; absent where there was none, and where `understood` is. */
  readonly firstRefusal?: FirstRefusal
  /** Actions that a perturbation let fail; absent where there was none, and where `understood` is. */
  readonly failures?: Failures
  /** Actions that were not understood, by the reason; absent where there was none, and where it is not known of all. */
  readonly invalid?: Readonly<Partial<Record<InvalidKind, number>>>
  /**
   * Steps in which a perturbation changed something of the action or of what was shown next. Absent without a
   * perturbation, and in rows of older versions.
   */
  readonly touched?: number
  /** Number of replies. */
  readonly modelCalls: number
  /**
   * Calls that were tried, the last call of a broken episode included, where they are recorded. Rows of older versions
   * have it; a stored row leaves it out, as it is not part of what an episode is.
   */
  readonly attempts?: number
  /** Parts of the history that were left out so that prompts fit; absent where none were. */
  readonly cut?: number
  /** Log-probabilities of the tokens of actions, in nats. Absent where none were told. */
  readonly actionTokens?: Summed
  /** How likely actions are in the present and in the original wording; see `WordingSums`. */
  readonly wordings?: WordingSums
  /** In mode `alias` only. */
  readonly choices?: WordingChoices
  readonly promptTokens: number
  readonly completionTokens: number
  /**
   * When progress was made: the number of the step (from 1) and the progress after it, each time that it changed
   * (AgentBoard's score change record).
   */
  readonly gains?: readonly (readonly [step: number, progress: number])[]
}

/** The first action of an episode that was not understood, and what came next. */
export interface FirstRefusal {
  /** Number of its step, from 1. */
  readonly step: number
  /** How many steps followed in its trial. */
  readonly left: number
  /** After how many of them an action was understood; absent where none was. */
  readonly recovered?: number
}

/**
 * Actions that a perturbation let fail (see `Turn.failed`), of which only those that the agent could read count: a step
 * of the same trial followed.
 */
export interface Failures {
  readonly read: number
  /** Those after which the same action was understood and did not fail, within the next three steps. */
  readonly repeated: number
  /** Those after which any action was understood and did not fail, within the next three steps. */
  readonly recovered: number
}

/**
 * The executed actions of an episode in mode `alias` whose two wordings differ, by the wording that the model chose. An
 * action that mixes both, as in the form of one and the item name of the other, is `mixed`.
 */
export interface WordingChoices extends Readonly<Record<Wording | 'mixed', number>> {
  /** The wording that was listed first. */
  readonly first: Wording
}

/**
 * The steps of an episode whose action has another wording than in the unperturbed environment. Log-probabilities are
 * means per token in nats, added up over the steps that were scored.
 */
export interface WordingSums {
  /** Steps whose two wordings differ. */
  readonly steps: number
  /** Those in which log-probabilities were looked for. */
  readonly asked: number
  /** Those of which both wordings have one. */
  readonly scored: number
  /** Those in which the present wording is the likelier one. */
  readonly preferred: number
  readonly present: number
  readonly original: number
  /** Calls for these scores, and their tokens, which are not in the other measures. */
  readonly calls: number
  readonly promptTokens: number
  readonly completionTokens: number
}

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

/**
 * The episode's key: a hash of everything that decides it, so that what is in the store is never played again. 20 hex
 * digits.
 */
export function episodeKey(identity: EpisodeIdentity): string {
  return hashOf(identity, 20)
}

/** A hash of plain JSON that does not depend on the order of an object's keys. */
export function hashOf(value: unknown, digits = 64): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex').slice(0, digits)
}

/** A seed made from plain JSON: 31 bits of its hash, which every server takes. */
export function seedOf(value: unknown): number {
  return Number.parseInt(hashOf(value, 8), 16) >>> 1
}

/** The value of a JSON text; undefined where the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const lineEnds = /[\u0085\u2028\u2029]/g

/** JSON without the characters within strings that the line splitters of other languages take for line ends. */
export function escapeLineEnds(json: string): string {
  return json.replace(lineEnds, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A value as a line of JSON lines. */
export function jsonLine(value: unknown): string {
  return escapeLineEnds(JSON.stringify(value))
}

/** JSON with sorted keys: equal values give equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : inner,
  )
}
