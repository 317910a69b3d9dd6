import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wilcoxonSignedRank } from '../../src/statistics/wilcoxon.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative } from './expect-relative.js'

const differences = fc.array(
  fc.integer({ min: -6, max: 6 }).map((value) => value / 10),
  { maxLength: 10 },
)

/** Ranks as the mean number of sizes up to each one, and every pattern of signs in turn. */
function bruteForce(given: readonly number[]): { statistic: number; p: number } {
  const values = given.filter((value) => value !== 0)
  const ranks = values.map((value) => {
    const [below, equal] = [
      values.filter((other) => Math.abs(other) < Math.abs(value)).length,
      values.filter((other) => Math.abs(other) === Math.abs(value)).length,
    ]
    return below + (equal + 1) / 2
  })
  const total = ranks.reduce((sum, rank) => sum + rank, 0)
  const smaller = (isPositive: (place: number) => boolean): number => {
    const positive = ranks.reduce((sum, rank, place) => sum + (isPositive(place) ? rank : 0), 0)
    return Math.min(positive, total - positive)
  }
  const statistic = smaller((place) => values[place]! > 0)
  const patterns = Array.from({ length: 2 ** values.length }, (_, signs) =>
    smaller((place) => ((signs >> place) & 1) === 1),
  )
  return { statistic, p: patterns.filter((value) => value <= statistic).length / patterns.length }
}

describe("Wilcoxon's signed ranks", () => {
  it('agree with SciPy', () => {
    const { d, W, p_two_sided } = checks.wilcoxon_exact
    expect(wilcoxonSignedRank(d)).toEqual({ statistic: W, p: p_two_sided, method: 'exact' })
  })

  it('are exact with ties and differences of 0', () => {
    fc.assert(
      fc.property(differences, (values) => {
        const expected = bruteForce(values)
        const found = wilcoxonSignedRank(values)
        expect(found.method).toBe('exact')
        expect(found.statistic).toBe(expected.statistic)
        expect(found.p).toBeCloseTo(expected.p, 12)
      }),
    )
  })

  it('are exact for 134 tasks and take the normal approximation for hundreds, as SciPy does', () => {
    const waves = (count: number): number[] =>
      Array.from({ length: count }, (_, place) => Math.sin(place * place) + 0.08)
    expect(wilcoxonSignedRank(waves(134)).method).toBe('exact')
    const { statistic, p, method } = wilcoxonSignedRank(waves(400))
    expect([statistic, method]).toEqual([33121.0, 'normal'])
    expectRelative(p, 0.0025584569922732976)
  })

  it('take rounding errors neither for differences nor for a broken tie, and values that are not finite for missing', () => {
    const clean = wilcoxonSignedRank([0.3, 0.3, -0.3, 0.1])
    expect(wilcoxonSignedRank([0.1 + 0.2, 0.3, -0.3, 0.1, 0.1 + 0.2 - 0.3, NaN, Infinity])).toEqual(clean)
  })

  it('claim nothing without a difference, and little of one', () => {
    for (const values of [[], [0, 0], [NaN]]) {
      expect(wilcoxonSignedRank(values)).toEqual({ statistic: 0, p: 1, method: 'exact' })
    }
    expect(wilcoxonSignedRank([0.4])).toEqual({ statistic: 0, p: 1, method: 'exact' })
  })
})
