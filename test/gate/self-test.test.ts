import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { chooseSplits, selfTest } from '../../src/gate/self-test.js'
import { describeSelfTest } from '../../src/gate/self-test-table.js'
import type { Vectors } from './_made.js'
import { drawSigns, madeCells, madeOutcomes, messageFrom, usualRule } from './_made.js'

const options = (splits = 200) => ({ splits, random: createRandom('splits') })

/** Random outcomes of tasks, each with its own probability of success. */
function drawn(tasks: number, seeds: number, seed: string): Vectors {
  const random = createRandom(seed)
  return Array.from({ length: tasks }, () => [drawSigns(random.next(), seeds, random)])
}

describe('splits', () => {
  it.each([
    [2, 2, 1],
    [3, 6, 1],
    [4, 6, 2],
    [5, 30, 2],
    [6, 20, 3],
  ])('of %i seeds are %i if all are used', (seeds, count, size) => {
    const { splits, all } = chooseSplits(seeds, 200, createRandom('0'))
    expect(all).toBe(true)
    expect(splits).toHaveLength(count)
    expect(new Set(splits.map((split) => JSON.stringify(split))).size).toBe(count)
    for (const { first, second } of splits) {
      expect([first.length, second.length]).toEqual([size, size])
      expect(new Set([...first, ...second]).size).toBe(2 * size)
    }
  })

  it('are drawn if there are too many, the same for the same seed', () => {
    const draw = (seed: string) => chooseSplits(10, 50, createRandom(seed))
    expect(draw('a')).toEqual(draw('a'))
    expect(draw('a')).not.toEqual(draw('b'))
    expect(draw('a').all).toBe(false)
    expect(draw('a').splits).toHaveLength(50)
  })
})

describe('a self-test', () => {
  it('finds at most alpha of false alarms if repeats are alike', () => {
    const outcomes = madeOutcomes(['none', 'placebo'].flatMap((column) => madeCells(drawn(50, 6, column), { column })))
    const found = selfTest(outcomes, usualRule, options())
    expect(found).toMatchObject({ splits: 20, all: true, seeds: 3 })
    expect(found.verdicts.fail / found.splits).toBeLessThanOrEqual(usualRule.alpha)
    for (const { verdicts } of found.cells)
      expect(Object.values(verdicts).reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(selfTest(outcomes, usualRule, options())).toEqual(found)
  })

  it('finds false alarms if repeats are not alike', () => {
    // All later repeats fail, as after a change of the server.
    const tasks: Vectors = Array.from({ length: 100 }, () => ['1100'])
    const found = selfTest(madeOutcomes(madeCells(tasks)), usualRule, options())
    expect(found.verdicts.fail).toBe(1)
    expect(describeSelfTest(found).at(-2)).toMatch(/^That is more false alarms than the 5\.0 % that is tolerated/)
  })

  it('refuses one seed, and counts cells that cannot be judged', () => {
    const one = madeOutcomes(madeCells([['1'], ['0']]))
    expect(messageFrom(() => selfTest(one, usualRule, options()))).toBe(
      'Expected a run of at least 2 seeds, got 1 in runs/made. A self-test splits repeats in two: play it with more seeds, such as --seeds 10.',
    )
    const holes = madeOutcomes(madeCells([['1x'], ['xx']]))
    const found = selfTest(holes, usualRule, options())
    expect(found.verdicts).toEqual({ pass: 0, fail: 0, inconclusive: 2, broken: 0 })
    expect(describeSelfTest(found)).toContain('1 cell could not be judged in every split.')
  })
})
