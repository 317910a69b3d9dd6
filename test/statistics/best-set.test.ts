import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bestSet } from '../../src/statistics/best-set.js'

/** Of scores by contestant and task. */
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
  ])('has of %s', (_, scores, expected) => {
    expect(setOf(scores)).toEqual(expected)
  })

  it('holds the first by mean, and keeps whoever is raised', () => {
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
