import { describe, expect, it } from 'vitest'
import changes from '../../reports/tables/changes.js'
import { aggregate } from '../../src/results/aggregate.js'
import { csvOf } from '../../src/tables/csv.js'
import { markdownOf } from '../../src/tables/markdown.js'
import robustness from '../../reports/tables/robustness.js'
import type { Table } from '../../src/tables/table.js'
import { columnsOf } from '../../src/tables/table.js'
import behaviour from '../../reports/tables/behaviour.js'
import { makePlan, makeRow, makeRun, taskId } from './fixture.js'
import { richRun, withEvidence } from './rich-example.js'
import { partOf } from './part.js'

const uncertainty = partOf(behaviour, ['measure'], ['Success: error over', 'Progress: error over'])

const flips = partOf(changes, ['condition'], ['Flips', 'Evidence'])

const differences = partOf(changes, ['condition'])

const ablation = partOf(changes, ['variant'])

const summary = withEvidence(richRun())

/** The lines of a table's grid in Markdown, its titles first. */
function linesOf(table: Table | undefined): string[] {
  return markdownOf([table!])
    .split('\n')
    .filter((line) => line.startsWith('| '))
}

describe('the table of changes', () => {
  const [table] = differences.tables(summary, 'pooled')

  it('has p before and after adjustment and the drop rate beside each change', () => {
    const lines = linesOf(table).filter((line) => /^\| (Model|tuned \| agentrefine-1) \|/.test(line))
    expect(lines).toEqual([
      '| Model | Column | Change | p | Holm | Drop rate | If missing |',
      expect.stringMatching(/^\| tuned \| agentrefine-1 \| .* \| &lt;0\.001 \| &lt;0\.001 \| 45 \[30, 60\] \| .* \|$/),
      '| Model | Column | Change | p | Holm | Drop rate | If missing |',
      expect.stringMatching(/^\| tuned \| agentrefine-1 \| .* \| 0\.031 \| 0\.062 \| 25\.0 \| .* \|$/),
      '| Model | Column | Lost | Gained | Both | Neither | Flipped | Clean repeats |',
      expect.stringMatching(/^\| tuned \| agentrefine-1 \| 7 \| 3 \| 11 \| 5 \| \d+\.\d \| \d+\.\d \|$/),
      '| Model | Column | Tasks | Pairs |',
      expect.stringMatching(/^\| tuned \| agentrefine-1 \| 12 \| \d+\/72 \|$/),
      '| Model | Column | Tasks |',
      expect.stringMatching(/^\| tuned \| agentrefine-1 \| [\d.–]+ \|$/),
    ])
  })

  it('names the test, and the family of its adjustment', () => {
    expect(table!.notes.join(' ')).toContain(
      'p: two-sided, of no difference, by the same test, not adjusted, so it is below 0.05 exactly where the interval excludes 0. Holm: p adjusted over the columns of one model and agent (each at 5 %). Intervals are not adjusted.',
    )
  })
})

describe('the flips of a condition', () => {
  it('counts pairs by their outcomes', () => {
    const [table] = flips.tables(summary, 'pooled')
    expect(linesOf(table).slice(0, 3)).toEqual([
      '| Model | Column | Lost | Gained | Both | Neither | Flipped | Clean repeats | Tasks | Pairs |',
      '| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
      expect.stringMatching(/^\| tuned \| placebo \| 7 \| 3 \| 11 \| 5 \| \d+\.\d \| \d+\.\d \| \d+ \| \d+\/72 \|$/),
    ])
  })

  it('adds up to the pairs of a run', () => {
    for (const table of flips.tables(aggregate(richRun()), 'each-temperature'))
      for (const { cells, temperature } of table.rows) {
        const [lost, gained, both, neither, flipped, , , pairs] = cells
        expect(lost!.value! + gained!.value! + both!.value! + neither!.value!).toBe(pairs!.valid)
        if (temperature === undefined) continue
        expect(flipped!.value).toBeCloseTo((lost!.value! + gained!.value!) / pairs!.valid!, 12)
      }
  })

  it('takes its noise from clean repeats, even if a seed repeats its replies', () => {
    const plan = makePlan({ models: ['reader'], columns: ['none', 'placebo'], temperatures: [0] })
    const run = makeRun(plan, (at) => makeRow(at, at.seed === 1 && at.task !== taskId(0) ? 'failure' : 'success', 1))
    const [table] = flips.tables(aggregate(run), 'pooled')
    // One of three seeds differs on 3 of 4 tasks: 2 of 3 pairs of seeds there.
    expect(linesOf(table)[2]).toBe('| reader | placebo | 0 | 0 | 9 | 3 | 0.0 | 50.0 | 4 | 12/12 |')
  })

  it('is absent without a clean twin', () => {
    expect(flips.tables(aggregate(makeRun(makePlan({ columns: ['placebo'] }), (at) => at)), 'pooled')).toEqual([])
  })
})

