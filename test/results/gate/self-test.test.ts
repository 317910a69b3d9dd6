import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { describeSelfTest, selfTest } from '../../../src/results/gate/self-test.js'
import { type Vectors, drawSigns, madeCells, madeOutcomes, defaultRule } from './_made.js'

const splits = () => createRandom('splits')

describe('a self-test', () => {
  it('finds at most alpha of false alarms if repeats are alike', () => {
    const random = createRandom('b')
    const drawn = (): Vectors => Array.from({ length: 50 }, () => [drawSigns(random.next(), 6, random)])
    const outcomes = madeOutcomes(['none', 'placebo'].flatMap((condition) => madeCells(drawn(), { condition })))
    const found = selfTest(outcomes, defaultRule, splits(), 20)
    expect(found).toMatchObject({ splits: 20, seeds: 3 })
    expect(found.verdicts.fail / found.splits).toBeLessThanOrEqual(defaultRule.alpha)
    expect(Object.values(found.verdicts).reduce((sum, count) => sum + count, 0)).toBe(20)
    expect(selfTest(outcomes, defaultRule, splits(), 20)).toEqual(found)
  })

  it('finds false alarms if repeats are not alike', () => {
    // All later repeats fail, as after a change of the server.
    const tasks: Vectors = Array.from({ length: 100 }, () => ['1100'])
    const found = selfTest(madeOutcomes(madeCells(tasks)), defaultRule, splits(), 50)
    expect(found.verdicts.fail).toBeGreaterThan(3)
    expect(describeSelfTest(found)).toContain(
      `False alarms by cell: household · reader · act · none (${String(found.verdicts.fail)}).`,
    )
    expect(describeSelfTest(found).at(-2)).toMatch(/^That is more false alarms than the 5\.0 % that is tolerated/)
  })

  it('refuses one seed, and is inconclusive on cells that cannot be judged', () => {
    const one = madeOutcomes(madeCells([['1'], ['0']]))
    expect(() => selfTest(one, defaultRule, splits())).toThrow(/at least 2 seeds, got 1 .* --seeds 10\.$/)
    const found = selfTest(madeOutcomes(madeCells([['1x'], ['xx']])), defaultRule, splits(), 2)
    expect(found.verdicts).toEqual({ pass: 0, fail: 0, inconclusive: 2, broken: 0 })
  })
})
