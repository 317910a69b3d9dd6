import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mcnemar } from '../../src/statistics/mcnemar.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

interface Expected {
  exact: number
  midp: number
  chi2_corrected?: { stat: number; p: number }
  chi2_uncorrected?: { stat: number; p: number }
}
const counts = fc.nat(60)

describe('lost against gained pairs', () => {
  it.each(Object.entries(checks.mcnemar.cases as Record<string, Expected>))(
    'agrees with statsmodels: %s',
    (key, expected) => {
      const [lost, gained] = key.split(',').map(Number)
      const found = mcnemar(lost!, gained!)
      expect(found.exact / expected.exact).toBeCloseTo(1, 11)
      expect(found.midP / expected.midp).toBeCloseTo(1, 11)
      for (const [test, wanted] of [
        [found.chiSquare, expected.chi2_corrected],
        [found.uncorrected, expected.chi2_uncorrected],
      ] as const) {
        expect(test === undefined).toBe(wanted === undefined)
        if (test === undefined || wanted === undefined) continue
        expect(test.statistic).toBeCloseTo(wanted.stat, 14)
        expect(test.p / wanted.p).toBeCloseTo(1, 11)
      }
    },
  )

  it('is the share of coin tosses at least as uneven', () => {
    fc.assert(
      fc.property(fc.nat(7), fc.nat(7), (lost, gained) => {
        const tosses = lost + gained
        let [asUneven, asSeen] = [0, 0]
        for (let toss = 0; toss < 1 << tosses; toss++) {
          const heads = toss.toString(2).replaceAll('0', '').length
          if (Math.abs(2 * heads - tosses) >= Math.abs(lost - gained)) asUneven++
          if (heads === Math.min(lost, gained)) asSeen++
        }
        const { exact, midP } = mcnemar(lost, gained)
        expect(exact).toBeCloseTo(asUneven / 2 ** tosses, 12)
        expect(midP).toBeCloseTo(lost === gained ? 1 : (asUneven - asSeen) / 2 ** tosses, 12)
      }),
    )
  })

  it('is the same in both directions, and mid-p below the exact p', () => {
    fc.assert(
      fc.property(counts, counts, (lost, gained) => {
        const test = mcnemar(lost, gained)
        expect(mcnemar(gained, lost)).toEqual(test)
        expect(test.midP).toBeLessThanOrEqual(test.exact)
        expect(test.midP).toBeGreaterThanOrEqual(0)
        expect(test.exact).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('claims nothing where no pair differs', () => {
    expect(mcnemar(0, 0)).toEqual({ exact: 1, midP: 1 })
  })
})
