import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import type { Plan } from '../../src/run/plan.js'
import { cellAt, cells, cellsByKey, countCells, rowOf } from '../../src/run/cells.js'
import { createGrid } from '../../src/run/grid.js'
import { indicesOf, limitPlan, readSelection, selectedModels } from '../../src/run/selection.js'
import { doorParts, doors, knocker, sage } from './_fakes.js'

const gates = { ...doors(2), name: 'gates' }
const { plan } = createGrid(
  doorParts(3, {
    environments: [
      { environment: doors(3), tasks: doors(3).tasks },
      { environment: gates, tasks: gates.tasks.slice(0, 1) },
    ],
    models: [
      { model: knocker, live: false },
      { model: sage, live: true, seedsAtZero: 2 },
    ],
    seeds: [0, 1, 2, 5],
  }),
  '1.0.0',
)

const select = (...given: string[]): readonly number[] => indicesOf(plan, limitPlan(plan, readSelection(given)))
const rowAt = (index: number) => ({ ...rowOf(cellAt(plan, index)), outcome: 'success' }) as EpisodeRow

describe('a selection', () => {
  it.each<[readonly string[], (row: EpisodeRow) => boolean]>([
    [['model=sage'], ({ model }) => model === 'sage'],
    [['env=doors'], ({ environment }) => environment === 'doors'],
    [['env=gates,perturb=none'], ({ environment, condition }) => environment === 'gates' && condition === 'none'],
    [['task=door-0|door-2'], ({ task }) => task !== 'door-1'],
    [['perturb=unlock', 'perturb=none'], () => true],
    [['seed=1'], ({ seed }) => seed === 1],
    [['agent=plain,temperature=0'], ({ temperature }) => temperature === 0],
    [['temperature=0|1,seed=1|2|5'], ({ seed }) => seed >= 1],
    [['seed=0', 'seed=5', ' model = knocker '], ({ seed, model }) => [0, 5].includes(seed) && model === 'knocker'],
    [['seed=2,temperature=0'], ({ seed, temperature }) => seed === 2 && temperature === 0],
  ])('of %j is exactly the cells with these values, in the order of play', (given, isWanted) => {
    const expected = [...cells(plan)].map(({ index }) => index).filter((index) => isWanted(rowAt(index)))
    expect(select(...given)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(0)
  })

  it('has the keys of the whole plan, whatever is selected', () => {
    const some = <T>(values: readonly T[]) => fc.subarray([...values], { minLength: 1 })
    fc.assert(
      fc.property(
        some(plan.seeds),
        some(plan.temperatures),
        some(['knocker', 'sage']),
        (seeds, temperatures, models) => {
          const given = `seed=${seeds.join('|')},temperature=${temperatures.join('|')},model=${models.join('|')}`
          let part: Plan
          try {
            part = limitPlan(plan, readSelection([given]))
          } catch (thrown) {
            expect(String(thrown)).toMatch(/the experiment has none\.$/)
            return
          }
          for (const { key } of cells(part)) expect(cellsByKey(plan).has(key)).toBe(true)
          expect(indicesOf(plan, part).length).toBe(countCells(part))
        },
      ),
      { numRuns: 60 },
    )
  })

  it.each([
    ['seeds=1', "Unknown axis 'seeds'. Did you mean 'seed'? Known: model, env,"],
    ['model=sage,knocker', "expected AXIS=VALUE, or AXIS=A|B, as in model=tuned,seed=0|1, got 'knocker'."],
    ['model=sagge', "Unknown model 'sagge'. Did you mean 'sage'? Known: knocker, sage."],
    ['perturb=unlok', "Unknown perturb 'unlok'. Did you mean 'unlock'? Known: none, unlock."],
    ['seed=0|9', "Unknown seed '9'."],
    ['model=sage,seed=5,temperature=0', 'expected episodes with all of model=sage,seed=5,temperature=0, but the'],
    ['constructor=1', "Unknown axis 'constructor'."],
  ])('of %s is refused', (given, message) => {
    expect(() => select(given)).toThrow(message)
  })

  it('tells its models before anything is opened', () => {
    const named = (...names: string[]) => names.map((name) => ({ name, options: {} }))
    const axes = { models: named('a', 'b'), environments: named('doors'), seeds: [0, 1], temperatures: [0] }
    const models = (given: string) =>
      selectedModels(readSelection([given]), { ...axes, perturbations: ['none', 'p1'] }, (text) =>
        text.replace('p1', 'agentrefine-1'),
      )
    expect(models('seed=0,task=later,perturb=p1')).toBeUndefined()
    expect(models('model=b,perturb=agentrefine-1')).toEqual(['b'])
    expect(() => models('seed=7')).toThrow("Unknown seed '7'.")
    expect(() => models('env=door')).toThrow("Unknown env 'door'. Did you mean 'doors'?")
    expect(() => models('perturb=agentrefine-2')).toThrow("Unknown perturb 'agentrefine-2'.")
  })
})
