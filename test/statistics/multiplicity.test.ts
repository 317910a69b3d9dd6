import { describe, expect, it } from 'vitest'
import { bestSet, holm } from '../../src/statistics/multiplicity.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { grid } from './_expect.js'

describe('adjustment for multiple tests', () => {
  it('agrees with statsmodels', () => {
    const { p, holm: expected } = checks.multiplicity
    holm(p).forEach((value, place) => expect(value / expected.p_adj[place]!).toBeCloseTo(1, 12))
  })

  it('leaves one test unchanged, and treats an impossible test as one without evidence', () => {
    expect(holm([])).toEqual([])
    expect(holm([0.03])[0]).toBeCloseTo(0.03, 15)
    expect(holm([NaN, 0.01, Infinity])).toEqual(holm([1, 0.01, 1]))
  })
})

/** Scores by contestant and task. */
function setOf(scores: readonly (readonly number[])[]): boolean[] {
  const found = bestSet(scores.length, (one, other) => scores[one]!.map((score, task) => score - scores[other]![task]!))
  return found.map(({ isIn }) => isIn)
}

const all = (tasks: number, score: number): number[] => Array.from({ length: tasks }, () => score)

describe('the confidence set of the best', () => {
  const nine = Array.from({ length: 9 }, () => all(11, 0))
  it.each([
    ['six tasks, all against none', [all(6, 1), all(6, 0)], [true, false]],
    ['ten contestants, which need eleven tasks', [all(11, 1), ...nine], [true, ...nine.map(() => false)]],
    ['the same small lead on each of 134 tasks', [all(134, 0.9), all(134, 0.85)], [true, false]],
    ['one task on which neither was measured with the other', grid('1 NaN / NaN 0'), [true, true]],
    ['one contestant', [[0]], [true]],
    ['none', [], []],
  ])('contains for %s', (_, scores, expected) => {
    expect(setOf(scores)).toEqual(expected)
  })
})
