import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import type { SignFlip } from '../../src/statistics/sign-flip.js'
import { signFlip } from '../../src/statistics/sign-flip.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const random = createRandom('signs').next
const none = (): number => {
  throw new Error('drew a number')
}
const differences = fc.array(
  fc.double({ min: -1, max: 1, noNaN: true }).filter((value) => Math.abs(value) > 1e-9),
  { maxLength: 9 },
)
const lattice = fc
  .tuple(fc.array(fc.integer({ min: -12, max: 12 }), { maxLength: 9 }), fc.integer({ min: 1, max: 30 }))
  .map(([whole, seeds]) => whole.map((value) => value / seeds))

function bruteForce(values: readonly number[]): Omit<SignFlip, 'method'> {
  const total = (signs: number): number =>
    values.reduce((sum, value, place) => sum + ((signs >> place) & 1 ? -value : value), 0)
  const patterns = Array.from({ length: 1 << values.length }, (_, signs) => total(signs))
  const share = (hit: (flipped: number) => boolean): number => patterns.filter(hit).length / patterns.length
  const tie = 1e-12 * values.reduce((sum, value) => sum + Math.abs(value), 0)
  return {
    p: share((flipped) => Math.abs(flipped) >= Math.abs(total(0)) - tie),
    greater: share((flipped) => flipped >= total(0) - tie),
    less: share((flipped) => flipped <= total(0) + tie),
  }
}

function expectClose(found: SignFlip, expected: Omit<SignFlip, 'method'>, digits = 12): void {
  for (const tail of ['p', 'greater', 'less'] as const) expect(found[tail]).toBeCloseTo(expected[tail], digits)
}

