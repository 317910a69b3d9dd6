import { findGroup } from '../../src/results/find.js'
import type { PublishedRow } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { placePublished } from '../../src/results/published/place-published.js'
import { describePublished, describeRuns, tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { describeRateMarks, markedRate } from './marks.js'
import type { Detail } from './rows.js'
import { cleanLabel, modelRows, rowHeads } from './rows.js'
import { weightedTables } from './parts/weighted.js'
import type { Table } from '../../src/tables/table.js'

/**
 * AgentRefine's table 1: models × environments, each as success and progress rate, with the spread of its appendix H.
 */
export default defineTableReport({
  name: 'main',
  summary:
    'success and progress in every environment, unperturbed, with spread, and weighted scores over environments; the best and held-in are marked',
  source: 'AgentRefine (arXiv 2501.01702), table 1, appendix H, held-out score over 282 tasks, scaling figure over 416',
  tables: (aggregate, detail, published) => [
    ...mainTables(aggregate, detail, published),
    ...weightedTables(aggregate, detail),
  ],
  isSummary: () => true,
  // Of one environment it repeats the robustness table.
  inTerminal: ({ groups, rows }) => groups.length > 1 || rows.some(({ published }) => published !== undefined),
})

/** One table over all environments, of the clean condition; none for a run without that condition. */
function mainTables(aggregate: Aggregate, detail: Detail, published: readonly PublishedRow[] = []): Table[] {
  const clean = cleanLabel(aggregate)
  if (clean === undefined) return []
  const heads = rowHeads(aggregate, detail, false)
  const places = aggregate.environments.flatMap(({ name: environment }) =>
    metrics.map((metric) => ({ environment, metric })),
  )
  const keys = places.map((place) => ({ ...place, perturbation: 'none' }))
  const placed = placePublished(published, ['T1-main', 'AppH-std'], keys, heads.length)
  return [
    {
      ...tableOn(aggregate, undefined, 'main', 'Main results'),
      notes: [
        `Success and progress rate in percent, unperturbed (condition ${clean}).`,
        ...describeRuns(aggregate, detail),
        ...placed.notes,
        ...describePublished(aggregate, placed.rows),
      ],
      marks: describeRateMarks(aggregate, detail),
      heads,
      groups: aggregate.environments.map(({ name: environment }) => ({
        title: environment,
        columns: [
          { title: 'Success', shows: 'percent', metric: 'success', label: clean, environment },
          { title: 'Progress', shows: 'percent', metric: 'progress', label: clean, environment },
        ],
      })),
      rows: [
        ...modelRows(aggregate, detail, (scope, model, agent) =>
          places.map(({ environment, metric }) => {
            const group = findGroup(aggregate, environment, model.name, agent, clean)
            return group ? markedRate(aggregate, group, scope, metric) : {}
          }),
        ),
        ...placed.rows,
      ],
    },
  ]
}

const metrics = ['success', 'progress'] as const
