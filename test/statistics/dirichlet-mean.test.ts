import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile, incompleteBeta } from '../../src/statistics/special-functions.js'
import { dirichletMeanCdf, dirichletMeanQuantile, mergeEqual } from '../../src/statistics/dirichlet-mean.js'

/**
 * Curry and Schoenberg 1966: with weights of 1 and different values the distribution is a sum of divided differences.
 */
function byDividedDifferences(values: readonly number[], bound: number): number {
  return values
    .filter((value) => value < bound)
    .map((value) =>
      values.reduce((part, other) => (other === value ? part : (part * (bound - value)) / (other - value)), 1),
    )
    .reduce((sum, part) => sum + part, 0)
}

const equal = (values: readonly number[]) => mergeEqual(values.map((value) => [value, 1] as const))

describe('the distribution of a mean with random weights', () => {
  it.each([
    [[0, 0.3, 1]],
    [[0, 0.2, 0.5, 0.9]],
    [[-1, 0.1, 0.35, 0.7, 0.8, 0.93]],
    [[0, 0.95, 0.96, 0.97, 0.98, 0.99, 1]],
  ])('agrees with divided differences on %s, to 12 digits of small shares too', (values) => {
    for (const bound of [0.05, 0.1, 0.3, 0.5, 0.8]) {
      const expected = byDividedDifferences(values, bound)
      expect(dirichletMeanCdf(equal(values), bound) / expected).toBeCloseTo(1, 12)
    }
  })

  it('is a beta distribution of two values, also where they come in pieces', () => {
    const expected = incompleteBeta(5.5, 3, 0.4)
    expect(dirichletMeanCdf({ values: [0, 1], weights: [3, 5.5] }, 0.4)).toBeCloseTo(expected, 14)
    expect(dirichletMeanCdf({ values: [0, 1, 1 + 1e-12, -1e-12], weights: [1.5, 2, 3.5, 1.5] }, 0.4)).toBeCloseTo(
      expected,
      10,
    )
    expect(dirichletMeanQuantile({ values: [2, 4], weights: [3, 5.5] }, 0.1)).toBeCloseTo(
      2 + 2 * betaQuantile(0.1, 5.5, 3),
      12,
    )
  })

  it('has at each quantile that share below it, whatever the values', () => {
    const points = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 50, noNaN: true })),
      { minLength: 3, maxLength: 30 },
    )
    fc.assert(
      fc.property(points, fc.constantFrom(0.0005, 0.025, 0.5, 0.975), (pieces, probability) => {
        const weighted = mergeEqual(pieces)
        const found = dirichletMeanQuantile(weighted, probability)
        const [low, high] = [weighted.values[0]!, weighted.values.at(-1)!]
        expect(found).toBeGreaterThanOrEqual(low)
        expect(found).toBeLessThanOrEqual(high)
        // Where nearly all weight is on one value the distribution is too steep for more digits.
        if (high - low > 0.01) expect(dirichletMeanCdf(weighted, found)).toBeCloseTo(probability, 6)
      }),
    )
  })

  it('is all on one side beyond the values', () => {
    expect(dirichletMeanCdf(equal([0.2, 0.3, 0.4]), 0.2)).toBe(0)
    expect(dirichletMeanCdf(equal([0.2, 0.3, 0.4]), 0.4)).toBe(1)
    expect(dirichletMeanQuantile(equal([0.3, 0.3]), 0.025)).toBe(0.3)
  })
})
