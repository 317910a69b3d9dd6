import { mean } from './dispersion.js'

/**
 * HELM's worst case (arXiv 2211.09110, robustness): mean over tasks of a task's lowest score over `columns[c][t]`, the clean one among them. A task that is NaN
 * in any column is left out; undefined where none is left. A minimum over noisy scores is low by itself: see {@link worstOfRepeats}.
 */
export function worstCase(columns: readonly (readonly number[])[]): number | undefined {
  const lowest = (columns[0] ?? []).map((_, task) => Math.min(...columns.map((column) => column[task] ?? NaN)))
  return mean(lowest.filter((score) => !Number.isNaN(score)))
}

/**
 * What the worst case of so many columns would be if none of them changed anything: mean over tasks of the lowest of `columns` repeats, `repeats[r][t]` being the
 * score of one clean repeat, over all ways to choose them without a repeat chosen twice (no draw, no order). Compare it with {@link worstCase} of as
 * many columns of one such repeat each. A task with fewer repeats than that (NaN is none) is left out; undefined where none is left.
 */
export function worstOfRepeats(repeats: readonly (readonly number[])[], columns: number): number | undefined {
  const expected = (repeats[0] ?? []).map((_, task) =>
    lowestOf(
      repeats.map((repeat) => repeat[task] ?? NaN).filter((score) => !Number.isNaN(score)),
      columns,
    ),
  )
  return mean(expected.filter((score) => score !== undefined))
}

/** Mean of the minimum over all subsets of `size`: the i-th lowest of n is the minimum of C(n − i, size − 1) out of C(n, size). */
function lowestOf(scores: readonly number[], size: number): number | undefined {
  const count = scores.length
  if (!(size >= 1 && size <= count)) return undefined
  const sorted = Float64Array.from(scores).sort()
  let sum = 0
  let share = size / count
  for (let place = 1; place <= count - size + 1; place++) {
    sum += share * sorted[place - 1]!
    share *= (count - place - size + 1) / (count - place)
  }
  return sum
}
