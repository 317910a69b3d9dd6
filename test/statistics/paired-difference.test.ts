import { describe, expect, it } from 'vitest'
import { studentTail } from '../../src/statistics/distributions.js'
import { studentInterval } from '../../src/statistics/intervals.js'
import { pairedDifference } from '../../src/statistics/paired-difference.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { standardDeviation } from '../../src/statistics/dispersion.js'

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

describe('the interval of a mean over tasks', () => {
  it('has the error of a mean of successes', () => {
    const { x, ...expected } = checks.bernoulli_se
    expect(pairedDifference(x).mean).toBeCloseTo(expected.mean, 14)
    expect(standardDeviation(x)! / Math.sqrt(x.length)).toBeCloseTo(expected.se_clt_ddof1, 14)
  })
})
