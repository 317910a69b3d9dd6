import type { Interval, PairedDifference } from 'shaketable/statistics'

/** A test of the hypothesis that there is no difference. */
export interface Test {
  /**
   * Two-sided, with the task as the cluster. It is below 0.05 exactly where the 95 % interval of the difference excludes
   * 0.
   */
  readonly p: number
  /**
   * Adjusted over a family, Holm for claims, Benjamini-Hochberg for exploring: of changes the columns of one
   * environment × model × agent (those apart that promise identity), of variants those of one reference in one
   * environment × agent × column. Absent outside of a family.
   */
  readonly holm?: number
  readonly bh?: number
}

/**
 * Pairs of the same task, seed and temperature by their outcomes: lost is a success in the first only, gained in the
 * second only.
 */
export interface Flips {
  readonly both: number
  readonly lost: number
  readonly gained: number
  readonly neither: number
}

/**
 * Share of the first score that is lost in the second: 1 − second/first. Absent where the first is 0. The interval is a
 * percentile bootstrap over tasks.
 */
export interface DropRate {
  readonly value: number
  readonly interval?: Interval
}

/**
 * Results of each task over every seed at every temperature: lists with one place for each task of the environment's
 * panel.
 */
export interface TaskScores {
  /** Measurements. */
  readonly valid: readonly number[]
  /** Episodes that ended in an error. */
  readonly broken: readonly number[]
  readonly successes: readonly number[]
  /** Mean over the measurements; null without one. */
  readonly progress: readonly (number | null)[]
  /**
   * Difference of mean success to the clean twin over the pairs; null without a pair, and where the perturbation
   * changed nothing. Absent on the clean twin, and in a run without one.
   */
  readonly change?: readonly (number | null)[]
}

/**
 * Where the spread of a score comes from, two-way over tasks and seeds (components floored at 0). Standard errors of
 * the mean, shares of 1.
 */
export interface Spread {
  /** Which of the errors are 95 % upper bounds, since nothing varied. */
  readonly atMost?: readonly ('overSeeds' | 'overTasks' | 'both')[]
  /** If the seeds were drawn again. */
  readonly overSeeds: number
  /** If the tasks were drawn again. */
  readonly overTasks: number
  /** If both were drawn again. */
  readonly both: number
  /** Intra-class correlation ICC(1) of a task's repeats; absent where nothing varies. */
  readonly icc?: number
}

/**
 * Figures of one model and agent in an environment over all columns but identity columns, as shares of 1, pooled over
 * seeds and temperatures.
 */
export interface Robustness {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /**
   * Means over tasks of the worst column's mean success and progress (HELM's worst case: the clean column counts too),
   * on tasks measured in every column.
   */
  readonly worstCase?: { readonly success: number; readonly progress: number; readonly columns: number }
  /**
   * The selection bias of that minimum: the same minimum over equally many clean repeats of one seed each. Only a worst
   * case below this shows harm. Absent where there are fewer seeds than columns.
   */
  readonly worstOfClean?: { readonly success: number; readonly progress: number; readonly repeats: number }
  /**
   * The worst case over the columns of one seed each, every column at another seed, for comparison with `worstOfClean`:
   * it is drawn the same way, on the same measurements.
   */
  readonly worstOfOneSeed?: { readonly success: number; readonly progress: number }
  /** Share of tasks that are solved in every column in at least half of their measurements. */
  readonly allPass?: number
  /** Sample standard deviation of the columns' means without the clean one (the paper's STD). */
  readonly spreadOverColumns?: { readonly success: number; readonly progress: number }
}

/** Models and agents of one environment and column by mean, best first. */
export interface Ranking {
  readonly environment: string
  readonly column: string
  readonly metric: 'success' | 'progress'
  readonly entries: readonly {
    readonly model: string
    readonly agent: string
    readonly mean: number
    /** Whether it belongs to the 95 % confidence set of the best over other tasks, which may be all entries. */
    readonly best: boolean
    /**
     * Smallest one-sided p of its comparisons with the others, paired by task, and adjusted over all comparisons.
     * Absent where there is no other.
     */
    readonly p?: number
    readonly holm?: number
  }[]
  /**
   * Agreement of the order with that of the clean column, −1 to 1 (Kendall's τ-b, Spearman's ρ). Absent for the clean
   * column, and where there is no order.
   */
  readonly againstClean?: { readonly kendall: number; readonly spearman: number }
}

/** A model compared with its reference model on the same tasks, seeds and temperatures: variant minus reference. */
export interface Variant {
  readonly environment: string
  readonly agent: string
  readonly column: string
  readonly model: string
  readonly reference: string
  readonly pairs: number
  readonly success: PairedDifference
  readonly progress: PairedDifference
  readonly tests?: Readonly<Record<'success' | 'progress', Test>>
}
