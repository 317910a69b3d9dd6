import { paperTasks as tasksOfPaper } from '../../reports/published/paper-tasks.js'
import type { PublishedFile, PublishedProblem } from '../../reports/published/parse-published.js'
import { checkAverages, checkDeviations } from './averages.js'
import { checkCopies, checkDisagreements } from './copies.js'
import { checkCounts } from './counts.js'
import { checkDeltas } from './deltas.js'
import type { Check, Known } from './sheet.js'
import { checkProgress, scoreModels } from './scores.js'
import type { ModelScore } from './scores.js'
import { sheetOf } from './sheet.js'
import type { Weighting } from './weighted.js'
import { checkWeighted } from './weighted.js'

/** What a file of printed numbers says of itself, as plain JSON. */
export interface Audit {
  readonly schema: 1
  /** What was audited, for people. */
  readonly source: string
  readonly rows: number
  readonly tables: readonly string[]
  /** How many tasks each environment was taken to have. */
  readonly tasks: Readonly<Record<string, number>>
  /** Whose numbers of tasks these are where they were assumed; absent where the paper or the caller gave them. */
  readonly assumedFrom?: string
  /** Seeds of each rate whose row does not say, where they were given. */
  readonly seeds?: number
  readonly checks: readonly Check[]
  /** The ways of weighting environments that printed scores were found to follow. */
  readonly weightings: readonly Weighting[]
  readonly scores: readonly ModelScore[]
  /** Lines that could not be used. */
  readonly problems: readonly PublishedProblem[]
}

/**
 * AgentRefine's table 6, which are AgentBoard's numbers: tasks of each environment. A fact for that paper's figures, an
 * assumption for others.
 */
export const paperTasks: ReadonlyMap<string, number> = new Map(tasksOfPaper.map(({ name, tasks }) => [name, tasks]))

/**
 * Recomputes what printed numbers claim. No check knows whose numbers they are; `known` says what the file does not.
 */
export function audit(file: PublishedFile, source: string, known: Known): Audit {
  const sheet = sheetOf(file.rows, known)
  const { check: weighted, weightings } = checkWeighted(sheet)
  return {
    schema: 1,
    source,
    rows: file.rows.length,
    tables: [...new Set(file.rows.map(({ table }) => table))],
    tasks: Object.fromEntries(known.tasks),
    ...(known.assumedFrom !== undefined && { assumedFrom: known.assumedFrom }),
    ...(known.seeds !== undefined && { seeds: known.seeds }),
    checks: [
      checkDisagreements(sheet),
      checkCounts(sheet),
      checkProgress(sheet),
      checkDeltas(sheet),
      checkAverages(sheet),
      checkDeviations(sheet),
      weighted,
      checkCopies(sheet),
    ],
    weightings,
    scores: scoreModels(sheet, weightings),
    problems: file.problems,
  }
}
