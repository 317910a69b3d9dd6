import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { incompleteBeta } from '../../src/statistics/special-functions.js'
import { dirichletMeanCdf } from '../../src/statistics/dirichlet-mean.js'
import { meanAboveP, meanBelowP, meanBounds, noDifferenceP } from '../../src/statistics/mean-bounds.js'
import { binomialCdf } from '../../src/statistics/distributions.js'

const repeated = (times: number, value: number): number[] => Array.from({ length: times }, () => value)
const lost = (count: number, tasks: number): number[] => [...repeated(count, -1), ...repeated(tasks - count, 0)]

describe('the probability of a Dirichlet mean', () => {
  it.each([
    [0.5, 0.5],
    [1, 1],
    [1, 3.8],
    [2, 5],
    [50, 3],
    [1, 134],
    [500, 500],
  ])('is a beta probability for two values, weights %d and %d', (a, b) => {
    for (const at of [0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.999]) {
      expect(dirichletMeanCdf({ values: [1, 0], weights: [a, b] }, at)).toBeCloseTo(incompleteBeta(a, b, at), 9)
    }
  })

  it('is what drawing says for many values', () => {
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

  it('is 0 or 1 outside of the values', () => {
    expect(dirichletMeanCdf({ values: [0.5, 0.5], weights: [1, 2] }, 0.4)).toBe(0)
    expect(dirichletMeanCdf({ values: [0.5, 0.6], weights: [1, 2] }, 0.6)).toBe(1)
  })
})

describe('bounds of a mean over other tasks', () => {
  it('are those of Clopper and Pearson where no task differs', () => {
    for (const tasks of [1, 5, 20, 60, 134]) {
      expect(meanBounds(repeated(tasks, 0), 0.05).low).toBeCloseTo(-(1 - 0.05 ** (1 / tasks)), 9)
      expect(meanAboveP(repeated(tasks, 0), -0.05)).toBeCloseTo(0.95 ** tasks, 9)
    }
  })

  it.each([1, 2, 3, 4])('are about those of Clopper and Pearson where %i of 134 tasks are lost wholly', (count) => {
    const exact = binomialCdf(count, 134, 0.05)
    const p = meanAboveP(lost(count, 134), -0.05)
    expect(p).toBeGreaterThan(exact)
    expect(p).toBeLessThan(1.2 * exact)
  })

  it('have no p below that of the signs where all tasks of a few are lost', () => {
    for (const tasks of [1, 2, 3, 4, 5]) {
      expect(meanBelowP(repeated(tasks, -1), 0)).toBeGreaterThanOrEqual(2 ** -tasks - 1e-9)
    }
  })

  it('know nothing without a task, and leave out what is not measured', () => {
    expect(meanBounds([], 0.05)).toEqual({ low: -1, high: 1 })
    expect(meanAboveP([NaN], 0)).toBe(1)
    expect(meanBounds([0.5, NaN, -0.25], 0.05)).toEqual(meanBounds([0.5, -0.25], 0.05))
  })

  const share = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10) },
    { weight: 2, arbitrary: fc.constantFrom(0, 0, 0, -1, 1e-6, -1e-6) },
    { weight: 1, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
  )
  /**
   * The search for the worst share of unseen tasks is exact to this; with a handful of tasks the probability has cusps.
   */
  const tolerance = ({ length }: readonly number[]): number => (length > 8 ? 1e-5 : 1e-3)
  const sample = fc.array(share, { minLength: 1, maxLength: 60 })

  it('reject exactly what the test rejects, at any level, turned over too', () => {
    fc.assert(
      fc.property(sample, fc.constantFrom(0.025, 0.05, 0.01), (differences, alpha) => {
        const { low, high } = meanBounds(differences, alpha)
        expect(low).toBeLessThanOrEqual(high)
        const near = tolerance(differences)
        // Differences are rounded to 1e-12, so that p may jump that close to the end of the range.
        const end = 1 - 1e-9
        if (low > -end && low < 0) expect(Math.abs(meanAboveP(differences, low) - alpha)).toBeLessThan(near)
        if (high < end && high > 0) expect(Math.abs(meanBelowP(differences, high) - alpha)).toBeLessThan(near)
        if (low > -1 + 1e-5) expect(meanAboveP(differences, low - 1e-5)).toBeLessThan(alpha + near)
        if (low < 1 - 1e-5) expect(meanAboveP(differences, low + 1e-5)).toBeGreaterThan(alpha - near)
        expect(
          meanBounds(
            differences.map((one) => -one),
            alpha,
          ).low,
        ).toBeCloseTo(-high, 9)
        const p = noDifferenceP(differences)
        const two = meanBounds(differences, 0.025)
        if (Math.abs(p - 0.05) > 2 * near) expect(p < 0.05).toBe(two.low > 0 || two.high < 0)
      }),
      { numRuns: 100 },
    )
  })

  it('never take a lower difference of a task for evidence of a higher mean', () => {
    const bounds = fc.constantFrom(-0.1, -0.05, -0.02, 0)
    fc.assert(
      fc.property(sample, fc.nat(), share, bounds, (differences, place, other, bound) => {
        const task = place % differences.length
        const worse = differences.with(task, Math.min(differences[task]!, other))
        expect(meanAboveP(worse, bound)).toBeGreaterThanOrEqual(meanAboveP(differences, bound) - tolerance(worse))
        expect(meanBelowP(worse, bound)).toBeLessThanOrEqual(meanBelowP(differences, bound) + tolerance(worse))
      }),
      { numRuns: 200 },
    )
  })

  it('round very many distinct differences down, which lowers the bound by less than a grid step', () => {
    const { next } = createRandom('many')
    const many = Array.from({ length: 3000 }, () => next() - 0.5)
    const coarse = many.map((one) => Math.floor(one * 500) / 500)
    const [fine, rounded] = [meanBounds(many, 0.05), meanBounds(coarse, 0.05)]
    expect(fine.low).toBeCloseTo(rounded.low, 5)
    expect(fine.high).toBeGreaterThan(rounded.high)
    expect(fine.high - rounded.high).toBeLessThan(1 / 400)
  })
})
