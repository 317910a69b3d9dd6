import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { episodeKey } from '../../src/results/episode-row.js'
import { cellAt, cells, cellsByKey, countCells, identityOf } from '../../src/run/cells.js'
import { createGrid } from '../../src/run/grid.js'
import { doorParts, doors, knocker, plain, unlock } from './_fakes.js'

const { plan } = createGrid(doorParts(3), '1.0.0')

describe('cells', () => {
  it('gives the keys that core defines', () => {
    const quoted = { ...doors(2), name: 'a "quoted" one' }
    const grid = createGrid(
      doorParts(3, {
        environments: [
          { environment: doors(3), tasks: doors(3).tasks },
          { environment: quoted, tasks: quoted.tasks.map((task) => ({ ...task, id: `${task.id} “\\”` })) },
        ],
        conditions: [
          { label: 'none', applied: [] },
          { label: 'u', applied: [{ perturbation: unlock, scope: ['examples'], refuse: false, intensity: 0.5 }] },
        ],
        temperatures: [0, 1e-7, 0.7],
      }),
      '1',
    )
    for (const cell of cells(grid.plan)) expect(cell.key).toBe(episodeKey(identityOf(grid.plan, cell)))
  })

  it('starts with a clean episode and keeps its perturbed twins beside it; seeds come last', () => {
    const order = [...cells(plan)].map(
      ({ task, condition, model, temperature, seed }) =>
        `${task.id} ${condition.label} ${model.name} t${temperature} s${seed}`,
    )
    expect(order.slice(0, 5)).toEqual([
      'door-0 none knocker t0 s0',
      'door-0 none sage t0 s0',
      'door-0 unlock knocker t0 s0',
      'door-0 unlock sage t0 s0',
      'door-1 none knocker t0 s0',
    ])
    expect(order.slice(0, 24).every((line) => line.endsWith('s0'))).toBe(true)
    expect(order.slice(0, 12).every((line) => line.endsWith('t0 s0'))).toBe(true)
  })

  it('has a cell for each pair of a model and one of its agents, and finds every one', () => {
    const agents = ['first', 'second', 'third'].map((name) => ({ ...plain, name }))
    const models = fc.array(
      fc.record(
        {
          agents: fc.subarray(
            agents.map(({ name }) => name),
            { minLength: 1 },
          ),
          seedsAtZero: fc.integer({ min: 1, max: 3 }),
        },
        { requiredKeys: [] },
      ),
      { minLength: 1, maxLength: 4 },
    )
    const lists = {
      temperatures: fc.shuffledSubarray([0, 0.5, 1], { minLength: 1 }),
      seeds: fc.shuffledSubarray([0, 1, 7], { minLength: 1 }),
    }
    fc.assert(
      fc.property(fc.record({ models, ...lists }), ({ models: given, temperatures, seeds }) => {
        const named = given.map((one, place) => ({
          ...one,
          live: false,
          model: { ...knocker, name: `m${String(place)}` },
        }))
        const { plan } = createGrid(doorParts(2, { agents, models: named, temperatures, seeds }), '1')
        const runs = ({ seedsAtZero = Infinity }: (typeof given)[number]): number =>
          temperatures.reduce((sum, one) => sum + (one === 0 ? Math.min(seedsAtZero, seeds.length) : seeds.length), 0)
        const pairs = given.reduce((sum, one) => sum + (one.agents?.length ?? 3) * runs(one), 0)
        expect(countCells(plan)).toBe(2 * 2 * pairs)
        const all = cells(plan)
        expect(all.length).toBe(countCells(plan))
        expect([...cellsByKey(plan).values()]).toEqual(all)
        for (const cell of all) {
          expect(cellAt(plan, cell.index)).toBe(cell)
          expect(cellsByKey(plan).get(cell.key)).toBe(cell)
          const own = given[Number(cell.model.name.slice(1))]!.agents
          expect(own ?? [cell.agent.name]).toContain(cell.agent.name)
          expect(cell.key).toBe(episodeKey(identityOf(plan, cell)))
        }
      }),
    )
  })
})
