/**
 * The lowest score of each task over `conditions[c][t]`, the clean one among them; their mean is HELM's worst case
 * (arXiv 2211.09110, robustness). NaN for a task that is NaN in a condition. A minimum over noisy scores is biased
 * downwards: see {@link expectedLowest}.
 */
export function lowestScores(conditions: readonly (readonly number[])[]): readonly number[] {
  return (conditions[0] ?? []).map((_, task) => Math.min(...conditions.map((scores) => scores[task]!)))
}

/**
 * The lowest of `size` of some scores, as its mean over all sets of that size. It is the fair counterpart of a minimum
 * over as many other scores where more are known. Undefined unless 1 ≤ size ≤ the number of scores.
 */
export function expectedLowest(scores: readonly number[], size: number): number | undefined {
  const all = scores.length
  if (size < 1 || size > all) return undefined
  const sorted = [...scores].sort((a, b) => a - b)
  // The share of the sets whose lowest score is the one at this place: C(all − place − 1, size − 1) / C(all, size).
  let share = size / all
  let sum = 0
  sorted.forEach((score, place) => {
    sum += share * score
    share *= Math.max(0, all - place - size) / Math.max(1, all - place - 1)
  })
  return Math.min(sorted.at(-1)!, Math.max(sorted[0]!, sum))
}

/**
 * Probability that at least one of k trials of a task is a success, from n trials of which c were (Chen 2021, arXiv
 * 2107.03374): 1 − C(n−c, k)/C(n, k), the unbiased estimator. Undefined unless 1 ≤ k ≤ n.
 */
export function passAtK(trials: number, successes: number, k: number): number | undefined {
  const none = passHatK(trials, trials - successes, k)
  return none === undefined ? undefined : 1 - none
}

/**
 * Probability that all of k trials of a task are successes, from n trials of which c were (tau-bench, arXiv
 * 2406.12045): C(c, k)/C(n, k). Undefined unless 1 ≤ k ≤ n.
 */
export function passHatK(trials: number, successes: number, k: number): number | undefined {
  if (k < 1 || k > trials) return undefined
  let share = 1
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, successes - drawn) / (trials - drawn)
  return share
}
