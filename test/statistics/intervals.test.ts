import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile } from '../../src/statistics/beta.js'
import { clopperPearsonInterval, hoeffdingHalfWidth, wilsonInterval } from '../../src/statistics/intervals.js'
import { normalQuantile } from '../../src/statistics/normal.js'
import { binomialCdf } from '../../src/statistics/tails.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const z = normalQuantile(0.975)
const trialsAndSuccesses = fc
  .integer({ min: 1, max: 300 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

describe('intervals of a proportion', () => {
  it.each(Object.entries(checks.binomial_ci95.cases))('agree with statsmodels: %s', (key, expected) => {
    const [successes, trials] = key.split('/').map(Number) as [number, number]
    const near = (bounds: number[]): number[] => bounds.map((bound) => expect.closeTo(Math.min(1, bound), 12) as number)
    const wilson = wilsonInterval(successes, trials)
    expect([wilson.low, wilson.high]).toEqual(near(expected.wilson))
    const exact = clopperPearsonInterval(successes, trials)
    expect([exact.low, exact.high]).toEqual(near(expected.beta))
    const jeffreys = [0.025, 0.975].map((p) => betaQuantile(p, successes + 0.5, trials - successes + 0.5))
    expect(jeffreys).toEqual(near(expected.jeffreys))
  })

  it.each(Object.entries(checks.binomial_ci95.cases))(
    'are not the ones that fail near 0 and 1: %s',
    (key, expected) => {
      const [successes, trials] = key.split('/').map(Number) as [number, number]
      const around = (share: number, n: number): number[] =>
        [-z, z].map((side) => Math.min(1, Math.max(0, share + side * Math.sqrt((share * (1 - share)) / n))))
      const near = (bounds: number[]): number[] => bounds.map((bound) => expect.closeTo(bound, 12) as number)
      expect(around(successes / trials, trials)).toEqual(near(expected.normal))
      const more = trials + z * z
      expect(around((successes + (z * z) / 2) / more, more)).toEqual(near(expected.agresti_coull))
    },
  )

  it('lie around the share, within 0 and 1, mirrored, wider for more confidence, and the exact one widest', () => {
    fc.assert(
      fc.property(trialsAndSuccesses, fc.double({ min: 0.5, max: 0.999, noNaN: true }), ([k, n], confidence) => {
        for (const interval of [wilsonInterval, clopperPearsonInterval]) {
          const { low, high } = interval(k, n, confidence)
          expect(low).toBeGreaterThanOrEqual(0)
          expect(high).toBeLessThanOrEqual(1)
          expect(low).toBeLessThanOrEqual(k / n)
          expect(high).toBeGreaterThanOrEqual(k / n)
          const mirrored = interval(n - k, n, confidence)
          expect(1 - mirrored.high).toBeCloseTo(low, 10)
          const wider = interval(k, n, (1 + confidence) / 2)
          expect(wider.low).toBeLessThanOrEqual(low)
          expect(wider.high).toBeGreaterThanOrEqual(high)
        }
      }),
    )
  })

  it('leave a tail of half the rest beyond each exact bound', () => {
    fc.assert(
      fc.property(trialsAndSuccesses, ([k, n]) => {
        const { low, high } = clopperPearsonInterval(k, n, 0.9)
        if (k < n) expect(binomialCdf(k, n, high)).toBeCloseTo(0.05, 10)
        if (k > 0) expect(1 - binomialCdf(k - 1, n, low)).toBeCloseTo(0.05, 10)
      }),
    )
  })

  it('solve the score equation at each bound of Wilson', () => {
    fc.assert(
      fc.property(trialsAndSuccesses, ([k, n]) => {
        const { low, high } = wilsonInterval(k, n, 0.9)
        for (const bound of [low, high]) {
          if (bound === 0 || bound === 1) continue
          const score = (k / n - bound) / Math.sqrt((bound * (1 - bound)) / n)
          expect(Math.abs(score)).toBeCloseTo(normalQuantile(0.95), 8)
        }
      }),
    )
  })

  it.each([
    [0, 0, 0.95],
    [NaN, 3, 0.95],
    [4, 3, 0.95],
    [-1, 3, 0.95],
    [1, 3, 1],
    [1, 3, NaN],
  ])('say nothing of %s in %s at %s', (successes, trials, confidence) => {
    expect(wilsonInterval(successes, trials, confidence)).toEqual({ low: 0, high: 1 })
    expect(clopperPearsonInterval(successes, trials, confidence)).toEqual({ low: 0, high: 1 })
  })

  it("have Hoeffding's half-width where nothing is assumed, up to 1", () => {
    const { n, half } = checks.hoeffding_ci_half_width_95
    expect(n.map(hoeffdingHalfWidth)).toEqual(half.map((width) => expect.closeTo(width, 14) as number))
    expect([0, 1, NaN].map(hoeffdingHalfWidth)).toEqual([1, 1, 1])
  })
})
