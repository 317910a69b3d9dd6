import { mean, standardDeviation } from './dispersion.js'

/** Where the variance of scores comes from, in the square of their unit. */
export interface VarianceComponents {
  /** Mean squares of the two-way analysis of variance. */
  readonly seed: number
  readonly task: number
  readonly residual: number
  /** Estimates of the variances behind them; those of task and seed are 0 where their mean square is below the residual one. */
  readonly components: { readonly task: number; readonly seed: number; readonly residual: number }
  /**
   * Intra-class correlation ICC(1) of a task's runs (Shrout and Fleiss 1979): the share of variance that lies between tasks. Below 0 where tasks differ less than
   * their runs do by chance; absent where all scores are equal.
   */
  readonly icc?: number
}

/**
 * Two-way crossed analysis of variance with one score a cell: `scores[run][task]`, where a run is a seed. Undefined below two runs or two tasks, and
 * where the rows are not equally long or a score is not finite.
 */
export function varianceComponents(scores: readonly (readonly number[])[]): VarianceComponents | undefined {
  const runs = scores.length
  const tasks = scores[0]?.length ?? 0
  const all = scores.flat()
  if (runs < 2 || tasks < 2) return undefined
  if (scores.some((run) => run.length !== tasks) || !all.every(Number.isFinite)) return undefined
  const grand = mean(all)!
  const runMeans = scores.map((run) => mean(run)!)
  const taskMeans = taskMeansOf(scores)
  const squares = (values: readonly number[]): number => values.reduce((sum, value) => sum + value * value, 0)
  const ofRuns = tasks * squares(runMeans.map((value) => value - grand))
  const ofTasks = runs * squares(taskMeans.map((value) => value - grand))
  const ofRest = squares(
    scores.flatMap((run, place) => run.map((score, task) => score - runMeans[place]! - taskMeans[task]! + grand)),
  )
  const seed = ofRuns / (runs - 1)
  const task = ofTasks / (tasks - 1)
  const residual = ofRest / ((runs - 1) * (tasks - 1))
  const within = (ofRuns + ofRest) / (tasks * (runs - 1))
  return {
    seed,
    task,
    residual,
    components: { task: Math.max(0, task - residual) / runs, seed: Math.max(0, seed - residual) / tasks, residual },
    ...(all.some((score) => score !== all[0]) && { icc: (task - within) / (task + (runs - 1) * within) }),
  }
}

/** Standard errors of the mean of all scores, in their unit, by what is taken for chance. */
export interface TwoWayError {
  /** Would other seeds say the same of these tasks? Deviation of the runs' means over √runs. */
  readonly overSeeds: number
  /** Would other tasks say the same? Deviation of the tasks' means over √tasks. */
  readonly overTasks: number
  /** Both at once: √(task/T + seed/S + residual/(T·S)) of the {@link varianceComponents}. */
  readonly both: number
  readonly icc?: number
}

/** Standard errors of the mean of `scores[run][task]`; undefined where {@link varianceComponents} is. */
export function twoWayError(scores: readonly (readonly number[])[]): TwoWayError | undefined {
  const found = varianceComponents(scores)
  if (found === undefined) return undefined
  const taskMeans = taskMeansOf(scores)
  const [runs, tasks] = [scores.length, taskMeans.length]
  const { task, seed, residual } = found.components
  return {
    overSeeds: standardDeviation(scores.map((run) => mean(run)!))! / Math.sqrt(runs),
    overTasks: standardDeviation(taskMeans)! / Math.sqrt(tasks),
    both: Math.sqrt(task / tasks + seed / runs + residual / (runs * tasks)),
    ...(found.icc !== undefined && { icc: found.icc }),
  }
}

function taskMeansOf(scores: readonly (readonly number[])[]): number[] {
  return scores[0]!.map((_, task) => mean(scores.map((run) => run[task]!))!)
}
