import { describe, expect, it } from 'vitest'
import { intervalOverDraws, spreadOfDraws } from '../../src/statistics/spread-of-draws.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

describe('the spread of draws', () => {
  it('agrees with the mean squares of statsmodels', () => {
    const { scores_runs_x_tasks: scores, ...expected } = checks.variance_components
    const { deviation, beyondNoise } = spreadOfDraws(scores)!
    const tasks = scores[0]!.length
    expect(deviation ** 2).toBeCloseTo(expected.MS_seed / tasks, 14)
    expect(beyondNoise ** 2).toBeCloseTo(Math.max(0, expected.MS_seed - expected.MS_resid) / tasks, 14)
  })

  it.each([
    ['nothing', []],
    ['one draw', [[0, 1]]],
    ['one task', [[0], [1]]],
    [
      'one task with every score',
      [
        [0, NaN],
        [1, 0],
      ],
    ],
  ])('is undefined for %s', (_, scores) => expect(spreadOfDraws(scores)).toBeUndefined())

  it('is that of their means, less the sampling variance of one', () => {
    const scores = [
      [-1, 0, NaN, 0, 0],
      [-1, -1, 0, 0, 0],
      [-0.5, 0, 0, 0, 0],
    ]
    // By hand: means −1/4, −1/2 and −1/8 over the four tasks that all draws have; the residual mean square is 13/144.
    const { deviation, beyondNoise } = spreadOfDraws(scores)!
    expect(deviation ** 2).toBeCloseTo(7 / 192, 12)
    expect(beyondNoise ** 2).toBeCloseTo(7 / 192 - 13 / 576, 12)
  })

  it('widen the interval over tasks by Student’s t over draws', () => {
    // By hand: means −0.1, −0.2, −0.3 have a standard error of 0.1/√3, and t with 2 degrees of freedom is 4.302653.
    const half = 4.302652729911275 * (0.1 / Math.sqrt(3))
    const { low, high } = intervalOverDraws([-0.1, -0.2, -0.3], { low: -0.25, high: -0.17 })!
    expect(low).toBeCloseTo(-0.2 - Math.hypot(0.05, half), 10)
    expect(high).toBeCloseTo(-0.2 + Math.hypot(0.03, half), 10)
    const equal = intervalOverDraws([0, 0, 0], { low: -0.1, high: 0.2 })!
    expect([equal.low, equal.high]).toEqual([-0.1, 0.2])
    expect(intervalOverDraws([0.1], { low: 0, high: 1 })).toBeUndefined()
  })
})
