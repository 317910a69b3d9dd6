import { describe, expect, it } from 'vitest'
import { intervalOverDraws, spreadOfDraws } from '../../src/statistics/spread-of-draws.js'
import { mean, median, standardDeviation } from '../../src/statistics/dispersion.js'
import { studentQuantile } from '../../src/statistics/distributions.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { grid } from './_expect.js'

describe('the spread of draws', () => {
  it('agrees with the mean squares of statsmodels', () => {
    const { scores_runs_x_tasks: scores, ...expected } = checks.variance_components
    const { deviation, beyondNoise } = spreadOfDraws(scores)!
    const tasks = scores[0]!.length
    expect(deviation ** 2).toBeCloseTo(expected.MS_seed / tasks, 14)
    expect(beyondNoise ** 2).toBeCloseTo(Math.max(0, expected.MS_seed - expected.MS_resid) / tasks, 14)
  })

  it.each(['', '0 1', '0 / 1', '0 NaN / 1 0'])(
    'is undefined for one draw, and for one task with every score: %s',
    (text) => expect(spreadOfDraws(text === '' ? [] : grid(text))).toBeUndefined(),
  )

  it('is that of their means, less the sampling variance of one', () => {
    // By hand: means −1/4, −1/2 and −1/8 over the four tasks that all draws have; the residual mean square is 13/144.
    const { deviation, beyondNoise } = spreadOfDraws(grid('-1 0 NaN 0 0 / -1 -1 0 0 0 / -0.5 0 0 0 0'))!
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

describe('dispersion', () => {
  it('agrees with NumPy on the mean and both deviations', () => {
    const { x, ...expected } = checks.dispersion
    expect(mean(x)).toBeCloseTo(expected.mean, 12)
    expect(standardDeviation(x)).toBeCloseTo(expected.std_sample_ddof1, 12)
    const error = expected.std_sample_ddof1 / Math.sqrt(x.length)
    expect(error).toBeCloseTo(expected.sem, 12)
    expect(expected.mean - error * studentQuantile(0.975, x.length - 1)).toBeCloseTo(expected.ci95_t[0]!, 10)
  })

  it.each(Object.entries(checks.agentrefine_table_P0_P5))("recomputes AgentRefine's table 3: %s", (_, row) => {
    const cells = row.cells_base_P1_to_P5
    expect(mean(cells)).toBeCloseTo(row.mean, 12)
    expect(standardDeviation(cells)).toBeCloseTo(row.std_sample, 12)
  })

  it('is accurate with a large offset', () => {
    const { x, std_sample } = checks.dispersion.large_offset
    expect(standardDeviation(x)).toBeCloseTo(std_sample, 12)
  })

  it('has no sample deviation for one value, and no result for none', () => {
    expect(standardDeviation(checks.dispersion.single.x)).toBeUndefined()
    expect(mean([])).toBeUndefined()
    expect(median([])).toBeUndefined()
    for (const value of [NaN, Infinity, -Infinity])
      for (const of of [mean, median, standardDeviation]) expect(of([0, value, 1])).toBeUndefined()
  })
})
