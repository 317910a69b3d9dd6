import { describe, expect, it } from 'vitest'
import { studentTail } from '../../src/statistics/distributions.js'
import { pairedClusterDifference, pairedDifference } from '../../src/statistics/paired-difference.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative, grid } from './_expect.js'

describe('paired differences', () => {
  it('agree with SciPy', () => {
    const { A, B, ...expected } = checks.paired
    const found = pairedDifference(A.map((score, task) => [score - B[task]!]))
    expect(found.tasks).toBe(A.length)
    expect(found.mean).toBeCloseTo(expected.mean_diff, 12)
    expect(found.standardError).toBeCloseTo(expected.se_paired, 12)
    // Wider than Student's interval: with twelve tasks, a loss or gain in a fifth of all tasks remains possible.
    expect(found.interval!.low).toBeLessThan(expected.ci95_t[0]!)
    expect(found.interval!.high).toBeGreaterThan(expected.ci95_t[1]!)
    const t = found.mean! / found.standardError!
    expect(t).toBeCloseTo(expected.t, 12)
    expect(2 * studentTail(t, A.length - 1)).toBeCloseTo(expected.p_two_sided, 12)
  })

  it('take the task as the cluster: repeating every pair changes nothing', () => {
    const once = pairedDifference([[0.5], [-0.25], [0]])
    expect(pairedDifference(grid('0.5 0.5 / -0.25 -0.25 / 0 0'))).toEqual(once)
    expect(pairedDifference([[1, 0], [-0.25], [], [0, NaN], [NaN]])).toEqual(once)
  })

  it('have a non-empty interval without a spread, and with a single task', () => {
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
  })
})

describe('errors by cluster', () => {
  it('agree with statsmodels and Inspect', () => {
    const { score, cluster, ...expected } = checks.clustered_se
    const found = pairedClusterDifference(score, cluster)
    expect(found.clusters).toBe(expected.G)
    expectRelative(found.cr0, expected.cr0)
    expectRelative(found.cr0, expected.statsmodels_cluster_nocorr)
    expectRelative(found.standardError, expected.statsmodels_cluster_corr)
    expectRelative(found.standardError, expected['inspect_ai_style_cr0*G/(G-1)'])
  })

  it('agree with statsmodels on paired differences, with t over clusters', () => {
    const { d, cluster, ...expected } = checks.paired_cluster_diff
    const found = pairedClusterDifference(d, cluster)
    expect(found).toMatchObject({ tasks: 12, clusters: 4 })
    expectRelative(found.mean, 0.1)
    expectRelative(found.cr0, expected.se_cr0)
    expectRelative(found.standardError, expected['se_cr1_G/(G-1)'])
    const half = expected['se_cr1_G/(G-1)'] * checks.special['t_ppf_0.975']['3']
    expectRelative(found.interval!.high - 0.1, half, 1e-9)
    expectRelative(0.1 - found.interval!.low, half, 1e-9)
  })
})
