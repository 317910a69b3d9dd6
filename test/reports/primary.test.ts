import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import type { Plan, StoredRun } from '../../src/run/plan.js'
import { holm } from '../../src/statistics/multiplicity.js'
import { playTasks, smallPlan } from './fixture.js'

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
