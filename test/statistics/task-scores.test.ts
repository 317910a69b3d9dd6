import { describe, expect, it } from 'vitest'
import { mean, median, spreadByGroup } from '../../src/statistics/dispersion.js'
import { expectedLowest, lowestScores, passAtK, passHatK } from '../../src/statistics/task-scores.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { grid } from './_expect.js'

it('the spread over seeds and temperatures is computed within and between groups', () => {
  const { grid: scores, pooled_all_cells, ...expected } = checks.seeds_x_temps
  const found = spreadByGroup(Object.values(scores))
  expect(found.pooled).toBeCloseTo(pooled_all_cells.std_sample, 14)
  expect(found.meanOfMeans).toBeCloseTo(expected.mean_of_temp_means, 14)
  expect(found.within).toBeCloseTo(expected.within_temp_pooled_std, 14)
  expect(found.between).toBeCloseTo(expected.between_temp_std_of_means, 14)
})

it('the worst case takes the lowest score of each task, and no task that is missing in a condition', () => {
  const { base, p1, p2, ...expected } = checks.robustness_summaries.worst_case_over_perturbations_per_task
  expect(lowestScores([base, p1, p2])).toEqual(expected.per_task_min_incl_base)
  expect(mean(lowestScores([base, p1, p2]))).toBe(expected.mean)
  expect(lowestScores(grid('1 0.5 / NaN 0.7'))).toEqual([NaN, 0.5])
})

it('the lowest of some scores is the mean over every set of that size', () => {
  // By hand: of {1, 2}, {1, 4} and {2, 4} the lowest are 1, 1 and 2.
  expect(expectedLowest([4, 1, 2], 2)).toBeCloseTo(4 / 3, 12)
  expect([1, 3].map((size) => expectedLowest([4, 1, 2], size))).toEqual([expect.closeTo(7 / 3, 12), 1])
  expect([0, 4].map((size) => expectedLowest([4, 1, 2], size))).toEqual([undefined, undefined])
})

describe('k tries at a task', () => {
  it.each(Object.entries(checks.pass_k.cases))('%s', (key, expected) => {
    const [n, c] = key.slice(1).split('c').map(Number)
    expected.pass_at.forEach((value, index) => expect(passAtK(n!, c!, index + 1)).toBeCloseTo(value, 14))
    expected.pass_hat.forEach((value, index) => expect(passHatK(n!, c!, index + 1)).toBeCloseTo(value, 14))
  })

  it('equal the share of successes for one, and are absent beyond the trials', () => {
    expect([passAtK(4, 3, 1), passHatK(4, 3, 1)]).toEqual([0.75, 0.75])
    for (const k of [0, 5]) expect([passAtK(4, 3, k), passHatK(4, 3, k)]).toEqual([undefined, undefined])
    expect(passAtK(0, 0, 1)).toBeUndefined()
  })
})

it("the median of task means agrees with rliable's", () => {
  const { scores_runs_x_tasks: runs, ...expected } = checks.rliable
  const byTask = [0, 1, 2, 3].map((task) => mean(runs.map((run) => run[task]!))!)
  expect(median(byTask)).toBeCloseTo(expected.median_of_task_means, 14)
})
