import { count, expectCount, expectNumber } from './_expect-number.js'

/**
 * Chance that at least one of k trials of a task is a success, from n trials of which c were (Chen 2021, arXiv 2107.03374): 1 − C(n−c, k)/C(n, k), the
 * estimator without bias. Undefined unless 1 ≤ k ≤ n.
 * @throws RangeError for what are not whole numbers, and unless 0 ≤ c ≤ n.
 */
export function passAtK(trials: number, successes: number, k: number): number | undefined {
  expectCount('successes', successes, trials)
  const none = passHatK(trials, trials - successes, k)
  return none === undefined ? undefined : 1 - none
}

/**
 * Chance that all of k trials of a task are successes, from n trials of which c were (tau-bench, arXiv 2406.12045):
 * C(c, k)/C(n, k). Undefined unless 1 ≤ k ≤ n.
 * @throws RangeError for what are not whole numbers, and unless 0 ≤ c ≤ n.
 */
export function passHatK(trials: number, successes: number, k: number): number | undefined {
  expectCount('successes', successes, trials)
  expectNumber('k', k, count)
  if (k < 1 || k > trials) return undefined
  let share = 1
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, successes - drawn) / (trials - drawn)
  return share
}
