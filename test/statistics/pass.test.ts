import { describe, expect, it } from 'vitest'
import { mean } from '../../src/statistics/dispersion.js'
import { passAtK, passHatK } from '../../src/statistics/pass.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

describe('k tries at a task', () => {
  it.each(Object.entries(checks.pass_k.cases))('%s', (key, expected) => {
    const [n, c] = key.slice(1).split('c').map(Number)
    expected.pass_at.forEach((value, index) => {
      expect(passAtK(n!, c!, index + 1)).toBeCloseTo(value, 14)
    })
    expected.pass_hat.forEach((value, index) => {
      expect(passHatK(n!, c!, index + 1)).toBeCloseTo(value, 14)
    })
  })

  it('are the share of successes for one, and nothing beyond the trials', () => {
    expect([passAtK(4, 3, 1), passHatK(4, 3, 1)]).toEqual([0.75, 0.75])
    for (const k of [0, 5]) expect([passAtK(4, 3, k), passHatK(4, 3, k)]).toEqual([undefined, undefined])
    expect(passAtK(0, 0, 1)).toBeUndefined()
  })

  it('are the mean over every way to draw k of n', () => {
    const trials = [1, 0, 1, 1, 0, 0, 1]
    const draws = trials.flatMap((a, i) =>
      trials.flatMap((b, j) => trials.flatMap((c, k) => (i < j && j < k ? [[a, b, c]] : []))),
    )
    expect(passAtK(7, 4, 3)).toBeCloseTo(mean(draws.map((draw) => Math.max(...draw)))!, 12)
    expect(passHatK(7, 4, 3)).toBeCloseTo(mean(draws.map((draw) => Math.min(...draw)))!, 12)
  })
})
