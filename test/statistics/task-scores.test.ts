import { describe, expect, it } from 'vitest'
import { mean, median, spreadByGroup } from '../../src/statistics/dispersion.js'
import { expectedLowest, lowestScores, passAtK, passHatK } from '../../src/statistics/task-scores.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

describe('spread over seeds and temperatures', () => {
  it('is computed within and between groups', () => {
    const { grid, pooled_all_cells, ...expected } = checks.seeds_x_temps
    const found = spreadByGroup(Object.values(grid))
    expect(found.pooled).toBeCloseTo(pooled_all_cells.std_sample, 14)
    expect(found.meanOfMeans).toBeCloseTo(expected.mean_of_temp_means, 14)
    expect(found.within).toBeCloseTo(expected.within_temp_pooled_std, 14)
    expect(found.between).toBeCloseTo(expected.between_temp_std_of_means, 14)
  })
})

it('the worst case takes the lowest score of each task, and no task that is missing in a condition', () => {
  const { base, p1, p2, ...expected } = checks.robustness_summaries.worst_case_over_perturbations_per_task
  expect(lowestScores([base, p1, p2])).toEqual(expected.per_task_min_incl_base)
  expect(mean(lowestScores([base, p1, p2]))).toBe(expected.mean)
  expect(
    lowestScores([
      [1, 0.5],
      [NaN, 0.7],
    ]),
  ).toEqual([NaN, 0.5])
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
    expected.pass_at.forEach((value, index) => {
      expect(passAtK(n!, c!, index + 1)).toBeCloseTo(value, 14)
    })
    expected.pass_hat.forEach((value, index) => {
      expect(passHatK(n!, c!, index + 1)).toBeCloseTo(value, 14)
    })
  })

  it('equal the share of successes for one, and are absent beyond the trials', () => {
    expect([passAtK(4, 3, 1), passHatK(4, 3, 1)]).toEqual([0.75, 0.75])
    for (const k of [0, 5]) expect([passAtK(4, 3, k), passHatK(4, 3, k)]).toEqual([undefined, undefined])
    expect(passAtK(0, 0, 1)).toBeUndefined()
  })

  it('are the mean over every way to draw k of n', () => {
    const trials = [1, 0, 1, 1, 0, 0, 1]
    const draws = trials.flatMap((a, i) =>
      trials.flatMap((b, j) => trials.flatMap((c, k) => (i < j && j < k ? [[a, b, c]] : []))),
    )
    expect(passAtK(7, 4, 3)).toBeCloseTo(mean(draws.map((draw) => Math.max(...draw)))!, 12)
    expect(passHatK(7, 4, 3)).toBeCloseTo(mean(draws.map((draw) => Math.min(...draw)))!, 12)
  })
})

describe('summaries of many runs and tasks', () => {
  it("agree with rliable's formulas", () => {
    const { scores_runs_x_tasks: runs, ...expected } = checks.rliable
    expect(mean(runs.flat())).toBeCloseTo(expected.mean, 14)
    const byTask = [0, 1, 2, 3].map((task) => mean(runs.map((run) => run[task]!))!)
    expect(median(byTask)).toBeCloseTo(expected.median_of_task_means, 14)
  })
})
