import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { betaQuantile } from '../../src/statistics/special-functions.js'
import { taskInterval, wilsonInterval } from '../../src/statistics/intervals.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

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

  it('distinguishes tasks with one score from none, leaves missing ones out, and is absent for none', () => {
    expect(boundsOf([0.5, 0.5])).toEqual([expect.closeTo(0.0791, 3), expect.closeTo(0.9209, 3)])
    expect(taskInterval([1, NaN, 0])).toEqual(taskInterval([1, 0]))
    expect(taskInterval([NaN])).toBeUndefined()
    expect(taskInterval([])).toBeUndefined()
  })
})
