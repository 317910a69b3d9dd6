import fc from 'fast-check'
import jstat from 'jstat'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { cohenKappa, kendallTauB, pearson, spearman } from '../../src/statistics/agreement.js'
import { wholeNumbers } from '../../src/statistics/half-samples.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative, grid } from './_expect.js'

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

  it('agrees with SciPy if there are ties', () => {
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

  it('is symmetric, changes its sign with either list, and stays within −1 and 1', () => {
    fc.assert(
      fc.property(pairs, (rows) => {
        const [first, second] = [rows.map(([one]) => one), rows.map(([, other]) => other)]
        for (const correlation of correlations) {
          const found = correlation(first, second)
          expect(found === undefined).toBe(new Set(first).size < 2 || new Set(second).size < 2)
          if (found === undefined) continue
          expect(Math.abs(found)).toBeLessThanOrEqual(1)
          expect(correlation(second, first)).toBeCloseTo(found, 12)
          const negated = second.map((value) => -value)
          expect(correlation(first, negated)).toBeCloseTo(-found, 12)
          expect(correlation(first, first)).toBeCloseTo(1, 12)
        }
      }),
    )
  })

  it('by τ-b is that of all pairs, and takes 100,000 items in a moment', () => {
    const byPairs = (first: readonly number[], second: readonly number[]): number => {
      let [sum, ofFirst, ofSecond] = [0, 0, 0]
      for (const one of first.keys())
        for (let other = 0; other < one; other++) {
          const [a, b] = [Math.sign(first[one]! - first[other]!), Math.sign(second[one]! - second[other]!)]
          sum += a * b
          ofFirst += a * a
          ofSecond += b * b
        }
      return sum / Math.sqrt(ofFirst * ofSecond)
    }
    const value = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 }), (pairs) => {
        const [first, second] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)]
        const found = kendallTauB(first, second)
        if (found !== undefined) expect(found).toBeCloseTo(byPairs(first, second), 12)
      }),
    )
    const items = Array.from({ length: 100_000 }, (_, place) => place)
    expect(kendallTauB(items, items.toReversed())).toBe(-1)
  })

  it('of ranks depends only on the order', () => {
    expect(kendallTauB([1, 2, 3], [1, 10, 1000])).toBe(1)
    expect(spearman([1, 2, 3], [1, 10, 1000])).toBe(1)
    expect(pearson([1, 2, 3], [1, 10, 1000])).toBeLessThan(0.9)
    expect(kendallTauB([0.1 + 0.2, 0.3, 0.5], [1, 2, 3])).toBe(kendallTauB([0.3, 0.3, 0.5], [1, 2, 3]))
  })

  it.each([
    ['empty lists', [], []],
    ['one item', [1], [1]],
    ['equal values', [1, 1, 1], [1, 2, 3]],
  ])('is undefined for %s', (_, first, second) => {
    for (const correlation of correlations) expect(correlation(first, second)).toBeUndefined()
  })
})

/**
 * AgentRefine, section on the reliability of its judge: rows GPT-4 right and wrong, columns a person's right and wrong.
 */
const paper = grid('47 3 / 9 41')

/** A table of at least two labels, each used. */
const tables = fc.integer({ min: 2, max: 4 }).chain((size) =>
  fc.array(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: size, maxLength: size }), {
    minLength: size,
    maxLength: size,
  }),
)

