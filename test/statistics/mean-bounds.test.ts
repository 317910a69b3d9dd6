import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { meanAboveP, meanBelowP, meanBounds, noDifferenceP } from '../../src/statistics/mean-bounds.js'
import { binomialCdf } from '../../src/statistics/distributions.js'

const repeated = (times: number, value: number): number[] => Array.from({ length: times }, () => value)
const lost = (count: number, tasks: number): number[] => [...repeated(count, -1), ...repeated(tasks - count, 0)]

describe('bounds of a mean over unseen tasks', () => {
  it('are those of Clopper and Pearson if no task differs', () => {
    for (const tasks of [1, 5, 20, 60, 134]) {
      expect(meanBounds(repeated(tasks, 0), 0.05).low).toBeCloseTo(-(1 - 0.05 ** (1 / tasks)), 9)
      expect(meanAboveP(repeated(tasks, 0), -0.05)).toBeCloseTo(0.95 ** tasks, 9)
    }
  })

  it.each([1, 2, 3, 4])('are close to those of Clopper and Pearson if %i of 134 tasks are lost completely', (count) => {
    const exact = binomialCdf(count, 134, 0.05)
    const p = meanAboveP(lost(count, 134), -0.05)
    expect(p).toBeGreaterThan(exact)
    expect(p).toBeLessThan(1.2 * exact)
  })

  it('stay as they are: verdicts of stored baselines rest on them', () => {
    const differences = [-1, -0.5, 0, 0, 0.25, 0.5, 0.5, 1, 0, 0.75]
    expect(meanAboveP(differences, 0)).toBeCloseTo(0.299828654, 8)
    expect(meanAboveP(differences, -0.1)).toBeCloseTo(0.143726407, 8)
    const { low, high } = meanBounds(differences, 0.025)
    expect([low, high]).toEqual([expect.closeTo(-0.279322766, 8), expect.closeTo(0.509461143, 8)])
  })

  it('are the whole range without a task, and leave out missing measurements', () => {
    expect(meanBounds([], 0.05)).toEqual({ low: -1, high: 1 })
    expect(meanAboveP([NaN], 0)).toBe(1)
    expect(meanBounds([-1 + 4e-16], 0.05).low).toBe(-1)
    expect(meanBounds([0.5, NaN, -0.25], 0.05)).toEqual(meanBounds([0.5, -0.25], 0.05))
  })

  const share = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: -10, max: 10 }).map((tenths) => tenths / 10) },
    { weight: 2, arbitrary: fc.constantFrom(0, 0, 0, -1, 1e-6, -1e-6) },
    { weight: 1, arbitrary: fc.double({ min: -1, max: 1, noNaN: true }) },
  )
  /**
   * The search for the worst share of unseen tasks is accurate to this; with very few tasks the probability has cusps.
   */
  const tolerance = ({ length }: readonly number[]): number => (length > 8 ? 1e-5 : 1e-3)
  const sample = fc.array(share, { minLength: 1, maxLength: 60 })

  it('reject exactly what the test rejects, at any level, and are mirrored', () => {
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
        const mirrored = differences.map((one) => -one)
        expect(meanBounds(mirrored, alpha).low).toBeCloseTo(-high, 9)
        const p = noDifferenceP(differences)
        const two = meanBounds(differences, 0.025)
        if (Math.abs(p - 0.05) > 2 * near) expect(p < 0.05).toBe(two.low > 0 || two.high < 0)
      }),
      { numRuns: 100 },
    )
  })

  it('never give more evidence of a higher mean for a lower difference of a task', () => {
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
})
