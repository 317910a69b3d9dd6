import { describe, expect, it } from 'vitest'
import { csvOf } from '../../src/tables/csv.js'
import { latexOf } from '../../reports/tables/paper.js'
import { markdownOf } from '../../src/tables/markdown.js'
import { terminalOf } from '../../src/tables/terminal.js'
import mainReport from '../../reports/tables/main.js'
import { aggregate } from '../../src/results/aggregate.js'
import { makePlan, makeRun } from './fixture.js'
import { richRun, withEvidence } from './rich-example.js'

const summary = withEvidence(richRun())
const [table] = mainReport.tables(summary, 'pooled')
const marked = (mark: 'best' | 'heldIn') =>
  table!.rows.map(({ model, cells }) => `${model}: ${cells.map((cell) => (cell[mark] ? 'x' : '.')).join('')}`)

describe('the main table', () => {
  it('has two columns for each environment, of the clean column, and a row for each model', () => {
    expect(table!.groups.map(({ title, columns }) => [title, ...columns.map((column) => column.title)])).toEqual([
      ['household', 'Success', 'Progress'],
      ['babyai', 'Success', 'Progress'],
      ['pddl', 'Success', 'Progress'],
    ])
    const { pooled } = summary.groups.find(
      (group) => group.environment === 'babyai' && group.model === 'base' && group.column === 'none',
    )!
    expect(table!.rows[3]!.cells[3]).toMatchObject({
      value: pooled.progress.mean,
      deviation: pooled.progress.deviation,
      valid: pooled.coverage.valid,
      planned: 60,
    })
    expect(table!.notes[0]).toBe('Success and progress rate in percent, unperturbed (column none).')
  })

  it('marks the best and all that do not differ significantly from it, column by column', () => {
    for (const ranking of summary.rankings!.filter(({ column }) => column === 'none')) {
      const place = table!.groups.findIndex(({ title }) => title === ranking.environment) * 2
      const column = place + (ranking.metric === 'success' ? 0 : 1)
      const best = table!.rows.filter(({ cells }) => cells[column]!.best).map(({ model }) => model)
      const expected = ranking.entries.filter((entry) => entry.best).map(({ model }) => model)
      expect(best.sort()).toEqual(expected.sort())
    }
  })

  it('marks what a model was trained on, by the name of the paper too, and nothing without a declaration', () => {
    expect(marked('heldIn')).toEqual(['tuned: xxxx..', 'tuned-without: ......', 'tuned-masked: xxxx..', 'base: ......'])
  })

  it('marks only rows over all temperatures, if there are several', () => {
    const [full] = mainReport.tables(summary, 'each-temperature')
    for (const { temperature, cells } of full!.rows)
      expect(cells.some((cell) => cell.best)).toBe(temperature === undefined && cells.some((cell) => cell.best))
    expect(full!.marks!.best).toMatch(/^in the rows named all, /)
    expect(full!.rows.filter(({ cells }) => cells.some((cell) => cell.best)).length).toBeGreaterThan(1)
  })

  it('shows its marks in every format and explains them', () => {
    expect(markdownOf([table!])).toMatch(/<ins>\*\*\d+\.\d\*\*<\/ins> \(/)
    expect(markdownOf([table!])).toContain('- Bold: those that may be the best of their column')
    expect(latexOf([table!], [])).toMatch(/\\underline\{\\textbf\{\d+\.\d\}\}/)
    expect(latexOf([table!], [])).toContain('Underlined: the model was trained on data of that environment.')
    expect(terminalOf([table!], 120)).toMatch(/\d+\.\d \(\d+\.\d\)†?°‡/)
    expect(terminalOf([table!], 120)).toContain('\n‡: the model was trained')
    const coloured = terminalOf([table!], 120, true)
    expect(coloured).toMatch(/\u001b\[4m\u001b\[1m\d+\.\d\u001b\[22m\u001b\[24m \(/)
    const seen = coloured.replace(/\u001b\[\d+m/g, '')
    expect(seen).not.toMatch(/[°‡]/)
    expect(seen).toContain('\nBold: those that may be the best')
    const line = csvOf([table!])
      .split('\r\n')
      .find((one) => one.startsWith('main,,babyai,tuned,react,all,none,success'))
    expect(line).toMatch(/,true,true,,,$/)
  })

  it('has no mark of the best if there is only one row', () => {
    const plan = makePlan({ models: ['m'], temperatures: [0] })
    const alone = aggregate(makeRun(plan, (at) => at))
    const [only] = mainReport.tables(
      {
        ...alone,
        rankings: [
          {
            environment: 'household',
            column: 'none',
            metric: 'success',
            entries: [{ model: 'm', agent: 'act', mean: 0, best: true }],
          },
        ],
      },
      'pooled',
    )
    expect(only!.rows[0]!.cells[0]!.value).toBe(0)
    expect(only!.rows[0]!.cells[0]!.best).toBeUndefined()
  })

  it('is absent for a run without a clean column', () => {
    expect(
      mainReport.tables(aggregate(makeRun(makePlan({ columns: ['agentrefine-1'] }), (at) => at)), 'pooled'),
    ).toEqual([])
  })
})