describe('flipping signs', () => {
  it('agrees with SciPy on both samples', () => {
    const first = signFlip(checks.permutation_signflip_exact.d, { random: none })
    expect(first).toEqual({
      p: checks.permutation_signflip_exact.scipy,
      greater: checks.permutation_signflip_exact.p_greater,
      less: 1 - 2 ** -7,
      method: 'exact',
    })
    expect(first.p).toBe(checks.permutation_signflip_exact.p_two_sided)
    const second = signFlip(checks.permutation_signflip_exact_2.d, { random: none })
    expect(second.p).toBeCloseTo(checks.permutation_signflip_exact_2.p_two_sided, 14)
    expect(second.greater).toBeCloseTo(checks.permutation_signflip_exact_2.p_greater, 14)
  })

  it('counts patterns as if it went through all of them', () => {
    fc.assert(
      fc.property(lattice, (values) => {
        const found = signFlip(values, { random: none, exactUpTo: 0 })
        expect(found.method).toBe('exact')
        expectClose(found, bruteForce(values))
      }),
    )
  })

  it('goes through all patterns of a few differences that share no unit', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const found = signFlip([Math.SQRT1_2, -Math.PI / 10, ...values], { random: none })
        expect(found.method).toBe('exact')
        expectClose(found, bruteForce([Math.SQRT1_2, -Math.PI / 10, ...values]))
      }),
    )
  })

  it('finds the unit of tasks with unequally many seeds', () => {
    const values = Array.from({ length: 134 }, (_, task) => ((task * 7) % 11) / [9, 10, 8, 7][task % 4]! - 0.5)
    expect(signFlip(values, { random: none }).method).toBe('exact')
  })

  it('draws where counting takes more steps than it is told to make', () => {
    const values = Array.from({ length: 134 }, (_, task) => (((task * 37) % 21) - 9) / 10)
    const drawn = signFlip(values, { random, countUpTo: 1e4 })
    const exact = signFlip(values, { random: none })
    expect([exact.method, drawn.method]).toEqual(['exact', 'drawn'])
    expect(Math.abs(drawn.p - exact.p)).toBeLessThan(4 * Math.sqrt((exact.p * (1 - exact.p)) / 10_000) + 1e-4)
  })

  it('is exact for 134 tasks over 10 seeds, and near the normal approximation there', () => {
    const values = Array.from({ length: 134 }, (_, task) => (((task * 37) % 21) - 9) / 10)
    const found = signFlip(values, { random: none })
    const squares = values.reduce((sum, value) => sum + value * value, 0)
    const z = (values.reduce((sum, value) => sum + value, 0) - 0.1) / Math.sqrt(squares)
    expect(found.method).toBe('exact')
    expect(z).toBeGreaterThan(1)
    expect(found.greater).toBeGreaterThan(0.5 * Math.exp((-z * z) / 2) * 0.3)
    expect(found.greater).toBeLessThan(0.5 * Math.exp((-z * z) / 2))
  })

  it('draws patterns of many differences that share no unit, near the exact shares', () => {
    const values = Array.from({ length: 17 }, (_, task) => Math.sin(task * task) + 0.3)
    const exact = signFlip(values, { random: none })
    const drawn = signFlip(values, { random, exactUpTo: 16, draws: 40_000 })
    expect([exact.method, drawn.method]).toEqual(['exact', 'drawn'])
    for (const tail of ['p', 'greater', 'less'] as const) {
      const error = Math.sqrt((exact[tail] * (1 - exact[tail])) / 40_000)
      expect(Math.abs(drawn[tail] - exact[tail])).toBeLessThan(4 * error + 1e-4)
    }
  })

  it('draws the same for the same numbers, uses every sign, and never claims 0', () => {
    const values = Array.from({ length: 134 }, (_, task) => 1 + Math.sin(task * task) / 10)
    const once = signFlip(values, { random: createRandom('7').next, draws: 999 })
    expect(once).toEqual({ p: 0.001, greater: 0.001, less: 1, method: 'drawn' })
    const keptShares = values.map(
      (_, place) =>
        signFlip(
          values.map((value, task) => (task === place ? 1 : -value * 1e-6)),
          { random: createRandom('7').next, draws: 999 },
        ).greater,
    )
    for (const share of keptShares) expect(Math.abs(share - 0.5)).toBeLessThan(0.08)
    expect(new Set(keptShares).size).toBeGreaterThan(30)
    expect(signFlip(values, { random, draws: 0 }).p).toBe(1)
  })

  it('turns with the signs, and does not mind the order, the scale or differences of 0', () => {
    fc.assert(
      fc.property(fc.oneof(differences, lattice), fc.constantFrom(0.01, 1, 7), (values, scale) => {
        const found = signFlip(values, { random: none })
        const turned = signFlip(
          values.map((value) => -value),
          { random: none },
        )
        expectClose(turned, { p: found.p, greater: found.less, less: found.greater })
        const other = [0, ...values, 0, NaN].reverse().map((value) => value * scale)
        expectClose(signFlip(other, { random: none }), found)
        expect(found.p).toBeGreaterThan(0)
        expect(found.p).toBeLessThanOrEqual(1)
        expect(found.p).toBeLessThanOrEqual(2 * Math.min(found.greater, found.less) + 1e-12)
      }),
    )
  })

  it('claims nothing without a difference, and little of one', () => {
    expect(signFlip([], { random: none })).toEqual({ p: 1, greater: 1, less: 1, method: 'exact' })
    expect(signFlip([0, 0, NaN], { random: none }).p).toBe(1)
    expect(signFlip([0.1 + 0.2 - 0.3, 0.3 - 0.2 - 0.1], { random: none }).p).toBe(1)
    expect(signFlip([0.4], { random: none })).toEqual({ p: 1, greater: 0.5, less: 1, method: 'exact' })
  })

  it('is quick: 134 tasks, 10,000 draws in less than 20 ms of a processor', () => {
    const values = Array.from({ length: 134 }, (_, task) => Math.sin(task * task))
    const usedMs = Array.from({ length: 20 }, () => {
      const before = process.cpuUsage()
      expect(signFlip(values, { random }).method).toBe('drawn')
      return process.cpuUsage(before).user / 1000
    })
    expect(Math.min(...usedMs)).toBeLessThan(20)
  })
})
