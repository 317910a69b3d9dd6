import { describe, expect, it } from 'vitest'
import { incompleteBeta } from '../../src/statistics/special-functions.js'
import { dirichletMeanAt, dirichletMeanCdf, exact, mergeEqual } from '../../src/statistics/dirichlet-mean.js'
import { grid } from './_expect.js'

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
  it.each([[[0, 0.3, 1]], [[-1, 0.1, 0.35, 0.7, 0.8, 0.93]], [[0, 0.95, 0.96, 0.97, 0.98, 0.99, 1]]])(
    'agrees with divided differences on %s, to 12 digits of small shares too',
    (values) => {
      for (const bound of [0.05, 0.1, 0.3, 0.5, 0.8]) {
        const expected = byDividedDifferences(values, bound)
        expect(dirichletMeanCdf(equal(values), bound) / expected).toBeCloseTo(1, 12)
      }
    },
  )

  it.each(grid('0.5 0.5 / 1 3.8 / 1 134 / 500 500'))(
    'is a beta distribution of two values, weights %d and %d',
    (a, b) => {
      for (const at of [0.001, 0.05, 0.2, 0.5, 0.8, 0.95, 0.999]) {
        expect(dirichletMeanCdf({ values: [1, 0], weights: [a, b] }, at)).toBeCloseTo(incompleteBeta(a, b, at), 14)
      }
    },
  )

  it.each(['-1 -0.3 0 0.2 0.9 / 1 0.9 2.7 5 1.8', '-1 0.5 / 1 40', '-1 0.1 0.5 / 3 0.9 4'])(
    'has the slope of its probability as density, of values / weights %s',
    (text) => {
      const [values, weights] = grid(text) as [number[], number[]]
      for (const at of [-0.2, 0.1, 0.3, 0.45]) {
        const below = (by: number): number => dirichletMeanCdf({ values, weights }, at + by)
        const { density } = dirichletMeanAt({ values, weights }, at, exact)
        expect((below(1e-5) - below(-1e-5)) / 2e-5 / density).toBeCloseTo(1, 6)
      }
    },
  )
})
