import { describe, expect, it } from 'vitest'
import { spendAlpha } from '../../src/statistics/alpha-spending.js'

describe('levels of planned looks', () => {
  it('are what O’Brien and Fleming’s function spends, two-sided 0.05 as tabulated by Lan and DeMets: 0.0002, 0.0121, 0.05 in all', () => {
    const levels = spendAlpha(0.025, 3).map((level) => 2 * level)
    const spent = levels.map((_, look) => levels.slice(0, look + 1).reduce((sum, level) => sum + level, 0))
    expect(spent[0]).toBeCloseTo(0.0002, 3)
    expect(spent[1]).toBeCloseTo(0.0121, 3)
    expect(spent[2]).toBeCloseTo(0.05, 12)
  })

  it.each([1, 2, 5, 20])('sum to alpha and rise, for %i looks', (looks) => {
    const levels = spendAlpha(0.05, looks)
    expect(levels).toHaveLength(looks)
    expect(levels.reduce((sum, level) => sum + level, 0)).toBeCloseTo(0.05, 12)
    expect(Math.min(...levels)).toBeGreaterThan(0)
  })

  it.each([
    [0, 3],
    [0.5, 3],
    [NaN, 3],
    [0.05, 0],
    [0.05, 1.5],
  ])('refuse alpha %d and %d looks', (alpha, looks) => {
    expect(() => spendAlpha(alpha, looks)).toThrow(/^Expected/)
  })
})
