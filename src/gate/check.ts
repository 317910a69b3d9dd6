import type { Metric } from '../compare/pair-cells.js'
import type { Interval } from '../statistics/intervals.js'

/** How a gate judges; see {@link judge}. */
export interface Rule {
  readonly metric: Metric
  /** The largest drop that is tolerated, a share of 1. */
  readonly margin: number
  /** Probability of a false pass of one cell, and of a false fail over all cells, at this look. */
  readonly alpha: number
  /**
   * Where growing data are checked several times: which look this is of how many, and the error probability of all
   * together.
   */
  readonly looks?: { readonly look: number; readonly planned: number; readonly alpha: number }
  /** The least share of a cell's episodes that must be measured, on either side. */
  readonly minCoverage: number
  /** Fail only what is significantly worse than the margin, not only significantly worse. */
  readonly strict: boolean
  /** How fails are held to `alpha` over all cells. */
  readonly correction: 'holm' | 'none'
}

/**
 * What can be said of a cell. `unknown`: nothing, and `cause` says why; `broken`: its episodes ended in errors or were
 * not played.
 */
export type CellVerdict = 'pass' | 'fail' | 'inconclusive' | 'unknown' | 'broken'

/** Why nothing can be said of a cell. */
export type Cause =
  /** In the baseline, not in the run. */
  | 'missing'
  /** In the run, not in the baseline. */
  | 'new'
  /** Its perturbations are not those of the baseline. */
  | 'changed'
  /** No task has a pair. */
  | 'unpaired'
  /** Too few of its pairs are measured. */
  | 'coverage'
  /** Its perturbations changed nothing on any task. */
  | 'unchanged'
  /** All its tasks are in quarantine. */
  | 'quarantined'
  /** Every one of its episodes in the run ended in an error. */
  | 'errors'
  /** The run was stopped, or is still being written. */
  | 'partial'

/** What can be said of the whole gate; each has an exit code of its own, see {@link decide}. */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'broken'

/**
 * A run checked against a baseline, as plain JSON: what every face of it shows. Shares of 1; differences are run minus
 * baseline, below 0 is worse.
 */
export interface Check {
  readonly schema: 1
  readonly verdict: Verdict
  /** The exit code that goes with the verdict: 0 pass, 1 fail, 3 inconclusive, 4 broken. */
  readonly code: 0 | 1 | 3 | 4
  /** Why, in sentences. */
  readonly reasons: readonly string[]
  /** Why the run is not whole, so that nothing was judged. Absent where it is. */
  readonly obstacle?: string
  readonly run: { readonly source: string; readonly version: string }
  readonly baseline: { readonly source: string; readonly version: string; readonly why: string }
  readonly rule: Rule
  /** Cells that were judged together: fails are corrected for so many. */
  readonly judged: number
  readonly cells: readonly CheckedCell[]
  /** What was left out or is not as in the baseline, in sentences. */
  readonly notes: readonly string[]
}

/** One environment × model × agent × column, over all tasks and temperatures that both sides have. */
export interface CheckedCell {
  readonly environment: string
  /** As the run calls it. */
  readonly model: string
  readonly agent: string
  readonly column: string
  /** What the baseline calls model and agent, where that is something else. */
  readonly was?: { readonly model: string; readonly agent: string }
  readonly verdict: CellVerdict
  readonly cause?: Cause
  /** In a sentence. */
  readonly reason: string
  /** Significantly worse or better than the baseline, whatever the margin says of it. */
  readonly moved?: 'worse' | 'better'
  /** Seeds of the run at temperatures that both sides have. */
  readonly passes: number
  /**
   * Passes of either side where their seeds are not the same: a task's mean in the run is compared with its mean in the
   * baseline. Absent where each pass has its pair.
   */
  readonly byTask?: { readonly baseline: number; readonly run: number }
  /**
   * Pairs measured, of those that the tasks in the gate would have; episodes of both sides where they are compared by
   * task.
   */
  readonly pairs: number
  readonly planned: number
  /** Share of the planned episodes that was measured on each side. */
  readonly coverage: { readonly baseline: number; readonly run: number }
  /** Episodes of the run that ended in an error, tasks out of the gate included. */
  readonly errors: number
  /** Absent without a pair. */
  readonly difference?: CellDifference
  readonly power?: CellPower
  /** Tasks by what became of them; one is in exactly one list's count. */
  readonly counts: Readonly<Record<TaskState, number>>
  /** Tasks that have both successes and failures among their measurements, on either side. */
  readonly flaky: { readonly baseline: number; readonly run: number }
  /** Every task of the panel. Empty for a cell that one side does not have. */
  readonly tasks: readonly CheckedTask[]
}

/** The difference of a cell's tasks in the gate. */
export interface CellDifference {
  /** Means over tasks of a task's mean over what is compared of it. */
  readonly baseline: number
  readonly run: number
  readonly estimate: number
  /** Of confidence 1 − 2·alpha: each bound holds with 1 − alpha. */
  readonly interval: Interval
  /**
   * The interval over everything that the missing pairs may have been: failures or successes on either side. Absent
   * where none is missing.
   */
  readonly worstCase?: Interval
  /** Tasks that it rests on. */
  readonly tasks: number
  /** Sample standard deviation of the tasks' differences. Absent below two tasks. */
  readonly deviation?: number
  /**
   * How many tasks carry the change: (Σd²)²/Σd⁴ over the tasks' differences d. One task lost wholly among small changes
   * is about 1.
   */
  readonly carrying: number
  readonly p: DifferenceP
  /** Of `p`, what is judged by, corrected for all cells. */
  readonly adjusted: Omit<DifferenceP, 'noninferior'>
}

/**
 * One-sided p-values, the largest over what missing pairs may have been; each is of the hypothesis that the difference
 * is not what it is called.
 */
export interface DifferenceP {
  /** Above −margin. */
  readonly noninferior: number
  /** Below 0. */
  readonly worse: number
  /** Below −margin. */
  readonly beyond: number
  /** Above 0. */
  readonly better: number
}

/** What this gate could have seen in this cell, at the spread that it has. */
export interface CellPower {
  /** Probability of a pass where nothing changed. */
  readonly passIfEqual: number
  /**
   * Probability of a fail at a true drop of twice the margin, carried by few tasks, at the most conservative level of
   * the correction.
   */
  readonly failAtTwice: number
  /**
   * The smallest true drop that fails with a probability of 0.8, however it is spread over tasks. Absent where none
   * does.
   */
  readonly detectable?: number
}

/**
 * What became of a task. `lost` and `gained`: solved (in at least half of what is compared) on one side alone; for
 * progress, lower or higher by the margin or more. `unknown`: without a pair; `broken`: without one because its
 * episodes in the run ended in errors.
 */
export type TaskState = 'kept' | 'lost' | 'gained' | 'broken' | 'unknown' | 'unchanged' | 'quarantined'

/** One task of a cell. */
export interface CheckedTask {
  readonly id: string
  readonly state: TaskState
  readonly baseline: TaskScore
  readonly run: TaskScore
  /** Episodes of the run that ended in an error. */
  readonly errors: number
}

/** A task's measurements in the passes that both sides have. */
export interface TaskScore {
  readonly measured: number
  readonly successes: number
  /** Mean; absent without a measurement. */
  readonly progress?: number
}
