import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { sprtBernoulli, sprtDiscordant } from '../../src/statistics/sprt.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const worked = checks.sprt_bernoulli
const pairs = checks.sprt_discordant_pairs

describe('sequential test', () => {
  const test = sprtBernoulli({ p0: worked.p0, p1: worked.p1, alpha: worked.alpha, beta: worked.beta })!

  it("has Wald's bounds and increments", () => {
    expect(test.logA).toBeCloseTo(worked.log_A, 14)
    expect(test.logB).toBeCloseTo(worked.log_B, 14)
    expect(test.success).toBeCloseTo(worked.inc_success, 14)
    expect(test.failure).toBeCloseTo(worked.inc_failure, 14)
    expect(test.expectedTrials.none).toBeCloseTo(worked.asn_p0, 10)
    expect(test.expectedTrials.regression).toBeCloseTo(worked.asn_p1, 10)
  })

  it('goes the worked way and decides where it does', () => {
    const sequence = worked.seq as (0 | 1)[]
    const [trials] = worked.first_decision as [number, string]
    for (let seen = 1; seen < trials; seen++) {
      const found = test.decide(sequence.slice(0, seen))
      expect(found).toMatchObject({ decision: 'undecided', trials: seen })
      expect(found.logRatio).toBeCloseTo(worked.llr[seen - 1]!, 13)
    }
    const found = test.decide(sequence)
    expect(found).toMatchObject({ decision: 'regression', trials })
    expect(found.logRatio).toBeCloseTo(worked.llr[trials - 1]!, 13)
  })

  it('clears a run of successes and decides nothing of nothing', () => {
    const found = test.decide(Array.from({ length: 100 }, () => 1 as const))
    expect(found).toMatchObject({ decision: 'no-regression', trials: 17 })
    expect(test.decide([])).toEqual({ decision: 'undecided', trials: 0, logRatio: 0 })
  })

  it('counts discordant pairs the same way', () => {
    const discordant = sprtDiscordant({ theta0: pairs.theta0, theta1: pairs.theta1 })!
    expect(discordant.failure).toBeCloseTo(pairs.inc_loss, 14)
    expect(discordant.success).toBeCloseTo(pairs.inc_gain, 14)
    expect(discordant.logA).toBeCloseTo(pairs.log_A, 14)
    expect(discordant.logB).toBeCloseTo(pairs.log_B, 14)
  })

  it('keeps its risks', () => {
    const random = createRandom('sequential')
    const decideAt = (rate: number): string => {
      function* trials(): Generator<0 | 1> {
        for (;;) yield random.next() < rate ? 1 : 0
      }
      return test.decide(trials()).decision
    }
    const share = (rate: number): number =>
      Array.from({ length: 4000 }, () => decideAt(rate)).filter((decision) => decision === 'regression').length / 4000
    expect(share(worked.p0)).toBeLessThan(worked.alpha + 0.01)
    expect(1 - share(worked.p1)).toBeLessThan(worked.beta + 0.015)
  })

  it('says nothing of what is no drop or no risk', () => {
    const chance = fc.double({ min: -0.5, max: 1.5 })
    fc.assert(
      fc.property(chance, chance, chance, chance, (p0, p1, alpha, beta) => {
        const found = sprtBernoulli({ p0, p1, alpha, beta })
        if (!(p1 > 0 && p0 > p1 && p0 < 1 && alpha > 0 && alpha < 0.5 && beta > 0 && beta < 0.5)) {
          expect(found).toBeUndefined()
          return
        }
        expect(found!.logA).toBeGreaterThan(0)
        expect(found!.logB).toBeLessThan(0)
        expect(found!.failure).toBeGreaterThan(found!.success)
      }),
    )
  })
})
