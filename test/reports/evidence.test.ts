import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import type { StoredRun } from '../../src/run/plan.js'
import { holm } from '../../src/statistics/multiplicity.js'
import { makePlan, makeRow, makeRun, playTasks, smallPlan, taskId, groupOf } from './fixture.js'
import { workedExample } from './worked-example.js'
import { markdownOf } from '../../src/tables/markdown.js'
import type { Table } from '../../src/tables/table.js'
import { partOf } from './part.js'
import behaviour from '../../reports/tables/behaviour.js'
import changes from '../../reports/tables/changes.js'

const example = aggregate(workedExample())

describe('the outcomes of each task', () => {
  it('are counted over every seed at every temperature', () => {
    expect(groupOf(example, 'parrot', 'agentrefine-1').tasks).toEqual({
      valid: [5, 6, 6, 6],
      broken: [1, 0, 0, 0],
      successes: [1, 0, 1, 3],
      progress: [expect.closeTo((1 / 3 + 0) / 2, 12), 0.125, expect.closeTo(2.5 / 6, 12), expect.closeTo(3.5 / 6, 12)],
      change: [expect.closeTo(-5 / 6, 12), -1, expect.closeTo(-5 / 6, 12), 0],
    })
    expect(groupOf(example, 'reader', 'none').tasks).not.toHaveProperty('change')
  })
})

/** One seed, 20 tasks of which the clean condition solves the first twelve: the losses and gains of each condition. */
const changed: Record<string, { readonly lost: number; readonly gained: number }> = {
  placebo: { lost: 1, gained: 1 },
  one: { lost: 12, gained: 4 },
  two: { lost: 5, gained: 1 },
  three: { lost: 0, gained: 6 },
}
const single = playTasks(
  smallPlan(20, ['none', ...Object.keys(changed)], { models: ['reader'] }),
  ({ condition }, task) => {
    const { lost, gained } = changed[condition] ?? { lost: 0, gained: 0 }
    return task < 12 ? task >= lost : task < 12 + gained
  },
)

describe('tests', () => {
  it('are adjusted over the conditions that promise no identity', () => {
    const conditions = ['one', 'two', 'three'] as const
    const found = conditions.map((condition) => groupOf(aggregate(single), 'reader', condition).pooled.difference!)
    for (const { tests } of found) expect(tests!.progress.p).toBe(tests!.success.p)
    const ps = found.map(({ tests }) => tests!.success.p)
    expect(found.map(({ tests }) => tests!.success.holm)).toEqual(holm(ps))
  })

  it('keep an unplayed condition in the family, so that it does not shrink', () => {
    const rows = [...single.rows].filter(({ condition }) => condition !== 'two')
    const summary = aggregate({ ...single, rows })
    expect(groupOf(summary, 'reader', 'two').pooled.difference).not.toHaveProperty('tests')
    const { p, holm } = groupOf(summary, 'reader', 'three').pooled.difference!.tests!.success
    expect(holm).toBeCloseTo(3 * p, 12)
  })
})

describe('exclusions', () => {
  const all = (run: StoredRun): readonly string[] => aggregate(run).omitted
  const plan = makePlan({ models: ['reader'], temperatures: [0], seeds: [1, 2] })

  it.each<[string, StoredRun, readonly string[]]>([
    [
      'rows that the store could not read',
      {
        ...makeRun(plan, (at) => at),
        notes: ['outcomes.jsonl:7: it is left out.', 'outcomes.jsonl:7: it is left out.'],
      },
      ['outcomes.jsonl:7: it is left out.'],
    ],
    [
      'a run that was stopped',
      { ...makeRun(plan, (at) => (at.condition === 'placebo' ? undefined : at)), stopped: 'Its budget is spent.' },
      [
        'The run was stopped, 8 of 24 planned episodes not played: Its budget is spent.',
        'Nothing was measured of household × reader × act × placebo.',
        '8 of 16 pairs with the clean twin lack a measurement, and enter no change.',
      ],
    ],
    [
      'a run without a clean condition',
      makeRun(makePlan({ conditions: ['agentrefine-1'], models: ['reader'] }), (at) => at),
      [
        'No condition without perturbation was played, so there are no changes, drop rates or flips against a clean twin.',
      ],
    ],
  ])('are reported for %s', (_, run, expected) => {
    expect(all(run)).toEqual(expected)
  })
})

const flips = partOf(changes, ['condition'], ['Flips', 'Evidence'])

/** The lines of a table's grid in Markdown, its titles first. */
function linesOf(table: Table | undefined): string[] {
  return markdownOf([table!])
    .split('\n')
    .filter((line) => line.startsWith('| '))
}

describe('evidence in tables', () => {
  it('counts pairs by their outcomes', () => {
    const plan = makePlan({ models: ['reader'], conditions: ['none', 'placebo'], temperatures: [0] })
    const run = makeRun(plan, (at) => {
      const isLost = at.seed === 1 && at.task !== taskId(0) && !(at.condition === 'placebo' && at.task === taskId(1))
      return makeRow(at, isLost ? 'failure' : 'success', 1)
    })
    const [table] = flips.tables(aggregate(run), 'pooled')
    // One seed loses 3 of 4 tasks in the clean twin, and gains one of them back.
    expect(linesOf(table)[2]).toBe('| reader | placebo | 0 | 1 | 9 | 2 | 4 | 12/12 |')
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
