import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcnemar } from '../../src/statistics/mcnemar.js'
import { cochranQ, friedman } from '../../src/statistics/several-conditions.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative } from './expect-relative.js'

const outcomes = fc
  .tuple(fc.integer({ min: 2, max: 5 }), fc.integer({ min: 1, max: 12 }))
  .chain(([conditions, tasks]) =>
    fc.array(fc.array(fc.constantFrom(0, 1), { minLength: conditions, maxLength: conditions }), {
      minLength: tasks,
      maxLength: tasks,
    }),
  )
const turn = (rows: readonly (readonly number[])[]): number[][] =>
  rows[0]!.map((_, place) => rows.map((row) => row[place]!))

describe('tests of several conditions', () => {
  it("agrees with statsmodels on Cochran's Q", () => {
    const { x_tasks_by_conditions, Q, df, p } = checks.cochran_q
    const found = cochranQ(x_tasks_by_conditions)!
    expectRelative(found.statistic, Q)
    expect(found.df).toBe(df)
    expectRelative(found.p, p)
  })

  it('agrees with SciPy on Friedman, without ties and with them', () => {
    const { groups, stat, p } = checks.friedman
    const found = friedman(groups)!
    expectRelative(found.statistic, stat)
    expectRelative(found.p, p)
    const tied = friedman([
      [0.1, 0.5, 0.5, 0.4, 0.6],
      [0.2, 0.5, 1, 0.6, 0.6],
      [0, 0.3, 0.5, 0.5, 0.5],
    ])!
    expectRelative(tied.statistic, 6.70588235294118)
    expectRelative(tied.p, 0.034981316424350054)
  })

  it('finds with Cochran what Friedman finds in the same successes', () => {
    fc.assert(
      fc.property(outcomes, (rows) => {
        const [cochran, ranks] = [cochranQ(rows)!, friedman(turn(rows))!]
        expect(cochran.statistic).toBeCloseTo(ranks.statistic, 9)
        expect(cochran.p).toBeCloseTo(ranks.p, 9)
        expect(cochran.p).toBeGreaterThanOrEqual(0)
        expect(cochran.p).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('finds in two conditions what McNemar finds uncorrected', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(0, 1), fc.constantFrom(0, 1)), { minLength: 1 }), (rows) => {
        const count = (first: number, second: number): number =>
          rows.filter((row) => row[0] === first && row[1] === second).length
        const { uncorrected } = mcnemar(count(1, 0), count(0, 1))
        const { statistic, p } = cochranQ(rows)!
        expect(statistic).toBeCloseTo(uncorrected?.statistic ?? 0, 10)
        expect(p).toBeCloseTo(uncorrected?.p ?? 1, 10)
      }),
    )
  })

  it('takes no notice of tasks without a difference or with a missing value', () => {
    const rows = checks.cochran_q.x_tasks_by_conditions
    expectRelative(cochranQ([...rows, [1, 1, 1], [0, 0, 0], [NaN, 1, 0]])!.statistic, checks.cochran_q.Q)
    const groups = checks.friedman.groups.map((group) => [...group, 0.5])
    groups[0]!.push(NaN)
    groups[1]!.push(1)
    groups[2]!.push(0)
    expectRelative(friedman(groups)!.statistic, checks.friedman.stat)
  })

  it('claims nothing where all conditions are alike', () => {
    expect(
      cochranQ([
        [1, 1],
        [0, 0],
      ]),
    ).toEqual({ statistic: 0, df: 1, p: 1 })
    expect(friedman([[0.5], [0.5], [0.5]])).toEqual({ statistic: 0, df: 2, p: 1 })
  })

  it.each([
    ['nothing', []],
    ['one condition', [[1], [0]]],
    ['nothing but missing values', [[NaN, 1]]],
  ])('says nothing with Cochran of %s', (_, rows) => {
    expect(cochranQ(rows)).toBeUndefined()
  })

  it.each([
    ['nothing', []],
    ['one condition', [[1, 0]]],
    ['conditions without a task', [[], []]],
    ['nothing but missing values', [[NaN], [1]]],
  ])('says nothing with Friedman of %s', (_, groups) => {
    expect(friedman(groups)).toBeUndefined()
  })
})
