import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { paperTasks } from '../../src/results/published/paper-tasks.js'
import { type Table, columnsOf } from '../../src/tables/table.js'
import type { PlannedModel, StoredRun } from '../../src/run/plan.js'
import { makePlan, playTasks } from './fixture.js'
import { cellText, partOf } from './part.js'
import { richRun, withBest } from './rich-example.js'
import main from '../../reports/tables/main.js'

const heldOut = partOf(main, ['weighted'])

/**
 * Games won in each of the paper's environments out of 134, 112, 90, 60 and 20: AgentRefine (arXiv 2501.01702), table
 * 1, LLaMA-3-8B.
 */
const won: Record<string, Record<string, number>> = {
  AgentRefine: { household: 60, babyai: 42, scienceworld: 13, pddl: 10, jericho: 2 },
  AgentGym: { household: 83, babyai: 53, scienceworld: 17, pddl: 1, jericho: 0 },
}
const sizes: Record<string, number> = { household: 134, babyai: 112, scienceworld: 90, pddl: 60, jericho: 20 }

type Won = (
  at: { readonly environment: string; readonly model: string; readonly seed: number },
  task: number,
) => boolean

function runOf(given: Parameters<typeof makePlan>[0], isWon: Won): StoredRun {
  const plan = makePlan({ conditions: ['none', 'agentrefine-1'], temperatures: [0], seeds: [1], ...given })
  return playTasks(plan, (at, task) => at.condition === 'none' && isWon(at, task))
}

const all = Object.entries(sizes).map(([name, tasks]) => ({ name, tasks }))
const models: readonly PlannedModel[] = [
  { name: 'AgentRefine', settings: {}, heldIn: [] },
  { name: 'AgentGym', settings: {}, heldIn: ['alfworld', 'babyai', 'scienceworld'] },
]

function cells(table: Table, row: number): Record<string, string> {
  return Object.fromEntries(
    columnsOf(table).map((column, index) => [column.metric, cellText(table.rows[row]!.cells[index]!, column)]),
  )
}

describe('weighted scores', () => {
  const run = runOf({ environments: all, models }, ({ environment, model }, task) => task < won[model]![environment]!)
  const [table] = heldOut.tables(aggregate(run), 'pooled')

  it("are the paper's: 282 tasks held out, 416 in all", () => {
    expect(table!.rows[0]!.cells[0]!.value).toBeCloseTo((42 + 13 + 10 + 2) / 282, 12)
    expect(table!.rows[1]!.cells[0]!.value).toBeCloseTo((53 + 17 + 1 + 0) / 282, 12)
    // The scaling figure prints 30.5 for AgentRefine.
    expect(cells(table!, 0)).toMatchObject({ 'paper-success': '23.8', 'all-success': '30.5' })
    expect(paperTasks.reduce((sum, { tasks }) => sum + tasks, 0)).toBe(416)
    expect(paperTasks.filter(({ heldOut }) => heldOut).reduce((sum, { tasks }) => sum + tasks, 0)).toBe(282)
  })

  it('leave out what a model was trained on, under our name or the paper’s, and renormalise', () => {
    expect(cells(table!, 1)).toMatchObject({ 'own-environments': 'pddl, jericho' })
    expect(table!.rows[1]!.cells[2]!.value).toBeCloseTo(1 / 80, 12)
    expect(cells(table!, 0)).toMatchObject({
      'own-environments': 'household, babyai, scienceworld, pddl, jericho',
      'own-success': '30.5',
    })
  })

  it('have a spread over whole runs', () => {
    const environments = [
      { name: 'babyai', tasks: 10 },
      { name: 'pddl', tasks: 10 },
    ]
    // Seeds 1 to 3 win 2, 4, 6 of ten in one and 6, 4, 2 in the other.
    const run = runOf({ environments, models: ['m'], seeds: [1, 2, 3] }, ({ environment, seed }, task) =>
      environment === 'babyai' ? task < 2 * seed : task < 8 - 2 * seed,
    )
    const [summary] = heldOut.tables(aggregate(run), 'pooled')
    const [cell] = summary!.rows[0]!.cells
    expect(cell!.value).toBeCloseTo(0.4, 12)
    // Scores 0.4 ± 0.2 (112 − 60)/172.
    expect(cell!.deviation).toBeCloseTo((0.2 * 52) / 172, 12)
    expect(cell).toMatchObject({ runs: 3, valid: 60, planned: 60 })
  })
})

const summary = withBest(richRun())
const [table] = main.tables(summary, 'pooled')
const marked = (mark: 'best' | 'heldIn') =>
  table!.rows.map(({ model, cells }) => `${model}: ${cells.map((cell) => (cell[mark] ? 'x' : '.')).join('')}`)

describe('the main table', () => {
  it('marks the best and all that do not differ significantly from it, condition by condition', () => {
    for (const ranking of summary.rankings!.filter(({ condition }) => condition === 'none')) {
      const place = table!.groups.findIndex(({ title }) => title === ranking.environment) * 2
      const condition = place + (ranking.metric === 'success' ? 0 : 1)
      const best = table!.rows.filter(({ cells }) => cells[condition]!.best).map(({ model }) => model)
      const expected = ranking.entries.filter((entry) => entry.best).map(({ model }) => model)
      expect(best.sort()).toEqual(expected.sort())
    }
  })

  it('marks what a model was trained on, by the name of the paper too, and nothing without a declaration', () => {
    expect(marked('heldIn')).toEqual(['tuned: xxxx..', 'tuned-without: ......', 'tuned-masked: xxxx..', 'base: ......'])
  })
})
