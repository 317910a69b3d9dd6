import type { Interval, PairedDifference } from 'shaketable/statistics'

/** A test of the hypothesis that there is no difference. */
export interface Test {
  /**
   * Two-sided, the task as the cluster; it is below 0.05 exactly where the 95 % interval of the difference leaves 0
   * out.
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
 * Pairs of one task, seed and temperature by what came of them: lost was a success in the first alone, gained in the
 * second alone.
 */
export interface Flips {
  readonly both: number
  readonly lost: number
  readonly gained: number
  readonly neither: number
}

/**
 * Share of the first score that is gone in the second: 1 − second/first. Absent where the first is 0. The interval is a
 * percentile bootstrap over tasks.
 */
export interface DropRate {
  readonly value: number
  readonly interval?: Interval
}

/**
 * What came of each task: lists with one place for each task of the environment's panel, over every seed at every
 * temperature.
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
  /** Those that are 95 % upper bounds, since nothing varied. */
  readonly atMost?: readonly ('overSeeds' | 'overTasks' | 'both')[]
  /** Would a run with other seeds say the same? */
  readonly overSeeds: number
  /** Would other tasks of this kind? */
  readonly overTasks: number
  /** Both at once. */
  readonly both: number
  /** Intra-class correlation ICC(1) of a task's repeats; absent where nothing varies. */
  readonly icc?: number
}

/**
 * What all columns together say of one model and agent in an environment; identity columns do not enter. Shares of 1,
 * pooled over seeds and temperatures.
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
   * The selection bias of that minimum: the same minimum over equally many clean repeats of one seed each; a worst case
   * is news only below this. Absent where there are fewer seeds than columns.
   */
  readonly worstOfClean?: { readonly success: number; readonly progress: number; readonly repeats: number }
  /**
   * The worst case over the columns of one seed each, every column at another seed, drawn as `worstOfClean` is, beside
   * which it stands, on the same measurements.
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
    /** Whether it belongs to the 95 % confidence set of the best over other tasks; all of them may. */
    readonly best: boolean
    /**
     * Smallest one-sided p of its comparisons with the others, paired by task, and adjusted over all comparisons.
     * Absent where there is no other.
     */
    readonly p?: number
    readonly holm?: number
  }[]
  /**
   * Whether the means order as those of the clean column do, −1 to 1 (Kendall's τ-b, Spearman's ρ). Absent there, and
   * where an order cannot be told.
   */
  readonly againstClean?: { readonly kendall: number; readonly spearman: number }
}

/** A model that varies another, compared with it on the same tasks, seeds and temperatures: variant minus reference. */
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
