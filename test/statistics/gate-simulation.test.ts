import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { binomialCdf } from '../../src/statistics/tails.js'
import { chanceAllPass, naiveFalseAlarm } from '../../src/statistics/naive-gate.js'
import { nonInferiorityT } from '../../src/statistics/non-inferiority.js'
import { passHatK } from '../../src/statistics/pass.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { playBoth } from './play-both.js'

const margin = 0.05
const replicates = 2000

describe('what a gate of five points sees', () => {
  const rows = checks.gate_operating_characteristics_sim.rows.filter(
    ({ T, S, true_drop }) =>
      (T === 50 && S === 1 && true_drop === 0) ||
      (T === 50 && S === 5 && true_drop === 0.1) ||
      (T === 134 && S === 3 && true_drop === 0.05) ||
      (T === 134 && S === 3 && true_drop === 0),
  )

  it.each(rows)('is what was simulated for $T tasks × $S seeds at a drop of $true_drop', (row) => {
    const random = createRandom(`gate ${String(row.T)} ${String(row.S)} ${String(row.true_drop)}`).next
    let [passes, fails, naive] = [0, 0, 0]
    for (let replicate = 0; replicate < replicates; replicate++) {
      const { lower, upper, estimate } = nonInferiorityT(playBoth(row.T, row.S, row.true_drop, random), margin)!
      if (lower > -margin) passes++
      // A sum of successes over so many episodes is at the margin or is not: what rounding makes of it does not count.
      if (upper < 0 && estimate <= -margin + 1e-9) fails++
      if (estimate < -margin - 1e-9) naive++
    }
    const isNear = (seen: number, expected: number): void => {
      // Both figures are drawn: 2,000 times here, 4,000 times there. Four standard errors of their difference, and the rounding to 3 digits.
      const error = Math.sqrt(Math.max(expected * (1 - expected), 0.002) * (1 / replicates + 1 / 4000))
      expect(Math.abs(seen / replicates - expected)).toBeLessThan(4 * error + 0.0005)
    }
    isNear(passes, row.passes)
    isNear(fails, row.fail)
    isNear(replicates - passes - fails, row.inconclusive)
    isNear(naive, row.naive_fail)
  })

  it('has rows to check', () => {
    expect(rows).toHaveLength(4)
  })
})

describe('a check that compares means', () => {
  const expected = checks.naive_gate_false_alarm

  it('raises false alarms', () => {
    expect(naiveFalseAlarm({ rate: 0.6, trials: 50, margin })).toBeCloseTo(expected.n50, 13)
    expect(naiveFalseAlarm({ rate: 0.6, trials: 134, margin })).toBeCloseTo(expected.n134, 13)
    expect(naiveFalseAlarm({ rate: 0.6, trials: 134 * 5, margin })).toBeCloseTo(
      expected['n134x5seeds_if_independent'],
      13,
    )
    expect(naiveFalseAlarm({ rate: 1, trials: 50, margin })).toBeUndefined()
    expect(naiveFalseAlarm({ rate: 0.6, trials: 0, margin })).toBeUndefined()
  })

  it('cannot ask for all cases', () => {
    const { p, cases, P } = checks.all_pass
    expect(chanceAllPass(p, cases)).toBeCloseTo(P, 14)
    expect(chanceAllPass(p, cases)).toBeCloseTo(1 - binomialCdf(cases - 1, cases, p), 13)
    // Of very many trials of which so large a share succeeds, drawing with and without putting back is the same.
    expect(passHatK(1e9, p * 1e9, cases)).toBeCloseTo(P, 7)
  })
})
