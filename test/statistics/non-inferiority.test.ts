import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nonInferiorityT, tost } from '../../src/statistics/non-inferiority.js'
import { binomialCdf } from '../../src/statistics/tails.js'
import { tangoScore } from '../../src/statistics/tango-score.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const paired = checks.noninferiority_paired_t
const differences = paired.A.map((score, task) => [score - paired.B[task]!])
const repeated = <Value>(times: number, value: Value): Value[] => Array.from({ length: times }, () => value)
const flips = (lost: number, gained: number, tasks: number): number[][] => [
  ...repeated(lost, [-1]),
  ...repeated(gained, [1]),
  ...repeated(tasks - lost - gained, [0]),
]

const counts = fc
  .tuple(fc.nat(60), fc.nat(60), fc.nat(60))
  .filter(([lost, gained, same]) => lost + gained + same > 0)
  .map(([lost, gained, same]) => ({ lost, gained, pairs: lost + gained + same }))

describe("Tango's score test", () => {
  it.each(Object.entries(checks.noninferiority_paired_binary.cases))('%s', (key, expected) => {
    const pairs = Number(key.split('n')[1])
    const found = tangoScore(expected.c_loss, expected.b_gain, pairs, { margin: 0.05 })!
    expect(found.estimate).toBeCloseTo(expected.diff, 14)
    expect(found.z).toBeCloseTo(expected['tango_z_at_margin_-0.05'], 12)
    expect(found.p).toBeCloseTo(expected['p_noninferior_margin_0.05'], 13)
    for (const [confidence, [low, high]] of [
      [0.95, expected.tango_ci95],
      [0.9, expected.tango_ci90],
    ] as const) {
      const { interval } = tangoScore(expected.c_loss, expected.b_gain, pairs, { confidence })!
      expect(interval.low).toBeCloseTo(low!, 11)
      expect(interval.high).toBeCloseTo(high!, 11)
    }
  })

  it("is McNemar's z without a margin", () => {
    fc.assert(
      fc.property(counts, ({ lost, gained, pairs }) => {
        const { z } = tangoScore(lost, gained, pairs)!
        expect(z).toBeCloseTo(lost + gained === 0 ? 0 : (gained - lost) / Math.sqrt(lost + gained), 9)
      }),
    )
  })

  it('holds its estimate, has a width, turns with the arms, and rejects just where its bound says so', () => {
    const margins = fc.double({ min: 0.001, max: 0.999, noNaN: true })
    fc.assert(
      fc.property(counts, margins, ({ lost, gained, pairs }, margin) => {
        const { estimate, interval, p } = tangoScore(lost, gained, pairs, { margin, confidence: 0.9 })!
        expect(interval.low).toBeLessThanOrEqual(estimate)
        expect(interval.high).toBeGreaterThanOrEqual(estimate)
        expect(interval.high - interval.low).toBeGreaterThan(0.01)
        expect(interval.low).toBeGreaterThanOrEqual(-1)
        expect(interval.high).toBeLessThanOrEqual(1)
        const turned = tangoScore(gained, lost, pairs, { confidence: 0.9 })!.interval
        expect(turned.low).toBeCloseTo(-interval.high, 9)
        if (Math.abs(interval.low + margin) > 1e-9) expect(p < 0.05).toBe(interval.low > -margin)
      }),
    )
  })

  it.each([
    [0, 0, 1],
    [1, 0, 1],
    [0, 1, 1],
    [134, 0, 134],
  ])('says something of %i lost and %i gained of %i at any margin', (lost, gained, pairs) => {
    for (const margin of [0, 0.05, 1]) {
      const { z, p } = tangoScore(lost, gained, pairs, { margin })!
      expect(z).not.toBeNaN()
      expect(p).toBeGreaterThanOrEqual(0)
      expect(p).toBeLessThanOrEqual(1)
    }
  })
})

describe('what is no test', () => {
  it.each([
    ['no pair', tangoScore(0, 0, 0)],
    ['more flips than pairs', tangoScore(3, 3, 5)],
    ['no count', tangoScore(NaN, 1, 5)],
    ['certainty', tangoScore(1, 1, 5, { confidence: 1 })],
    ['no margin', tangoScore(1, 1, 5, { margin: NaN })],
    ['t without a margin', nonInferiorityT(differences, NaN)],
    ['t without a risk', nonInferiorityT(differences, 0.05, 0)],
    ['t whose bounds would cross', nonInferiorityT(differences, 0.05, 0.5)],
  ])('says nothing: %s', (_, found) => {
    expect(found).toBeUndefined()
  })
})

