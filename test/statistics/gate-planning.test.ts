import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  detectableDrop,
  marginNeeded,
  seedsNeeded,
  spendAlpha,
  tasksNeeded,
} from '../../src/statistics/gate-planning.js'
import { differenceVariances } from '../../src/statistics/paired-difference.js'
import { powerOfGate } from '../../src/statistics/power-of-gate.js'
import { grid } from './_expect.js'

describe('power of a gate', () => {
  const setting = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.264 }

  it('is a little less than alpha for a pass exactly at the margin', () => {
    const { pass } = powerOfGate({ ...setting, drop: 0.05, tasks: 134, seeds: 5 })!
    expect(pass).toBeGreaterThan(0.035)
    expect(pass).toBeLessThan(0.05)
  })

  it('fails less often if only a bound beyond the margin fails', () => {
    const size = { ...setting, drop: 0.1, tasks: 134, seeds: 3 }
    const [plain, strict] = [powerOfGate(size)!, powerOfGate({ ...size, strict: true })!]
    expect(strict.pass).toBe(plain.pass)
    expect(strict.fail).toBeLessThan(plain.fail)
    expect(powerOfGate({ ...size, drop: 0.05, strict: true })!.fail).toBeLessThan(0.05)
  })

  it('is certain without any variance, by the bounds of the gate', () => {
    const still = { margin: 0.05, taskVariance: 0, pairVariance: 0, seeds: 3 }
    expect(powerOfGate({ ...still, tasks: 134 })).toMatchObject({ pass: 1, fail: 0, inconclusive: 0 })
    expect(powerOfGate({ ...still, tasks: 20 })).toMatchObject({ pass: 0, fail: 0, inconclusive: 1 })
    expect(powerOfGate({ ...still, tasks: 20, drop: 1 })).toMatchObject({ pass: 0, fail: 1, inconclusive: 0 })
    expect(powerOfGate({ ...still, tasks: 1 })).toBeUndefined()
  })

  it('is undefined for a gate with one task', () => {
    const gate = { ...setting, tasks: 1, seeds: 5 }
    for (const plan of [powerOfGate, seedsNeeded, marginNeeded, detectableDrop]) expect(plan(gate)).toBeUndefined()
  })

  it('has probabilities from 0 to 1 with the sum 1', () => {
    fc.assert(
      fc.property(
        fc.record({
          margin: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
          drop: fc.double({ min: -0.5, max: 0.9, noNaN: true }),
          taskVariance: fc.double({ min: 0, max: 1, noNaN: true }),
          pairVariance: fc.double({ min: 0, max: 0.5, noNaN: true }),
          tasks: fc.integer({ min: 2, max: 2000 }),
          seeds: fc.integer({ min: 1, max: 50 }),
          strict: fc.boolean(),
        }),
        (gate) => {
          const { pass, fail, inconclusive } = powerOfGate(gate)!
          for (const share of [pass, fail, inconclusive]) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1)
          }
          expect(pass + fail + inconclusive).toBeCloseTo(1, 9)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('finds the drop that is detected however it is spread, which is larger than one that all tasks share', () => {
    const gate = { ...setting, tasks: 134, seeds: 5 }
    const drop = detectableDrop(gate)!
    const spread = { ...gate, drop, taskVariance: gate.taskVariance + drop * (1 - drop) }
    expect(powerOfGate(spread)!.fail).toBeGreaterThanOrEqual(0.8)
    expect(powerOfGate({ ...spread, drop: drop - 0.001 })!.fail).toBeLessThan(0.8)
    expect(powerOfGate({ ...gate, drop })!.fail).toBeGreaterThan(0.8)
    expect(detectableDrop({ ...gate, tasks: 2 })).toBeUndefined()
  })

  it('finds the minimum of tasks and seeds', () => {
    for (const drop of [0, 0.1]) {
      const verdict = drop === 0 ? 'pass' : 'fail'
      const tasks = tasksNeeded({ ...setting, drop, seeds: 5 })!
      expect(powerOfGate({ ...setting, drop, seeds: 5, tasks })![verdict]).toBeGreaterThanOrEqual(0.8)
      expect(powerOfGate({ ...setting, drop, seeds: 5, tasks: tasks - 1 })![verdict]).toBeLessThan(0.8)
      const seeds = seedsNeeded({ ...setting, drop, tasks: 134 })!
      expect(powerOfGate({ ...setting, drop, seeds, tasks: 134 })![verdict]).toBeGreaterThanOrEqual(0.8)
      expect(powerOfGate({ ...setting, drop, seeds: seeds - 1, tasks: 134 })![verdict]).toBeLessThan(0.8)
    }
  })

  it('finds no number of seeds if tasks differ too much, but a sufficient margin', () => {
    const few = { ...setting, taskVariance: 0.03, tasks: 20 }
    expect(seedsNeeded(few)).toBeUndefined()
    const margin = marginNeeded({ ...few, seeds: 10 })!
    expect(margin).toBeGreaterThan(0.05)
    expect(powerOfGate({ ...few, margin, seeds: 10 })!.pass).toBeCloseTo(0.8, 6)
    expect(seedsNeeded({ ...few, margin })).toBeLessThanOrEqual(10)
    // Between passing and failing no size is sufficient.
    expect(tasksNeeded({ ...setting, drop: 0.05, seeds: 5 })).toBeUndefined()
    expect(marginNeeded({ taskVariance: 1, pairVariance: 1, tasks: 2, seeds: 1 })).toBeUndefined()
  })
})

describe('variances of a pilot', () => {
  it('are those of an analysis of variance', () => {
    // By hand: task means 0.5, 0, −0.5; between 2 · 0.5 / 2 = 0.5, within 4 · 0.25 / 3 = 1/3, so ω² = (1/2 − 1/3) / 2.
    const found = differenceVariances(grid('1 0 / 0 0 / 0 -1'))!
    expect(found).toMatchObject({ tasks: 3, pairs: 6 })
    expect(found.pairVariance).toBeCloseTo(1 / 3, 12)
    expect(found.taskVariance).toBeCloseTo(1 / 12, 12)
  })

  it('are at least 0, leave empty tasks out, and require two pairs of a task', () => {
    expect(differenceVariances([[1, -1], [], [-1, 1]])).toEqual({
      taskVariance: 0,
      pairVariance: 2,
      tasks: 2,
      pairs: 4,
    })
    expect(differenceVariances([[1], [0], [0]])).toBeUndefined()
    expect(differenceVariances([[1, 0], []])).toBeUndefined()
    expect(differenceVariances([[1, 0], [0]])).toBeDefined()
    expect(differenceVariances([[1, 0, NaN], [0], [NaN]])).toEqual(differenceVariances([[1, 0], [0]]))
  })

  it('give the variance of the mean that the gate uses, if all tasks have equally many pairs', () => {
    const pilot = fc.array(fc.array(fc.integer({ min: -1, max: 1 }), { minLength: 3, maxLength: 3 }), {
      minLength: 6,
      maxLength: 30,
    })
    fc.assert(
      fc.property(pilot, (byTask) => {
        const { taskVariance, pairVariance } = differenceVariances(byTask)!
        if (taskVariance === 0) return
        const means = byTask.map((differences) => differences.reduce((a, b) => a + b) / 3)
        const centre = means.reduce((a, b) => a + b) / means.length
        const variance = means.reduce((sum, value) => sum + (value - centre) ** 2, 0) / (means.length - 1)
        expect(taskVariance + pairVariance / 3).toBeCloseTo(variance, 10)
      }),
    )
  })
})

describe('levels of planned looks', () => {
  it('equal O’Brien and Fleming’s spending function, two-sided 0.05 as tabulated by Lan and DeMets: 0.0002, 0.0121, 0.05 in total', () => {
    const levels = spendAlpha(0.025, 3).map((level) => 2 * level)
    const spent = levels.map((_, look) => levels.slice(0, look + 1).reduce((sum, level) => sum + level, 0))
    expect(spent[0]).toBeCloseTo(0.0002, 3)
    expect(spent[1]).toBeCloseTo(0.0121, 3)
    expect(spent[2]).toBeCloseTo(0.05, 12)
  })

  it.each([1, 2, 5, 20])('sum to alpha and rise, for %i looks', (looks) => {
    const levels = spendAlpha(0.05, looks)
    expect(levels).toHaveLength(looks)
    expect(levels.reduce((sum, level) => sum + level, 0)).toBeCloseTo(0.05, 12)
    expect(Math.min(...levels)).toBeGreaterThan(0)
  })
})
