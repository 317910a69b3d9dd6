import { expectEqualLengths, expectNumbers, finite, share } from './_expect-number.js'
import { mean, standardDeviation } from './dispersion.js'
import { studentQuantile } from './distributions.js'
import type { Interval } from './intervals.js'

/** The known scores of a run, of a task, or of all. */
interface Margin {
  readonly count: number
  readonly mean: number
  readonly isEqual: boolean
}

/** Scores that are known; runs and tasks without one are left out. */
interface Design {
  readonly all: Margin
  readonly runs: readonly Margin[]
  readonly tasks: readonly Margin[]
  /** Sum of the squared deviations of all scores from their mean. */
  readonly squares: number
  /** Each task's weight in the mean over runs of a run's mean over its tasks. */
  readonly shares: readonly number[]
}

function describeDesign(rows: readonly (readonly number[])[]): Design | undefined {
  expectEqualLengths('runs', rows)
  const width = rows[0]?.length ?? 0
  const [ofAll, ofRuns, ofTasks] = [createMargins(1), createMargins(rows.length), createMargins(width)]
  rows.forEach((row, run) => {
    for (let task = 0; task < width; task++) {
      const score = row[task]!
      if (!Number.isFinite(score)) continue
      ofAll.add(0, score)
      ofRuns.add(run, score)
      ofTasks.add(task, score)
    }
  })
  const [[all], runs, tasks] = [ofAll.known(), ofRuns.known(), ofTasks.known()]
  if (runs.length < 2 || tasks.length < 2) return undefined
  const shares = new Float64Array(width)
  let squares = 0
  rows.forEach((row, run) => {
    const share = 1 / (ofRuns.counts[run]! * runs.length)
    for (let task = 0; task < width; task++) {
      const score = row[task]!
      if (!Number.isFinite(score)) continue
      squares += (score - all!.mean) ** 2
      shares[task]! += share
    }
  })
  return { all: all!, runs, tasks, squares, shares: [...shares].filter((share) => share > 0) }
}

/** Sums by place, compensated (Neumaier 1974), without lists of their own: a report asks for thousands of analyses. */
function createMargins(length: number) {
  const [sums, corrections] = [new Float64Array(length), new Float64Array(length)]
  const [lowest, highest] = [new Float64Array(length).fill(Infinity), new Float64Array(length).fill(-Infinity)]
  const counts = new Uint32Array(length)
  return {
    counts,
    add(place: number, score: number): void {
      const before = sums[place]!
      const sum = before + score
      corrections[place]! += Math.abs(before) >= Math.abs(score) ? before - sum + score : score - sum + before
      sums[place] = sum
      counts[place]!++
      if (score < lowest[place]!) lowest[place] = score
      if (score > highest[place]!) highest[place] = score
    },
    /** The margins of the places with a score. */
    known(): Margin[] {
      return Array.from(counts).flatMap((count, place) => {
        if (count === 0) return []
        const [low, high] = [lowest[place]!, highest[place]!]
        const mean = Math.min(high, Math.max(low, (sums[place]! + corrections[place]!) / count))
        return [{ count, mean, isEqual: low === high }]
      })
    },
  }
}

/** Variances of scores by their source, in the square of their unit. */
interface VarianceComponents {
  readonly design: Design
  /** Mean squares between runs, between tasks, and of the rest: sums of squares over their degrees of freedom. */
  readonly meanSquares: BySource
  /** Estimates of the variances behind them, which may be below 0. */
  readonly components: BySource
  /**
   * Intra-class correlation ICC(1) of a task's runs (Shrout and Fleiss 1979): the share of variance that lies between
   * tasks. Below 0 where tasks differ less than their runs do by chance; absent where all scores are equal.
   */
  readonly icc?: number
}

type BySource = Readonly<Record<'seed' | 'task' | 'residual', number>>

/**
 * Two-way crossed analysis of variance with random tasks and seeds, one score a cell: `scores[run][task]`, where a run
 * is a seed and a score that is not finite is missing. The components solve Henderson's first method (Biometrics 9,
 * 1953; Searle, Casella and McCulloch 1992, chapter 5), which is the usual analysis where nothing is missing. Undefined
 * with fewer than two runs or two tasks with a score, and with too few scores to separate the three.
 * @throws RangeError for rows of unequal length.
 */
