import type { Aggregate } from '../src/results/aggregate.js'
import { tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import type { Detail } from './tables/rows.js'
import { describeScope, figure, groupRows, groupsOn, rowHeads } from './tables/rows.js'
import type { Cell, Table } from '../src/tables/table.js'

/**
 * Which of two accepted wordings a model uses by itself. It needs no success, so it is measurable at the floor and the
 * ceiling of success too.
 */
export default defineTableReport({
  name: 'interface-reliance',
  summary: 'which of two listed wordings a model uses, and whether it is the first listed (conditions with mode=alias)',
  source: 'this testbed, after the alias-based metric of PIPE (arXiv 2602.01611)',
  tables: relianceTables,
})

/** One table for each environment with a condition in mode `alias`. */
function relianceTables(aggregate: Aggregate, detail: Detail): Table[] {
  return aggregate.environments.flatMap(({ name: environment }) => {
    const groups = groupsOn(aggregate, environment).filter(({ pooled }) => pooled.reliance !== undefined)
    if (groups.length === 0) return []
    return {
      ...tableOn(aggregate, environment, 'interface-reliance', 'Interface reliance'),
      notes: [
        'Two wordings of each action are listed and accepted; which one comes first is counterbalanced over tasks and seeds. Original first, Alias first: share of executed actions in the original wording where it is listed first, and where the other one is, in percent. Reliance: mean of both, 50 without a preference, 100 where only the original wording is used. Order bias: share of actions in the wording listed first minus 50, in points, 50 where it is always taken.',
        'Means over tasks of the mean over their episodes, in brackets the 95 % interval over other tasks. Clusters: tasks played in both orders, and pairs of tasks played in one order each. Choices: executed actions whose two wordings differ; Mixed: those that mix both, which count half for each.',
        ...describeScope(aggregate, detail),
      ],
      heads: rowHeads(aggregate, detail, true),
      groups: [
        {
          title: 'Original wording',
          columns: [
            { title: 'Original first', shows: 'share', metric: 'original-if-original-first' },
            { title: 'Alias first', shows: 'share', metric: 'original-if-alias-first' },
            { title: 'Reliance', shows: 'share', metric: 'interface-reliance' },
          ],
        },
        { title: 'First listed', columns: [{ title: 'Order bias', shows: 'change', metric: 'order-bias' }] },
        {
          title: 'Actions',
          columns: [
            { title: 'Clusters', shows: 'count', metric: 'reliance-clusters' },
            { title: 'Choices', shows: 'count', metric: 'wording-choices' },
            { title: 'Mixed', shows: 'count', metric: 'mixed-wordings' },
          ],
        },
      ],
      rows: groupRows(aggregate, detail, groups, ({ reliance: found }) => [
        figure(found?.originalFirst),
        figure(found?.aliasFirst),
        withInterval(found?.reliance),
        withInterval(found?.orderBias),
        figure(found?.clusters ?? 0),
        figure(found?.choices ?? 0),
        figure(found?.mixed ?? 0),
      ]),
    }
  })
}

function withInterval(
  given: { readonly mean: number; readonly overTasks?: Pick<Cell, 'low' | 'high'> } | undefined,
): Cell {
  return given === undefined ? {} : { value: given.mean, ...given.overTasks }
}
