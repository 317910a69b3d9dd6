import type {
  Dose,
  DoseCount,
  EpisodeRow,
  Failures,
  InvalidKind,
  Leak,
  Measures,
  Outcome,
  ReplyFault,
} from '../define.js'
import { addLeaks, invalidKinds, isValid } from '../define.js'

/** Whole numbers summed over rows, so that the order of the rows does not matter. */
export interface Sums {
  /** Every row, including broken episodes. */
  readonly outcomes: Record<Outcome, number>
  /** Episodes that ended because the server refused their conversation. */
  readonly ended: Record<'refused', number>
  /** Measurements only. */
  readonly measures: Record<SummedMeasure, number>
  /** Measurements only: incomplete replies. */
  readonly faults: Record<ReplyFault, number>
  /** Of measurements with a step, the sum of the shares of their actions, in {@link gainUnit}. */
  readonly shares: Record<ActionShare, number>
  /** Measurements with a step, and those with an action that was not understood. */
  readonly acted: Record<'episodes' | 'refused', number>
  /** Measurements only. */
  readonly dose: Record<DoseCount, number>
  /** Measurements only: old wording that the agent was shown. */
  leaked?: readonly Leak[]
  /** Measurements by an agent that may try more than once; progress in {@link gainUnit}. */
  readonly trials: Record<'episodes' | 'played' | 'first' | 'last' | 'best', number>
  /** Measurements only: tokens of actions and steps with two wordings; log-probabilities in {@link natUnit}. */
  readonly logprobs: Record<'tokens' | 'sum' | 'steps' | 'asked' | 'scored', number>
  /** Measurements in mode `alias`: episodes, executed actions with two wordings, and those that mix both. */
  readonly choices: Record<'episodes' | 'made' | 'mixed', number>
  /** Measurements with an understood action, and the sum of the numbers of the first such steps. */
  readonly first: Record<'episodes' | 'steps', number>
  /** Measurements with an action that was not understood before their last step; those that recovered from it. */
  readonly refusals: Record<'episodes' | 'within1' | 'within3', number>
  /** Actions that a perturbation let fail and that the agent read. */
  readonly failures: Record<keyof Failures, number>
  /** Measurements of environments that do not report these measures, or of versions that did not record them. */
  readonly missing: Record<'understood' | 'memorised' | 'recovery' | 'failures' | 'invalid', number>
  /** Measurements that record when progress was made. */
  timed: number
  /** Progress made at each step from 0 to the step limit, in {@link gainUnit}. Empty above {@link maxSteps}. */
  readonly gains: Float64Array
}

/** The largest step limit for which progress over steps is kept. */
export const maxSteps = 1000

/** A power of 2, small enough not to show and large enough that sums of 10 million shares stay whole. */
export const gainUnit = 2 ** -29

/** The unit of log-probabilities, so that their sums are whole. */
export const natUnit = 1e-6

/** A measure that is summed over episodes. */
type SummedMeasure = Exclude<
  keyof Measures,
  | 'adapted'
  | 'attempts'
  | 'faults'
  | 'finishes'
  | 'gains'
  | 'actionTokens'
  | 'wordings'
  | 'choices'
  | 'firstUnderstood'
  | 'firstRefusal'
  | 'touched'
  | 'failures'
  | 'invalid'
>

/** A count that is averaged over episodes as a share of their actions; `memorisedOfRefused` of those not understood. */
export type ActionShare = 'repeats' | 'formatErrors' | 'memorised' | 'memorisedOfRefused' | ReplyFault | InvalidKind

