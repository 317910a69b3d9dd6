import type { Dose } from '../core/dose.js'
import { type InvalidKind, type Outcome, type ReplyFault, type Summed, hashOf } from '../core/episode.js'
import type { PerturbationSettings } from '../core/perturbation.js'
import type { Wording } from '../core/text.js'

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
   * number.
   */
  readonly numbers?: 'own'
}

/** The key of an episode, 20 hex digits: what is in the store under it is never played again. */
export function episodeKey(identity: EpisodeIdentity): string {
  return hashOf(identity, 20)
}

/**
 * What came of an episode: a few hundred bytes, and all that a report reads. Settings and versions stand once in the
 * run's plan, not in each row; the key covers them.
 */
export interface EpisodeRow extends EpisodeResult {
  /** See {@link episodeKey}. */
  readonly key: string
  readonly environment: string
  readonly task: string
  /** Label of the perturbation condition, `none` for the clean twin. */
  readonly condition: string
  readonly model: string
  readonly agent: string
  readonly temperature: number
  readonly seed: number
  /**
   * The day (UTC) on which it ended, `2026-11-22`, where a model behind a server played; control models play alike on
   * any day.
   */
  readonly date?: string
  /** See `traceOf`; absent where the episode ended in an error. */
  readonly trace?: string
  /**
   * The episode ended because the server refused its conversation, as a content filter does.
   */
  readonly refused?: true
  /** Names of models in its replies, in the order in which they first came; absent where the server signs none. */
  readonly servedBy?: readonly string[]
  /** See `openingOf`; absent as `trace` is. */
  readonly opening?: string
  /** See `actionsOf`; absent as `trace` is. */
  readonly actions?: string
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
  /** The first action that was not understood; absent where there was none, and where `understood` is. */
  readonly firstRefusal?: FirstRefusal
  /** Actions that a perturbation let fail; absent where there was none, and where `understood` is. */
  readonly failures?: Failures
  /** Actions that were not understood, by the reason; absent where there was none, and where it is not known of all. */
  readonly invalid?: Readonly<Partial<Record<InvalidKind, number>>>
  /** Steps in which a perturbation changed something of the action or of what was shown next. Absent without one. */
  readonly touched?: number
  /** Number of replies. */
  readonly modelCalls: number
  /**
   * Calls that were tried, the last call of a broken episode included. A stored row leaves it out, as it is not part of
   * what an episode is.
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
}
