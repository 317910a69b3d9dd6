import { describe, expect, it } from 'vitest'
import type { Aggregate } from '../../src/results/aggregate.js'
import { aggregate } from '../../src/results/aggregate.js'
import type { Ranking, Variant } from '../../src/results/schema.js'
import type { PlannedModel } from '../../src/run/plan.js'
import { playTasks, smallPlan } from './fixture.js'

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
    // Of 20 tasks strong solves 1 that nearly does not, and 18 that weak does not; each p is adjusted for 2 others of 3
    // models.
    expect(of('none').entries).toEqual([
      { model: 'strong', agent: 'act', mean: 1, best: true, p: 1, holm: 1 },
      { model: 'nearly', agent: 'act', mean: 0.95, best: true, p: near(0.5), holm: 1 },
      { model: 'weak', agent: 'act', mean: 0.1, best: false, p: near(2 ** -18), holm: near(6 * 2 ** -18) },
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
