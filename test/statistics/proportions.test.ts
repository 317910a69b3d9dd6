import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { farringtonManning, newcombeInterval } from '../../src/statistics/independent-arms.js'
import { normalCdf } from '../../src/statistics/normal.js'
import { cohenH, proportionsPower, proportionsTrials } from '../../src/statistics/two-proportions-power.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const independent = checks.noninferiority_indep
const [successes, trials] = independent.cand.split('/').map(Number) as [number, number]
const [baseSuccesses, baseTrials] = independent.base.split('/').map(Number) as [number, number]

const arms = fc
  .tuple(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 200 }))
  .chain(([first, second]) =>
    fc.record({ a: fc.nat(first), n: fc.constant(first), b: fc.nat(second), m: fc.constant(second) }),
  )

/**
 * The baseline's share of the largest likelihood where the candidate's is lower by the margin: the root between them of Miettinen and Nurminen's cubic (1985),
 * in whose linear coefficient `weight` should be the baseline's trials.
 */
function baselineByCubic(weight: number): number {
  const [all, difference] = [trials + baseTrials, -independent.margin]
  const square = (trials + 2 * baseTrials) * difference - all - successes - baseSuccesses
  const linear = (weight * difference - all - 2 * baseSuccesses) * difference + successes + baseSuccesses
  const cubic = (x: number): number =>
    ((all * x + square) * x + linear) * x + baseSuccesses * difference * (1 - difference)
  let [low, high] = [0.5, 0.95]
  for (let halving = 0; halving < 60; halving++) {
    const middle = (low + high) / 2
    if (cubic(middle) > 0 === cubic(low) > 0) low = middle
    else high = middle
  }
  return low
}

function scoreWith(base: number): number {
  const share = base - independent.margin
  const variance = (share * (1 - share)) / trials + (base * (1 - base)) / baseTrials
  return (successes / trials - baseSuccesses / baseTrials + independent.margin) / Math.sqrt(variance)
}

describe('two arms on tasks of their own', () => {
  it("have Farrington and Manning's test and Newcombe's interval", () => {
    const found = farringtonManning(successes, trials, baseSuccesses, baseTrials, independent.margin)!
    expect(found.estimate).toBeCloseTo(-4 / 134, 14)
    expect(found.z).toBeCloseTo(scoreWith(baselineByCubic(baseTrials)), 10)
    expect(found.p).toBeCloseTo(normalCdf(-found.z), 14)
    const interval = newcombeInterval(successes, trials, baseSuccesses, baseTrials)!
    expect(interval.low).toBeCloseTo(independent.newcombe_ci95[0]!, 13)
    expect(interval.high).toBeCloseTo(independent.newcombe_ci95[1]!, 13)
    // Two other intervals for the same counts, which are not ours, lie within a hundredth.
    for (const other of [independent.agresti_caffo_ci95, independent.wald_ci95]) {
      expect(Math.abs(interval.low - other[0]!)).toBeLessThan(0.01)
      expect(Math.abs(interval.high - other[1]!)).toBeLessThan(0.01)
    }
  })

  it("differ from statsmodels by its cubic's wrong coefficient and by Miettinen and Nurminen's factor", () => {
    // statsmodels issue 10269: the baseline's successes stand where its trials belong, so its shares are not those of the largest likelihood.
    const factor = Math.sqrt((trials + baseTrials - 1) / (trials + baseTrials))
    const z = scoreWith(baselineByCubic(baseSuccesses)) * factor
    expect(z).toBeCloseTo(independent.farrington_manning_z, 12)
    expect(normalCdf(-z)).toBeCloseTo(independent.p, 12)
    const found = farringtonManning(successes, trials, baseSuccesses, baseTrials, independent.margin)!
    expect(Math.abs(found.z - independent.farrington_manning_z)).toBeLessThan(0.012)
  })

  it('take the pooled z without a margin', () => {
    fc.assert(
      fc.property(arms, ({ a, n, b, m }) => {
        const pooled = (a + b) / (n + m)
        const error = Math.sqrt(pooled * (1 - pooled) * (1 / n + 1 / m))
        const { z } = farringtonManning(a, n, b, m, 0)!
        expect(z).toBeCloseTo(error === 0 ? 0 : (a / n - b / m) / error, 6)
      }),
    )
  })

  it('are told something at any counts and margin, the surer the wider the margin', () => {
    const margins = fc.double({ min: 0, max: 0.49, noNaN: true })
    fc.assert(
      fc.property(arms, margins, ({ a, n, b, m }, margin) => {
        const [near, far] = [farringtonManning(a, n, b, m, margin)!, farringtonManning(a, n, b, m, margin + 0.5)!]
        expect(near.p).toBeGreaterThanOrEqual(0)
        expect(near.p).toBeLessThanOrEqual(1)
        expect(far.p).toBeLessThanOrEqual(near.p + 1e-9)
        const { low, high } = newcombeInterval(a, n, b, m)!
        expect(low).toBeLessThanOrEqual(near.estimate)
        expect(high).toBeGreaterThanOrEqual(near.estimate)
        expect(high - low).toBeGreaterThan(0.01)
      }),
    )
  })

  it('know no difference where all trials ended alike and the margin is next to nothing', () => {
    expect(farringtonManning(1, 1, 5, 5, 5e-324)).toMatchObject({ z: 0, p: 0.5 })
  })

  it('are told nothing without a trial', () => {
    expect(farringtonManning(0, 0, 5, 10, 0.05)).toBeUndefined()
    expect(newcombeInterval(5, 10, 0, 0)).toBeUndefined()
  })
})

describe('power for two shares', () => {
  const { p1, p2, cohen_h, power_n134, 'n_per_arm_0.8': needed } = checks.power.two_prop

  it('agrees with statsmodels', () => {
    expect(cohenH(p1, p2)).toBeCloseTo(cohen_h, 14)
    expect(proportionsPower({ first: p1, second: p2, trials: 134 })).toBeCloseTo(power_n134, 12)
    expect(proportionsTrials({ first: p1, second: p2 })).toBe(Math.ceil(needed))
    expect(proportionsTrials({ first: p2, second: p1 })).toBe(Math.ceil(needed))
  })

  it('is alpha for equal shares, which no number of trials tells apart', () => {
    expect(proportionsPower({ first: 0.3, second: 0.3, trials: 1000 })).toBeCloseTo(0.05, 12)
    expect(proportionsTrials({ first: 0.3, second: 0.3 })).toBeUndefined()
  })
})