const outcomes = keysOf<Outcome>({
  success: 0,
  failure: 0,
  'step-limit': 0,
  'context-overflow': 0,
  budget: 0,
  'model-error': 0,
  'environment-error': 0,
})
const measures = keysOf<SummedMeasure>({
  steps: 0,
  understood: 0,
  formatErrors: 0,
  repeats: 0,
  memorised: 0,
  modelCalls: 0,
  cut: 0,
  promptTokens: 0,
  completionTokens: 0,
})
/** The ways in which a reply can be incomplete. */
export const replyFaults = keysOf<ReplyFault>({ empty: 0, length: 0, 'unclosed-reasoning': 0, 'too-long': 0 })
const doses = keysOf<DoseCount>({
  forms: 0,
  commandsSaid: 0,
  commandsSeen: 0,
  names: 0,
  characters: 0,
  views: 0,
  viewed: 0,
  added: 0,
  objects: 0,
  listed: 0,
  failed: 0,
  steps: 0,
  layout: 0,
  leaks: 0,
})

/** Empty sums, for episodes up to a step limit. */
export function noSums(stepLimit: number): Sums {
  return {
    outcomes: zeros(outcomes),
    ended: { refused: 0 },
    measures: zeros(measures),
    faults: zeros(replyFaults),
    shares: zeros(['repeats', 'formatErrors', 'memorised', 'memorisedOfRefused', ...replyFaults, ...invalidKinds]),
    acted: { episodes: 0, refused: 0 },
    dose: zeros(doses),
    trials: { episodes: 0, played: 0, first: 0, last: 0, best: 0 },
    logprobs: { tokens: 0, sum: 0, steps: 0, asked: 0, scored: 0 },
    choices: { episodes: 0, made: 0, mixed: 0 },
    first: { episodes: 0, steps: 0 },
    refusals: { episodes: 0, within1: 0, within3: 0 },
    failures: { read: 0, repeated: 0, recovered: 0 },
    missing: { understood: 0, memorised: 0, recovery: 0, failures: 0, invalid: 0 },
    timed: 0,
    gains: new Float64Array(stepLimit > maxSteps ? 0 : Math.max(0, stepLimit) + 1),
  }
}

/** Adds a row to sums. */
export function addRow(sums: Sums, row: EpisodeRow): void {
  sums.outcomes[row.outcome]++
  if (row.refused) sums.ended.refused++
  if (!isValid(row.outcome)) return
  addMeasures(sums.measures, row.measures)
  addShares(sums, row.measures)
  if (row.measures.understood === undefined) sums.missing.understood++
  if (row.measures.memorised === undefined) sums.missing.memorised++
  addRecovery(sums, row)
  if (row.measures.faults) for (const fault of replyFaults) sums.faults[fault] += row.measures.faults[fault] ?? 0
  if (row.measures.actionTokens ?? row.measures.wordings) addLogprobs(sums.logprobs, row.measures)
  if (row.measures.choices) addChoices(sums.choices, row.measures.choices)
  if (row.trials) addTrials(sums.trials, row.trials)
  if (row.measures.gains) addGains(sums, row.measures.gains)
  const { dose } = row
  if (dose !== undefined) addDose(sums.dose, dose)
  if (dose?.leaked) addLeaked(sums, dose.leaked)
}

// These two name every count, since a loop over names takes a tenth of a report of a million rows.

function addMeasures(sums: Sums['measures'], one: Measures): void {
  sums.steps += one.steps
  sums.understood += one.understood ?? 0
  sums.formatErrors += one.formatErrors
  sums.repeats += one.repeats
  sums.memorised += one.memorised ?? 0
  sums.modelCalls += one.modelCalls
  sums.cut += one.cut ?? 0
  sums.promptTokens += one.promptTokens
  sums.completionTokens += one.completionTokens
}

function addShares({ shares, acted }: Sums, one: Measures): void {
  const { steps, understood = steps, memorised = 0, faults, invalid } = one
  if (steps === 0) return
  const share = (count: number, of = steps): number => (count === 0 ? 0 : Math.round(count / of / gainUnit))
  acted.episodes++
  shares.repeats += share(one.repeats)
  shares.formatErrors += share(one.formatErrors)
  shares.memorised += share(memorised)
  if (understood < steps) {
    acted.refused++
    shares.memorisedOfRefused += share(memorised, steps - understood)
  }
  if (faults) for (const fault of replyFaults) shares[fault] += share(faults[fault] ?? 0)
  if (invalid) for (const kind of invalidKinds) shares[kind] += share(invalid[kind] ?? 0)
}

