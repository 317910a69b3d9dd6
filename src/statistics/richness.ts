import { count, expectNumbers } from './_expect-number.js'

/**
 * Shannon's entropy of a distribution that is given by counts, in bits; by the shares as they are, so that it is
 * somewhat too low in small samples (Miller 1955). Undefined where all counts are 0.
 * @throws RangeError unless each count is a whole number of at least 0
 */
export function entropyBits(counts: readonly number[]): number | undefined {
  expectNumbers('each count', counts, count)
  const total = counts.reduce((sum, one) => sum + one, 0)
  if (total === 0) return undefined
  return Math.max(
    0,
    counts.reduce((sum, one) => (one === 0 ? sum : sum - (one / total) * Math.log2(one / total)), 0),
  )
}

/**
 * The effective number of kinds: two to the power of the entropy in bits, the number of equally frequent kinds with
 * that entropy (Hill's number of order 1; Hill 1973, Ecology 54:427). Undefined where all counts are 0.
 */
export function effectiveNumber(counts: readonly number[]): number | undefined {
  const bits = entropyBits(counts)
  return bits === undefined ? undefined : 2 ** bits
}
