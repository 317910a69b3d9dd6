import { describe, expect, it } from 'vitest'
import { betaQuantile } from '../../src/statistics/special-functions.js'
import { studentInterval, taskInterval, wilsonInterval } from '../../src/statistics/intervals.js'
import { studentTail } from '../../src/statistics/distributions.js'
import { pairedDifference } from '../../src/statistics/paired-difference.js'
import { standardDeviation } from '../../src/statistics/dispersion.js'
import fc from 'fast-check'
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

it.each(Object.entries(checks.binomial_ci95.cases))('intervals agree with statsmodels: %s', (key, expected) => {
  const [successes, trials] = key.split('/').map(Number) as [number, number]
  const near = (bounds: number[]): number[] => bounds.map((bound) => expect.closeTo(Math.min(1, bound), 12) as number)
  const wilson = wilsonInterval(successes, trials)
  expect([wilson.low, wilson.high]).toEqual(near(expected.wilson))
  expect(exactInterval(successes, trials)).toEqual(near(expected.beta))
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

describe('paired differences', () => {
  it('agree with SciPy', () => {
    const { A, B, ...expected } = checks.paired
    const differences = A.map((score, task) => score - B[task]!)
    const found = pairedDifference(differences)
    expect(found.tasks).toBe(A.length)
    expect(found.mean).toBeCloseTo(expected.mean_diff, 12)
    // Wider than Student's interval: with twelve tasks, a loss or gain in a fifth of all tasks remains possible.
    expect(found.interval!.low).toBeLessThan(expected.ci95_t[0]!)
    expect(found.interval!.high).toBeGreaterThan(expected.ci95_t[1]!)
    const student = studentInterval(differences)!
    expect([student.low, student.high]).toEqual(expected.ci95_t.map((bound) => expect.closeTo(bound, 10) as number))
    const error = standardDeviation(differences)! / Math.sqrt(A.length)
    expect(error).toBeCloseTo(expected.se_paired, 12)
    expect(found.mean! / error).toBeCloseTo(expected.t, 12)
    expect(2 * studentTail(found.mean! / error, A.length - 1)).toBeCloseTo(expected.p_two_sided, 12)
  })

  it('have a non-empty interval without a spread, and with a single task', () => {
    expect(pairedDifference([])).toEqual({ tasks: 0 })
    const one = pairedDifference([-0.5, NaN])
    expect(one).toMatchObject({ tasks: 1, mean: -0.5 })
    expect(one.interval!.high - one.interval!.low).toBeGreaterThan(1)
    const same = pairedDifference([0, 0, 0])
    expect(same).toMatchObject({ tasks: 3, mean: 0 })
    expect(same.interval!.low).toBeCloseTo(-(1 - 0.025 ** (1 / 3)), 9)
    expect(() => pairedDifference([0, -40])).toThrow('Expected shares from -1 to 1, got -40.')
  })
})
