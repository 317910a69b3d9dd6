/** What came of every episode of a run or of a stored baseline, in the shape that pairing by task and seed needs. */
export interface Outcomes {
  /** Where they come from, for messages: a run's folder or a baseline's file. */
  readonly source: string
  /** Version of shaketable that played them. */
  readonly version: string
  readonly panels: readonly Panel[]
  readonly cells: readonly OutcomeCell[]
  /** What is not in it and why, in sentences. */
  readonly notes: readonly string[]
}

/** The tasks of one environment, in order. Where the hashes are equal, everything in it is. */
export interface Panel {
  readonly environment: string
  readonly version: string
  /** Hash of the environment's name, version and settings and of its tasks' ids and content. */
  readonly hash: string
  /** Hash of the settings. Absent where it is not known, as in baselines of older versions. */
  readonly settings?: string
  /** `hash` is that of the task's content, absent likewise. */
  readonly tasks: readonly { readonly id: string; readonly kind?: string; readonly hash?: string }[]
}

/**
 * The episodes of one environment × model × agent × column × temperature. Lists are by the panel's tasks, then by
 * seeds.
 */
export interface OutcomeCell {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  readonly temperature: number
  readonly seeds: readonly number[]
  /**
   * For each seed the place of the first that is the same play in every episode, its own where there is none; −1 where
   * the seed was not to be played. Absent where all are plays of
   * their own, and where that is not known. */
  readonly sameAs?: readonly number[]
  /** 1 or 0; null where there is no measurement (missing or broken). */
  readonly success: readonly (readonly (0 | 1 | null)[])[]
  /** 0 to 1; null where there is no measurement. */
  readonly progress: readonly (readonly (number | null)[])[]
  /** Episodes that ended in an error, by task. */
  readonly broken: readonly number[]
  /**
   * Tasks on which the column's perturbation changed nothing; false throughout on the clean column and on columns that
   * promise identity.
   */
  readonly unchanged: readonly boolean[]
}
