import fc from 'fast-check'
import jstat from 'jstat'
import { describe, expect, it } from 'vitest'
import { betaQuantile, gammaTail, incompleteBeta, logBeta, logGamma } from '../../src/statistics/special-functions.js'
import {
  binomialCdf,
  fisherAboveP,
  normalCdf,
  normalQuantile,
  studentQuantile,
  studentTail,
} from '../../src/statistics/distributions.js'
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

const between = (min: number, max: number): fc.Arbitrary<number> => fc.double({ min, max, noNaN: true })
const share = between(1e-6, 1 - 1e-6)
const shape = between(0.3, 200)
const freedom = fc.integer({ min: 1, max: 300 })

describe('special functions', () => {
  it.each(Object.entries(checks.special))('agree with SciPy: %s', (block, values) => {
    expect(Object.keys(values).length).toBeGreaterThan(2)
    for (const [key, expected] of Object.entries(values))
      expectRelative(blocks[block as keyof typeof blocks](key), expected)
  })

  it('agree with SciPy on the quantiles of power', () => {
    expectRelative(normalQuantile(0.975), checks.power['z_0.975'])
    expectRelative(normalQuantile(0.8), checks.power['z_0.8'])
    expectRelative(normalQuantile(0.95), checks.power['z_0.95'])
  })

  it('agree with the probability of a false alarm if a gate compares means only', () => {
    const { n50, n134, n134x5seeds_if_independent } = checks.naive_gate_false_alarm
    const alarm = (n: number): number => normalCdf(-0.05 / Math.sqrt((2 * 0.6 * 0.4) / n))
    for (const [n, expected] of [
      [50, n50],
      [134, n134],
      [134 * 5, n134x5seeds_if_independent],
    ] as const) {
      expectRelative(alarm(n), expected)
    }
  })

  it('agree with the probability that all of many cases pass', () => {
    const { p, cases, P } = checks.all_pass
    expectRelative(1 - binomialCdf(cases - 1, cases, p), P)
  })

  // Tolerances are several times the largest difference over 200,000 random inputs; jStat stops its continued fraction
  // for the beta function at 3e−7.
  it.each<[string, fc.Arbitrary<number[]>, (...given: number[]) => number, (...given: number[]) => number, number]>([
    ['ln Γ', fc.tuple(between(0.01, 300)), (x) => logGamma(x!), (x) => jstat.gammaln(x!), 2e-12],
    ['ln B', fc.tuple(shape, shape), (a, b) => logBeta(a!, b!), (a, b) => jstat.betaln(a!, b!), 1e-11],
    [
      'I',
      fc.tuple(shape, shape, share),
      (a, b, x) => incompleteBeta(a!, b!, x!),
      (a, b, x) => jstat.ibeta(x!, a!, b!),
      2e-7,
    ],
    ['Φ', fc.tuple(between(-8, 8)), (z) => normalCdf(z!), (z) => jstat.normal.cdf(z!, 0, 1), 1e-14],
    ['Φ⁻¹', fc.tuple(share), (p) => normalQuantile(p!), (p) => jstat.normal.inv(p!, 0, 1), 3e-12],
    [
      't',
      fc.tuple(between(-9, 9), freedom),
      (t, df) => studentTail(t!, df!),
      (t, df) => 1 - jstat.studentt.cdf(t!, df!),
      2e-7,
    ],
    [
      'β quantile',
      fc.tuple(share, between(1, 100), between(1, 100)),
      (p, a, b) => betaQuantile(p!, a!, b!),
      (p, a, b) => jstat.beta.inv(p!, a!, b!),
      1e-7,
    ],
    [
      'binomial',
      fc.tuple(fc.nat(150), fc.integer({ min: 150, max: 300 }), share),
      (k, n, p) => binomialCdf(k!, n!, p!),
      (k, n, p) => jstat.binomial.cdf(k!, n!, p!),
      1e-9,
    ],
  ])('agree with jStat: %s', (_, given, ours, theirs, tolerance) => {
    fc.assert(
      fc.property(given, (values) => {
        const expected = theirs(...values)
        expect(Math.abs(ours(...values) - expected)).toBeLessThanOrEqual(tolerance * Math.max(1, Math.abs(expected)))
      }),
      { numRuns: 500 },
    )
  })

  it('give complements: both tails of the normal, t and beta distributions sum to 1', () => {
    fc.assert(
      fc.property(between(-30, 30), freedom, shape, shape, share, (x, df, a, b, p) => {
        expect(normalCdf(x) + normalCdf(-x)).toBeCloseTo(1, 14)
        expect(studentTail(x, df) + studentTail(-x, df)).toBeCloseTo(1, 14)
        expect(incompleteBeta(a, b, p) + incompleteBeta(b, a, 1 - p)).toBeCloseTo(1, 10)
      }),
    )
  })

  it('invert their quantiles', () => {
    fc.assert(
      fc.property(share, freedom, between(1, 200), between(1, 200), (p, df, a, b) => {
        expectRelative(normalCdf(normalQuantile(p)), p, 1e-12)
        expectRelative(studentTail(studentQuantile(1 - p, df), df), 1 - (1 - p), 1e-8)
        expect(incompleteBeta(a, b, betaQuantile(p, a, b))).toBeCloseTo(p, 11)
      }),
    )
  })

  it('never decrease and stay within 0 and 1', () => {
    fc.assert(
      fc.property(between(0, 60), between(0, 5), freedom, shape, (x, step, df, a) => {
        const rising = [
          normalCdf,
          (value: number): number => 1 - studentTail(value, df),
          (value: number): number => 1 - gammaTail(a, value),
          (value: number): number => incompleteBeta(a, df, value / 70),
          (value: number): number => binomialCdf(value, 40, 0.3),
        ]
        for (const chance of rising) {
          expect(chance(x + step)).toBeGreaterThanOrEqual(chance(x) - 1e-13)
          expect(chance(x)).toBeGreaterThanOrEqual(0)
          expect(chance(x)).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('satisfy their identities', () => {
    fc.assert(
      fc.property(between(0.01, 6), fc.integer({ min: 2, max: 80 }), share, (x, n, p) => {
        expect(binomialCdf(0, n, p)).toBeCloseTo((1 - p) ** n, 13)
        expectRelative(studentTail(x, 1), 0.5 - Math.atan(x) / Math.PI, 1e-11)
        expect(logGamma(x + 1) - logGamma(x)).toBeCloseTo(Math.log(x), 12)
      }),
    )
  })

  it('keep their digits in far tails, and for millions of degrees of freedom', () => {
    // By SciPy; the last one by Stirling's formula.
    expectRelative(normalCdf(-20), 2.7536241186062337e-89)
    expectRelative(normalQuantile(1e-300), -37.0470962993612)
    expectRelative(studentTail(40, 10), 1.1404288715428768e-12)
    expectRelative(studentTail(0.1, 1e6), 0.4601721727460216)
    expectRelative(logBeta(0.5, 5e5), Math.log(Math.PI) / 2 - Math.log(5e5) / 2 + 1 / (8 * 5e5), 1e-14)
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
    [1e-300, -37.0470962993612],
    [1e-200, -30.20559417957964],
    [1e-100, -21.273453560965326],
    [1e-50, -14.933337534788489],
    [1e-20, -9.262340089798407],
    [1e-15, -7.941345326170997],
    [1e-10, -6.361340902404057],
    [1e-5, -4.264890793922825],
    [0.001, -3.0902323061678136],
    [0.025, -1.9599639845400543],
    [0.2, -0.8416212335729142],
    [0.4, -0.2533471031357997],
    [0.4999, -0.00025066283008800747],
    [0.5000001, 2.506628273311648e-7],
    [0.75, 0.6744897501960817],
    [0.975, 1.9599639845400538],
    [0.999999, 4.753424308817087],
    [0.9999999999, 6.361340889697422],
    [0.9999999999999999, 8.209536151601387],
  ])('normalQuantile(%d)', (probability, expected) => {
    expectClose(normalQuantile(probability), expected)
  })

  it.each([
    [-38, 2.88542835e-316],
    [-37.5, 4.605353009581955e-308],
    [-30, 4.906713927148187e-198],
    [-10, 7.619853024160525e-24],
    [-5, 2.866515718791939e-7],
    [-1, 0.15865525393145705],
    [1, 0.8413447460685429],
    [5, 0.9999997133484281],
    [8, 0.9999999999999993],
  ])('normalCdf(%d)', (z, expected) => {
    expectClose(normalCdf(z), expected)
  })

  it.each([
    [1e-300, 1, -3.1830988618379066e299],
    [1e-300, 5, -1.5683925590993378e60],
    [1e-300, 30, -50178575360.50508],
    [1e-300, 1000, -54.291388553051746],
    [1e-200, 2.5, -8.765437882279991e79],
    [1e-100, 0.5, -1.02849115631634e199],
    [1e-100, 3, -2.225769823822442e33],
    [1e-50, 10, -256452.57187694774],
    [1e-20, 1, -3.1830988618379067e19],
    [1e-20, 100, -11.694684673177003],
    [1e-12, 7, -104.0218292626472],
    [1e-5, 1000, -4.285437682652958],
    [0.001, 4, -7.1731822197823085],
    [0.025, 133, -1.9779612641677262],
    [0.05, 0.5, -41.13600009287827],
    [1e-12, 1000000, -7.034572608411256],
    [0.4, 1000000, -0.2533471705378416],
    [0.3, 0.5, -1.0095258786071661],
    [0.4, 2, -0.2886751345948128],
    [0.4999, 9, -0.00025770877553428197],
    [0.9, 1, 3.077683537175254],
    [0.975, 19, 2.093024054408309],
    [0.999999, 3, 103.29946777942897],
    [0.9999999999999999, 1, 2867080569611329.5],
    [0.9999999999999999, 12, 61.59230408187652],
    [0.9999999999999999, 1000, 8.351968337868854],
  ])('studentQuantile(%d, %d)', (probability, df, expected) => {
    expectClose(studentQuantile(probability, df), expected)
  })

  it.each([
    [100, 1, 0.003182992764908255],
    [1e10, 1, 3.1830988618379065e-11],
    [1e100, 2, 5e-201],
    [40, 50, 6.206211892186353e-40],
    [0.001, 3, 0.49963244748473046],
    [-2, 7, 0.957190335718512],
    [37, 10000, 2.811315617639758e-281],
  ])('studentTail(%d, %d)', (t, df, expected) => {
    expectClose(studentTail(t, df), expected)
  })

  it('is infinite if a quantile is beyond every number', () => {
    expect(studentQuantile(1e-300, 0.5)).toBe(-Infinity)
    expect(normalQuantile(5e-324)).toBeLessThan(-38)
  })
})

function expectClose(value: number, expected: number): void {
  expect(Math.abs(value / expected - 1)).toBeLessThan(1e-9)
}

describe("Fisher's exact test", () => {
  it.each([
    [4, 4, 0, 4, 1 / 70],
    [3, 4, 1, 4, 17 / 70],
    [3, 4, 0, 4, 4 / 56],
    [0, 4, 4, 4, 1],
    [8, 8, 2, 8, 28 / 8008],
    [0, 0, 0, 0, 1],
  ])('has p for %i of %i against %i of %i', (first, firstOf, second, secondOf, p) => {
    expect(fisherAboveP(first, firstOf, second, secondOf)).toBeCloseTo(p, 12)
  })
})
