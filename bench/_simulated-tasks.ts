import { betaQuantile } from '../src/statistics/special-functions.js'

const size = 1000

/**
 * Populations of tasks with the mean success rate `mean` (0.5 or more), each as 1,000 equally likely success
 * probabilities of a task. They cover what is unknown about a benchmark's tasks: whether they differ little or much,
 * and whether all of them differ or a few.
 */
export const populations: Readonly<Record<string, (mean: number) => readonly number[]>> = {
  'all alike': (mean) => places().map(() => mean),
  'beta, ICC 0.1': (mean) => beta(mean, 0.1),
  'beta, ICC 0.3': (mean) => beta(mean, 0.3),
  'beta, ICC 0.5': (mean) => beta(mean, 0.5),
  'beta, ICC 0.7': (mean) => beta(mean, 0.7),
  'beta, ICC 0.9': (mean) => beta(mean, 0.9),
  'always or never': (mean) => split(mean, 1, 0),
  'nearly always or never': (mean) => split((mean - 0.02) / 0.96, 0.98, 0.02),
  'some solved half the time': (mean) => split(2 * mean - 1, 1, 0.5),
  'some mostly lost': (mean) => split(1 - (1 - mean) / 0.8, 1, 0.2),
  'half at the ceiling': (mean) => [...split(0.5, 1, 0).slice(0, size / 2), ...beta(2 * mean - 1, 0.3, size / 2)],
}

function places(length = size): number[] {
  return Array.from({ length }, (_, place) => place)
}

/** A share of the tasks with one probability, the rest with another. */
function split(share: number, first: number, other: number): number[] {
  return places().map((place) => (place < Math.round(size * share) ? first : other))
}

/** Beta-distributed probabilities, so that the outcomes of two episodes of a task have the correlation `icc`. */
function beta(mean: number, icc: number, length = size): number[] {
  const both = 1 / icc - 1
  return places(length).map((place) =>
    mean === 0 ? 0 : betaQuantile((place + 0.5) / length, mean * both, (1 - mean) * both),
  )
}
