import { mean } from './dispersion.js'

/**
 * HELM's worst case (arXiv 2211.09110, robustness): mean over tasks of a task's lowest score over `conditions[c][t]`,
 * the clean one among them. A task that is NaN in any condition is left out; undefined where none is left. A minimum
 * over noisy scores is biased downwards: see {@link worstOfRepeats}.
 */
export function worstCase(conditions: readonly (readonly number[])[]): number | undefined {
  const lowest = (conditions[0] ?? []).map((_, task) => Math.min(...conditions.map((condition) => condition[task]!)))
  return mean(lowest.filter((score) => !Number.isNaN(score)))
}

/**
 * The worst case of conditions of one repeat each, and what it would be if none of them changed anything:
 * `conditions[c][r][t]` and `clean[r][t]` are the scores of repeat r. Each condition is taken at a repeat of its own,
 * condition c at repeat (first + c) mod R for every first one, and the clean scores are of the same repeats. Where a
 * repeat is deterministic, conditions that change nothing therefore have exactly the clean worst case. What is NaN in
 * one is left out of both. Both results are means over tasks. Undefined with fewer repeats than conditions, and where
 * nothing is left.
 */
export function worstOfRepeats(
  conditions: readonly (readonly (readonly number[])[])[],
  clean: readonly (readonly number[])[],
): { readonly ofConditions: number; readonly ofClean: number } | undefined {
  if (conditions.length === 0 || clean.length < conditions.length) return undefined
  const [ofConditions, ofClean]: [number[], number[]] = [[], []]
  clean[0]!.forEach((_, task) => {
    const draws = clean.map((_, first) => {
      const repeats = conditions.map((_, condition) => (first + condition) % clean.length)
      return {
        conditions: Math.min(...repeats.map((repeat, condition) => conditions[condition]![repeat]![task]!)),
        clean: Math.min(...repeats.map((repeat) => clean[repeat]![task]!)),
      }
    })
    const known = draws.filter((draw) => !Number.isNaN(draw.conditions + draw.clean))
    if (known.length === 0) return
    ofConditions.push(mean(known.map((draw) => draw.conditions))!)
    ofClean.push(mean(known.map((draw) => draw.clean))!)
  })
  return ofConditions.length === 0 ? undefined : { ofConditions: mean(ofConditions)!, ofClean: mean(ofClean)! }
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
