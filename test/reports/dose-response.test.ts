import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { pairedDifference, pairedSlope } from '../../src/statistics/paired-difference.js'
import { ratioOfMeans } from '../../src/statistics/ratio-of-means.js'
import { digitRun } from './fixture.js'

describe('dose-response', () => {
  it('has a slope that is the mean of the slopes of tasks, with the interval of their differences', () => {
    // By hand, least squares over 0, 0.5, 1: a task's slope is its last score minus its first.
    const scores = ['110', '100', '111', '010'].map((task) => [...task].map(Number))
    const slope = pairedSlope([0, 0.5, 1], scores)!
    const { interval } = pairedDifference([-1, -1, 0, 0])
    expect(slope.mean).toBeCloseTo(-0.5, 12)
    expect(slope.interval!.low).toBeCloseTo(interval!.low, 9)
  })

  const conditions = { none: '1110', 'a:intensity=0.5': '1100', a: '1000', b: '1111' }

  it('is over the intensities of a family that has several, the clean condition at 0', () => {
    const [response, ...others] = aggregate(digitRun(conditions)).doseResponses
    expect(others).toEqual([])
    const { levels, slope, area, tasks } = response!.success
    expect(response!.family).toBe('a')
    expect(levels.map(({ intensity, mean }) => [intensity, mean])).toEqual([
      [0, 0.75],
      [0.5, 0.5],
      [1, 0.25],
    ])
    expect(tasks).toBe(4)
    // By hand: slopes 0, −1, −1, 0; areas 1, ¾, ¼, 0 over clean 1, 1, 1, 0.
    expect(slope!.mean).toBeCloseTo(-0.5, 12)
    expect(area).toEqual({ value: expect.closeTo(2 / 3, 12) as number })
    const often = Object.fromEntries(Object.entries(conditions).map(([name, won]) => [name, won.repeat(8)]))
    const more = aggregate(digitRun(often)).doseResponses[0]!.success.area
    const repeated = (scores: readonly number[]): number[] => Array.from({ length: 8 }, () => scores).flat()
    expect(more).toEqual(ratioOfMeans(repeated([1, 1, 1, 0]), repeated([1, 0.75, 0.25, 0])))
    expect(more!.interval!.high).toBeLessThan(1)
  })

  it('averages over draws, and leaves out tasks that are not measured at each intensity', () => {
    const [response] = aggregate(
      digitRun({ ...conditions, 'a:intensity=0.5': '1-00', 'a:draw=2': '0110' }),
    ).doseResponses
    const { levels, tasks } = response!.success
    expect(tasks).toBe(3)
    expect(levels.map(({ mean }) => mean)).toEqual([2 / 3, 1 / 3, 1 / 3])
    expect(levels.map(({ coverage }) => coverage)).toEqual([
      { valid: 4, planned: 4 },
      { valid: 3, planned: 4 },
      { valid: 8, planned: 8 },
    ])
  })
})
