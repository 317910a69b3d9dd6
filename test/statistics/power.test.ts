import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { differenceVariances } from '../../src/statistics/difference-variances.js'
import { detectableDrop, marginNeeded, seedsNeeded, tasksNeeded } from '../../src/statistics/gate-planning.js'
import { normalQuantile } from '../../src/statistics/normal.js'
import { pairedTPower, pairedTTasks } from '../../src/statistics/paired-t-power.js'
import { powerOfGate } from '../../src/statistics/power-of-gate.js'
import { mcnemarPairs, minimumDetectableEffect, sampleSizePaired } from '../../src/statistics/sample-size.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const { power } = checks

describe('sample sizes', () => {
  it.each([
    [0.975, power['z_0.975']],
    [0.8, power['z_0.8']],
    [0.95, power['z_0.95']],
  ])('rest on the normal quantile of %d', (probability, z) => {
    expect(normalQuantile(probability)).toBeCloseTo(z, 13)
  })

  const miller = power.miller_n_questions
  const sizeAt = (seeds: number, difference = miller.delta): number | undefined =>
    sampleSizePaired({
      difference,
      taskVariance: miller.omega2,
      seedVarianceA: miller.sigmaA2,
      seedVarianceB: miller.sigmaB2,
      seedsA: seeds,
      seedsB: seeds,
    })

  it("are Miller's for questions, rounded up", () => {
    expect(sizeAt(1)).toBe(Math.ceil(miller['K=1']))
    expect(sizeAt(10)).toBe(Math.ceil(miller['K=10']))
    expect(sizeAt(1e9)).toBe(969)
    // A thousandth of the difference takes a million times the tasks: more digits of the same figure.
    expect(sizeAt(1, miller.delta / 1000)! / 1e6).toBeCloseTo(miller['K=1'], 5)
    expect(sizeAt(1, 0)).toBeUndefined()
  })

  it('turn into the smallest effect that is seen', () => {
    const { n, sd_diff, mde } = power.mde_paired
    expect(minimumDetectableEffect({ deviation: sd_diff, tasks: n })).toBeCloseTo(mde, 12)
    expect(minimumDetectableEffect({ deviation: 0, tasks: n })).toBeUndefined()
    expect(minimumDetectableEffect({ deviation: sd_diff, tasks: 0 })).toBeUndefined()
  })

  it("are Connor's for McNemar's test", () => {
    const { p10, p01, n } = power.mcnemar_n_connor
    expect(mcnemarPairs({ lost: p10, gained: p01 })).toBe(Math.ceil(n))
    expect(mcnemarPairs({ lost: p01, gained: p10 })).toBe(Math.ceil(n))
    expect(mcnemarPairs({ lost: 0.1, gained: 0.1 })).toBeUndefined()
  })
})

describe('power of a paired t test', () => {
  it('agrees with statsmodels', () => {
    const { effect_d: effect, nobs: tasks, power: expected } = power.ttest_paired_power
    expect(pairedTPower({ effect, tasks })).toBeCloseTo(expected, 8)
    expect(pairedTTasks({ effect })).toBe(Math.ceil(power['ttest_paired_nobs_for_0.8'].nobs))
  })

  it.each([2, 3, 5, 134, 100_000])('is alpha without an effect, on %i tasks', (tasks) => {
    expect(pairedTPower({ effect: 0, tasks })).toBeCloseTo(0.05, 6)
  })

  it('is nothing below two tasks, and out of reach without an effect', () => {
    expect(pairedTPower({ effect: 0.3, tasks: 1 })).toBeUndefined()
    expect(pairedTTasks({ effect: 0 })).toBeUndefined()
  })
})