describe("Cohen's kappa", () => {
  it("gives the paper's 88 % and 0.76", () => {
    const found = cohenKappa(paper)!
    expect(found.items).toBe(100)
    expect(found.agreement).toBeCloseTo(0.88, 12)
    expect(found.byChance).toBeCloseTo(0.5 * 0.56 + 0.5 * 0.44, 12)
    expect(found.kappa).toBeCloseTo(0.76, 12)
  })

  it("gives the figures of Fleiss's textbook for 100 diagnoses of three kinds", () => {
    // Fleiss, Levin and Paik, Statistical Methods for Rates and Proportions, table 18.1: 0.676, standard error 0.087.
    const found = cohenKappa(grid('75 1 4 / 5 4 1 / 0 0 10'))!
    expect(found.kappa).toBeCloseTo(0.23 / 0.34, 12)
    expect(found.standardError).toBeCloseTo(0.0877, 3)
  })

  it('has the standard error of the delta method', () => {
    const kappaOf = (shares: readonly (readonly number[])[]): number => {
      const row = shares.map((line) => line.reduce((sum, share) => sum + share, 0))
      const column = shares.map((_, j) => shares.reduce((sum, line) => sum + line[j]!, 0))
      const total = row.reduce((sum, share) => sum + share, 0)
      const same = shares.reduce((sum, line, i) => sum + line[i]!, 0) / total
      const chance = row.reduce((sum, share, i) => sum + share * column[i]!, 0) / total ** 2
      return (same - chance) / (1 - chance)
    }
    fc.assert(
      fc.property(tables, (counts) => {
        const items = counts.flat().reduce((sum, count) => sum + count, 0)
        const shares = counts.map((row) => row.map((count) => count / items))
        const step = 1e-5
        const slopes = shares.flatMap((row, i) =>
          row.map((_, j) => {
            const moved = (by: number): number =>
              kappaOf(shares.map((line, a) => line.map((share, b) => share + (a === i && b === j ? by : 0))))
            return (moved(step) - moved(-step)) / (2 * step)
          }),
        )
        const flat = shares.flat()
        const mean = slopes.reduce((sum, slope, at) => sum + slope * flat[at]!, 0)
        const variance = slopes.reduce((sum, slope, at) => sum + flat[at]! * (slope - mean) ** 2, 0) / items
        expect(cohenKappa(counts)!.standardError!).toBeCloseTo(Math.sqrt(variance), 5)
      }),
      // Here the test of a bound is so far out that only the rounding error of its integral is left.
      {
        examples: [
          [
            [
              [29, 27, 1, 4],
              [38, 19, 4, 10],
              [36, 30, 32, 29],
              [5, 11, 1, 31],
            ],
          ],
        ],
      },
    )
  })

  it("has a standard error and an interval that match resampling of the paper's table", () => {
    const random = createRandom('kappa')
    const draw = wholeNumbers(() => random.next())
    const kappas = Array.from({ length: 4000 }, () => {
      const counts = grid('0 0 / 0 0')
      for (let item = 0; item < 100; item++) {
        const at = draw(100)
        if (at < 47) counts[0]![0]!++
        else if (at < 50) counts[0]![1]!++
        else if (at < 59) counts[1]![0]!++
        else counts[1]![1]!++
      }
      return cohenKappa(counts)!.kappa!
    })
    const mean = kappas.reduce((sum, kappa) => sum + kappa, 0) / kappas.length
    const spread = Math.sqrt(kappas.reduce((sum, kappa) => sum + (kappa - mean) ** 2, 0) / (kappas.length - 1))
    const { standardError, interval } = cohenKappa(paper)!
    expect(standardError! / spread).toBeGreaterThan(0.95)
    expect(standardError! / spread).toBeLessThan(1.05)
    const inside = kappas.filter((kappa) => kappa > interval!.low && kappa < interval!.high).length / kappas.length
    expect(inside).toBeGreaterThan(0.93)
    expect(inside).toBeLessThan(0.97)
  })

  it('holds the truth at few and skewed labels, where a standard error is too small', () => {
    const { next } = createRandom('skewed labels')
    const [agree, one] = [0.9, 0.03]
    const chance = (agree + one) ** 2 + (1 - agree - one) ** 2
    const truth = (1 - 2 * one - chance) / (1 - chance)
    const held = { test: 0, error: 0, all: 0 }
    for (let round = 0; round < 200; round++) {
      const counts = grid('0 0 / 0 0')
      for (let item = 0; item < 50; item++) {
        const u = next()
        if (u < agree) counts[0]![0]!++
        else if (u < agree + one) counts[0]![1]!++
        else if (u < agree + 2 * one) counts[1]![0]!++
        else counts[1]![1]!++
      }
      const { kappa, standardError = 0, interval } = cohenKappa(counts)!
      if (kappa === undefined) continue
      held.all++
      held.test += Number(interval!.low <= truth && truth <= interval!.high)
      held.error += Number(Math.abs(kappa - truth) <= 1.96 * standardError)
    }
    expect(held.test / held.all).toBeGreaterThan(0.93)
    expect(held.error / held.all).toBeLessThan(0.85)
  })

  it('takes trajectories for the clusters: ten equal turns of each tell as much as one', () => {
    const tables = ['1 0 / 0 0', '0 1 / 0 0', '0 0 / 1 0', '0 0 / 0 1', '0 0 / 0 1'].flatMap((text) =>
      Array.from({ length: 8 }, () => grid(text)),
    )
    const sumOf = (some: readonly number[][][]): number[][] =>
      [0, 1].map((i) => [0, 1].map((j) => some.reduce((sum, table) => sum + table[i]![j]!, 0)))
    const turns = tables.map((table) => table.map((row) => row.map((count) => 10 * count)))
    const [items, clustered] = [cohenKappa(sumOf(tables))!, cohenKappa(sumOf(turns), turns)!]
    expect(clustered.interval!.low).toBeCloseTo(items.interval!.low, 9)
    expect(clustered.interval!.high).toBeCloseTo(items.interval!.high, 9)
    expect(clustered.standardError).toBeCloseTo(items.standardError!, 12)
    expect(cohenKappa(sumOf(turns))!.standardError).toBeLessThan(0.4 * clustered.standardError!)
  })

  it('does not depend on the order of judges or labels', () => {
    fc.assert(
      fc.property(tables, (counts) => {
        const found = cohenKappa(counts)!
        const transposed = cohenKappa(counts.map((_, i) => counts.map((row) => row[i]!)))!
        const reversed = cohenKappa(counts.map((row) => row.toReversed()).toReversed())!
        for (const other of [transposed, reversed]) {
          expect(other.kappa).toBeCloseTo(found.kappa!, 10)
          expect(other.standardError).toBeCloseTo(found.standardError!, 10)
        }
        expect(found.interval!.low).toBeGreaterThanOrEqual(-1)
        expect(found.interval!.high).toBeLessThanOrEqual(1)
      }),
    )
  })

  it.each([
    ['no table', []],
    ['no items', grid('0 0 / 0 0')],
    ['a table that is not square', grid('1 2 3 / 4 5 6')],
    ['a fraction', grid('1 2 / 3 0.5')],
    ['a number below 0', grid('1 2 / 3 -1')],
    ['NaN', grid('1 2 / 3 NaN')],
  ])('is undefined for %s', (_, counts) => {
    expect(cohenKappa(counts)).toBeUndefined()
  })

  it('is absent if only one label was used, and has an interval also if judges always agree', () => {
    expect(cohenKappa(grid('7 0 / 0 0'))).toEqual({ items: 7, agreement: 1, byChance: 1 })
    const byChance = expect.closeTo(0.58, 12) as number
    const { interval, ...perfect } = cohenKappa(grid('7 0 / 0 3'))!
    expect(perfect).toEqual({ items: 10, agreement: 1, byChance, kappa: 1, standardError: 0 })
    expect(interval!.high).toBe(1)
    expect(interval!.low).toBeLessThan(0.5)
    // So many items are not tested one by one, and a standard error of 0 tells nothing.
    expect(cohenKappa(grid('70000 0 / 0 30000'))).not.toHaveProperty('interval')
  })
})
