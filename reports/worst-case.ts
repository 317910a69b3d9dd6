import type { Aggregate } from './aggregate/aggregate.js'
import type { Robustness } from './aggregate/evidence.js'
import { describeOrigin, titleTable } from './tables/captions.js'
import { figure, rowHeads } from './tables/rows.js'
import type { Cell, Column, Table } from '../src/tables/table.js'

/**
 * What is left where each task is counted in its worst column, beside what the worst of so many clean repeats would
 * have been. One table, or none.
 */
export function worstCaseTables(aggregate: Aggregate, environment: string): Table[] {
  const told = (aggregate.robustness ?? []).filter((one) => one.environment === environment)
  if (!told.some(({ worstCase, allPass }) => worstCase !== undefined || allPass !== undefined)) return []
  return [
    {
      name: 'worst-case',
      environment,
      title: titleTable('Worst case over columns', aggregate, environment),
      notes: [
        'Shares in percent over all seeds and temperatures; columns that promise identity do not enter.',
        "Worst case: per task the lowest of its columns' means, the clean one among them, then the mean over the tasks measured in every column.",
        'One seed: the worst case over the columns of one seed each, every column at another seed; Of clean: that of clean repeats at the same seeds, for the least of noisy scores is low by itself. ' +
          'Columns do harm as far as the first of these two is below the second, which takes as many seeds as there are columns.',
        'Solved in all: tasks solved in every column in at least half of their measurements.',
        'These are single figures over tasks, so that there is no standard deviation over runs.',
      ],
      origin: describeOrigin(aggregate, environment),
      heads: rowHeads(aggregate, 'pooled', false),
      groups: [
        { title: 'Success', columns: worstColumns('success') },
        { title: 'Progress', columns: worstColumns('progress') },
        {
          title: 'Tasks',
          columns: [
            { title: 'Solved in all', shows: 'percent', metric: 'all-pass' },
            { title: 'Columns', shows: 'count', metric: 'worst-case-columns' },
          ],
        },
      ],
      rows: told.map((one) => ({
        heads: [one.model, ...(aggregate.agents.length > 1 ? [one.agent] : [])],
        model: one.model,
        agent: one.agent,
        cells: [
          ...worstCells(one, 'success'),
          ...worstCells(one, 'progress'),
          figure(one.allPass),
          figure(one.worstCase?.columns),
        ],
      })),
    },
  ]
}

function worstColumns(metric: string): Column[] {
  return [
    { title: 'Worst case', shows: 'percent', metric: `${metric}-worst` },
    { title: 'One seed', shows: 'percent', metric: `${metric}-worst-of-one-seed` },
    { title: 'Of clean', shows: 'percent', metric: `${metric}-worst-of-clean` },
  ]
}

function worstCells({ worstCase, worstOfOneSeed, worstOfClean }: Robustness, metric: 'success' | 'progress'): Cell[] {
  return [worstCase, worstOfOneSeed, worstOfClean].map((worst) => figure(worst?.[metric]))
}
