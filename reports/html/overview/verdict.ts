import type { Difference } from '../../aggregate/differences.js'
import { interval, points, pValue } from './figures.js'

/** What can be said of a perturbation's effect on success, from worst to least. */
export type VerdictKind = 'worse' | 'unclear' | 'unknown' | 'better' | 'steady' | 'untouched'

/** A judgement with its words. */
export interface Verdict {
  readonly kind: VerdictKind
  /** A few words: `Clearly worse`. */
  readonly says: string
  /** The figures behind it: `−93.3 points [−95.0, −91.0], p < 0.001`; absent where there are none. */
  readonly figures?: string
  /** What follows from them where nothing is clear. */
  readonly remark?: string
}

/** A drop below this is called steady where the interval rules a larger one out; the margin of the gate. */
const steadyMargin = 0.05
/** Below this a difference is called clear. */
const clearP = 0.05

/**
 * Judges the change of success against the clean twin, whose own success it was; p is corrected over the columns where
 * the aggregate says so.
 */
export function judge({ pairs, unchanged, success, tests }: Difference, clean: number | undefined): Verdict {
  if (pairs === 0) {
    return unchanged > 0
      ? {
          kind: 'untouched',
          says: 'Untouched',
          remark: 'The perturbation changed nothing on any task, so this is no evidence.',
        }
      : { kind: 'unknown', says: 'Not known', remark: 'There is no pair of two measurements yet.' }
  }
  const mean = success.mean ?? 0
  const p = tests?.success.holm ?? tests?.success.p
  const figures = [
    `${points(mean)} points${success.interval === undefined ? '' : ` ${interval(success.interval)}`}`,
    ...(p === undefined ? [] : [pValue(p)]),
  ].join(', ')
  if (clean === 0 && mean === 0) {
    return {
      kind: 'unknown',
      says: 'Nothing to lose',
      figures,
      remark: 'The clean twins have no success that could be lost.',
    }
  }
  if (isClear(success.interval, p, mean)) {
    return mean < 0
      ? { kind: 'worse', says: 'Clearly worse', figures }
      : { kind: 'better', says: 'Clearly better', figures }
  }
  const { low, high } = success.interval ?? { low: -1, high: 1 }
  if (low >= -steadyMargin) {
    return { kind: 'steady', says: 'Holds', figures, remark: `A drop of more than ${size(low)} points is ruled out.` }
  }
  const most = high > 0 ? `a gain of ${size(high)}` : `one of ${size(high)}`
  return {
    kind: 'unclear',
    says: 'Cannot tell',
    figures,
    remark: `Anything from a drop of ${size(low)} points to ${most} is possible.`,
  }
}

/** By the test where there is one, else by the interval. */
function isClear(between: Difference['success']['interval'], p: number | undefined, mean: number): boolean {
  if (mean === 0) return false
  if (p !== undefined) return p < clearP
  return between !== undefined && (between.high < 0 || between.low > 0)
}

function size(share: number): string {
  return points(share).replace(/^[−+]/, '')
}
