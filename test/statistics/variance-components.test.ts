import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mean, standardDeviation } from '../../src/statistics/dispersion.js'
import {
  intervalOverDraws,
  spreadOfDraws,
  twoWayError,
  varianceComponents,
} from '../../src/statistics/variance-components.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { grid } from './_expect.js'

const { scores_runs_x_tasks: scores, ...expected } = checks.variance_components
const grids = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 8 }))
  .chain(([runs, tasks]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: tasks, maxLength: tasks }), {
      minLength: runs,
      maxLength: runs,
    }),
  )
  .map((scores) => scores.map((run) => run.map((score) => score / 20)))

describe('variance over tasks and seeds', () => {
  it('gives an error over tasks that is ten times that over seeds', () => {
    const found = twoWayError(scores)!
    expect(found.both).toBeCloseTo(checks.two_way_se.se, 14)
    expect(found.overTasks).toBeCloseTo(checks.two_way_se.se_tasks_only_means, 14)
    expect(found.overSeeds).toBeCloseTo(checks.two_way_se.se_seeds_only_means, 14)
  })

  it('agrees with statsmodels on mean squares, components and the intra-class correlation', () => {
    const found = varianceComponents(scores)!
    expect(found.meanSquares.seed).toBeCloseTo(expected.MS_seed, 14)
    expect(found.meanSquares.task).toBeCloseTo(expected.MS_task, 14)
    expect(found.meanSquares.residual).toBeCloseTo(expected.MS_resid, 14)
    expect(Math.max(0, found.components.seed)).toBe(expected.var_seed)
    expect(found.components.task).toBeCloseTo(expected.var_task, 14)
    expect(found.components.residual).toBeCloseTo(expected.var_resid, 14)
    expect(found.icc).toBeCloseTo(expected.icc1_oneway_tasks, 13)
    const spread = standardDeviation(scores.map((run) => mean(run)!))
    expect(spread).toBeCloseTo(expected.std_over_seeds_of_task_means_ddof1, 14)
  })

  it('adds up to the total sum of squares, also with runs and tasks exchanged', () => {
    fc.assert(
      fc.property(grids, (scores) => {
        const [runs, tasks] = [scores.length, scores[0]!.length]
        const { seed, task, residual } = varianceComponents(scores)!.meanSquares
        const parts = seed * (runs - 1) + task * (tasks - 1) + residual * (runs - 1) * (tasks - 1)
        expect(parts).toBeCloseTo(standardDeviation(scores.flat(), 'population')! ** 2 * runs * tasks, 10)
        const transposed = varianceComponents(
          scores[0]!.map((_, place) => scores.map((run) => run[place]!)),
        )!.meanSquares
        expect([transposed.seed, transposed.task]).toEqual(
          [task, seed].map((value) => expect.closeTo(value, 12) as number),
        )
      }),
    )
  })

  it('finds a correlation of 1 if runs repeat each other, and none if nothing varies', () => {
    expect(varianceComponents(grid('0 1 0.3 / 0 1 0.3'))!.icc).toBeCloseTo(1, 12)
    const equal = twoWayError(grid('0.1 0.1 0.1 / 0.1 0.1 0.1'))!
    expect(equal.atMost).toEqual(['overSeeds', 'overTasks', 'both'])
    expect(equal.icc).toBeUndefined()
  })

  it('bounds errors if nothing varied: 20 of 20 tasks solved with three seeds', () => {
    const solved = Array.from({ length: 3 }, () => Array.from({ length: 20 }, () => 1))
    // 0.05^(1/20) = 0.86089 of other tasks are solved at least, and 0.05^(1/60) = 0.95130 of other episodes of these.
    expect(twoWayError(solved)).toEqual({
      overSeeds: expect.closeTo(Math.sqrt((0.9513 * 0.0487) / 60), 4) as number,
      overTasks: expect.closeTo(Math.sqrt((0.86089 * 0.13911) / 20), 4) as number,
      both: expect.closeTo(0.07738, 4) as number,
      atMost: ['overSeeds', 'overTasks', 'both'],
    })
    const repeated = twoWayError(solved.map((run) => run.map((_, task) => (task < 7 ? 1 : 0))))!
    expect(repeated.atMost).toEqual(['overSeeds'])
    expect(repeated.overTasks).toBeCloseTo(repeated.both, 12)
    expect(repeated.icc).toBeCloseTo(1, 12)
  })

  it('solves the equations of unbalanced data: an example by hand', () => {
    // Two runs of three tasks, the last missing in the second: means of runs 2 and 2, of tasks 1, 3 and 2, of all 2.
    // Sums of squares: runs 0, tasks 2 + 2 + 0 = 4, all 1 + 1 + 0 + 1 + 1 = 4, so the rest is 0.
    // Σn²/N is 9/5 for tasks and 13/5 for runs: 3.2t + 0.4s + 2e = 4, 0.2t + 2.4s + e = 0, −0.2t − 0.4s + e = 0.
    const found = varianceComponents(grid('1 3 2 / 1 3 NaN'))!
    expect(found.meanSquares.task).toBeCloseTo(2, 12)
    expect(found.meanSquares.residual).toBeCloseTo(0, 12)
    // The solution is t = 7/6, s = −1/6 and e = 1/6.
    expect(found.components.task).toBeCloseTo(7 / 6, 12)
    expect(found.components.residual).toBeCloseTo(1 / 6, 12)
    expect(found.components.seed).toBeCloseTo(-1 / 6, 12)
  })

  it.each([
    ['nothing', []],
    ['one run', [[0, 1]]],
    ['one task', [[0], [1]]],
    ['runs without a task', [[], []]],
    ['too few scores', grid('0 NaN / 1 0')],
    ['a run without a score', grid('NaN NaN NaN / 1 0 1')],
  ])('are undefined for %s', (_, scores) => {
    expect(varianceComponents(scores)).toBeUndefined()
    expect(twoWayError(scores)).toBeUndefined()
  })
})

describe('the spread of draws', () => {
  it('is that of their means, less the sampling variance of one', () => {
    const scores = [
      [-1, 0, NaN, 0, 0],
      [-1, -1, 0, 0, 0],
      [-0.5, 0, 0, 0, 0],
    ]
    // By hand: means −1/4, −1/2 and −1/8 over the four tasks that all draws have; the residual mean square is 13/144.
    const { deviation, beyondNoise } = spreadOfDraws(scores)!
    expect(deviation ** 2).toBeCloseTo(7 / 192, 12)
    expect(beyondNoise ** 2).toBeCloseTo(7 / 192 - 13 / 576, 12)
  })

  it('widen the interval over tasks by Student’s t over draws', () => {
    // By hand: means −0.1, −0.2, −0.3 have a standard error of 0.1/√3, and t with 2 degrees of freedom is 4.302653.
    const half = 4.302652729911275 * (0.1 / Math.sqrt(3))
    const { low, high } = intervalOverDraws([-0.1, -0.2, -0.3], { low: -0.25, high: -0.17 })!
    expect(low).toBeCloseTo(-0.2 - Math.hypot(0.05, half), 10)
    expect(high).toBeCloseTo(-0.2 + Math.hypot(0.03, half), 10)
    const equal = intervalOverDraws([0, 0, 0], { low: -0.1, high: 0.2 })!
    expect([equal.low, equal.high]).toEqual([-0.1, 0.2])
    expect(intervalOverDraws([0.1], { low: 0, high: 1 })).toBeUndefined()
  })
})
