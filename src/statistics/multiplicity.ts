import { expectNumbers, share } from './_expect-number.js'

/**
 * Adjusted p-values of a family of tests: lists in, lists out, in the given order, comparable with the level wanted for the whole family. An
 * entry that is not finite counts as 1: a test that could not be made stays in the family and claims nothing.
 * @throws RangeError for a p outside of 0 to 1.
 */
type Adjustment = (ps: readonly number[]) => number[]

/** Bonferroni: n·p. Holds the chance of any false claim, whatever the dependence; never better than {@link holm}. */
export const bonferroni: Adjustment = (ps) => adjust(ps, (sorted) => sorted.map((p) => p * sorted.length))

/** Holm 1979, stepping down from the smallest: holds the chance of any false claim, whatever the dependence. For claims. */
export const holm: Adjustment = (ps) =>
  adjust(ps, (sorted) => rising(sorted.map((p, rank) => p * (sorted.length - rank))))

/** Holm's steps with Šidák's 1 − (1−p)^m: slightly sharper than {@link holm}, for tests that are independent or depend positively. */
export const holmSidak: Adjustment = (ps) =>
  adjust(ps, (sorted) => rising(sorted.map((p, rank) => -Math.expm1((sorted.length - rank) * Math.log1p(-p)))))

/** Benjamini and Hochberg 1995: holds the expected share of false ones among the claims, for independent or positively dependent tests. For exploring. */
export const benjaminiHochberg: Adjustment = (ps) =>
  adjust(ps, (sorted) => falling(sorted.map((p, rank) => (p * sorted.length) / (rank + 1))))

/** Benjamini and Yekutieli 2001: as {@link benjaminiHochberg}, whatever the dependence, times 1 + 1/2 + … + 1/n. */
export const benjaminiYekutieli: Adjustment = (ps) =>
  adjust(ps, (sorted) => {
    const harmonic = sorted.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0)
    return falling(sorted.map((p, rank) => (p * sorted.length * harmonic) / (rank + 1)))
  })

/**
 * Hommel 1988 in Wright's form (Biometrics 48, 1992): Simes' test on every sub-family. Holds the chance of any false claim for independent or
 * positively dependent tests, and is never worse than {@link holm}.
 */
export const hommel: Adjustment = (ps) =>
  adjust(ps, (sorted) => {
    const adjusted = [...sorted]
    for (let size = sorted.length; size > 1; size--) {
      const start = sorted.length - size + 1
      let simes = Infinity
      for (let rank = 2; rank <= size; rank++) simes = Math.min(simes, (size * sorted[start + rank - 2]!) / rank)
      for (let rank = 0; rank < sorted.length; rank++) {
        const candidate = rank < start ? Math.min(simes, size * sorted[rank]!) : simes
        adjusted[rank] = Math.max(adjusted[rank]!, candidate)
      }
    }
    return adjusted
  })

/** Sorts, adjusts, cuts to 1 and puts back in the given order. */
function adjust(ps: readonly number[], inOrder: (sorted: readonly number[]) => readonly number[]): number[] {
  const known = ps.map((p) => (Number.isFinite(p) ? p : 1))
  expectNumbers('each p', known, share)
  const order = known.map((_, place) => place).sort((one, other) => known[one]! - known[other]! || one - other)
  const adjusted = inOrder(order.map((place) => known[place]!))
  const result = new Array<number>(ps.length)
  order.forEach((place, rank) => (result[place] = Math.min(1, adjusted[rank]!)))
  return result
}

/** Each at least as large as all before it. */
function rising(values: readonly number[]): number[] {
  let highest = 0
  return values.map((value) => (highest = Math.max(highest, value)))
}

/** Each at most as large as all after it. */
function falling(values: readonly number[]): number[] {
  let lowest = Infinity
  return values.map((_, place) => (lowest = Math.min(lowest, values[values.length - 1 - place]!))).reverse()
}
