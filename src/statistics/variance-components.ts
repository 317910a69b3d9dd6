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
  const means = meansOf(scores)
  return means && componentsOf(scores, means)
}

interface Means {
  readonly grand: number
  readonly runs: readonly number[]
  readonly tasks: readonly number[]
}

function meansOf(scores: readonly (readonly number[])[]): Means | undefined {
  const tasks = scores[0]?.length ?? 0
  if (scores.length < 2 || tasks < 2) return undefined
  if (scores.some((run) => run.length !== tasks || !run.every(Number.isFinite))) return undefined
  const runs = scores.map((run) => mean(run)!)
  return {
    grand: mean(scores.flat())!,
    runs,
    tasks: scores[0]!.map((_, task) => mean(scores.map((run) => run[task]!))!),
  }
}

function componentsOf(scores: readonly (readonly number[])[], means: Means): VarianceComponents {
  const [runs, tasks] = [means.runs.length, means.tasks.length]
  const squares = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + (value - means.grand) ** 2, 0)
  const ofRuns = tasks * squares(means.runs)
  const ofTasks = runs * squares(means.tasks)
  let ofRest = 0
  let isEqual = true
  for (let run = 0; run < runs; run++) {
    const ofRun = scores[run]!
    for (let task = 0; task < tasks; task++) {
      ofRest += (ofRun[task]! - means.runs[run]! - means.tasks[task]! + means.grand) ** 2
      isEqual &&= ofRun[task] === scores[0]![0]
    }
  }
  const seed = ofRuns / (runs - 1)
  const task = ofTasks / (tasks - 1)
  const residual = ofRest / ((runs - 1) * (tasks - 1))
  const within = (ofRuns + ofRest) / (tasks * (runs - 1))
  return {
    seed,
    task,
    residual,
    components: { task: Math.max(0, task - residual) / runs, seed: Math.max(0, seed - residual) / tasks, residual },
    ...(!isEqual && { icc: (task - within) / (task + (runs - 1) * within) }),
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
  const means = meansOf(scores)
  if (means === undefined) return undefined
  const { components, icc } = componentsOf(scores, means)
  const [runs, tasks] = [means.runs.length, means.tasks.length]
  return {
    overSeeds: standardDeviation(means.runs)! / Math.sqrt(runs),
    overTasks: standardDeviation(means.tasks)! / Math.sqrt(tasks),
    both: Math.sqrt(components.task / tasks + components.seed / runs + components.residual / (runs * tasks)),
    ...(icc !== undefined && { icc }),
  }
}
