import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { mean } from '../../src/statistics/dispersion.js'
import { dropRate, dropRateInterval, keptShare, logOddsChange } from '../../src/statistics/drop-rate.js'
import { spreadByGroup } from '../../src/statistics/spread-by-group.js'
import { worstCase, worstOfRepeats } from '../../src/statistics/worst-case.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const summaries = checks.robustness_summaries
const random = (seed: string): (() => number) => createRandom(seed).next

describe('how much is gone', () => {
  const { base, pert } = summaries

  it('is told in three ways', () => {
    expect(dropRate(base, pert)).toBeCloseTo(summaries['PDR=1-pert/base'], 14)
    expect(dropRate(base, pert)! * base).toBeCloseTo(summaries.abs_drop, 14)
    expect(keptShare(base, pert)).toBeCloseTo(summaries['ratio_clipped=min(1,pert/base)'], 14)
    expect(keptShare(pert, base)).toBe(1)
    expect(logOddsChange(base, pert)).toBeCloseTo(summaries.log_odds_change, 13)
  })

  it('is not told of a score of 0, or of certainty', () => {
    expect(dropRate(0, 0.5)).toBeUndefined()
    expect(dropRate(5e-324, 0.5)).toBeUndefined()
    expect(keptShare(0, 0)).toBeUndefined()
    for (const rate of [0, 1]) {
      expect(logOddsChange(rate, 0.5)).toBeUndefined()
      expect(logOddsChange(0.5, rate)).toBeUndefined()
    }
  })

  it('has an interval that holds it, narrower with more tasks', () => {
    const next = random('tasks')
    const tasks = Array.from({ length: 200 }, () => {
      const first = next()
      return { first, second: first * next() }
    })
    const rate = dropRate(
      tasks.reduce((sum, { first }) => sum + first, 0),
      tasks.reduce((sum, { second }) => sum + second, 0),
    )!
    const interval = dropRateInterval(tasks, { random: random('interval') })!
    const fewer = dropRateInterval(tasks.slice(0, 30), { random: random('interval') })!
    expect(interval.low).toBeLessThan(rate)
    expect(interval.high).toBeGreaterThan(rate)
    expect(interval.high - interval.low).toBeLessThan(fewer.high - fewer.low)
    // Delta method: the spread of second − (1 − rate) · first over the mean of first.
    const residuals = tasks.map(({ first, second }) => second - (1 - rate) * first)
    const variance = mean(residuals.map((residual) => residual ** 2))! / 200
    const half = (1.96 * Math.sqrt(variance)) / mean(tasks.map(({ first }) => first))!
    expect((interval.high - interval.low) / (2 * half)).toBeCloseTo(1, 1)
    expect(dropRateInterval(tasks, { random: random('interval') })).toEqual(interval)
  })

  it.each([
    ['no task', []],
    ['one task', [{ first: 1, second: 0.5 }]],
    ['nothing lost anywhere', Array.from({ length: 20 }, () => ({ first: 0.5, second: 0.5 }))],
    ['nothing to lose', Array.from({ length: 20 }, () => ({ first: 0, second: 0.5 }))],
    [
      'next to nothing to lose',
      Array.from({ length: 20 }, (_, task) => ({ first: task < 2 ? 1 : 0, second: task < 1 ? 1 : 0 })),
    ],
  ])('has no interval with %s', (_, tasks) => {
    expect(dropRateInterval(tasks, { random: random('none'), resamples: 1000 })).toBeUndefined()
  })
})

describe('the worst case', () => {
  const { base, p1, p2, per_task_min_incl_base, mean: expected } = summaries.worst_case_over_perturbations_per_task

  it("is HELM's mean of per-task minima", () => {
    expect(worstCase([base, p1, p2])).toBe(expected)
    expect(mean(per_task_min_incl_base)).toBe(expected)
    expect(worstCase([base, p1, [...p2.slice(0, 3), NaN]])).toBeCloseTo(1 / 3, 14)
    expect(worstCase([])).toBeUndefined()
    expect(worstCase([[NaN]])).toBeUndefined()
  })

  const repeats = fc.array(fc.array(fc.constantFrom(0, 0.5, 1), { minLength: 3, maxLength: 3 }), {
    minLength: 4,
    maxLength: 6,
  })

  it('of columns that repeat the clean one is that of the clean one, which is lower the more columns there are', () => {
    fc.assert(
      fc.property(repeats, fc.integer({ min: 1, max: 3 }), (clean, count) => {
        const columns = Array.from({ length: count }, () => clean)
        const { ofColumns, ofClean } = worstOfRepeats(columns, clean)!
        expect(ofColumns).toBe(ofClean)
        expect(ofClean).toBeLessThanOrEqual(mean(clean.flat())! + 1e-12)
        if (count > 1) expect(ofClean).toBeLessThanOrEqual(worstOfRepeats(columns.slice(1), clean)!.ofClean + 1e-12)
      }),
    )
  })

  it('takes every column at a repeat of its own, and needs as many repeats as columns', () => {
    const clean = [
      [1, 0, 1],
      [0, 0, 1],
      [1, 1, 1],
    ]
    const harmed = [
      [0, 0, 1],
      [1, 0, 1],
      [1, 0, 0],
    ]
    expect(worstOfRepeats([clean], clean)!.ofClean).toBeCloseTo(mean(clean.flat())!, 14)
    // Pairs of repeats (1, 2), (2, 3), (3, 1): of clean 0 0 1, 0 0 1, 1 0 1; with the second of harmed 1 0 1, 0 0 0, 0 0 1.
    expect(worstOfRepeats([clean, harmed], clean)).toEqual({ ofColumns: 3 / 9, ofClean: 4 / 9 })
    expect(worstOfRepeats([clean, clean, clean, clean], clean)).toBeUndefined()
    expect(worstOfRepeats([], clean)).toBeUndefined()
  })

  it('leaves out of both what is missing in one', () => {
    const clean = [
      [1, 1],
      [1, 0],
    ]
    const gap = [
      [1, NaN],
      [0, NaN],
    ]
    expect(worstOfRepeats([clean, gap], clean)).toEqual({ ofColumns: 0.5, ofClean: 1 })
    expect(worstOfRepeats([clean, gap.map(() => [NaN, NaN])], clean)).toBeUndefined()
  })
})

describe('spread over seeds and temperatures', () => {
  it('is not one heap', () => {
    const { grid, per_temp, pooled_all_cells, ...expected } = checks.seeds_x_temps
    const found = spreadByGroup(Object.values(grid))
    for (const [place, group] of Object.values(per_temp).entries()) {
      expect(found.groups[place]!.mean).toBeCloseTo(group.mean, 14)
      expect(found.groups[place]!.deviation).toBeCloseTo(group.std_sample, 14)
    }
    expect(found.pooled).toBeCloseTo(pooled_all_cells.std_sample, 14)
    expect(found.meanOfMeans).toBeCloseTo(expected.mean_of_temp_means, 14)
    expect(found.within).toBeCloseTo(expected.within_temp_pooled_std, 14)
    expect(found.between).toBeCloseTo(expected.between_temp_std_of_means, 14)
  })

  it('says only what it can', () => {
    expect(spreadByGroup([])).toEqual({ groups: [] })
    expect(spreadByGroup([[0.5, NaN], []])).toEqual({ groups: [{ mean: 0.5 }, {}], meanOfMeans: 0.5 })
  })
})
