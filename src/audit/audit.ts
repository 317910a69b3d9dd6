import { paperTasks as tasksOfPaper } from '../../reports/published/paper-tasks.js'
import type { PublishedFile, PublishedProblem } from '../../reports/published/parse-published.js'
import { checkAverages } from './averages.js'
import { checkCopies } from './copies.js'
import { checkCounts } from './counts.js'
import { checkDeltas } from './deltas.js'
import { checkDeviations } from './deviations.js'
import { checkDisagreements } from './disagreements.js'
import type { Check } from './finding.js'
import { checkProgress } from './progress.js'
import type { ModelScore } from './scores.js'
import { scoreModels } from './scores.js'
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
  readonly checks: readonly Check[]
  /** The ways of weighting environments that printed scores were found to follow. */
  readonly weightings: readonly Weighting[]
  readonly scores: readonly ModelScore[]
  /** Lines that could not be used. */
  readonly problems: readonly PublishedProblem[]
}

/** AgentRefine's table 6, which are AgentBoard's numbers: tasks of each environment. */
export const paperTasks: ReadonlyMap<string, number> = new Map(tasksOfPaper.map(({ name, tasks }) => [name, tasks]))

/** Recomputes what printed numbers claim. No check knows whose numbers they are. */
export function audit(file: PublishedFile, source: string, tasks: ReadonlyMap<string, number> = paperTasks): Audit {
  const sheet = sheetOf(file.rows, tasks)
  const { check: weighted, weightings } = checkWeighted(sheet)
  return {
    schema: 1,
    source,
    rows: file.rows.length,
    tables: [...new Set(file.rows.map(({ table }) => table))],
    tasks: Object.fromEntries(tasks),
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
