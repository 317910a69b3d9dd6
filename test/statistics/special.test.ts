import { describe, expect, it } from 'vitest'
import { incompleteBeta } from '../../src/statistics/beta.js'
import { logGamma } from '../../src/statistics/gamma.js'
import { studentQuantile, studentTail } from '../../src/statistics/student.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const numbers = (key: string): number[] => key.split(/[,/]/).map(Number)

describe('special functions', () => {
  it.each(Object.entries(checks.special.gammaln))('ln Γ(%s)', (x, expected) => {
    expect(logGamma(Number(x))).toBeCloseTo(expected, 11)
  })

  it.each(Object.entries(checks.special.betainc))('I(%s)', (key, expected) => {
    const [a, b, x] = numbers(key)
    expect(incompleteBeta(a!, b!, x!)).toBeCloseTo(expected, 12)
  })

  it('is 0 and 1 at the ends', () => {
    expect(incompleteBeta(2, 3, 0)).toBe(0)
    expect(incompleteBeta(2, 3, 1)).toBe(1)
  })

  it.each(Object.entries(checks.special.t_sf))('upper tail of t (%s)', (key, expected) => {
    const [t, df] = numbers(key)
    expect(studentTail(t!, df!)).toBeCloseTo(expected, 12)
    expect(studentTail(-t!, df!)).toBeCloseTo(1 - expected, 12)
  })

  it.each(Object.entries(checks.special['t_ppf_0.975']))(
    '97.5 %% quantile of t with %s degrees of freedom',
    (df, expected) => {
      expect(studentQuantile(0.975, Number(df)) / expected).toBeCloseTo(1, 9)
      expect(studentQuantile(0.025, Number(df))).toBe(-studentQuantile(0.975, Number(df)))
    },
  )
})
