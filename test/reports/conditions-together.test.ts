import { describe, expect, it } from 'vitest'
import { type Aggregate, aggregate } from '../../src/results/aggregate.js'
import type { Ranking, Variant } from '../../src/results/schema.js'
import type { Plan, PlannedModel, StoredRun } from '../../src/run/plan.js'
import { playTasks, smallPlan } from './fixture.js'
import { holm } from '../../src/statistics/multiplicity.js'

const near = (value: number) => expect.closeTo(value, 12) as number

/** The number of the 20 tasks that each model solves, clean and perturbed. */
const solved: Record<string, readonly [clean: number, perturbed: number]> = {
  weak: [2, 19],
  strong: [20, 2],
  nearly: [19, 3],
}

function played(models: readonly (string | PlannedModel)[] = Object.keys(solved)): Aggregate {
  const plan = smallPlan(20, ['none', 'placebo', 'a'], { models })
  return aggregate(playTasks(plan, ({ model, condition }, task) => task < solved[model]![condition === 'a' ? 1 : 0]))
}

describe('rankings', () => {
  const summary = played()
  const of = (condition: string): Ranking =>
    summary.rankings.find((one) => one.condition === condition && one.metric === 'success')!

  it('put the best first, with the confidence set of the best', () => {
    // Of 20 tasks strong solves 1 that nearly does not, and 18 that weak does not.
    expect(of('none').entries).toEqual([
      { model: 'strong', agent: 'act', mean: 1, best: true },
      { model: 'nearly', agent: 'act', mean: 0.95, best: true },
      { model: 'weak', agent: 'act', mean: 0.1, best: false },
    ])
    expect(of('a').entries.map(({ model, best }) => [model, best])).toEqual([
      ['weak', true],
      ['nearly', false],
      ['strong', false],
    ])
  })
})

describe('variants', () => {
  it('are compared with their base model, on the same tasks, seeds and temperatures', () => {
    const { variants } = played([
      { name: 'strong', settings: {} },
      { name: 'nearly', settings: {}, variantOf: 'strong' },
      { name: 'weak', settings: {}, variantOf: 'strong' },
    ])
    const found = (condition: string, model: string): Variant =>
      variants.find((variant) => variant.condition === condition && variant.model === model)!
    expect(variants.length).toBe(3 * 2)
    expect(found('none', 'weak')).toMatchObject({ reference: 'strong', agent: 'act', pairs: 20 })
    expect(found('none', 'weak').success.mean).toBeCloseTo(-0.9, 12)
    expect(found('a', 'weak').success.mean).toBeCloseTo(0.85, 12)
    expect(found('none', 'weak').tests!.success).toMatchObject({ p: near(2 ** -17), holm: near(2 ** -16) })
    expect(found('none', 'nearly').tests!.success).toMatchObject({ p: 1, holm: 1 })
  })
})

const plan = smallPlan(8, ['none', 'placebo', 'a', 'adversary', 'b'], { models: ['reader', 'parrot'], seeds: [1, 2] })

/** The parrot loses every task under `a` and every other one under `b`; progress under `a` stays at a half. */
function play(given: Partial<Plan> = {}): StoredRun {
  const isLost = (condition: string, task: number): boolean =>
    condition === 'a' || (condition === 'b' && task % 2 === 0)
  return playTasks(
    { ...plan, ...given },
    ({ model, condition }, task) => model !== 'parrot' || !isLost(condition, task),
    0.5,
  )
}

describe('the primary endpoint', () => {
  it('is the change of success over all conditions that change something and are not adversarial, if the experiment names none', () => {
    const { primary } = aggregate(play())
    expect(primary).toMatchObject({ metric: 'success', conditions: ['a', 'b'], named: false })
    expect(primary!.comparisons.map(({ model, difference }) => [model, difference.mean, difference.tasks])).toEqual([
      ['reader', 0, 8],
      ['parrot', -0.75, 8],
    ])
    const ps = primary!.comparisons.map(({ p }) => p!)
    expect(primary!.comparisons.map((one) => one.holm)).toEqual(holm(ps))
    expect(ps[1]).toBeLessThan(0.05)
  })

  it('does not average what contradicts itself, unless it is named', () => {
    const conditions = plan.conditions.map((condition) => ({
      ...condition,
      perturbations: condition.perturbations.map((one) => ({
        ...one,
        ...(one.name === 'a' && { adversarial: true as const }),
      })),
    }))
    const summary = aggregate(play({ conditions }))
    expect(summary.primary!.conditions).toEqual(['b'])
    expect(
      aggregate(play({ conditions, primary: { metric: 'success', conditions: ['a'] } })).primary!.conditions,
    ).toEqual(['a'])
  })

  it('is the one that the experiment names', () => {
    const { primary } = aggregate(play({ primary: { metric: 'progress', conditions: ['a'] } }))
    expect(primary).toMatchObject({ metric: 'progress', conditions: ['a'], named: true })
    expect(primary!.comparisons[1]!.difference.mean).toBe(-0.5)
  })
})