describe('power of a gate', () => {
  const setting = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.264 }

  it('is a little less than alpha for a pass at the margin itself', () => {
    const { pass } = powerOfGate({ ...setting, drop: 0.05, tasks: 134, seeds: 5 })!
    expect(pass).toBeGreaterThan(0.035)
    expect(pass).toBeLessThan(0.05)
  })

  it('fails less where only a bound beyond the margin fails', () => {
    const size = { ...setting, drop: 0.1, tasks: 134, seeds: 3 }
    const [plain, strict] = [powerOfGate(size)!, powerOfGate({ ...size, strict: true })!]
    expect(strict.pass).toBe(plain.pass)
    expect(strict.fail).toBeLessThan(plain.fail)
    expect(powerOfGate({ ...size, drop: 0.05, strict: true })!.fail).toBeLessThan(0.05)
  })

  it('is certain without any variance, by the bounds that the gate will have', () => {
    const still = { margin: 0.05, taskVariance: 0, pairVariance: 0, seeds: 3 }
    expect(powerOfGate({ ...still, tasks: 134 })).toMatchObject({ pass: 1, fail: 0, inconclusive: 0 })
    expect(powerOfGate({ ...still, tasks: 20 })).toMatchObject({ pass: 0, fail: 0, inconclusive: 1 })
    expect(powerOfGate({ ...still, tasks: 20, drop: 1 })).toMatchObject({ pass: 0, fail: 1, inconclusive: 0 })
    expect(powerOfGate({ ...still, tasks: 1 })).toBeUndefined()
  })

  it('says nothing of a gate with one task', () => {
    const gate = { ...setting, tasks: 1, seeds: 5 }
    for (const told of [powerOfGate, seedsNeeded, marginNeeded, detectableDrop]) expect(told(gate)).toBeUndefined()
  })

  it('has chances that are chances', () => {
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
          for (const chance of [pass, fail, inconclusive]) {
            expect(chance).toBeGreaterThanOrEqual(0)
            expect(chance).toBeLessThanOrEqual(1)
          }
          expect(pass + fail + inconclusive).toBeCloseTo(1, 9)
        },
      ),
      { numRuns: 300 },
    )
  })

  it('finds the drop that is noticed however it is spread, which is larger than one that all tasks share', () => {
    const gate = { ...setting, tasks: 134, seeds: 5 }
    const drop = detectableDrop(gate)!
    const spread = { ...gate, drop, taskVariance: gate.taskVariance + drop * (1 - drop) }
    expect(powerOfGate(spread)!.fail).toBeGreaterThanOrEqual(0.8)
    expect(powerOfGate({ ...spread, drop: drop - 0.001 })!.fail).toBeLessThan(0.8)
    expect(powerOfGate({ ...gate, drop })!.fail).toBeGreaterThan(0.8)
    expect(detectableDrop({ ...gate, tasks: 2 })).toBeUndefined()
  })

  it('tells the fewest tasks and seeds that do', () => {
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

  it('says where seeds cannot help, and which margin would', () => {
    const few = { ...setting, taskVariance: 0.03, tasks: 20 }
    expect(seedsNeeded(few)).toBeUndefined()
    const margin = marginNeeded({ ...few, seeds: 10 })!
    expect(margin).toBeGreaterThan(0.05)
    expect(powerOfGate({ ...few, margin, seeds: 10 })!.pass).toBeCloseTo(0.8, 6)
    expect(seedsNeeded({ ...few, margin })).toBeLessThanOrEqual(10)
    // Between passing and failing no size decides.
    expect(tasksNeeded({ ...setting, drop: 0.05, seeds: 5 })).toBeUndefined()
    expect(marginNeeded({ taskVariance: 1, pairVariance: 1, tasks: 2, seeds: 1 })).toBeUndefined()
  })
})

describe('variances of a pilot', () => {
  it('are those of an analysis of variance', () => {
    // By hand: task means 0.5, 0, −0.5; between 2 · 0.5 / 2 = 0.5, within 4 · 0.25 / 3 = 1/3, so ω² = (1/2 − 1/3) / 2.
    const found = differenceVariances([
      [1, 0],
      [0, 0],
      [0, -1],
    ])!
    expect(found).toMatchObject({ tasks: 3, pairs: 6 })
    expect(found.pairVariance).toBeCloseTo(1 / 3, 12)
    expect(found.taskVariance).toBeCloseTo(1 / 12, 12)
  })

  it('floor what cannot be below 0, leave empty tasks out, and need pairs to compare', () => {
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

  it('come to the variance of the mean that the gate uses, where numbers of pairs are equal', () => {
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
