import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mean, median } from '../../src/statistics/dispersion.js'
import {
  interquartileMean,
  optimalityGap,
  performanceProfile,
  probabilityOfImprovement,
} from '../../src/statistics/rliable.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const { rliable } = checks
const all = rliable.scores_runs_x_tasks.flat()

describe('summaries of many runs and tasks', () => {
  it("agree with rliable's formulas", () => {
    expect(interquartileMean(all)).toBeCloseTo(rliable.iqm, 14)
    expect(interquartileMean(rliable.iqm_9.x)).toBe(rliable.iqm_9.trim_mean)
    expect(mean(all)).toBeCloseTo(rliable.mean, 14)
    const byTask = [0, 1, 2, 3].map((task) => mean(rliable.scores_runs_x_tasks.map((run) => run[task]!))!)
    expect(median(byTask)).toBeCloseTo(rliable.median_of_task_means, 14)
    expect(optimalityGap(all)).toBeCloseTo(rliable.optimality_gap_gamma1, 14)
    expect(performanceProfile(all, rliable.taus)).toEqual(rliable.run_score_profile_gt)
    expect(probabilityOfImprovement(rliable.scores_runs_x_tasks, rliable.y_scores)).toBeCloseTo(
      rliable.prob_improvement_x_gt_y_mean_over_tasks,
      14,
    )
  })

  it('say nothing of nothing', () => {
    expect(interquartileMean([])).toBeUndefined()
    expect(optimalityGap([])).toBeUndefined()
    expect(performanceProfile([], [0, 0.5])).toEqual([])
    expect(probabilityOfImprovement([], [])).toBeUndefined()
    expect(probabilityOfImprovement([[NaN]], [[1]])).toBeUndefined()
  })

  it('leave out what was not measured', () => {
    expect(
      probabilityOfImprovement(
        [
          [1, NaN],
          [NaN, NaN],
        ],
        [[0, 1]],
      ),
    ).toBe(1)
    expect(interquartileMean([0.7])).toBe(0.7)
    expect(optimalityGap([1.5, 0.5])).toBe(0.25)
  })

  it('are even between a model and itself, and turn with the two', () => {
    const runs = fc.array(fc.array(fc.constantFrom(0, 0.25, 0.5, 1), { minLength: 3, maxLength: 3 }), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(runs, runs, (first, second) => {
        expect(probabilityOfImprovement(first, first)).toBeCloseTo(0.5, 12)
        expect(probabilityOfImprovement(first, second)! + probabilityOfImprovement(second, first)!).toBeCloseTo(1, 12)
      }),
    )
  })

  it('do not depend on order or on the outer quarters', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 40 }), (values) => {
        const found = interquartileMean(values)!
        expect(interquartileMean([...values].reverse())).toBe(found)
        const sorted = [...values].sort((a, b) => a - b)
        expect(interquartileMean([-100, ...sorted.slice(1, -1), 100])).toBeCloseTo(found, 12)
      }),
    )
  })
})
