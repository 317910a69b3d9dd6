import { describe, expect, it } from 'vitest'
import { mean, median, standardDeviation } from '../../src/statistics/dispersion.js'
import { studentQuantile } from '../../src/statistics/distributions.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

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
    for (const value of [NaN, Infinity, -Infinity]) {
      expect([mean, median, standardDeviation].map((of) => of([0, value, 1]))).toEqual([
        undefined,
        undefined,
        undefined,
      ])
    }
  })
})
