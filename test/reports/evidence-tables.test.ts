import { describe, expect, it } from 'vitest'
import behaviour from '../../reports/tables/behaviour.js'
import changes from '../../reports/tables/changes.js'
import { aggregate } from '../../src/results/aggregate.js'
import { markdownOf } from '../../src/tables/markdown.js'
import type { Table } from '../../src/tables/table.js'
import { makePlan, makeRow, makeRun, taskId } from './fixture.js'
import { partOf } from './part.js'
import { workedExample } from './worked-example.js'

const flips = partOf(changes, ['condition'], ['Flips', 'Evidence'])

/** The lines of a table's grid in Markdown, its titles first. */
function linesOf(table: Table | undefined): string[] {
  return markdownOf([table!])
    .split('\n')
    .filter((line) => line.startsWith('| '))
}

describe('evidence in tables', () => {
  it('takes its noise from clean repeats, even if a seed repeats its replies', () => {
    const plan = makePlan({ models: ['reader'], conditions: ['none', 'placebo'], temperatures: [0] })
    const run = makeRun(plan, (at) => {
      const isLost = at.seed === 1 && at.task !== taskId(0) && !(at.condition === 'placebo' && at.task === taskId(1))
      return makeRow(at, isLost ? 'failure' : 'success', 1)
    })
    const [table] = flips.tables(aggregate(run), 'pooled')
    // One of three seeds differs on 3 of 4 tasks: 2 of 3 pairs of seeds there. One of 12 pairs is gained.
    expect(linesOf(table)[2]).toBe('| reader | placebo | 0 | 1 | 9 | 2 | 8.3 | 50.0 | 4 | 12/12 |')
  })

  it('has no column and no note without a figure, and none of rare ones that are 0 throughout', () => {
    const [table] = behaviour.tables(aggregate(workedExample()), 'pooled')
    const titles = table!.groups.flatMap(({ title, columns }) => [title, ...columns.map((column) => column.title)])
    for (const absent of ['Alias', 'Wordings', 'Replies', 'Empty', 'Failures']) expect(titles).not.toContain(absent)
    for (const shown of ['Actions', 'Grounding', 'Dose']) expect(titles).toContain(shown)
    expect(table!.notes.join(' ')).not.toMatch(/Alias:|Replies:/)
    expect(table!.notes.join(' ')).toContain('Dose:')
  })
})
