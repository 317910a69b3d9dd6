import { dirichletMeanCdf, mergeEqual } from './dirichlet-mean.js'

/**
 * Adjusted p-values of a family of tests (Holm 1979, step-down), in the given order, to be compared with the level of
 * the whole family: bounds the probability of any false rejection, whatever the dependence. An entry that is not finite
 * counts as 1: a test that could not be made stays in the family and rejects nothing.
 */
export function holm(ps: readonly number[]): number[] {
  const known = ps.map((p) => (Number.isFinite(p) ? p : 1))
  const order = known.map((_, place) => place).sort((one, other) => known[one]! - known[other]! || one - other)
  const adjusted = new Array<number>(ps.length)
  let highest = 0
  order.forEach((place, rank) => {
    highest = Math.min(1, Math.max(highest, known[place]! * (ps.length - rank)))
    adjusted[place] = highest
  })
  return adjusted
}

/** The result of {@link bestSet} for one contestant. */
export interface Contestant {
  /**
   * Smallest one-sided p of the hypotheses that another one is no better, not adjusted; 1 where there is no other to
   * compare it with.
   */
  readonly p: number
  /** The same adjusted over all comparisons: of the hypothesis that it is one of the best. */
  readonly adjusted: number
  /** Whether it belongs to the confidence set. */
  readonly isIn: boolean
}

/**
 * Confidence set of the best of `count` contestants on the same tasks: with `confidence` it holds every contestant with
 * the highest mean over other tasks, ties included (Hsu 1984 and Hansen, Lunde and Nason 2011 have such sets for normal
 * and for large samples). `differences(one, other)` are the differences of one's score to the other's, one a
 * task that both have, −1 to 1: the task is the cluster. Each comparison is exact where scores are 0 or 1 and assumes
 * no distribution otherwise (`aboveP`); comparisons are adjusted by Bonferroni for the others of one contestant
 * and step by step over the contestants (Holm), whatever their dependence. `bench/figures.ts` shows how often it errs.
 * With two contestants five tasks are too few: 2^−5 is above 0.025.
 */
export function bestSet(
  count: number,
  differences: (one: number, other: number) => readonly number[],
  confidence = 0.95,
): Contestant[] {
  const smallest = new Array<number>(count).fill(1)
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const above = differences(one, other)
      smallest[other] = Math.min(smallest[other]!, aboveP(above))
      smallest[one] = Math.min(smallest[one]!, aboveP(above.map((difference) => -difference)))
    }
  }
  const adjusted = holm(smallest.map((p) => Math.min(1, p * Math.max(1, count - 1))))
  return smallest.map((p, place) => ({
    p,
    adjusted: adjusted[place]!,
    isIn: !(adjusted[place]! < 1 - confidence),
  }))
}

/**
 * One-sided p of the hypothesis that the mean difference over other tasks is 0 or below; small where the tasks of
 * `differences` (−1 to 1) lie above it. A bound as that of `taskInterval`: the tasks and one more, lost wholly, under
 * random weights (Gaffke 2005; Learned-Miller and Thomas 2019, arXiv 1905.06208). Differences that are not finite are
 * missing; 1 where their mean is not above 0.
 */
function aboveP(differences: readonly number[]): number {
  const known = differences.filter(Number.isFinite)
  if (!(known.reduce((sum, difference) => sum + difference, 0) > 0)) return 1
  const rounded = known.map((difference) => [Math.round(difference * 1e12) / 1e12, 1] as const)
  return dirichletMeanCdf(mergeEqual([...rounded, [-1, 1]]), 0)
}
