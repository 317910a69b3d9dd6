import type { Difference, Group, Scope } from '../schema.js'
import { about, interval, points, pValue, size } from './figures.js'

/** A verdict on a perturbation's effect on success, in words. */
export interface Verdict {
  readonly kind: 'worse' | 'unclear' | 'unknown' | 'better' | 'steady' | 'untouched' | 'control'
  /** `Significantly worse`. */
  readonly title: string
  /** The figures behind it: `−93.3 points [−95.0, −91.0], Holm p < 0.001`; absent if there are none. */
  readonly figures?: string
  /** What follows from the figures if the change is not significant. */
  readonly remark?: string
}

/** The margin of the gate in shares of 1: `steady` means that the interval rules out a larger drop. */
const steadyMargin = 0.05
const significanceLevel = 0.05

/**
 * Judges the change of success against the clean twin by the adjusted p. A control changes nothing, so it is neither
 * tested nor called better or worse.
 * @param clean the success rate of the clean twin, as a share of 1
 */
export function judge(
  change: Pick<Difference, 'pairs' | 'touched' | 'success' | 'tests'> & { readonly identity: boolean },
  clean: number | undefined,
): Verdict {
  const { pairs, touched, success, tests, identity } = change
  if (pairs === 0) return { kind: 'unknown', title: 'Unknown', remark: 'No pair with the clean twin is measured yet.' }
  if (touched?.tasks === 0) {
    const remark = 'The perturbation changed nothing on any task, so this is no evidence.'
    return { kind: 'untouched', title: 'Unchanged', remark }
  }
  const mean = success.mean ?? 0
  const p = tests?.success.holm ?? 1
  const range = `${points(mean)} points${success.interval === undefined ? '' : ` ${interval(success.interval)}`}`
  if (identity) {
    const remark = 'A control is not tested: its change is noise.'
    return { kind: 'control', title: 'Control', figures: range, remark }
  }
  const figures = `${range}, Holm ${pValue(p)}`
  if (clean === 0 && mean === 0) {
    const remark = 'The clean twins never succeed, so there is nothing to lose.'
    return { kind: 'unknown', title: 'No clean success', figures, remark }
  }
  if (p < significanceLevel && mean < 0) return { kind: 'worse', title: 'Significantly worse', figures }
  if (p < significanceLevel && mean > 0) return { kind: 'better', title: 'Significantly better', figures }
  // What is missing may have been anything.
  const { low, high } = success.worstCase ?? success.interval ?? { low: -1, high: 1 }
  if (low >= -steadyMargin) {
    return { kind: 'steady', title: 'Holds', figures, remark: `A drop of more than ${size(low)} points is ruled out.` }
  }
  const best = high > 0 ? `a gain of ${size(high)}` : `one of ${size(high)}`
  const remark = `Anything from a drop of ${size(low)} points to ${best} is possible.`
  return { kind: 'unclear', title: 'Inconclusive', figures, remark }
}

/** A reason is given if something is at least this much more frequent than in the clean twin. */
const noticeable = 0.05

/** Why a group scored lower than its clean twin, in sentences, the most informative first. */
export function explain({ pooled }: Group, clean: Group): string[] {
  const { adaptedShare: adapted, memorisedPerAction = 0, memorisedPerRefusal = 0 } = pooled.behaviour
  const [now, before] = [ratesOf(pooled), ratesOf(clean.pooled)]
  const rises = (rate: keyof typeof now): boolean => now[rate] - before[rate] >= noticeable
  const reasons: string[] = []
  if (memorisedPerAction >= noticeable)
    reasons.push(`${about(memorisedPerRefusal)} of refused actions are in the old wording.`)
  if (adapted !== undefined && adapted < 0.5 && rises('refused') && rewords(pooled)) {
    reasons.push(`${adapted === 0 ? 'No episode' : `Only ${about(adapted)} of episodes`} ever found the new wording.`)
  }
  if (memorisedPerAction < noticeable && rises('refused')) {
    const twin = `against ${about(before.refused)} in the clean twin`
    reasons.push(`${about(now.refused)} of actions are not understood, ${twin}.`)
  }
  for (const [rate, sentence] of sentences) if (rises(rate)) reasons.push(`${about(now[rate])} ${sentence}.`)
  return reasons
}

/** Whether action forms or names got another wording in any episode. */
function rewords({ behaviour: { dose, memorisedPerAction = 0 } }: Scope): boolean {
  const { forms = 0, commandsSaid = 0, commandsSeen = 0, names = 0 } = dose ?? {}
  return [forms, commandsSaid, commandsSeen, names, memorisedPerAction].some((count) => count > 0)
}

const sentences = [
  ['repeats', 'of actions repeat one that was just refused'],
  ['formatErrors', 'of replies are not in the expected format'],
  ['cut', 'of replies reached the token limit'],
  ['empty', 'of replies are empty'],
  ['overflow', 'of episodes no longer fit the context'],
] as const

/** Rates of a group as shares of 1; 0 where they are unknown. */
function ratesOf({ behaviour, outcomes, coverage: { valid } }: Scope) {
  return {
    refused: 1 - (behaviour.grounding ?? 1),
    repeats: behaviour.repeatsPerAction ?? 0,
    formatErrors: behaviour.formatErrorsPerAction ?? 0,
    cut: behaviour.faultsPerAction?.length ?? 0,
    empty: behaviour.faultsPerAction?.empty ?? 0,
    overflow: valid === 0 ? 0 : (outcomes['context-overflow'] ?? 0) / valid,
  }
}
