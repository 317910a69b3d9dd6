import { describe, expect, it } from 'vitest'
import { betaQuantile, incompleteBeta, logGamma } from '../../src/statistics/special-functions.js'
import { binomialCdf, fisherAboveP, normalCdf, normalQuantile } from '../../src/statistics/distributions.js'
import { studentQuantile, studentTail } from '../../src/statistics/distributions.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { expectRelative } from './_expect.js'

const of =
  (compute: (...given: [number, number, number]) => number) =>
  (key: string): number =>
    compute(...(key.split(',').map(Number) as [number, number, number]))
const blocks: Record<keyof typeof checks.special, (key: string) => number> = {
  norm_ppf: of(normalQuantile),
  norm_cdf: of(normalCdf),
  't_ppf_0.975': of((df) => studentQuantile(0.975, df)),
  t_sf: of(studentTail),
  betainc: of(incompleteBeta),
  beta_ppf: of(betaQuantile),
  gammaln: of(logGamma),
  binom_cdf: of(binomialCdf),
  erf: of((x) => 2 * normalCdf(x * Math.SQRT2) - 1),
}

describe('special functions', () => {
  it.each(Object.entries(checks.special))('agree with SciPy: %s', (block, values) => {
    expect(Object.keys(values).length).toBeGreaterThan(2)
    for (const [key, expected] of Object.entries(values))
      expectRelative(blocks[block as keyof typeof blocks](key), expected)
  })

  it('have their extremes at the ends', () => {
    expect([-Infinity, Infinity].map(normalCdf)).toEqual([0, 1])
    expect([0, 1].map(normalQuantile)).toEqual([-Infinity, Infinity])
    expect([-Infinity, Infinity].map((t) => studentTail(t, 3))).toEqual([1, 0])
    expect([0, 1].map((p) => studentQuantile(p, 3))).toEqual([-Infinity, Infinity])
    expect([-1, 0, 1, 2].map((x) => incompleteBeta(2, 3, x))).toEqual([0, 0, 1, 1])
    expect([0, 1].map((p) => betaQuantile(p, 2, 3))).toEqual([0, 1])
    expect([-1, 3, 4].map((k) => binomialCdf(k, 3, 0.5))).toEqual([0, 1, 1])
    expect([0, 1].map((p) => binomialCdf(1, 3, p))).toEqual([1, 0])
  })
})

/**
 * Computed to 60 digits with independent series and continued fractions; a probability is exactly the double given
 * here.
 */
describe('far tails and centres', () => {
  it.each([
    [normalQuantile(1e-300), -37.0470962993612],
    [normalQuantile(1e-100), -21.273453560965326],
    [normalQuantile(0.4999), -0.00025066283008800747],
    [normalQuantile(0.5000001), 2.506628273311648e-7],
    [normalQuantile(0.975), 1.9599639845400538],
    [normalQuantile(0.9999999999999999), 8.209536151601387],
    [normalCdf(-38), 2.88542835e-316],
    [normalCdf(-30), 4.906713927148187e-198],
    [normalCdf(1), 0.8413447460685429],
    [normalCdf(8), 0.9999999999999993],
    [studentQuantile(1e-300, 1), -3.1830988618379066e299],
    [studentQuantile(1e-300, 1000), -54.291388553051746],
    [studentQuantile(0.025, 133), -1.9779612641677262],
    [studentQuantile(0.05, 0.5), -41.13600009287827],
    [studentQuantile(1e-12, 1000000), -7.034572608411256],
    [studentQuantile(0.4, 1000000), -0.2533471705378416],
    [studentQuantile(0.9999999999999999, 1), 2867080569611329.5],
    [studentQuantile(0.9999999999999999, 1000), 8.351968337868854],
    [studentTail(100, 1), 0.003182992764908255],
    [studentTail(1e100, 2), 5e-201],
    [studentTail(40, 50), 6.206211892186353e-40],
    [studentTail(37, 10000), 2.811315617639758e-281],
  ])('are %d: %d', (value, expected) => expectRelative(value, expected, 1e-9))

  it('is infinite if a quantile is beyond every number', () => {
    expect(studentQuantile(1e-300, 0.5)).toBe(-Infinity)
    expect(normalQuantile(5e-324)).toBeLessThan(-38)
  })
})

describe("Fisher's exact test", () => {
  it.each([
    [4, 4, 0, 4, 1 / 70],
    [0, 4, 4, 4, 1],
    [8, 8, 2, 8, 28 / 8008],
    [0, 0, 0, 0, 1],
  ])('has p for %i of %i against %i of %i', (first, firstOf, second, secondOf, p) => {
    expect(fisherAboveP(first, firstOf, second, secondOf)).toBeCloseTo(p, 12)
  })
})
