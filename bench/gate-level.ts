import { createRandom } from '../src/index.js'
import { meanAboveP, meanBelowP, spendAlpha } from '../src/statistics/index.js'
import type { Draw } from '../test/statistics/play-both.js'
import { beta } from '../test/statistics/play-both.js'
import { size } from './_size.js'

/**
 * Draws a task: its probability of success (or mean progress) before and after a drop whose mean over tasks is `drop`.
 */
type Population = (drop: number, draw: Draw) => readonly [before: number, after: number]

const share = (mean: number, correlation: number, draw: Draw): number =>
  beta(mean * (1 / correlation - 1), (1 - mean) * (1 / correlation - 1), draw)

/** Populations of tasks. The mean drop of each is exactly `drop`, for drops up to 0.1. */
const populations: Readonly<Record<string, Population>> = {
  homogeneous: (drop) => [0.6, 0.6 - drop],
  heterogeneous: (drop, draw) => {
    const before = share(0.6, 0.45, draw)
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

const sizes = [
  [20, 1],
  [20, 3],
  [20, 10],
  [60, 1],
  [60, 3],
  [60, 10],
  [134, 1],
  [134, 3],
  [134, 10],
] as const

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

/** Percentage of replicates in which `of` holds. */
function rate(replicates: number, of: () => boolean): number {
  let count = 0
  for (let replicate = 0; replicate < replicates; replicate++) if (of()) count++
  return (100 * count) / replicates
}

/**
 * Error rates and power of the gate's rule, in percent, over populations and sizes: `false pass` at a true drop of the
 * margin, `false alarm` and `pass` without a change, `seen` (a fail) at twice the margin. Tasks are drawn anew in every
 * replicate.
 * @returns the highest rate of false passes
 */
export function gateLevel(replicates = Number(process.env['REPLICATES'] ?? size(400, 1))): number {
  console.log(
    `gate: ${String(replicates)} replicates a figure, margin 5 points, alpha 5 %; standard error at most ` +
      `${(50 / Math.sqrt(replicates)).toFixed(1)} points; columns ${sizes.map(([tasks, seeds]) => `${String(tasks)}×${String(seeds)}`).join(' ')}`,
  )
  let largest = 0
  for (const metric of ['success', 'progress'] as const) {
    for (const [name, population] of Object.entries(populations)) {
      const figures = sizes.map(([tasks, seeds]) => {
        const draw = createRandom(`gate ${metric} ${name} ${String(tasks)} ${String(seeds)}`).next
        const play = (drop: number): number[] => playTasks(population, tasks, seeds, drop, metric === 'progress', draw)
        const passes = (drop: number): boolean => meanAboveP(play(drop), -margin) < alpha
        const fails = (drop: number): boolean => {
          const differences = play(drop)
          const estimate = differences.reduce((sum, one) => sum + one, 0) / tasks
          return estimate <= -margin + 1e-9 && meanBelowP(differences, 0) <= alpha
        }
        return {
          'false pass': rate(replicates, () => passes(margin)),
          'false alarm': rate(replicates, () => fails(0)),
          pass: rate(replicates, () => passes(0)),
          seen: rate(replicates, () => fails(2 * margin)),
        }
      })
      for (const kind of ['false pass', 'false alarm', 'pass', 'seen'] as const) {
        const row = figures.map((figure) => figure[kind])
        if (kind === 'false pass') largest = Math.max(largest, ...row)
        console.log(`${metric} | ${name} | ${kind} | ${row.map((value) => value.toFixed(1)).join(' | ')}`)
      }
    }
  }
  console.log(`gate: the largest rate of false passes is ${largest.toFixed(1)} %`)
  simulateLooks(replicates)
  return largest
}

/**
 * False passes if seeds are added until the gate passes, at 3, 6 and 10 seeds: with the full alpha at each look, and
 * with planned looks that share it.
 */
function simulateLooks(replicates: number): void {
  const looks = [3, 6, 10]
  const levels = spendAlpha(alpha, looks.length)
  for (const name of ['homogeneous', 'heterogeneous', 'bimodal', 'cliff, noisy'] as const) {
    for (const tasks of [60, 134]) {
      const draw = createRandom(`looks ${name} ${String(tasks)}`).next
      let [naive, planned] = [0, 0]
      for (let replicate = 0; replicate < replicates; replicate++) {
        const probabilities = Array.from({ length: tasks }, () => populations[name]!(margin, draw))
        const sums = probabilities.map(() => 0)
        const ps = looks.map((seeds, look) => {
          for (const [task, [before, after]] of probabilities.entries()) {
            for (let seed = looks[look - 1] ?? 0; seed < seeds; seed++)
              sums[task]! += Number(draw() < after) - Number(draw() < before)
          }
          return meanAboveP(
            sums.map((sum) => sum / seeds),
            -margin,
          )
        })
        if (ps.some((p) => p < alpha)) naive++
        if (ps.some((p, look) => p < levels[look]!)) planned++
      }
      const percent = (count: number): string => ((100 * count) / replicates).toFixed(1)
      console.log(`looks | ${name} | ${String(tasks)} tasks | ${percent(naive)} naive | ${percent(planned)} planned`)
    }
  }
}
