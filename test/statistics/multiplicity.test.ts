import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as multiplicity from '../../src/statistics/multiplicity.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const { benjaminiHochberg, benjaminiYekutieli, bonferroni, holm, holmSidak, hommel } = multiplicity
const { p, ...expected } = checks.multiplicity
const adjustments = {
  bonferroni,
  holm,
  fdr_bh: benjaminiHochberg,
  fdr_by: benjaminiYekutieli,
  hommel,
  'holm-sidak': holmSidak,
}
const named = Object.entries(adjustments)
const families = fc.array(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 0.01, 0.05, 1)), {
  maxLength: 12,
})

describe('adjusting for many tests', () => {
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

  it('is stricter from Hommel over Holm to Bonferroni, and from Benjamini-Hochberg to Hommel', () => {
    fc.assert(
      fc.property(families, (ps) => {
        const chain = [benjaminiHochberg, hommel, holm, bonferroni].map((adjustment) => adjustment(ps))
        for (let step = 1; step < chain.length; step++) {
          chain[step]!.forEach((value, place) => {
            expect(value).toBeGreaterThanOrEqual(chain[step - 1]![place]! - 1e-12)
          })
        }
      }),
    )
  })

  it('claims with Holm and Hommel exactly what testing every sub-family claims', () => {
    const closed = (ps: readonly number[], test: (family: readonly number[]) => number): number[] =>
      ps.map((_, place) => {
        let worst = 0
        for (let members = 0; members < 1 << ps.length; members++) {
          if ((members >> place) & 1) worst = Math.max(worst, test(ps.filter((_, i) => (members >> i) & 1)))
        }
        return worst
      })
    const smallest = (family: readonly number[]): number => Math.min(1, family.length * Math.min(...family))
    const simes = (family: readonly number[]): number =>
      Math.min(...[...family].sort((a, b) => a - b).map((one, rank) => (family.length * one) / (rank + 1)))
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 7 }), (ps) => {
        closed(ps, smallest).forEach((value, place) => {
          expect(holm(ps)[place]).toBeCloseTo(value, 12)
        })
        closed(ps, simes).forEach((value, place) => {
          expect(hommel(ps)[place]).toBeCloseTo(value, 12)
        })
      }),
    )
  })

  it.each(named)(
    'leaves one test alone, and takes a test that could not be made for one that shows nothing: %s',
    (_, f) => {
      expect(f([])).toEqual([])
      expect(f([0.03])[0]).toBeCloseTo(0.03, 15)
      expect(f([NaN, 0.01, Infinity])).toEqual(f([1, 0.01, 1]))
    },
  )
})
