import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mean } from '../../src/statistics/dispersion.js'
import { pairedDifference, taskInterval, wilsonInterval } from '../../src/statistics/intervals.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 40 })

describe('intervals', () => {
  it.each(Object.entries(checks.binomial_ci95.cases))('of a proportion: %s', (key, expected) => {
    const [successes, trials] = key.split('/').map(Number)
    const interval = wilsonInterval(successes!, trials!)
    expect(interval.low).toBeCloseTo(expected.wilson[0]!, 12)
    expect(interval.high).toBeCloseTo(Math.min(1, expected.wilson[1]!), 12)
  })

  it('agrees with SciPy on a paired difference', () => {
    const { A, B, ...expected } = checks.paired
    const found = pairedDifference(A.map((score, task) => [score - B[task]!]))
    expect(found.tasks).toBe(A.length)
    expect(found.mean).toBeCloseTo(expected.mean_diff, 12)
    expect(found.standardError).toBeCloseTo(expected.se_paired, 12)
    expect(found.interval!.low).toBeCloseTo(expected.ci95_t[0]!, 10)
    expect(found.interval!.high).toBeCloseTo(expected.ci95_t[1]!, 10)
  })

  it('takes the task as the cluster: repeating every pair changes nothing', () => {
    const once = pairedDifference([[0.5], [-0.25], [0]])
    expect(
      pairedDifference([
        [0.5, 0.5],
        [-0.25, -0.25],
        [0, 0],
      ]),
    ).toEqual(once)
    expect(pairedDifference([[1, 0], [-0.25], [], [0]])).toEqual(once)
  })

  it('claims no interval without a spread or with a single task', () => {
    expect(pairedDifference([])).toEqual({ tasks: 0 })
    expect(pairedDifference([[-1, 0]])).toEqual({ tasks: 1, mean: -0.5 })
    expect(pairedDifference([[0], [0], [0]])).toEqual({ tasks: 3, mean: 0, standardError: 0 })
  })

  it('takes Wilson for tasks that are all won or lost, t otherwise', () => {
    expect(taskInterval([1, 1, 0, 1])).toEqual(wilsonInterval(3, 4))
    expect(taskInterval([1, 1, 1])!.low).toBeLessThan(0.5)
    expect(taskInterval([0.5, 0.5])).toBeUndefined()
    expect(taskInterval([])).toBeUndefined()
    expect(taskInterval([0, 0.5])).toEqual({ low: 0, high: 1 })
  })

  it('holds its centre, between 0 and 1', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const interval = taskInterval(values)
        if (interval === undefined) return
        expect(interval.low).toBeGreaterThanOrEqual(0)
        expect(interval.high).toBeLessThanOrEqual(1)
        expect(mean(values)).toBeGreaterThanOrEqual(interval.low - 1e-12)
        expect(mean(values)).toBeLessThanOrEqual(interval.high + 1e-12)
      }),
    )
  })
})
