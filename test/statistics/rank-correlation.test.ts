import fc from 'fast-check'
import jstat from 'jstat'
import { describe, expect, it } from 'vitest'
import { kendallTauB, pearson, spearman } from '../../src/statistics/rank-correlation.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative } from './expect-relative.js'

const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), {
  minLength: 2,
  maxLength: 20,
})
const correlations = [kendallTauB, spearman, pearson]

describe('correlation of two rankings', () => {
  it('agrees with SciPy', () => {
    const { a, b, kendall_tau_b, spearman: rho } = checks.rank_corr
    expectRelative(kendallTauB(a, b), kendall_tau_b)
    expectRelative(spearman(a, b), rho)
    expectRelative(pearson(checks.paired.A, checks.paired.B), checks.paired.corr)
  })

  it('agrees with SciPy where there are ties', () => {
    // scipy.stats.kendalltau and spearmanr of these lists.
    const [first, second] = [
      [1, 2, 2, 3, 4, 4, 4, 8],
      [3, 1, 1, 2, 2, 5, 9, 9],
    ]
    expectRelative(kendallTauB(first, second), 0.5715476066494083)
    expectRelative(spearman(first, second), 0.6625517638786586)
  })

  it('agrees with jStat', () => {
    fc.assert(
      fc.property(pairs, (rows) => {
        const [first, second] = [rows.map(([one]) => one), rows.map(([, other]) => other)]
        if (new Set(first).size < 2 || new Set(second).size < 2) return
        expect(spearman(first, second)).toBeCloseTo(jstat.spearmancoeff(first, second), 10)
        expect(pearson(first, second)).toBeCloseTo(jstat.corrcoeff(first, second), 10)
      }),
    )
  })

  it('is the same both ways round, turns with either list, and stays within −1 and 1', () => {
    fc.assert(
      fc.property(pairs, (rows) => {
        const [first, second] = [rows.map(([one]) => one), rows.map(([, other]) => other)]
        for (const correlation of correlations) {
          const found = correlation(first, second)
          expect(found === undefined).toBe(new Set(first).size < 2 || new Set(second).size < 2)
          if (found === undefined) continue
          expect(Math.abs(found)).toBeLessThanOrEqual(1)
          expect(correlation(second, first)).toBeCloseTo(found, 12)
          const turned = second.map((value) => -value)
          expect(correlation(first, turned)).toBeCloseTo(-found, 12)
          expect(correlation(first, first)).toBeCloseTo(1, 12)
        }
      }),
    )
  })

  it('sees only the order, unless it is of the values themselves', () => {
    expect(kendallTauB([1, 2, 3], [1, 10, 1000])).toBe(1)
    expect(spearman([1, 2, 3], [1, 10, 1000])).toBe(1)
    expect(pearson([1, 2, 3], [1, 10, 1000])).toBeLessThan(0.9)
    expect(kendallTauB([0.1 + 0.2, 0.3, 0.5], [1, 2, 3])).toBe(kendallTauB([0.3, 0.3, 0.5], [1, 2, 3]))
  })

  it.each([
    ['nothing', [], []],
    ['one thing', [1], [1]],
    ['equal values', [1, 1, 1], [1, 2, 3]],
  ])('says nothing of %s', (_, first, second) => {
    for (const correlation of correlations) expect(correlation(first, second)).toBeUndefined()
  })
})
