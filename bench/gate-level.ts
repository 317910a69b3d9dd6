import { mean, meanAboveP, meanBelowP } from '../src/statistics/index.js'
import { beta } from '../test/statistics/play-both.js'
import { type Draw, printRow, replicatesOf, simulate } from './_simulate.js'

/**
 * Draws a task: its probability of success (or mean progress) before and after a drop whose mean over tasks is `drop`.
 */
type Population = (drop: number, draw: Draw) => readonly [before: number, after: number]

/** Populations of tasks. The mean drop of each is exactly `drop`, for drops up to 0.1. */
const populations: Readonly<Record<string, Population>> = {
  homogeneous: (drop) => [0.6, 0.6 - drop],
  heterogeneous(drop, draw) {
    const strength = 1 / 0.45 - 1
    const before = beta(0.6 * strength, 0.4 * strength, draw)
    return [before, before * (1 - drop / 0.6)]
  },
  ceiling: (drop) => [0.98, 0.98 - drop],
  'perfect before': (drop) => [1, 1 - drop],
  bimodal: (drop, draw) => (draw() < 0.6 ? [0.97, 0.97 - drop / 0.6] : [0.03, 0.03]),
  'rare loss': (drop, draw) => [0.95, draw() < 0.11 ? 0.95 - drop / 0.11 : 0.95],
  'rare loss, steady': (drop, draw) => [1, draw() < 0.2 ? 1 - drop / 0.2 : 1],
  cliff: (drop, draw) => [1, draw() < drop ? 0 : 1],
  'cliff, noisy': (drop, draw) => [0.9, draw() < drop / 0.9 ? 0 : 0.9],
  'drop and cliff': (drop, draw) => [0.6, draw() < drop / 2 / 0.6 ? 0 : 0.6 - drop / 2 / (1 - drop / 2 / 0.6)],
  'ceiling and cliff': (drop, draw) => [0.97, draw() < drop / 2 / 0.97 ? 0 : 0.97 - drop / 2 / (1 - drop / 2 / 0.97)],
  'rare gains': (drop, draw) => (draw() < 0.02 ? [0, 1] : [0.9, 0.9 - (drop + 0.02) / 0.98]),
}

const [margin, alpha] = [0.05, 0.05]

/** Draws tasks, plays them, and returns the mean difference of each. */
function playTasks(population: Population, tasks: number, seeds: number, drop: number, isGraded: boolean, draw: Draw) {
  // Progress varies less within a task than success: it is a beta variable of the same mean.
  const score = (mean: number): number =>
    !isGraded || mean <= 1e-9 || mean >= 1 - 1e-9 ? Number(draw() < mean) : beta(2 * mean, 2 * (1 - mean), draw)
  return Array.from({ length: tasks }, () => {
    const [before, after] = population(drop, draw)
    let sum = 0
    for (let seed = 0; seed < seeds; seed++) sum += score(after) - score(before)
    return isGraded ? Math.round((100 * sum) / seeds) / 100 : sum / seeds
  })
}

/** The gate passes: a drop of the margin is rejected. */
export const isPassed = (differences: readonly number[]): boolean => meanAboveP(differences, -margin) < alpha

/** The gate fails: the estimate is at or below −margin, and significantly below 0. */
export const isFailed = (differences: readonly number[]): boolean =>
  mean(differences)! <= -margin + 1e-9 && meanBelowP(differences, 0) <= alpha

/**
 * Error rates and power of the gate's rule over populations and sizes: `false pass` at a true drop of the margin,
 * `false alarm` and `pass` without a change, `seen` (a fail) at twice the margin. Tasks are drawn anew in every
 * replicate.
 */
export function gateLevel(): void {
  const replicates = replicatesOf(400)
  console.log(`gate: ${String(replicates)} replicates a figure, margin 5 points, alpha 5 %`)
  for (const metric of ['success', 'progress'])
    for (const [name, population] of Object.entries(populations))
      for (const tasks of [20, 60, 134])
        for (const seeds of [1, 3, 10]) {
          const size = `${String(tasks)}×${String(seeds)}`
          const rates = simulate(`gate ${metric} ${name} ${size}`, replicates, (draw) => {
            const play = (drop: number) => playTasks(population, tasks, seeds, drop, metric === 'progress', draw)
            const same = play(0)
            return {
              'false pass': isPassed(play(margin)),
              'false alarm': isFailed(same),
              pass: isPassed(same),
              seen: isFailed(play(2 * margin)),
            }
          })
          printRow(['gate', metric, name, size], rates)
        }
}
