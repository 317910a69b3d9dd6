import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { standardDeviation } from '../../src/statistics/dispersion.js'
import { studentTail } from '../../src/statistics/distributions.js'
import { clusteredError, pairedClusterDifference, pairedDifference } from '../../src/statistics/paired-difference.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative } from './expect-relative.js'

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

const clustered = fc.array(
  fc.record({
    score: fc.integer({ min: 0, max: 10 }).map((tenths) => tenths / 10),
    cluster: fc.integer({ min: 0, max: 4 }),
  }),
  {
    minLength: 2,
    maxLength: 30,
  },
)

describe('errors by cluster', () => {
  it("agree with statsmodels, Miller's equation and Inspect", () => {
    const { score, cluster, ...expected } = checks.clustered_se
    const found = clusteredError(score, cluster)!
    expect(found.clusters).toBe(expected.G)
    expectRelative(found.naive, expected.se_clt_ddof1)
    expectRelative(found.miller, expected.miller2024_eq4_clt_ddof1_plus_cross)
    expectRelative(found.cr0, expected.cr0)
    expectRelative(found.cr0, expected.statsmodels_cluster_nocorr)
    expectRelative(found.cr1, expected.statsmodels_cluster_corr)
    expectRelative(found.cr1, expected['inspect_ai_style_cr0*G/(G-1)'])
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

  it('are those of independent scores where every score is its own cluster', () => {
    fc.assert(
      fc.property(clustered, (rows) => {
        const scores = rows.map(({ score }) => score)
        const { naive, miller, cr1, cr0, clusters } = clusteredError(scores, [...scores.keys()])!
        expect(clusters).toBe(scores.length)
        expect(miller).toBeCloseTo(naive, 12)
        expect(cr1).toBeCloseTo(naive, 12)
        expect(cr0).toBeCloseTo(standardDeviation(scores, 'population')! / Math.sqrt(scores.length), 12)
        const alone = pairedClusterDifference(scores, [...scores.keys()])
        const paired = pairedDifference(scores.map((score) => [score]))
        expect(alone.mean).toBe(paired.mean)
        expect(alone.standardError).toBeCloseTo(paired.standardError!, 12)
      }),
    )
  })

  it('are the sums over pairs that they stand for', () => {
    fc.assert(
      fc.property(clustered, (rows) => {
        const scores = rows.map(({ score }) => score)
        const found = clusteredError(
          scores,
          rows.map(({ cluster }) => cluster),
        )!
        if (found.cr0 === undefined) return
        const n = rows.length
        const centre = scores.reduce((sum, score) => sum + score, 0) / n
        let [own, cross] = [0, 0]
        rows.forEach((one, i) => {
          rows.forEach((other, j) => {
            if (one.cluster !== other.cluster) return
            const product = (one.score - centre) * (other.score - centre)
            if (i === j) own += product
            else cross += product
          })
        })
        expect(found.cr0 ** 2).toBeCloseTo((own + cross) / n ** 2, 10)
        expect(found.miller! ** 2).toBeCloseTo(found.naive ** 2 + cross / n ** 2, 10)
        expect(found.cr1! ** 2 * (1 - 1 / found.clusters)).toBeCloseTo(found.cr0 ** 2, 10)
      }),
    )
  })

  it('say only what the clusters allow', () => {
    expect(clusteredError([0, 1], ['a', 'a'])).toEqual({ clusters: 1, naive: 0.5 })
    expect(clusteredError([1], ['a'])).toBeUndefined()
    expect(clusteredError([], [])).toBeUndefined()
    expect(clusteredError([0, NaN, 1, 1], ['a', 'b', 'a', 'c'])).toEqual(clusteredError([0, 1, 1], ['a', 'a', 'c']))
    expect(clusteredError([0.1, 0.1, 0.1], ['a', 'b', 'b'])).toEqual({
      clusters: 2,
      naive: 0,
      miller: 0,
      cr0: 0,
      cr1: 0,
    })
    expect(pairedClusterDifference([], [])).toEqual({ tasks: 0, clusters: 0 })
    expect(pairedClusterDifference([0.5, NaN], ['a', 'b'])).toEqual({ tasks: 1, clusters: 1, mean: 0.5 })
    expect(pairedClusterDifference([0.5, 1], ['a', 'a'])).toEqual({ tasks: 2, clusters: 1, mean: 0.75 })
    expect(pairedClusterDifference([0.5, 0.5], ['a', 'b'])).toEqual({
      tasks: 2,
      clusters: 2,
      mean: 0.5,
      cr0: 0,
      standardError: 0,
    })
  })
})
