import { paperTasks as tasksOfPaper } from '../results/published/paper-tasks.js'
import type { PublishedFile, PublishedProblem } from '../results/published/parse-published.js'
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

/** The audit of a file of printed results, as plain JSON. */
export interface Audit {
  readonly schema: 1
  /** Name of the audited file. */
  readonly source: string
  readonly rows: number
  readonly tables: readonly string[]
  /** The number of tasks of each environment. */
  readonly tasks: Readonly<Record<string, number>>
  /** The source of assumed numbers of tasks; absent where the paper or the caller gave them. */
  readonly assumedFrom?: string
  /** Number of seeds, if given, behind each rate whose row does not give one. */
  readonly seeds?: number
  readonly checks: readonly Check[]
  /** The weightings of environments that reproduce printed scores. */
  readonly weightings: readonly Weighting[]
  readonly scores: readonly ModelScore[]
  /** Lines that could not be used. */
  readonly problems: readonly PublishedProblem[]
}

/**
 * Number of tasks of each environment: AgentRefine's table 6, which are AgentBoard's numbers. Facts for that paper's
 * figures, assumptions for others.
 */
export const paperTasks: ReadonlyMap<string, number> = new Map(tasksOfPaper.map(({ name, tasks }) => [name, tasks]))

/** Recomputes printed results. No check depends on whose results they are; `known` adds what the file does not have. */
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
