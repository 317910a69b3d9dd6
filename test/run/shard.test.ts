import { describe, expect, it } from 'vitest'
import type { Plan } from '../../src/run/plan.js'
import { type Cell, cellAt, countCells } from '../../src/run/cells.js'
import { readShard, shardCells } from '../../src/run/shard.js'
import { makePlan } from '../reports/fixture.js'

const base = makePlan({ models: ['a', 'b'], conditions: ['none', 'x', 'y'], seeds: [1, 2, 3], temperatures: [0, 1] })
const [environment] = base.environments

/** A plan with environments of so many tasks. */
function planOf(tasks: Readonly<Record<string, number>>, more: Partial<Plan> = {}): Plan {
  const environments = Object.entries(tasks).map(([name, count]) => ({
    ...environment!,
    name,
    tasks: Array.from({ length: count }, (_, id) => ({ ...environment!.tasks[0]!, id: String(id) })),
  }))
  return { ...base, environments, ...more }
}

const equal = (): number => 30
/** Episodes of one environment take twenty times as many calls as those of another. */
const uneven = ({ environment: { name } }: Cell): number => ({ long: 100, short: 5 })[name] ?? 30

const oneModel = { models: base.models.slice(0, 1), seeds: [1], temperatures: [0] }
const cases: [string, Plan, number, (cell: Cell) => number, number][] = [
  ['16 shards of 50 tasks', planOf({ e: 50 }), 16, equal, 1.05],
  ['16 shards of uneven tasks', planOf({ long: 30, short: 50 }), 16, uneven, 1.1],
  ['16 shards of fewer cells', planOf({ e: 1 }, oneModel), 16, equal, 16],
  [
    '7 shards, a model with one seed at temperature 0',
    planOf({ e: 9 }, { models: base.models.map((model) => ({ ...model, seedsAtZero: 1 })) }),
    7,
    equal,
    1.2,
  ],
]

describe('shards', () => {
  it.each(cases)('%s hold each cell once, evenly, seeds outermost', (_, plan, count, expected, maxRatio) => {
    const shards = Array.from({ length: count }, (_, at) => shardCells(plan, { index: at + 1, count }))
    const all = shards.flat().sort((one, other) => one - other)
    expect(all).toEqual(Array.from({ length: countCells(plan) }, (_, index) => index))
    for (const own of shards) expect([...own].sort((one, other) => one - other)).toEqual(own)
    const loads = shards.map((own) => own.reduce((sum, index) => sum + expected(cellAt(plan, index)), 0))
    const mean = loads.reduce((sum, load) => sum + load, 0) / count
    expect(Math.max(...loads) / mean).toBeLessThanOrEqual(maxRatio)
  })

  it('keep the cells of a task, model, seed and temperature together', () => {
    const plan = planOf({ e: 50 })
    const places = new Map<string, Set<number>>()
    for (let index = 1; index <= 16; index++) {
      for (const cell of shardCells(plan, { index, count: 16 }).map((one) => cellAt(plan, one))) {
        const place = `${cell.task.id} ${cell.model.name} ${String(cell.seed)} ${String(cell.temperature)}`
        places.set(place, (places.get(place) ?? new Set()).add(index))
      }
    }
    expect([...places.values()].every(({ size }) => size === 1)).toBe(true)
  })

  it('stay as they are when seeds are added', () => {
    const [few, more] = [planOf({ long: 9, short: 20 }), planOf({ long: 9, short: 20 }, { seeds: [1, 2, 3, 4] })]
    const before = shardCells(few, { index: 2, count: 4 })
    expect(shardCells(more, { index: 2, count: 4 }).slice(0, before.length)).toEqual(before)
  })

  it('are written 3/16, and in no other way', () => {
    expect(readShard('3/16')).toEqual({ index: 3, count: 16 })
    for (const text of ['0/4', '5/4', '3', '03/16', '']) expect(() => readShard(text)).toThrow(/^--shard: expected/)
  })
})
