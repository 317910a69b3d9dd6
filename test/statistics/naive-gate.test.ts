import { describe, expect, it } from 'vitest'
import { binomialCdf } from '../../src/statistics/tails.js'
import { chanceAllPass, naiveFalseAlarm } from '../../src/statistics/naive-gate.js'
import { passHatK } from '../../src/statistics/pass.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const margin = 0.05

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
