import type { Aggregate } from '../../src/results/aggregate.js'
import type { Table } from '../../src/tables/table.js'
import { tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { measuredTables } from './measured.js'
import { actingMeasures, actingNotes } from './parts/acting.js'
import type { TriedScope } from './parts/trying.js'
import { tryingMeasures, tryingNotes } from './parts/trying.js'
import { varyingMeasures, varyingNotes } from './parts/varying.js'
import { wordingMeasures, wordingNotes } from './parts/wording.js'
import type { Detail } from './rows.js'
import { describeScope, groupsOn, nameRow, rowHeads, scopesOf } from './rows.js'

/** What may explain a drop, and how far a score would differ: every measure of a model under a condition. */
export default defineTableReport({
  name: 'behaviour',
  summary:
    'grounding, memorised wording, repeats, recovery, replies, dose, preferred wording, tries (best of N, pass@k), errors over seeds and tasks',
  source:
    'Grounding accuracy: AgentBoard (arXiv 2401.13178). Best of N: AgentRefine (arXiv 2501.01702); pass@k: arXiv 2107.03374; pass^k: tau-bench (arXiv 2406.12045). ' +
    'Errors: two-way analysis of variance over tasks and seeds. Preference: continuations of one prompt compared per token, as in GPT-3 (arXiv 2005.14165); reliance after PIPE (arXiv 2602.01611)',
  tables: measureTables,
})

/** One table for each environment. */
function measureTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const rows = groupsOn(aggregate, environment).flatMap((group) =>
      scopesOf(aggregate, detail).map((named) => ({
        row: nameRow(aggregate, detail, named, { model: group.model, agent: group.agent, label: group.column }),
        of: named.of(group) as TriedScope,
      })),
    )
    return measuredTables<TriedScope>(
      {
        ...tableOn(aggregate, environment, 'behaviour', 'Behaviour', 'measure'),
        heads: rowHeads(aggregate, detail, true),
      },
      rows,
      [...actingMeasures, ...wordingMeasures, ...tryingMeasures, ...varyingMeasures],
      [
        ...actingNotes,
        ...missingNotes(aggregate, environment),
        ...wordingNotes(aggregate),
        ...tryingNotes(aggregate),
        ...varyingNotes(rows.map(({ of }) => of)),
        'Measures are over all episodes together; they have no standard deviation over seeds.',
        ...describeScope(aggregate, detail),
      ],
    )
  })
}

/** Which measures are missing because the environment does not report what they take. */
function missingNotes(aggregate: Aggregate, environment: string): string[] {
  const behaviours = groupsOn(aggregate, environment).map(({ pooled }) => pooled.behaviour)
  const reported = behaviours.flatMap(({ perEpisode }) => perEpisode ?? [])
  const understood = reported.some((one) => one.understood === undefined)
    ? [
        'The environment does not report which actions it understands, so Grounding, Memorised, Repeats, Adapted and At step are left out.',
      ]
    : reported.some((one) => one.memorised === undefined)
      ? ['The environment does not report which actions it would understand unperturbed, so Memorised is left out.']
      : []
  return behaviours.some(({ invalidPerAction }) => invalidPerAction !== undefined)
    ? understood
    : [
        ...understood,
        'Actions that were not understood are not split by reason: the environment does not report its action forms and items, or the run is of an older version.',
      ]
}