describe('the table of uncertainty', () => {
  it('gives the errors over seeds, over tasks and over both, with matching decimals', () => {
    const [table] = uncertainty.tables(summary, 'pooled')
    expect(linesOf(table).filter((line) => line.includes('Seeds'))).toEqual([
      '| Model | Column | Seeds | Tasks | Both | ICC | SD within T | SD of runs | SD between T |',
      '| Model | Column | Seeds | Tasks | Both | ICC | SD within T | SD of runs | SD between T |',
    ])
    expect(markdownOf([table!])).toMatch(/\| tuned \| none \| 1\.2\d? \| 10.* \| 11.* \| 0\.44 \|.*/)
    expect(markdownOf([table!])).toMatch(/\| tuned \| none \| 0\.87 \| 10.* \| 11.* \| 0\.44 \|/)
  })

  it('is absent if no error can be computed', () => {
    const plan = makePlan({ seeds: [1] })
    const [table] = uncertainty.tables(aggregate(makeRun(plan, (at) => at)), 'pooled')
    expect(columnsOf(table!).filter(({ metric }) => metric.includes('error-over'))).toEqual([])
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

describe('the table of worst cases', () => {
  it('shows the worst of the columns beside the worst of clean repeats', () => {
    const table = robustness.tables(summary, 'pooled').find(({ by }) => by === 'worst-case')
    expect(linesOf(table)).toContain('| base | 12.3 | 23.4 | 34.5 | 23.4 | 34.5 | 45.6 | 6.3 | 5 |')
  })

  it('is absent if there is only one column', () => {
    const run = makeRun(makePlan({ columns: ['none', 'placebo'] }), (at) => at)
    expect(robustness.tables(aggregate(run), 'pooled').map(({ by }) => by)).toEqual([undefined])
  })
})

describe('the robustness table', () => {
  const table = robustness.tables(summary, 'pooled').find(({ by }) => by === undefined)!

  it('marks the best of each column, but no average and no twin', () => {
    const titles = columnsOf(table).map(({ title }) => title)
    const best = (model: string): string[] => {
      const row = table.rows.find((one) => one.model === model && one.temperature === undefined)!
      return titles.filter((_, index) => row.cells[index]!.best)
    }
    const marked = table.rows.flatMap(({ model }) => best(model))
    expect(new Set(marked)).toEqual(new Set(['None', 'placebo', 'P1', 'P2', 'P3', 'P4']))
    for (const row of table.rows.filter(({ temperature }) => temperature !== undefined))
      expect(row.cells.some((cell) => cell.best)).toBe(false)
  })

  it('marks a twin without in-domain data by its own training data', () => {
    const index = columnsOf(table).findIndex(({ title }) => title === 'P5')
    const row = table.rows.find(({ model }) => model === 'tuned')!
    expect(row.cells[0]!.heldIn).toBe(true)
    expect(row.cells[index]!.value).toBeDefined()
    expect(row.cells[index]!.heldIn).toBeUndefined()
  })

  it('states whether a perturbation changes the order of the models', () => {
    const rankings = summary.rankings!.map((ranking) =>
      ranking.column === 'agentrefine-2' ? { ...ranking, againstClean: { kendall: 2 / 3, spearman: 0.8 } } : ranking,
    )
    const [first] = robustness.tables({ ...summary, rankings }, 'pooled')
    expect(first!.notes.join(' ')).toContain(
      "Order of the rows over all runs against that under None, Kendall's τ-b from −1 to 1: P2 success 0.67, P2 progress 0.67.",
    )
  })
})

describe('the ablation table', () => {
  const [table] = ablation.tables(summary, 'pooled')

  it('shows variants below their base model, column by column', () => {
    expect(table!.rows.map(({ heads }) => heads.join(': ')).slice(0, 4)).toEqual([
      'none: tuned',
      'none: – tuned-without',
      'none: – tuned-masked',
      'placebo: tuned',
    ])
    expect(table!.rows.some(({ model }) => model === 'base')).toBe(false)
  })

  it('has rates, paired changes with their intervals, and p before and after adjustment', () => {
    const text = markdownOf([table!])
    expect(text).toContain('| Column | Model | Rate | Change | p | Holm |')
    expect(text).toMatch(/\| none \| tuned \| <ins>\*\*\d+\.\d\*\*<\/ins> \(\d+\.\d\)† \| – \| – \| – \|/)
    expect(text).toMatch(/\| none \| – tuned-without \| \d+\.\d \(\d+\.\d\) \| -20 \[-31, -9\] \| 0\.012 \| 0\.024 \|/)
    expect(text).toMatch(/\| none \| – tuned-without \| \d+\.\d \(\d+\.\d\) \| 3\.1 \| 0\.600 \| 1\.000 \|/)
  })

  it('does not name the column if there is only one', () => {
    const [only] = ablation.tables(
      {
        ...summary,
        columns: summary.columns.slice(0, 1),
        variants: summary.variants.filter(({ column }) => column === 'none'),
      },
      'pooled',
    )
    expect(only!.heads).toEqual(['Model'])
    expect(only!.rows).toHaveLength(3)
  })

  it('is absent if no model is a variant of another', () => {
    expect(ablation.tables(aggregate(makeRun(makePlan({}), (at) => at)), 'pooled')).toEqual([])
  })
})
