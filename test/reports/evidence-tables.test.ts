import { describe, expect, it } from 'vitest'
import changes from '../../reports/tables/changes.js'
import { aggregate } from '../../src/results/aggregate.js'
import { csvOf } from '../../src/tables/csv.js'
import { markdownOf } from '../../src/tables/markdown.js'
import type { Table } from '../../src/tables/table.js'
import behaviour from '../../reports/tables/behaviour.js'
import { makePlan, makeRow, makeRun, taskId } from './fixture.js'
import { partOf } from './part.js'

const uncertainty = partOf(behaviour, ['measure'], ['Success: error over', 'Progress: error over'])

const flips = partOf(changes, ['condition'], ['Flips', 'Evidence'])

/** The lines of a table's grid in Markdown, its titles first. */
function linesOf(table: Table | undefined): string[] {
  return markdownOf([table!])
    .split('\n')
    .filter((line) => line.startsWith('| '))
}

describe('evidence in tables', () => {
  it('takes its noise from clean repeats, even if a seed repeats its replies', () => {
    const plan = makePlan({ models: ['reader'], columns: ['none', 'placebo'], temperatures: [0] })
    const run = makeRun(plan, (at) => {
      const isLost = at.seed === 1 && at.task !== taskId(0) && !(at.column === 'placebo' && at.task === taskId(1))
      return makeRow(at, isLost ? 'failure' : 'success', 1)
    })
    const [table] = flips.tables(aggregate(run), 'pooled')
    // One of three seeds differs on 3 of 4 tasks: 2 of 3 pairs of seeds there. One of 12 pairs is gained.
    expect(linesOf(table)[2]).toBe('| reader | placebo | 0 | 1 | 9 | 2 | 8.3 | 50.0 | 4 | 12/12 |')
  })

  it('has bounds if no outcome differed, and explains them', () => {
    const plan = makePlan({ environments: [{ name: 'household', tasks: 20 }], models: ['reader'], temperatures: [0] })
    const solved = aggregate(makeRun({ ...plan, columns: plan.columns.slice(0, 1) }, (at) => makeRow(at, 'success', 1)))
    const [table] = uncertainty.tables(solved, 'pooled')
    expect(linesOf(table)[2]).toContain('| &lt;2.8 | &lt;7.7 | &lt;7.7 | ')
    expect(table!.notes.join(' ')).toContain('<: no outcome differed, which does not prove that none would')
    expect(csvOf([table!])).toContain(',success-error-over-tasks,,,,0.077')
  })
})
