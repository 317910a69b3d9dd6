/** What came of every episode of a run or of a stored baseline, in the shape that pairing by task and seed needs. */
export interface Outcomes {
  /** Where they come from, for messages: a run's folder or a baseline's file. */
  readonly source: string
  /** Version of shaketable that played them. */
  readonly version: string
  readonly panels: readonly Panel[]
  readonly cells: readonly OutcomeCell[]
  /** What is missing and why, in sentences. */
  readonly notes: readonly string[]
}

/** The tasks of one environment, in order. Panels with equal hashes are equal in everything. */
export interface Panel {
  readonly environment: string
  readonly version: string
  /** Hash of the environment's name, version and settings and of its tasks' ids and content. */
  readonly hash: string
  /** Hash of the settings. Absent where it is unknown, as in baselines of older versions. */
  readonly settings?: string
  /** `hash` is that of the task's content. Absent where it is unknown. */
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
   * For each seed the place of the first seed with the same play in every episode, which may be its own; −1 where the
   * seed was not planned. Absent where all plays differ, and where that is unknown.
   */
  readonly sameAs?: readonly number[]
  /** 1 or 0; null where there is no measurement (missing or broken). */
  readonly success: readonly (readonly (0 | 1 | null)[])[]
  /** 0 to 1; null where there is no measurement. */
  readonly progress: readonly (readonly (number | null)[])[]
  /** Number of episodes that ended in an error, by task. */
  readonly broken: readonly number[]
  /**
   * Whether the column's perturbation changed nothing on any task at any temperature. False on the clean column, on
   * columns that promise identity, and where nothing was measured.
   */
  readonly unchanged: boolean
}

/**
 * The cells of each environment × model × agent × column, one for each temperature, in order. The keys are {@link
 * keyOf} those names.
 */
export function groupCells({ cells }: Outcomes): ReadonlyMap<string, readonly OutcomeCell[]> {
  const groups = new Map<string, OutcomeCell[]>()
  for (const cell of cells) {
    const key = keyOf(cell.environment, cell.model, cell.agent, cell.column)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [cell])
    else group.push(cell)
  }
  return groups
}

/** Whether a cell has one distinct play: its other seeds were the same play, or were not planned. */
export function hasOnePlay({ sameAs }: OutcomeCell): boolean {
  return sameAs?.filter((same, seed) => same === seed).length === 1
}

/** Names as one key. */
export function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names)
}
