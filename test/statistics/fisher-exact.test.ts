import fc from 'fast-check'
import jstat from 'jstat'
import { describe, expect, it } from 'vitest'
import { fisherExact } from '../../src/statistics/fisher-exact.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative } from './expect-relative.js'

const count = fc.nat(25)

describe("Fisher's exact test", () => {
  it.each([
    ...Object.entries(checks.fisher_exact),
    ['[[0,5],[7,0]]', 0.0012626262626262627] as const,
    ['[[1000,900],[800,1100]]', 9.719773836357687e-11] as const,
    ['[[7,7],[7,7]]', 1.0] as const,
    ['[[2,31],[136,15532]]', 0.03390271476034176] as const,
  ])('agrees with SciPy: %s', (table, p) => {
    const [[a, b], [c, d]] = JSON.parse(table) as [[number, number], [number, number]]
    expectRelative(fisherExact(a, b, c, d), p)
  })

  it("agrees with jStat's hypergeometric distribution", () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const chance = (x: number): number => jstat.hypgeom.pdf(x, a + b + c + d, a + b, a + c)
        let expected = 0
        for (let x = Math.max(0, a - d); x <= Math.min(a + b, a + c); x++) {
          if (chance(x) <= chance(a) * (1 + 1e-7)) expected += chance(x)
        }
        expect(fisherExact(a, b, c, d)).toBeCloseTo(expected, 8)
      }),
    )
  })

  it('is the same whichever way the table is turned, and between 0 and 1', () => {
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const p = fisherExact(a, b, c, d)
        expect(p).toBeGreaterThan(0)
        expect(p).toBeLessThanOrEqual(1)
        for (const turned of [fisherExact(c, d, a, b), fisherExact(b, a, d, c), fisherExact(a, c, b, d)]) {
          expect(turned).toBeCloseTo(p, 12)
        }
      }),
    )
  })

  it('claims nothing of an empty table, or of one margin', () => {
    for (const [a, b, c, d] of [
      [0, 0, 0, 0],
      [3, 0, 2, 0],
    ] as const) {
      expect(fisherExact(a, b, c, d)).toBe(1)
    }
  })
})
