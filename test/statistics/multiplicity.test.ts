import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { benjaminiHochberg, bestSet, holm } from '../../src/statistics/multiplicity.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const { p, ...expected } = checks.multiplicity
const adjustments = { holm, fdr_bh: benjaminiHochberg }
const named = Object.entries(adjustments)
const families = fc.array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.01, 0.05, 1)), {
  maxLength: 12,
})

describe('adjustment for multiple tests', () => {
  it.each(Object.entries(expected))('agrees with statsmodels: %s', (name, { p_adj, 'reject_0.05': rejected }) => {
    const adjusted = adjustments[name as keyof typeof adjustments](p)
    adjusted.forEach((value, place) => {
      expect(value / p_adj[place]!).toBeCloseTo(1, 12)
    })
    expect(adjusted.map((value) => value <= 0.05)).toEqual(rejected)
  })

  it.each(named)('keeps places, order and range: %s', (_, adjustment) => {
    fc.assert(
      fc.property(families, fc.infiniteStream(fc.nat()), (ps, keys) => {
        const adjusted = adjustment(ps)
        expect(adjusted).toHaveLength(ps.length)
        ps.forEach((one, i) => {
          expect(adjusted[i]).toBeGreaterThanOrEqual(one - 1e-15)
          expect(adjusted[i]).toBeLessThanOrEqual(1)
          ps.forEach((other, j) => {
            if (one <= other) expect(adjusted[i]).toBeLessThanOrEqual(adjusted[j]! + 1e-15)
          })
        })
        const order = ps.map((_, place) => ({ place, key: keys.next().value })).sort((a, b) => a.key - b.key)
        expect(adjustment(order.map(({ place }) => ps[place]!))).toEqual(order.map(({ place }) => adjusted[place]))
      }),
    )
  })

  it('rejects with Holm exactly what testing every sub-family rejects', () => {
    const closed = (ps: readonly number[], test: (family: readonly number[]) => number): number[] =>
      ps.map((_, place) => {
        let worst = 0
        for (let members = 0; members < 1 << ps.length; members++) {
          if ((members >> place) & 1) worst = Math.max(worst, test(ps.filter((_, i) => (members >> i) & 1)))
        }
        return worst
      })
    const smallest = (family: readonly number[]): number => Math.min(1, family.length * Math.min(...family))
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 7 }), (ps) => {
        closed(ps, smallest).forEach((value, place) => {
          expect(holm(ps)[place]).toBeCloseTo(value, 12)
        })
      }),
    )
  })

  it.each(named)('leaves one test unchanged, and treats an impossible test as one without evidence: %s', (_, f) => {
    expect(f([])).toEqual([])
    expect(f([0.03])[0]).toBeCloseTo(0.03, 15)
    expect(f([NaN, 0.01, Infinity])).toEqual(f([1, 0.01, 1]))
  })
})

/** Scores by contestant and task. */
function setOf(scores: readonly (readonly number[])[]): boolean[] {
  const found = bestSet(scores.length, (one, other) => scores[one]!.map((score, task) => score - scores[other]![task]!))
  return found.map(({ isIn }) => isIn)
}

const all = (tasks: number, score: number): number[] => Array.from({ length: tasks }, () => score)

describe('the confidence set of the best', () => {
  it.each([
    ['five tasks, all against none', [all(5, 1), all(5, 0)], [true, true]],
    ['six tasks, all against none', [all(6, 1), all(6, 0)], [true, false]],
    [
      'ten contestants need eleven tasks: ten',
      [all(10, 1), ...Array.from({ length: 9 }, () => all(10, 0))],
      all(10, 1).map(Boolean),
    ],
    [
      'ten contestants need eleven tasks: eleven',
      [all(11, 1), ...Array.from({ length: 9 }, () => all(11, 0))],
      [true, ...all(9, 0).map(Boolean)],
    ],
    ['the same small lead on each of 20 tasks', [all(20, 0.9), all(20, 0.85)], [true, true]],
    ['the same small lead on each of 134 tasks', [all(134, 0.9), all(134, 0.85)], [true, false]],
    [
      'one task on which neither was measured with the other',
      [
        [1, NaN],
        [NaN, 0],
      ],
      [true, true],
    ],
    ['one contestant', [[0]], [true]],
    ['none', [], []],
  ])('contains for %s', (_, scores, expected) => {
    expect(setOf(scores)).toEqual(expected)
  })

  it('contains the first by mean, and keeps every contestant whose scores are raised', () => {
    const score = fc.integer({ min: 0, max: 4 }).map((fourths) => fourths / 4)
    const grid = fc.array(fc.array(score, { minLength: 12, maxLength: 12 }), { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(grid, fc.nat(11), (scores, task) => {
        const means = scores.map((own) => own.reduce((sum, value) => sum + value, 0))
        const isIn = setOf(scores)
        expect(isIn[means.indexOf(Math.max(...means))]).toBe(true)
        const raised = setOf(scores.map((own, place) => (place === 0 ? own.with(task, 1) : own)))
        if (isIn[0]) expect(raised[0]).toBe(true)
      }),
    )
  })
})
