import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectableDrop, seedsNeeded, spendAlpha, tasksNeeded } from '../../src/statistics/gate-planning.js'
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

  it('is certain without any variance, by the bounds of the gate', () => {
    const still = { margin: 0.05, taskVariance: 0, pairVariance: 0, seeds: 3 }
    expect(powerOfGate({ ...still, tasks: 134 })).toMatchObject({ pass: 1, fail: 0, inconclusive: 0 })
    expect(powerOfGate({ ...still, tasks: 20 })).toMatchObject({ pass: 0, fail: 0, inconclusive: 1 })
    expect(powerOfGate({ ...still, tasks: 20, drop: 1 })).toMatchObject({ pass: 0, fail: 1, inconclusive: 0 })
    expect(powerOfGate({ ...still, tasks: 1 })).toBeUndefined()
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
})

describe('variances of a pilot', () => {
  it('are those of an analysis of variance', () => {
    // By hand: task means 0.5, 0, −0.5; between 2 · 0.5 / 2 = 0.5, within 4 · 0.25 / 3 = 1/3, so ω² = (1/2 − 1/3) / 2.
    const found = differenceVariances(grid('1 0 / 0 0 / 0 -1'))!
    expect(found).toMatchObject({ tasks: 3, pairs: 6 })
    expect(found.pairVariance).toBeCloseTo(1 / 3, 12)
    expect(found.taskVariance).toBeCloseTo(1 / 12, 12)
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
})
