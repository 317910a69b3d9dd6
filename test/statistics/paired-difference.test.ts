import { describe, expect, it } from 'vitest'
import { standardDeviation } from '../../src/statistics/dispersion.js'
import { pairedDifference } from '../../src/statistics/paired-difference.js'
import { studentTail } from '../../src/statistics/student.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

describe('paired differences', () => {
  it('agree with SciPy', () => {
    const { A, B, ...expected } = checks.paired
    const found = pairedDifference(A.map((score, task) => [score - B[task]!]))
    expect(found.tasks).toBe(A.length)
    expect(found.mean).toBeCloseTo(expected.mean_diff, 12)
    expect(found.standardError).toBeCloseTo(expected.se_paired, 12)
    // Wider than Student's interval: twelve tasks cannot rule out that a fifth of all tasks is lost or gained.
    expect(found.interval!.low).toBeLessThan(expected.ci95_t[0]!)
    expect(found.interval!.high).toBeGreaterThan(expected.ci95_t[1]!)
    const t = found.mean! / found.standardError!
    expect(t).toBeCloseTo(expected.t, 12)
    expect(2 * studentTail(t, A.length - 1)).toBeCloseTo(expected.p_two_sided, 12)
  })

  it('have a third of the error that the same scores have unpaired', () => {
    const { A, B, ...expected } = checks.paired
    const unpaired = Math.sqrt((standardDeviation(A)! ** 2 + standardDeviation(B)! ** 2) / A.length)
    expect(unpaired).toBeCloseTo(expected.se_unpaired, 12)
    expect(2 * studentTail(expected.mean_diff / unpaired, 2 * A.length - 2)).toBeCloseTo(
      expected.p_unpaired_ttest_ind,
      12,
    )
    expect(expected.se_paired / unpaired).toBeCloseTo(Math.sqrt(1 - expected.corr), 2)
  })

  it('take the task as the cluster: repeating every pair changes nothing', () => {
    const once = pairedDifference([[0.5], [-0.25], [0]])
    expect(
      pairedDifference([
        [0.5, 0.5],
        [-0.25, -0.25],
        [0, 0],
      ]),
    ).toEqual(once)
    expect(pairedDifference([[1, 0], [-0.25], [], [0, NaN], [NaN]])).toEqual(once)
  })

  it('have an interval without a spread and with a single task, which is no proof of certainty', () => {
    expect(pairedDifference([])).toEqual({ tasks: 0 })
    const one = pairedDifference([[-1, 0]])
    expect(one).toMatchObject({ tasks: 1, mean: -0.5 })
    expect(one.interval!.high - one.interval!.low).toBeGreaterThan(1)
    const same = pairedDifference([[0], [0], [0]])
    expect(same).toMatchObject({ tasks: 3, mean: 0, standardError: 0 })
    expect(same.interval!.low).toBeCloseTo(-(1 - 0.025 ** (1 / 3)), 9)
  })
})

describe('the interval of a mean over tasks', () => {
  it('has the error of a mean of successes', () => {
    const { x, ...expected } = checks.bernoulli_se
    const found = pairedDifference(x.map((score) => [score]))
    expect(found.mean).toBeCloseTo(expected.mean, 14)
    expect(found.standardError).toBeCloseTo(expected.se_clt_ddof1, 14)
    const population = standardDeviation(x, 'population')! / Math.sqrt(x.length)
    expect(population).toBeCloseTo(expected['se_bernoulli_p(1-p)/n'], 14)
  })
})
