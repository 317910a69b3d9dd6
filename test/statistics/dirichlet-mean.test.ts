import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { betaQuantile, incompleteBeta } from '../../src/statistics/special-functions.js'
import {
  dirichletMeanAt,
  dirichletMeanCdf,
  dirichletMeanQuantile,
  exact,
  mergeEqual,
  rough,
} from '../../src/statistics/dirichlet-mean.js'

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

  it.each([
    [0.5, 0.5],
    [1, 3.8],
    [5.5, 3],
    [50, 3],
    [1, 134],
    [500, 500],
  ])('is a beta distribution of two values, weights %d and %d', (a, b) => {
    for (const at of [0.001, 0.05, 0.2, 0.5, 0.8, 0.95, 0.999]) {
      expect(dirichletMeanCdf({ values: [1, 0], weights: [a, b] }, at)).toBeCloseTo(incompleteBeta(a, b, at), 14)
    }
  })

  it('is that of two values even if they are given in pieces', () => {
    const expected = incompleteBeta(5.5, 3, 0.4)
    expect(dirichletMeanCdf({ values: [0, 1, 1 + 1e-12, -1e-12], weights: [1.5, 2, 3.5, 1.5] }, 0.4)).toBeCloseTo(
      expected,
      10,
    )
    expect(dirichletMeanQuantile({ values: [2, 4], weights: [3, 5.5] }, 0.1)).toBeCloseTo(
      2 + 2 * betaQuantile(0.1, 5.5, 3),
      12,
    )
  })

  it('agrees with random draws for many values', () => {
    const [values, weights] = [
      [-1, -0.3, -0.1, 0, 0.2, 0.4, 0.9],
      [1, 0.9, 2.7, 5, 0.9, 1.8, 0.9],
    ]
    const { next } = createRandom('dirichlet')
    const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
    // Marsaglia and Tsang 2000; a weight below 1 is drawn one higher and scaled.
    const gamma = (weight: number): number => {
      if (weight < 1) return gamma(weight + 1) * next() ** (1 / weight)
      const d = weight - 1 / 3
      for (;;) {
        const x = normal()
        const v = (1 + x / Math.sqrt(9 * d)) ** 3
        if (v > 0 && Math.log(1 - next()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return d * v
      }
    }
    const draws = 40_000
    const means = Array.from({ length: draws }, () => {
      const drawn = weights.map(gamma)
      const all = drawn.reduce((sum, one) => sum + one, 0)
      return drawn.reduce((sum, one, place) => sum + one * values[place]!, 0) / all
    })
    for (const at of [-0.2, -0.05, 0.05, 0.15, 0.3]) {
      const seen = means.filter((mean) => mean <= at).length / draws
      const expected = dirichletMeanCdf({ values, weights }, at)
      expect(Math.abs(seen - expected)).toBeLessThan(4 * Math.sqrt((expected * (1 - expected)) / draws) + 1e-4)
    }
  })

  it('is the same for any order of the values, merged and one by one, in many small and few large weights', () => {
    for (const [size, weight] of [
      [5, 0.4],
      [40, 0.9],
      [300, 1],
      [300, 60],
    ] as const) {
      const pieces = Array.from({ length: size }, (_, place) => [((place * 37) % 60) / 60, weight] as const)
      for (const at of [0.45, 0.492, 0.51, 0.6]) {
        const one = { values: pieces.map(([value]) => value), weights: pieces.map(() => weight) }
        const other = { values: [...one.values].reverse(), weights: one.weights }
        const merged = mergeEqual(pieces)
        const expected = dirichletMeanCdf(merged, at)
        expect(dirichletMeanCdf(one, at) / expected).toBeCloseTo(1, 11)
        expect(dirichletMeanCdf(other, at) / expected).toBeCloseTo(1, 11)
      }
    }
  })

  it('is inverted by its quantile, for any values', () => {
    const points = fc.array(
      fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 50, noNaN: true })),
      { minLength: 3, maxLength: 30 },
    )
    fc.assert(
      fc.property(points, fc.constantFrom(0.0005, 0.025, 0.5, 0.975), (pieces, probability) => {
        const weighted = mergeEqual(pieces)
        const found = dirichletMeanQuantile(weighted, probability)
        const [low, high] = [Math.min(...weighted.values), Math.max(...weighted.values)]
        expect(found).toBeGreaterThanOrEqual(low)
        expect(found).toBeLessThanOrEqual(high)
        // If nearly all weight is on one value, the distribution is too steep for more digits.
        if (high - low > 0.01) expect(dirichletMeanCdf(weighted, found)).toBeCloseTo(probability, 6)
      }),
    )
  })

  it.each([
    [
      [-1, -0.3, 0, 0.2, 0.9],
      [1, 0.9, 2.7, 5, 1.8],
    ],
    [
      [-1, 0.5],
      [1, 40],
    ],
    [
      [-1, 0.1, 0.5],
      [3, 0.9, 4],
    ],
  ])('has the slope of its probability as density, of %j with weights %j', (values, weights) => {
    for (const at of [-0.2, 0.1, 0.3, 0.45]) {
      const below = (by: number): number => dirichletMeanCdf({ values, weights }, at + by)
      const { density } = dirichletMeanAt({ values, weights }, at, exact)
      expect((below(1e-5) - below(-1e-5)) / 2e-5 / density).toBeCloseTo(1, 6)
    }
  })

  it('is known to 2 digits by the rough rule, in a far tail too', () => {
    const weighted = { values: [-1, -0.3, 0, 0.2, 0.9], weights: [1, 9, 27, 50, 1.8] }
    for (const at of [-0.1, 0, 0.05, 0.2]) {
      expect(dirichletMeanAt(weighted, at, rough).below / dirichletMeanCdf(weighted, at)).toBeCloseTo(1, 2)
    }
  })

  it('is 0 or 1 beyond the values', () => {
    expect(dirichletMeanCdf(equal([0.2, 0.3, 0.4]), 0.2)).toBe(0)
    expect(dirichletMeanCdf(equal([0.2, 0.3, 0.4]), 0.4)).toBe(1)
    expect(dirichletMeanQuantile(equal([0.3, 0.3]), 0.025)).toBe(0.3)
  })
})
