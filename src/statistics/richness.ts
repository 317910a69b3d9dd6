import { count, expectNumber, expectNumbers, positiveCount } from './_expect-number.js'

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

/**
 * The expected number of different kinds in a sample of `size` that is drawn without replacement: rarefaction (Hurlbert
 * 1971, Ecology 52:577, equation 18). It lets collections of different sizes be compared at one size. Undefined where
 * there are fewer than `size`.
 * @param counts how often each kind occurs
 * @throws RangeError unless the counts are whole numbers of at least 0, and the size one of at least 1
 */
export function rarefied(counts: readonly number[], size: number): number | undefined {
  expectNumbers('each count', counts, count)
  expectNumber('the size of the sample', size, positiveCount)
  const total = counts.reduce((sum, one) => sum + one, 0)
  if (total < size) return undefined
  const logs = new Float64Array(total + 1)
  for (let number = 2; number <= total; number++) logs[number] = logs[number - 1]! + Math.log(number)
  const logChoose = (of: number): number => logs[of]! - logs[size]! - logs[of - size]!
  const all = logChoose(total)
  return counts.reduce((sum, one) => {
    if (one === 0) return sum
    return sum + 1 - (total - one < size ? 0 : Math.exp(logChoose(total - one) - all))
  }, 0)
}
