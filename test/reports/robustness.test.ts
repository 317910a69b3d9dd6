import { describe, expect, it } from 'vitest'
import { formats, printReport, reports } from '../../reports/index.js'
import { aggregate } from '../../src/results/aggregate.js'
import robustness from '../../reports/tables/robustness.js'
import { type Table, columnsOf } from '../../src/tables/table.js'
import type { StoredRun } from '../../src/run/plan.js'
import { createRandom } from '../../src/core/random.js'
import { playTasks, smallPlan } from './fixture.js'
import { workedExample } from './worked-example.js'

/** A run of 10 tasks; each condition wins the given number. */
function runWith(wins: Record<string, number>, given: Parameters<typeof smallPlan>[2] = {}): StoredRun {
  const plan = smallPlan(10, Object.keys(wins), given)
  return playTasks(plan, ({ model, condition }, task) => task < wins[condition]! - (model === 'without' ? 5 : 0), 0.5)
}

function values(table: Table, row = 0): Record<string, number | undefined> {
  const columns = columnsOf(table)
  return Object.fromEntries(
    table.rows[row]!.cells.slice(0, columns.length / 2).map((cell, index) => [columns[index]!.title, cell.value]),
  )
}

const wins = { none: 8, placebo: 8, 'agentrefine-1': 5, 'agentrefine-2': 6, 'agentrefine-3': 7, 'agentrefine-4': 2 }

describe("the paper's robustness table", () => {
  it("reproduces the printed averages of AgentRefine's table 3 from its cells", () => {
    // Agent-FLAN: 67.2, 21.6, 51.4, 27.6, 52.2 and P5 1.5 over 134 games give 36.9.
    const games = [90, 29, 69, 37, 70]
    const conditions = ['none', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4']
    const models = [
      { name: 'flan', settings: {}, withoutInDomain: 'flan-without' },
      { name: 'flan-without', settings: {} },
    ]
    const plan = smallPlan(134, conditions, { models })
    const run = playTasks(
      plan,
      ({ model, condition }, task) => task < (model === 'flan' ? games[conditions.indexOf(condition)]! : 2),
    )
    const [table] = robustness.tables(aggregate(run), 'pooled')
    const { Average, P5 } = values(table!)
    expect(P5).toBeCloseTo(2 / 134, 12)
    expect((100 * Average!).toFixed(1)).toBe('36.9')
  })

  it('takes each task in its worst condition, without those that promise identity', () => {
    const plan = smallPlan(10, ['none', 'mine', 'placebo'], { seeds: [1, 2] })
    const run = playTasks(plan, ({ condition, seed }, task) =>
      condition === 'mine' ? task < (seed === 1 ? 6 : 4) : condition === 'none',
    )
    const whole = aggregate(run)
    // By hand: four tasks in both seeds and two in one of them.
    expect(whole.profiles[0]!.worstCase).toMatchObject({ success: 0.5, solvedInAll: 0.6, conditions: 2 })
    const table = robustness.tables(whole, 'pooled').find(({ by }) => by === 'worst-case')!
    expect(table.rows.map(({ cells }) => cells.map(({ value }) => value))).toEqual([[0.5, 0.5, 0.6, 2]])
  })

  it('averages over None and P1 to P5, with the spread over P1 to P5, P5 only for a model with a twin', () => {
    const models = [
      { name: 'm', settings: {}, withoutInDomain: 'without' },
      { name: 'without', settings: {} },
    ]
    const [table] = robustness.tables(aggregate(runWith(wins, { models })), 'pooled')
    const { Average, STD, ...cells } = values(table!, 0)
    expect(cells).toEqual({ None: 0.8, P1: 0.5, P2: 0.6, P3: 0.7, P4: 0.2, P5: 0.3, placebo: 0.8 })
    expect(Object.keys(values(table!, 0)).slice(-3)).toEqual(['Average', 'STD', 'placebo'])
    expect(Average).toBeCloseTo((8 + 5 + 6 + 7 + 2 + 3) / 60, 12)
    // By hand: mean 0.46, squared deviations 0.0016 + 0.0196 + 0.0576 + 0.0676 + 0.0256 = 0.172, / 4.
    expect(STD).toBeCloseTo(Math.sqrt(0.172 / 4), 12)
    expect(values(table!, 1)).toMatchObject({ None: 0.3, P5: undefined })
    expect(table!.notes.join(' ')).toContain('Average: mean of None, P1, P2, P3, P4 and P5 where it is filled;')
    const [alone] = robustness.tables(aggregate(runWith(wins)), 'pooled')
    expect(Object.keys(values(alone!))).not.toContain('P5')
    expect(values(alone!).Average).toBeCloseTo(0.56, 12)
  })

  it('averages over every perturbation if none is of the paper, except for adversarial ones and a promise of identity', () => {
    const wins = { none: 8, adversary: 0, mine: 4, placebo: 8, yours: 6 }
    const [table] = robustness.tables(aggregate(runWith(wins)), 'pooled')
    expect(Object.keys(values(table!))).toEqual(['None', 'mine', 'yours', 'Average', 'STD', 'adversary', 'placebo'])
    expect(values(table!)['adversary']).toBe(0)
    expect(values(table!).Average).toBeCloseTo(0.6, 12)
    expect(values(table!).STD).toBeCloseTo(Math.SQRT2 / 10, 12)
    const apart = 'Adversarial, and so in no figure over several conditions: adversary.'
    expect(table!.notes.slice(-2)).toEqual([
      'Average: mean of None, mine and yours; STD: sample standard deviation (n−1) of these without None.',
      apart,
    ])
  })
})

describe('reports', () => {
  it('have the same bytes for the same episodes in any order', () => {
    const run = workedExample()
    const shuffled = { plan: run.plan, rows: createRandom('order').shuffle([...run.rows]) }
    for (const report of reports) expect([...report.render(shuffled)]).toEqual([...report.render(run)])
    for (const format of formats) expect(printReport(shuffled, format)).toBe(printReport(run, format))
  })

  it('have distinct names, plain file names, and a source', () => {
    const files = reports.flatMap((report) => [...report.render(workedExample())].map(({ file }) => file))
    expect(files).toMatchInlineSnapshot(`
      [
        "tables/main.md",
        "tables/main.csv",
        "tables/robustness.md",
        "tables/robustness.csv",
        "tables/changes.md",
        "tables/changes.csv",
        "tables/behaviour.md",
        "tables/behaviour.csv",
        "charts/robustness-profile.svg",
        "charts/heat-map.svg",
        "charts/steps.svg",
        "charts/captions.md",
        "report.html",
        "report.json",
      ]
    `)
    expect(new Set(files).size).toBe(files.length)
    for (const report of reports) expect(report).toMatchObject({ summary: /./, source: /./ })
  })
})