export function varianceComponents(scores: readonly (readonly number[])[]): VarianceComponents | undefined {
  const design = describeDesign(scores)
  if (design === undefined) return undefined
  const { all, runs, tasks, squares: ofAll } = design
  const [n, s, t] = [all.count, runs.length, tasks.length]
  const freedom = n - s - t + 1
  if (freedom < 1) return undefined
  const squares = (margins: readonly Margin[]): number =>
    sum(margins.map(({ count, mean }) => count * (mean - all.mean) ** 2))
  const [ofRuns, ofTasks] = [squares(runs), squares(tasks)]
  const ofRest = ofAll - ofRuns - ofTasks
  const sizes = (margins: readonly Margin[]): number => sum(margins.map(({ count }) => count ** 2)) / n
  const [ofTask, ofRun] = [sizes(tasks), sizes(runs)]
  const solved = solve(
    [
      [n - ofTask, t - ofRun, t - 1],
      [s - ofTask, n - ofRun, s - 1],
      [ofTask - s, ofRun - t, freedom],
    ],
    [ofTasks, ofRuns, ofRest],
  )
  if (solved === undefined) return undefined
  const [task, seed, residual] = solved
  const [between, within] = [ofTasks / (t - 1), (ofAll - ofTasks) / (n - t)]
  const runsOfTask = (n - ofTask) / (t - 1)
  return {
    design,
    meanSquares: { seed: ofRuns / (s - 1), task: between, residual: ofRest / freedom },
    components: { task, seed, residual },
    ...(!all.isEqual && { icc: (between - within) / (between + (runsOfTask - 1) * within) }),
  }
}

/** How far the means of several draws lie apart, in the unit of the scores. */
export interface SpreadOfDraws {
  /** Sample standard deviation (n − 1) of the draws' means. */
  readonly deviation: number
  /**
   * That of the draws' true means: root of the variance of the means less the sampling variance of one, 0 if below it.
   */
  readonly beyondNoise: number
}

/**
 * The spread of draws that were all scored on the same tasks: `scores[draw][task]`. A draw's mean has the sampling
 * variance MS/T, where MS is the mean square that tasks and draws leave (what all draws share, as how hard a task is,
 * does not count as noise), and the method of moments subtracts it from the variance of the means. This is the variance
 * component of draws in the two-way analysis of variance (Searle, Casella and McCulloch 1992, chapter 4), and the
 * estimator of Hedges and Olkin (1985, chapter 9) for studies. Tasks without a score in every draw are left out;
 * undefined with fewer than two draws or two tasks.
 * @throws RangeError for rows of unequal length.
 */
export function spreadOfDraws(scores: readonly (readonly number[])[]): SpreadOfDraws | undefined {
  expectEqualLengths('scores of draws', scores)
  const analysis = varianceComponents(
    scores.map((row) => row.filter((_, task) => scores.every((other) => Number.isFinite(other[task])))),
  )
  if (analysis === undefined) return undefined
  const { meanSquares, design } = analysis
  const variance = meanSquares.seed / design.tasks.length
  const noise = meanSquares.residual / design.tasks.length
  return { deviation: Math.sqrt(variance), beyondNoise: Math.sqrt(Math.max(0, variance - noise)) }
}

/**
 * The 95 % interval of a mean over draws and tasks if both were drawn again, from its interval over tasks alone and the
 * draws' means: the distances of that interval's bounds, and Student's t for the mean of the draws' means, are added as
 * independent errors are. The noise of the draws' means counts in both, so it is rather too wide. It takes the draws as
 * normal: `bench/figures.ts` shows how often it holds, and that it does not where one draw in four is another thing.
 * Undefined with fewer than two draws.
 * @throws RangeError for a mean that is not finite.
 */
export function intervalOverDraws(means: readonly number[], overTasks: Interval): Interval | undefined {
  expectNumbers('each mean', means, finite)
  const [centre, deviation] = [mean(means), standardDeviation(means)]
  if (centre === undefined || deviation === undefined) return undefined
  const half = (studentQuantile(0.975, means.length - 1) * deviation) / Math.sqrt(means.length)
  return {
    low: centre - Math.hypot(centre - overTasks.low, half),
    high: centre + Math.hypot(overTasks.high - centre, half),
  }
}

