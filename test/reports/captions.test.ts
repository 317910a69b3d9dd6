import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { allTables } from '../../reports/tables/index.js'
import { describeOrigin } from '../../reports/tables/captions.js'
import { columnsOf } from '../../src/tables/table.js'
import { chartsOf } from '../../reports/charts/charts-of.js'
import type { Plan, PlannedEnvironment, PlannedModel } from '../../src/run/plan.js'
import { makePlan, makeRun } from './fixture.js'
import { richRun } from './rich-example.js'

const summary = aggregate(richRun())
const tables = (['each-temperature', 'pooled'] as const).flatMap((detail) => allTables(summary, detail))

describe('every table', () => {
  it('has the caption of its experiment, which names tasks, seeds, temperatures and coverage, and the convention of its spread', () => {
    for (const { name, by, environment, notes, origin } of tables) {
      expect(origin, name).toEqual(describeOrigin(summary, environment, by === 'primary'))
      expect(notes.join(' '), `${name} ${by ?? ''}`).toMatch(/sample standard deviation \(n−1\)|no standard deviation/)
    }
    const caption = describeOrigin(summary).join(' ')
    const parts = [
      'household, version 1: 12 tasks',
      '3 seeds (1–3)',
      'temperatures 0, 1',
      'planned episodes',
      'Coverage 9',
    ]
    for (const part of parts) expect(caption).toContain(part)
    expect(caption).toMatch(/shaketable \S+, plan [0-9a-f]{12}\.$/)
  })

  it('has a cell for each column, a name for each head, and no two lines of figures with one name', () => {
    for (const table of tables) {
      const columns = columnsOf(table)
      const names = columns.map(({ metric, label, environment }) => [metric, label, environment].join())
      expect(new Set(names).size, table.title).toBe(names.length)
      const rows = table.rows.map(({ heads }) => heads.join())
      expect(rows.length, table.title).toBeGreaterThan(0)
      expect(new Set(rows).size, table.title).toBe(rows.length)
      for (const { heads, cells } of table.rows) {
        expect(cells).toHaveLength(columns.length)
        expect(heads).toHaveLength(table.heads.length)
      }
    }
  })
})

describe('the identification of an experiment', () => {
  const served = { endpoint: 'http://localhost:8000/v1', model: 'tuned' }
  const base: Plan = {
    ...makePlan({
      environments: [
        { name: 'household', tasks: 3 },
        { name: 'babyai', tasks: 2 },
      ],
      conditions: ['none', 'agentrefine-1'],
      models: [{ name: 'tuned', settings: served }],
    }),
    maxTokens: 512,
  }
  const withEnvironment = (change: Partial<PlannedEnvironment>): Plan => ({
    ...base,
    environments: [{ ...base.environments[0]!, ...change }, base.environments[1]!],
  })
  const withModel = (change: Partial<PlannedModel>): Plan => ({ ...base, models: [{ ...base.models[0]!, ...change }] })
  const withData = (data: Partial<NonNullable<PlannedEnvironment['data']>>, settings = {}): Plan =>
    withEnvironment({ data: { kind: 'benchmark', from: 'ALFWorld', split: 'valid-seen', ...data }, settings })
  const [clean, perturbed] = base.conditions as [Plan['conditions'][number], Plan['conditions'][number]]

  /** No two of these are the same experiment. */
  const plans: Readonly<Record<string, Plan>> = {
    base,
    'generated data': withData({ kind: 'generated' }),
    'other benchmark': withData({ from: 'AgentBoard' }),
    'old generation': withData({}, { generation: 'old' }),
    'other name of the prompt file': withData({ promptFile: 'alfworld_base.json' }, { prompt: '1234567890abcdef' }),
    'environment’s version': withEnvironment({ version: '2' }),
    'content of a task': withEnvironment({ tasks: base.environments[0]!.tasks.map((one) => ({ ...one, hash: 'x' })) }),
    agent: { ...base, agents: [{ name: 'react', settings: {} }] },
    'settings of the agent': { ...base, agents: [{ name: 'act', settings: { history: 5 } }] },
    steps: { ...base, stepLimit: 40 },
    'tokens of a reply': { ...base, maxTokens: 100 },
    host: withModel({ settings: { ...served, endpoint: 'http://other:8000/v1' } }),
    'name of a model': withModel({ name: 'other', settings: { ...served, model: 'other' } }),
    'fewer conditions': { ...base, conditions: [clean] },
    'option of a condition': { ...base, conditions: [clean, { ...perturbed, label: 'agentrefine-1:refuse=false' }] },
    'version of a condition': {
      ...base,
      conditions: [clean, { ...perturbed, perturbations: [{ ...perturbed.perturbations[0]!, version: '2' }] }],
    },
    temperatures: { ...base, temperatures: [0, 0.7] },
    seeds: { ...base, seeds: [2, 3, 4] },
  }
  const dated: Readonly<Record<string, (seed: number) => string>> = {
    'one day': () => '2026-11-21',
    'another day': () => '2026-11-22',
    'two days': (seed) => (seed === 1 ? '2026-11-21' : '2026-11-22'),
  }
  const runs = [
    ...Object.entries(plans).map(([name, plan]) => ({ name, run: makeRun(plan, (at) => at) })),
    ...Object.entries(dated).map(([name, dateOf]) => ({
      name,
      run: makeRun(base, (at) => ({ ...at, date: dateOf(at.seed) })),
    })),
    {
      name: 'other tokens',
      run: makeRun(base, (at) => ({ ...at, measures: { ...at.measures, promptTokens: at.measures.promptTokens + 1 } })),
    },
  ].map((one) => ({ ...one, told: aggregate(one.run) }))

  it('is in every caption: two experiments that differ in any part of it have different ones, even with equal plan hashes', () => {
    const seen = new Map<string, string>()
    for (const { name, told } of runs) {
      const caption = describeOrigin(told, 'household').join(' ')
      expect(caption).toMatch(/shaketable \S+, plan [0-9a-f]{12}\.$/)
      const text = caption.replaceAll(told.plan, '')
      expect(`${name} = ${seen.get(text) ?? ''}`).toBe(`${name} = `)
      seen.set(text, name)
      for (const chart of chartsOf(told).filter(({ file }) => file === 'steps-household'))
        expect(chart.caption.join(' ')).toContain(caption)
    }
  })

  it('is an object in JSON, without possible secrets', () => {
    const endpoint = 'http://me:secret@localhost:8000/v1?key=secret'
    const { experiment } = aggregate(makeRun(withModel({ settings: { ...served, endpoint } }), (at) => at))
    expect(experiment.models[0]).toMatchObject({ name: 'tuned', server: 'localhost:8000/v1' })
    expect(JSON.stringify(experiment)).not.toContain('secret')
  })
})
