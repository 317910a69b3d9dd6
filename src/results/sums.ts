import { type EpisodeRow, type Leak, type Measures, addLeaks, invalidKinds, isValid, outcomes } from '../define.js'

/** The largest step limit for which progress over steps is kept. */
export const maxSteps = 1000

/** A power of 2, small enough not to show and large enough that sums of 10 million shares stay whole. */
export const gainUnit = 2 ** -29

/** The unit of log-probabilities, so that their sums are whole. */
export const natUnit = 1e-6

/** The ways in which a reply can be incomplete. */
export const replyFaults = ['empty', 'length', 'unclosed-reasoning', 'too-long'] as const

/** Counts that are averaged over episodes as shares of their actions; `memorisedOfRefused` of those not understood. */
const shares = ['repeats', 'formatErrors', 'memorised', 'memorisedOfRefused', ...replyFaults, ...invalidKinds] as const
/** One of {@link shares}. */
export type ActionShare = (typeof shares)[number]

/**
 * Whole numbers summed over rows, so that the order of the rows does not matter; all 0, for episodes up to a step
 * limit. All but `outcomes` and `refusedByServer` are of measurements alone.
 */
export function noSums(stepLimit: number) {
  return {
    outcomes: zeros(outcomes),
    /** Episodes with a step, with an action that was not understood, and that record when progress was made. */
    episodes: zeros(['refusedByServer', 'acted', 'misunderstood', 'timed'] as const),
    measures: zeros(['steps', 'understood', 'memorised', 'promptTokens', 'completionTokens'] as const),
    /** Of episodes with a step, the sum of the shares of their actions, in {@link gainUnit}. */
    shares: zeros(shares),
    dose: zeros(['forms', 'commandsSaid', 'commandsSeen', 'names', 'characters', 'leaks'] as const),
    /** Of agents that may try more than once; progress in {@link gainUnit}. */
    trials: zeros(['episodes', 'played', 'first', 'last', 'best'] as const),
    /** Tokens of actions, and steps with two wordings; the sum in {@link natUnit}. */
    actionTokens: zeros(['tokens', 'sum'] as const),
    wordings: zeros(['steps', 'asked', 'scored'] as const),
    /** In mode `alias`: episodes, and executed actions with two wordings. */
    choices: zeros(['episodes', 'made'] as const),
    /** Episodes with an action that was not understood before their last step; those that recovered from it. */
    refusals: zeros(['episodes', 'within1', 'within3'] as const),
    /** Actions that a perturbation let fail and that the agent read. */
    failures: zeros(['read', 'repeated', 'recovered'] as const),
    /** Episodes of environments that do not report these measures. */
    missing: zeros(['understood', 'memorised', 'invalid'] as const),
    /** Progress made at each step from 0 to the step limit, in {@link gainUnit}. Empty above {@link maxSteps}. */
    gains: new Float64Array(stepLimit > maxSteps ? 0 : Math.max(0, stepLimit) + 1),
    /** Old wording that the agent was shown. */
    leaked: undefined as readonly Leak[] | undefined,
  }
}

/** See {@link noSums}. */
export type Sums = ReturnType<typeof noSums>

/** Adds a row to sums. */
export function addRow(sums: Sums, { outcome, refused, measures, trials, dose }: EpisodeRow): void {
  sums.outcomes[outcome]++
  if (refused) sums.episodes.refusedByServer++
  if (!isValid(outcome)) return
  const { actionTokens, choices, gains, wordings } = measures
  add(sums.measures, measures)
  addShares(sums, measures)
  addRecovery(sums, measures)
  if (actionTokens) {
    sums.actionTokens.tokens += actionTokens.tokens
    sums.actionTokens.sum += Math.round(actionTokens.sum / natUnit)
  }
  if (wordings) add(sums.wordings, wordings)
  if (choices) add(sums.choices, { episodes: 1, made: choices.original + choices.alias + choices.mixed })
  if (trials) {
    const units = trials.map((progress) => Math.round(progress / gainUnit))
    const [first, last, best] = [units[0]!, units.at(-1)!, Math.max(...units)]
    add(sums.trials, { episodes: 1, played: trials.length, first, last, best })
  }
  if (gains) addGains(sums, gains)
  if (dose) add(sums.dose, dose)
  if (dose?.leaked) sums.leaked = addLeaks(sums.leaked, dose.leaked).leaked
}

function add<Key extends string>(sums: Record<Key, number>, more: Readonly<Partial<Record<Key, number>>>): void {
  for (const key in sums) {
    const one = more[key]
    if (one !== undefined) sums[key] += one
  }
}

function addShares({ shares, episodes }: Sums, one: Measures): void {
  const { steps, understood = steps, memorised = 0, faults, invalid } = one
  if (steps === 0) return
  const share = (count: number, of = steps): number => (count === 0 ? 0 : Math.round(count / of / gainUnit))
  episodes.acted++
  shares.repeats += share(one.repeats)
  shares.formatErrors += share(one.formatErrors)
  shares.memorised += share(memorised)
  if (understood < steps) {
    episodes.misunderstood++
    shares.memorisedOfRefused += share(memorised, steps - understood)
  }
  if (faults) for (const fault of replyFaults) shares[fault] += share(faults[fault] ?? 0)
  if (invalid) for (const kind of invalidKinds) shares[kind] += share(invalid[kind] ?? 0)
}

function addRecovery({ refusals, failures, missing }: Sums, measures: Measures): void {
  const { steps, understood, memorised, firstRefusal, invalid } = measures
  if (understood === undefined) missing.understood++
  if (memorised === undefined) missing.memorised++
  if (firstRefusal && firstRefusal.left > 0) {
    const { recovered = Infinity } = firstRefusal
    add(refusals, { episodes: 1, within1: Number(recovered <= 1), within3: Number(recovered <= 3) })
  }
  if (measures.failures) add(failures, measures.failures)
  if (invalid === undefined && (understood === undefined || understood < steps)) missing.invalid++
}

function addGains({ gains: sums, episodes }: Sums, gains: NonNullable<Measures['gains']>): void {
  episodes.timed++
  let before = 0
  for (const gain of gains) {
    const step = gain[0]
    const reached = Math.round(gain[1] / gainUnit)
    if (step < sums.length) sums[step]! += reached - before
    before = reached
  }
}

/** The total of several sums with one step limit. */
export function addSums(several: readonly Sums[], stepLimit: number): Sums {
  const total = noSums(stepLimit)
  for (const { gains, leaked, ...counts } of several) {
    for (const [part, more] of Object.entries(counts)) add<string>(total[part as keyof typeof counts], more)
    gains.forEach((gain, step) => (total.gains[step]! += gain))
    total.leaked = addLeaks(total.leaked, leaked).leaked
  }
  return total
}

function zeros<Key extends string>(keys: readonly Key[]): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<Key, number>
}
