import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import type { Measures } from '../../src/results/episode-row.js'
import { makeRow, makeRun, smallPlan, taskId, groupOf } from './fixture.js'
import { workedExample } from './worked-example.js'
import type { StoredRun } from '../../src/run/plan.js'

const example = aggregate(workedExample())

describe('drop rates', () => {
  // By hand: 1 − perturbed/clean of the means over all four tasks, each over its pairs.
  it.each([
    ['reader', 'success', -1 / 28],
    ['reader', 'progress', -1 / 21],
    ['parrot', 'success', 16 / 21],
    ['parrot', 'progress', 55 / 86],
  ] as const)('of %s in %s are of means over tasks, four of them too few for an interval', (model, metric, value) => {
    const rate = groupOf(example, model, 'agentrefine-1').pooled.difference!.dropRate[metric]!
    expect(rate).toEqual({ value: expect.closeTo(value, 12) as number })
  })
})

describe('progress', () => {
  const plan = smallPlan(3, ['none'], { models: ['reader'], temperatures: [0, 1] })
  const gains: Record<string, NonNullable<Measures['gains']>> = {
    [taskId(0)]: [
      [1, 0.5],
      [3, 1],
    ],
    [taskId(1)]: [[2, 1 / 3]],
    [taskId(2)]: [[40, 1]],
  }
  const run = makeRun({ ...plan, stepLimit: 4 }, (at) =>
    at.task === taskId(2) && at.temperature === 0
      ? makeRow(at, 'model-error', 0)
      : makeRow(at, at.task === taskId(0) ? 'success' : 'step-limit', gains[at.task]!.at(-1)![1], {
          gains: gains[at.task]!,
        }),
  )

  it('over steps is the mean of the progress reached by each step, up to the step limit', () => {
    const { pooled, temperatures } = groupOf(aggregate(run), 'reader', 'none')
    const near = (values: readonly number[]) => values.map((value) => expect.closeTo(value, 8) as number)
    expect(temperatures[0]!.curve).toEqual(near([0, 0.25, 5 / 12, 2 / 3, 2 / 3]))
    expect(temperatures[1]!.curve).toEqual(near([0, 1 / 6, 5 / 18, 4 / 9, 4 / 9]))
    // The mean of both, whatever is missing at one of them.
    expect(pooled.curve).toEqual(near([0, 5 / 24, 25 / 72, 5 / 9, 5 / 9]))
  })
})

/** A run of one model; its perturbed episodes by task: outcome and measures. */
function runWith(
  perturbed: readonly (Partial<Measures> & { readonly lost?: true; readonly gained?: true })[],
): StoredRun {
  const plan = smallPlan(perturbed.length, ['none', 'a'])
  return makeRun(plan, (at) => {
    const { lost, gained, ...own } = perturbed[Number(at.task.slice(5))]!
    const isLost = at.condition === 'a' ? lost : gained
    return makeRow(at, isLost ? 'failure' : 'success', 1, at.condition === 'a' ? own : {})
  })
}

const behaviourOf = (run: StoredRun) => groupOf(aggregate(run), 'm', 'a').pooled.behaviour
const refused = { understood: 8, invalid: { 'unknown-verb': 2 } }

describe('recovery', () => {
  it('is the share of episodes that recover, without those that ended at once', () => {
    const found = behaviourOf(
      runWith([
        { ...refused, firstRefusal: { step: 1, left: 9, recovered: 2 } },
        { ...refused, firstRefusal: { step: 2, left: 8, recovered: 1 } },
        { ...refused, firstRefusal: { step: 3, left: 7, recovered: 4 } },
        { ...refused, firstRefusal: { step: 4, left: 6 } },
        { ...refused, firstRefusal: { step: 10, left: 0 } },
        {},
      ]),
    )
    expect(found.recovery).toEqual({ episodes: 4, within1: 0.25, within3: 0.5 })
    expect(found.invalidPerAction).toMatchObject({
      'unknown-verb': expect.closeTo(10 / 60, 7) as number,
      'wrong-state': 0,
    })
  })

  it('of failures is over those that were read', () => {
    const { failures } = behaviourOf(
      runWith([
        { failures: { read: 3, repeated: 1, recovered: 2 } },
        { failures: { read: 1, repeated: 1, recovered: 1 } },
        {},
      ]),
    )
    expect(failures).toEqual({ read: 4, repeated: 0.5, recovered: 0.75 })
  })
})

describe('the overhead', () => {
  it('is that of tasks solved both times', () => {
    const solved = [{ steps: 15, promptTokens: 3000 }, { steps: 20 }, { steps: 20 }]
    const run = runWith([...solved, { steps: 30, lost: true }, { steps: 1, gained: true }])
    const { pooled, temperatures } = groupOf(aggregate(run), 'm', 'a')
    const { overhead } = pooled.difference!
    expect(temperatures[0]!.difference!.overhead).toEqual(overhead)
    // By hand: steps (15 + 20 + 20) over 3 · 10, tokens (3050 + 2 · 1050) over 3 · 1050.
    expect(overhead!.tasks).toBe(3)
    expect(overhead!.steps!.value).toBeCloseTo(55 / 30, 12)
    expect(overhead!.tokens!.value).toBeCloseTo(5150 / 3150, 12)
    // Three tasks are too few for an interval.
    expect(overhead!.steps!.interval).toBeUndefined()
    const many = runWith(Array.from({ length: 30 }, (_, task) => ({ steps: 15 + (task % 6) })))
    const { value, interval } = aggregate(many).groups[1]!.pooled.difference!.overhead!.steps!
    expect(value).toBeCloseTo(1.75, 12)
    expect(interval!.low).toBeGreaterThan(1.4)
    expect(interval!.high).toBeLessThan(2.4)
  })
})
