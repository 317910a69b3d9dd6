import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mean, standardDeviation } from '../../src/statistics/dispersion.js'
import { twoWayError, varianceComponents } from '../../src/statistics/variance-components.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const { scores_runs_x_tasks: scores, ...expected } = checks.variance_components
const grids = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 2, max: 8 }))
  .chain(([runs, tasks]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 20 }), { minLength: tasks, maxLength: tasks }), {
      minLength: runs,
      maxLength: runs,
    }),
  )
  .map((grid) => grid.map((run) => run.map((score) => score / 20)))

describe('variance over tasks and seeds', () => {
  it('agrees with statsmodels on mean squares, components and the intra-class correlation', () => {
    const found = varianceComponents(scores)!
    expect(found.seed).toBeCloseTo(expected.MS_seed, 14)
    expect(found.task).toBeCloseTo(expected.MS_task, 14)
    expect(found.residual).toBeCloseTo(expected.MS_resid, 14)
    expect(found.components.seed).toBe(expected.var_seed)
    expect(found.components.task).toBeCloseTo(expected.var_task, 14)
    expect(found.components.residual).toBeCloseTo(expected.var_resid, 14)
    expect(found.icc).toBeCloseTo(expected.icc1_oneway_tasks, 13)
    const spread = standardDeviation(scores.map((run) => mean(run)!))
    expect(spread).toBeCloseTo(expected.std_over_seeds_of_task_means_ddof1, 14)
  })

  it('tells the error over seeds from the ten times larger one over tasks', () => {
    const found = twoWayError(scores)!
    expect(found.both).toBeCloseTo(checks.two_way_se.se, 14)
    expect(found.overTasks).toBeCloseTo(checks.two_way_se.se_tasks_only_means, 14)
    expect(found.overSeeds).toBeCloseTo(checks.two_way_se.se_seeds_only_means, 14)
    expect(found.icc).toBeCloseTo(expected.icc1_oneway_tasks, 13)
  })

  it('adds up to the whole sum of squares, whichever way the grid lies', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const [runs, tasks] = [grid.length, grid[0]!.length]
        const { seed, task, residual } = varianceComponents(grid)!
        const parts = seed * (runs - 1) + task * (tasks - 1) + residual * (runs - 1) * (tasks - 1)
        expect(parts).toBeCloseTo(standardDeviation(grid.flat(), 'population')! ** 2 * runs * tasks, 10)
        const turned = varianceComponents(grid[0]!.map((_, place) => grid.map((run) => run[place]!)))!
        expect([turned.seed, turned.task]).toEqual([task, seed].map((value) => expect.closeTo(value, 12) as number))
      }),
    )
  })

  it('has the error of both at least as large as that of each where both count, and a correlation up to 1', () => {
    fc.assert(
      fc.property(grids, (grid) => {
        const { overSeeds, overTasks, both, icc } = twoWayError(grid)!
        const { components, task, seed, residual } = varianceComponents(grid)!
        if (task >= residual && seed >= residual) {
          expect(both).toBeGreaterThanOrEqual(Math.max(overSeeds, overTasks) - 1e-12)
        }
        expect(Math.min(components.task, components.seed)).toBeGreaterThanOrEqual(0)
        if (icc === undefined) return
        expect(icc).toBeLessThanOrEqual(1 + 1e-12)
        expect(icc).toBeGreaterThanOrEqual(-1 / (grid.length - 1) - 1e-12)
      }),
    )
  })

  it('finds a correlation of 1 where runs repeat each other, and none where nothing varies', () => {
    expect(
      varianceComponents([
        [0, 1, 0.3],
        [0, 1, 0.3],
      ])!.icc,
    ).toBeCloseTo(1, 12)
    expect(
      twoWayError([
        [0.1, 0.1, 0.1],
        [0.1, 0.1, 0.1],
      ]),
    ).toEqual({ overSeeds: 0, overTasks: 0, both: 0 })
  })

  it.each([
    ['nothing', []],
    ['one run', [[0, 1]]],
    ['one task', [[0], [1]]],
    ['runs without a task', [[], []]],
    ['unequal rows', [[0, 1], [1]]],
    [
      'a missing score',
      [
        [0, NaN],
        [1, 0],
      ],
    ],
  ])('says nothing of %s', (_, grid) => {
    expect(varianceComponents(grid)).toBeUndefined()
    expect(twoWayError(grid)).toBeUndefined()
  })
})