type Three = readonly [number, number, number]

/** Cramer's rule; undefined where the equations are nearly dependent. */
function solve([a, b, c]: readonly [Three, Three, Three], right: Three): Three | undefined {
  const determinant = (x: Three, y: Three, z: Three): number =>
    x[0] * (y[1] * z[2] - y[2] * z[1]) - x[1] * (y[0] * z[2] - y[2] * z[0]) + x[2] * (y[0] * z[1] - y[1] * z[0])
  const whole = determinant(a, b, c)
  if (!(Math.abs(whole) > 1e-9 * Math.abs(a[0] * b[1] * c[2]))) return undefined
  const unknown = (place: number): number => {
    const [x, y, z] = [a, b, c].map((row, at) => row.map((value, column) => (column === place ? right[at]! : value)))
    return determinant(x as unknown as Three, y as unknown as Three, z as unknown as Three) / whole
  }
  return [unknown(0), unknown(1), unknown(2)]
}

/** Standard errors of a mean, in the unit of the scores, by what is taken as random. */
export interface TwoWayError {
  /** On these tasks with other seeds. Where nothing is missing, the deviation of the runs' means over √runs. */
  readonly overSeeds: number
  /** On other tasks. Where nothing is missing, the deviation of the tasks' means over √tasks. */
  readonly overTasks: number
  /** Both at once: √(task/T + seed/S + residual/(T·S)) of the `varianceComponents`. */
  readonly both: number
  /**
   * Those of them that are upper bounds in place of an estimate of 0, since no outcome differed from the others: with
   * 95 % confidence at most 1 − 0.05^(1/n) of the population differs (n tasks, or episodes for the seeds; episodes of
   * one task count as independent). Absent where there is none.
   */
  readonly atMost?: readonly ('overSeeds' | 'overTasks' | 'both')[]
  readonly icc?: number
}

/**
 * Standard errors of the mean over runs of a run's mean over tasks; `scores[run][task]` as for `varianceComponents`,
 * shares of 1. Undefined where that is.
 * @throws RangeError for rows of unequal length, and for a score outside of 0 to 1.
 */
export function twoWayError(scores: readonly (readonly number[])[]): TwoWayError | undefined {
  for (const row of scores) expectNumbers('each score', row.filter(Number.isFinite), share)
  const analysis = varianceComponents(scores)
  if (analysis === undefined) return undefined
  const { design, components, icc } = analysis
  const { all, runs, tasks, shares } = design
  const floored = (variance: number): number => Math.max(0, variance)
  const ofTasks = sum(shares.map((share) => share * share))
  const ofEpisodes = sum(runs.map(({ count }) => 1 / count)) / runs.length ** 2
  const residual = floored(components.residual) * ofEpisodes
  // With few runs or tasks an estimate may by chance be below the residual error alone.
  const error = (variance: number): number => Math.sqrt(variance > 0 ? variance : residual)
  const { isEqual, count: episodes } = all
  const reach = Math.max(all.mean, 1 - all.mean)
  const isRepeated = tasks.every((task) => task.isEqual)
  return {
    overSeeds: isRepeated
      ? boundOfNone(episodes, isEqual ? reach : 1)
      : error(components.seed / runs.length + components.residual * ofEpisodes),
    overTasks: isEqual
      ? boundOfNone(tasks.length, reach)
      : error(components.task * ofTasks + components.residual * ofEpisodes),
    both: isEqual
      ? boundOfNone(tasks.length, reach)
      : Math.sqrt(floored(components.task) * ofTasks + floored(components.seed) / runs.length + residual),
    ...(isRepeated && { atMost: isEqual ? (['overSeeds', 'overTasks', 'both'] as const) : (['overSeeds'] as const) }),
    ...(icc !== undefined && { icc }),
  }
}

/**
 * Upper 95 % bound of the standard error of a mean of n equal draws, where a draw that differs would differ by `reach`.
 */
function boundOfNone(n: number, reach: number): number {
  const share = Math.min(0.5, 1 - 0.05 ** (1 / n))
  return reach * Math.sqrt((share * (1 - share)) / n)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