describe('non-inferiority by t over tasks', () => {
  it('agrees with SciPy', () => {
    const found = nonInferiorityT(differences, paired.margin)!
    expect(found).toMatchObject({ tasks: 12, method: 't' })
    expect(found.p).toBeCloseTo(paired.p, 12)
    expect(found.lower).toBeCloseTo(paired.lower_95_one_sided, 10)
    expect(found.lower + found.upper).toBeCloseTo(2 * found.estimate, 12)
  })

  it('agrees with SciPy from both sides', () => {
    const { margin, p_lower, p_upper } = checks.tost_paired_t
    const found = tost(differences, margin)!
    expect(found.pLower).toBeCloseTo(p_lower, 14)
    expect(found.pUpper).toBeCloseTo(p_upper, 12)
    expect(found.p).toBe(found.pUpper)
    expect(tost([], margin)).toBeUndefined()
  })

  it('leaves out what is no number', () => {
    const found = nonInferiorityT(
      differences.map((pairs) => [...pairs, NaN]),
      paired.margin,
    )
    expect(found).toEqual(nonInferiorityT([...differences, [NaN], [Infinity]], paired.margin))
    expect(found).toEqual(nonInferiorityT(differences, paired.margin))
  })

  it('says nothing of no task, and little of one', () => {
    expect(nonInferiorityT([[], []], 0.05)).toBeUndefined()
    const one = nonInferiorityT([[0, 0, 0]], 0.05)!
    expect(one).toMatchObject({ estimate: 0, tasks: 1, method: 'score' })
    expect(one.lower).toBeLessThan(-0.9)
    expect(one.upper).toBeGreaterThan(0.9)
  })

  it.each([
    { tasks: 20, lower: -0.16, passes: false },
    { tasks: 60, lower: -0.058, passes: false },
    { tasks: 70, lower: -0.05, passes: true },
    { tasks: 134, lower: -0.0266, passes: true },
  ])('is not sure of $tasks tasks that never differ', ({ tasks, lower, passes }) => {
    const found = nonInferiorityT(repeated(tasks, [0, 0, 0, 0, 0]), 0.05)!
    expect(found.lower).toBeCloseTo(lower, 3)
    expect(found.upper).toBeCloseTo(-lower, 3)
    expect(found.p < 0.05).toBe(passes)
  })

  it('is not sure either where every task differs by the same, but sees that all are lost', () => {
    const same = nonInferiorityT(repeated(20, [-0.1, -0.1]), 0.05)!
    expect(same.lower).toBeLessThan(-0.25)
    expect(same.upper).toBeGreaterThan(0.05)
    const gone = nonInferiorityT(repeated(20, [-1, -1]), 0.05)!
    expect([gone.lower, gone.estimate]).toEqual([-1, -1])
    expect(gone.upper).toBeLessThan(-0.6)
    expect(gone.upper).toBeGreaterThan(-1)
  })

  it('takes differences that are equal but for their rounding as equal', () => {
    const rounded = [0.1 + 0.2 - 0.3, 0, 0.7 - 0.6 - 0.1]
    expect(new Set(rounded).size).toBeGreaterThan(1)
    const found = nonInferiorityT(
      rounded.map((difference) => [difference]),
      0.05,
    )!
    expect(found.lower).toBeLessThan(-0.5)
  })

  it('does not become sure by a single seed of a single task', () => {
    const still = nonInferiorityT(repeated(20, repeated(10, 0)), 0.05)!
    const moved = nonInferiorityT([...repeated(19, repeated(10, 0)), [1, ...repeated(9, 0)]], 0.05)!
    expect(Math.abs(moved.lower - still.lower)).toBeLessThan(0.01)
    expect(moved.method).toBe('score')
  })

  it('passes less than one time in twenty where five tasks in a hundred are lost', () => {
    for (let tasks = 5; tasks <= 200; tasks += 5) {
      let chance = 0
      for (let lost = 0; lost <= tasks; lost++) {
        if (nonInferiorityT(flips(lost, 0, tasks), 0.05)!.lower <= -0.05) break
        chance += binomialCdf(lost, tasks, 0.05) - binomialCdf(lost - 1, tasks, 0.05)
      }
      expect(chance).toBeLessThan(0.05)
    }
  })

  it('has bounds around its estimate that never meet, and a p that agrees with the lower one', () => {
    const lattice = fc.array(fc.array(fc.constantFrom(-1, 0, 1), { maxLength: 4 }), { minLength: 1, maxLength: 40 })
    const free = fc.array(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { maxLength: 3 }), {
      minLength: 1,
      maxLength: 40,
    })
    fc.assert(
      fc.property(fc.oneof(lattice, free), fc.constantFrom(0.01, 0.05, 0.3), (byTask, margin) => {
        const found = nonInferiorityT(byTask, margin)
        if (found === undefined) {
          expect(byTask.flat()).toEqual([])
          return
        }
        expect(found.lower).toBeGreaterThanOrEqual(-1)
        expect(found.upper).toBeLessThanOrEqual(1)
        expect(found.lower).toBeLessThanOrEqual(found.estimate)
        expect(found.upper).toBeGreaterThanOrEqual(found.estimate)
        expect(found.upper).toBeGreaterThan(found.lower)
        if (Math.abs(found.lower + margin) > 1e-9) expect(found.p < 0.05).toBe(found.lower > -margin)
      }),
      { numRuns: 1000 },
    )
  })
})