function addDose(sums: Sums['dose'], one: Dose): void {
  sums.forms += one.forms
  sums.commandsSaid += one.commandsSaid
  sums.commandsSeen += one.commandsSeen
  sums.names += one.names
  sums.characters += one.characters
  sums.views += one.views ?? 0
  sums.viewed += one.viewed ?? 0
  sums.added += one.added ?? 0
  sums.objects += one.objects ?? 0
  sums.listed += one.listed ?? 0
  sums.failed += one.failed ?? 0
  sums.steps += one.steps ?? 0
  sums.layout += one.layout ?? 0
  sums.leaks += one.leaks
}

/** An episode that lacks what it should have, as those of older versions do, is counted as missing. */
function addRecovery({ first, refusals, failures, missing }: Sums, { measures, dose }: EpisodeRow): void {
  const { steps, understood, firstUnderstood, firstRefusal } = measures
  const isRefused = understood === undefined || understood < steps
  if (understood === undefined || (understood > 0 && !firstUnderstood) || (isRefused && !firstRefusal)) {
    missing.recovery++
  }
  if (firstUnderstood !== undefined) {
    first.episodes++
    first.steps += firstUnderstood
  }
  if (firstRefusal && firstRefusal.left > 0) {
    const { recovered = Infinity } = firstRefusal
    refusals.episodes++
    if (recovered <= 1) refusals.within1++
    if (recovered <= 3) refusals.within3++
  }
  if (measures.failures) for (const part of failureParts) failures[part] += measures.failures[part]
  else if ((dose?.failed ?? 0) > 0) missing.failures++
  if (measures.invalid === undefined && isRefused) missing.invalid++
}

const failureParts = ['read', 'repeated', 'recovered'] as const

function addLeaked(sums: Sums, leaked: readonly Leak[] | undefined): void {
  const { leaked: all } = addLeaks(sums.leaked, leaked)
  if (all !== undefined) sums.leaked = all
}

function addLogprobs(sums: Sums['logprobs'], { actionTokens, wordings }: Measures): void {
  sums.tokens += actionTokens?.tokens ?? 0
  sums.sum += Math.round((actionTokens?.sum ?? 0) / natUnit)
  for (const part of ['steps', 'asked', 'scored'] as const) sums[part] += wordings?.[part] ?? 0
}

function addChoices(sums: Sums['choices'], { original, alias, mixed }: NonNullable<Measures['choices']>): void {
  sums.episodes++
  sums.made += original + alias + mixed
  sums.mixed += mixed
}

function addTrials(sums: Sums['trials'], progress: readonly number[]): void {
  sums.episodes++
  sums.played += progress.length
  sums.first += Math.round(progress[0]! / gainUnit)
  sums.last += Math.round(progress.at(-1)! / gainUnit)
  sums.best += Math.round(Math.max(...progress) / gainUnit)
}

function addGains(sums: Sums, gains: NonNullable<Measures['gains']>): void {
  sums.timed++
  let before = 0
  for (const gain of gains) {
    const step = gain[0]
    const reached = Math.round(gain[1] / gainUnit)
    if (step < sums.gains.length) sums.gains[step]! += reached - before
    before = reached
  }
}

/** The total of several sums with one step limit. */
export function addSums(several: readonly Sums[], stepLimit: number): Sums {
  const total = noSums(stepLimit)
  for (const one of several) {
    const { timed, leaked, gains, ...counts } = one
    for (const [part, more] of Object.entries(counts)) {
      const sums = total[part as keyof typeof counts] as Record<string, number>
      for (const [key, sum] of Object.entries(more)) sums[key]! += sum
    }
    total.timed += timed
    addLeaked(total, leaked)
    gains.forEach((gain, step) => (total.gains[step]! += gain))
  }
  return total
}

function zeros<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>
}

/** Takes a record, so that the compiler reports a missing key. */
function keysOf<Key extends string>(all: Record<Key, 0>): readonly Key[] {
  return Object.keys(all) as Key[]
}
