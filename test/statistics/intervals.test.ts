import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile } from '../../src/statistics/special-functions.js'
import { mean } from '../../src/statistics/dispersion.js'
import { taskInterval, wilsonInterval } from '../../src/statistics/intervals.js'
import { normalQuantile } from '../../src/statistics/distributions.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const z = normalQuantile(0.975)
const trialsAndSuccesses = fc
  .integer({ min: 1, max: 300 })
  .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)))

/** Clopper and Pearson's exact 95 % interval of a proportion. */
function exactInterval(successes: number, trials: number): [low: number, high: number] {
  return [
    successes === 0 ? 0 : betaQuantile(0.025, successes, trials - successes + 1),
    successes === trials ? 1 : betaQuantile(0.975, successes + 1, trials - successes),
  ]
}

describe('intervals of a proportion', () => {
  it.each(Object.entries(checks.binomial_ci95.cases))('agree with statsmodels: %s', (key, expected) => {
    const [successes, trials] = key.split('/').map(Number) as [number, number]
    const near = (bounds: number[]): number[] => bounds.map((bound) => expect.closeTo(Math.min(1, bound), 12) as number)
    const wilson = wilsonInterval(successes, trials)
    expect([wilson.low, wilson.high]).toEqual(near(expected.wilson))
    expect(exactInterval(successes, trials)).toEqual(near(expected.beta))
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

  it('contain the share, within 0 and 1, are mirrored, and wider for more confidence', () => {
    fc.assert(
      fc.property(trialsAndSuccesses, fc.double({ min: 0.5, max: 0.999, noNaN: true }), ([k, n], confidence) => {
        const { low, high } = wilsonInterval(k, n, confidence)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(k / n)
        expect(high).toBeGreaterThanOrEqual(k / n)
        const mirrored = wilsonInterval(n - k, n, confidence)
        expect(1 - mirrored.high).toBeCloseTo(low, 10)
        const wider = wilsonInterval(k, n, (1 + confidence) / 2)
        expect(wider.low).toBeLessThanOrEqual(low)
        expect(wider.high).toBeGreaterThanOrEqual(high)
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

  it('are 0 to 1 without a trial', () => {
    expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 })
  })
})

describe('the interval of a mean over tasks', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const scores = fc.array(fc.oneof(share, fc.constantFrom(0, 0.5, 0.9, 1)), { minLength: 1, maxLength: 40 })
  const boundsOf = (values: readonly number[]) => {
    const { low, high } = taskInterval(values)!
    return [low, high] as const
  }

  it('is the exact one of a proportion if every task is won or lost', () => {
    fc.assert(
      fc.property(trialsAndSuccesses, ([k, n]) => {
        const exact = exactInterval(k, n)
        const [low, high] = boundsOf(Array.from({ length: n }, (_, task) => (task < k ? 1 : 0)))
        expect(low).toBeCloseTo(exact[0], 10)
        expect(high).toBeCloseTo(exact[1], 10)
      }),
    )
  })

  it('contains its centre, between 0 and 1, and is mirrored', () => {
    fc.assert(
      fc.property(scores, (values) => {
        const [low, high] = boundsOf(values)
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(mean(values)).toBeGreaterThanOrEqual(low - 1e-12)
        expect(mean(values)).toBeLessThanOrEqual(high + 1e-12)
        const mirrored = boundsOf(values.map((value) => 1 - value))
        expect(1 - mirrored[1]).toBeCloseTo(low, 9)
        expect(1 - mirrored[0]).toBeCloseTo(high, 9)
      }),
    )
  })

  it("never decreases when a task's score increases, and increases by no more than the score", () => {
    fc.assert(
      fc.property(scores, fc.nat(), share, (values, place, score) => {
        const other = values.map((value, task) => (task === place % values.length ? score : value))
        const changed = Math.abs(score - values[place % values.length]!)
        const [before, after] = [boundsOf(values), boundsOf(other)]
        const isRaised = score >= values[place % values.length]!
        for (const side of [0, 1] as const) {
          const rise = isRaised ? after[side] - before[side] : before[side] - after[side]
          expect(rise).toBeGreaterThanOrEqual(-1e-9)
          expect(rise).toBeLessThanOrEqual(changed + 1e-9)
        }
      }),
    )
  })

  it('takes any number of distinct scores', () => {
    const scores = Array.from({ length: 200_000 }, (_, task) => task / 200_000)
    const { low, high } = taskInterval(scores)!
    expect((low + high) / 2).toBeCloseTo(0.5, 3)
    expect(high - low).toBeCloseTo((2 * 1.96) / Math.sqrt(12 * 200_000), 4)
  })

  it('changes little if one of 200 episodes is lost', () => {
    const solved = boundsOf(Array.from({ length: 20 }, () => 1))
    expect(solved).toEqual([expect.closeTo(0.8316, 4), 1])
    expect(boundsOf([...Array.from({ length: 19 }, () => 1), 0.9])).toEqual([
      expect.closeTo(0.8272, 4),
      expect.closeTo(0.9999, 4),
    ])
  })

  it('distinguishes tasks with one score from none, leaves missing ones out, and is absent for none', () => {
    expect(boundsOf([0.5, 0.5])).toEqual([expect.closeTo(0.0791, 3), expect.closeTo(0.9209, 3)])
    expect(taskInterval([1, NaN, 0])).toEqual(taskInterval([1, 0]))
    expect(taskInterval([NaN])).toBeUndefined()
    expect(taskInterval([])).toBeUndefined()
  })
})
