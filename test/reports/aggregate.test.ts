import { describe, expect, it } from 'vitest'
import { type Scope, aggregate } from '../../src/results/aggregate.js'
import type { StoredRun } from '../../src/run/plan.js'
import { changedDose, groupOf, makePlan, makeRow, makeRun, smallPlan, taskId } from './fixture.js'
import { workedExample } from './worked-example.js'

function scopeOf(run: StoredRun, model: string, condition: string, temperature: number | 'all'): Scope {
  const group = groupOf(aggregate(run), model, condition)
  return temperature === 'all' ? group.pooled : group.temperatures.find((scope) => scope.temperature === temperature)!
}

/** Computed with NumPy 2 and SciPy 1.17 from the letters of the worked example: mean and sample deviation over runs. */
const rates: readonly [string, string, number | 'all', 'success' | 'progress', number, number][] = [
  ['reader', 'none', 0, 'success', 0.5833333333333334, 0.14433756729740646],
  ['reader', 'none', 'all', 'progress', 0.6770833333333334, 0.15095184110614],
  ['parrot', 'placebo', 'all', 'success', 0.875, 0.14433756729740643],
  ['parrot', 'agentrefine-1', 0, 'success', 0.25, 0],
  ['parrot', 'agentrefine-1', 'all', 'progress', 0.34027777777777785, 0.09120781622613679],
]

/**
 * Computed by hand over all tasks, whatever was changed on them: mean over tasks of the mean over temperatures; pairs,
 * tasks.
 */
const changes: readonly [string, string, number | 'all', 'success' | 'progress', number, number, number][] = [
  ['reader', 'placebo', 'all', 'success', 0.041666666666666664, 23, 4],
  ['reader', 'agentrefine-1', 1, 'progress', 0.0625, 10, 4],
  ['reader', 'agentrefine-1', 'all', 'progress', 0.03125, 22, 4],
  ['parrot', 'agentrefine-1', 0, 'success', -2 / 3, 12, 4],
  ['parrot', 'agentrefine-1', 'all', 'success', -2 / 3, 23, 4],
]

describe('aggregate', () => {
  it.each(rates)('rates %s under %s at %s: %s', (model, condition, temperature, metric, mean, deviation) => {
    const rate = scopeOf(workedExample(), model, condition, temperature)[metric]
    expect(rate.mean).toBeCloseTo(mean, 12)
    expect(rate.deviation).toBeCloseTo(deviation, 12)
    expect(rate.runs).toBe(temperature === 'all' ? 6 : 3)
  })

  it.each(changes)(
    'compares %s under %s at %s with its clean twin: %s',
    (model, condition, temperature, metric, ...expected) => {
      const [mean, pairs, tasks] = expected
      const difference = scopeOf(workedExample(), model, condition, temperature).difference!
      expect(difference[metric].mean).toBeCloseTo(mean, 12)
      // Three or four tasks are almost no evidence about other tasks; test and interval agree on that.
      const { low, high } = difference[metric].interval!
      expect(low).toBeLessThan(mean)
      expect(high).toBeGreaterThan(mean)
      expect(difference.tests![metric].p < 0.05).toBe(low > 0 || high < 0)
      expect(difference).toMatchObject({ pairs, [metric]: { tasks } })
    },
  )

  it('has every task in the pairs, and tells how many were touched unless the condition promises identity', () => {
    const run = workedExample()
    expect(scopeOf(run, 'reader', 'agentrefine-1', 'all').difference).toMatchObject({
      touched: { tasks: 3 },
      planned: 24,
    })
    expect(scopeOf(run, 'reader', 'placebo', 'all').difference).not.toHaveProperty('touched')
    expect(scopeOf(run, 'reader', 'none', 'all').difference).toBeUndefined()
  })

  it('has no deviation for a single run, but an interval over its tasks', () => {
    const plan = makePlan({ seeds: [7], temperatures: [0], models: ['reader'] })
    const run = makeRun(plan, (at) => (at.task === taskId(0) ? makeRow(at, 'success', 1) : at))
    const { success } = scopeOf(run, 'reader', 'none', 0)
    expect(success).toMatchObject({ runs: 1, mean: 0.25 })
    expect(success.deviation).toBeUndefined()
    // SciPy binomtest(1, 4).proportion_ci()
    expect(success.overTasks!.low).toBeCloseTo(0.006309463209709889, 10)
    expect(success.overTasks!.high).toBeCloseTo(0.8058795503167566, 10)
  })

  it('averages shares of actions over episodes with a step, as grounding', () => {
    const plan = smallPlan(5, ['none', 'agentrefine-1'], { models: ['reader'] })
    const measured = [
      { steps: 10, understood: 5, memorised: 4, repeats: 2, formatErrors: 1, adapted: 3 },
      { steps: 30, understood: 30, memorised: 0, repeats: 0, formatErrors: 0, adapted: 6 },
      { steps: 20, understood: 5, memorised: 6, repeats: 10, formatErrors: 2 },
      { steps: 0, understood: 0, memorised: 0, repeats: 0, formatErrors: 0 },
    ]
    const run = makeRun(plan, (at) => {
      const task = Number(at.task.slice(-1))
      const played = measured[task]
      if (played === undefined) return makeRow(at, 'model-error', 0, { steps: 99, memorised: 99 })
      const row = makeRow(at, task === 3 ? 'context-overflow' : 'failure', 0, played)
      return at.condition === 'none'
        ? row
        : { ...row, dose: { ...changedDose, leaks: task === 1 ? 2 : 0, names: task } }
    })
    const { behaviour } = scopeOf(run, 'reader', 'agentrefine-1', 1)
    expect(behaviour).toMatchObject({
      grounding: (0.5 + 1 + 0.25) / 3,
      memorisedPerAction: expect.closeTo((0.4 + 0 + 0.3) / 3, 7) as number,
      memorisedPerRefusal: expect.closeTo((4 / 5 + 6 / 15) / 2, 7) as number,
      repeatsPerAction: expect.closeTo((0.2 + 0 + 0.5) / 3, 7) as number,
      formatErrorsPerAction: expect.closeTo((0.1 + 0 + 0.1) / 3, 7) as number,
      adaptedShare: 2 / 4,
      stepsToAdapt: 4.5,
      perEpisode: { steps: 15 },
      dose: { forms: 3, names: 1.5 },
      leaks: 2,
    })
    expect(scopeOf(run, 'reader', 'none', 1).behaviour).not.toHaveProperty('memorisedPerAction')
  })

  it('leaves out rows of unplanned episodes and counts them', () => {
    const run = workedExample()
    const strays = [
      { ...makeRow({ task: taskId(0) }, 'success', 1), task: 'elsewhere' },
      { ...makeRow({ task: taskId(0) }, 'success', 1), model: '__proto__' },
      { ...makeRow({ task: taskId(0) }, 'success', 1), seed: 99 },
    ]
    const found = aggregate({ plan: run.plan, rows: [...run.rows, ...strays] })
    const summary = aggregate(run)
    const omitted = ['3 rows of unplanned episodes left out.', ...summary.omitted]
    expect(found).toEqual({ ...summary, strays: 3, omitted })
  })

  it('refuses two rows of one episode', () => {
    const run = workedExample()
    expect(() => aggregate({ plan: run.plan, rows: [...run.rows, ...run.rows] })).toThrowErrorMatchingInlineSnapshot(
      `[ShaketableError: Expected one row for each episode, got two for task 'task-0' of household (condition none, model reader, agent act, temperature 0, seed 1). Pass only the latest row of each key.]`,
    )
  })
})
