import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { detectableDrop, seedsNeeded, tasksNeeded } from '../../src/statistics/gate-planning.js'
import { powerOfGate } from '../../src/statistics/power-of-gate.js'

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
