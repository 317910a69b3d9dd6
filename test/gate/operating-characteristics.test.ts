import { describe, expect, it } from 'vitest'
import { createRandom } from '../../src/core/random.js'
import { judge } from '../../src/gate/judge.js'
import { testDifference } from '../../src/gate/test-difference.js'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }
import { playBoth } from '../statistics/play-both.js'
import { usualRule } from './_made.js'

const replicates = 1000

describe('the gate, played a thousand times', () => {
  const rows = checks.gate_operating_characteristics_sim.rows.filter(
    ({ T, S, true_drop }) =>
      ((T === 50 && S === 1) || (T === 50 && S === 5) || (T === 134 && S === 3)) && true_drop !== 0.05,
  )

  it('has rows to check', () => {
    expect(rows).toHaveLength(6)
  })

  it.each(rows)('says what the reference found on $T tasks × $S seeds at a drop of $true_drop', (row) => {
    const random = createRandom(`gate ${String(row.T)} ${String(row.S)} ${String(row.true_drop)}`).next
    const seen = { pass: 0, fail: 0, inconclusive: 0 }
    for (let replicate = 0; replicate < replicates; replicate++) {
      const test = testDifference(playBoth(row.T, row.S, row.true_drop, random), usualRule)!
      seen[judge([test], usualRule)[0]!.verdict]++
    }
    // Both are drawn, here 1,000 and there 4,000 times: four standard errors of their difference. On one pair a task the reference takes t where this gate takes
    // Tango's interval, which is within that.
    for (const [verdict, expected] of [
      ['pass', row.passes],
      ['fail', row.fail],
      ['inconclusive', row.inconclusive],
    ] as const) {
      const error = Math.sqrt(Math.max(expected * (1 - expected), 0.002) * (1 / replicates + 1 / 4000))
      expect(Math.abs(seen[verdict] / replicates - expected), `${verdict}: ${String(seen[verdict])}`).toBeLessThan(
        4 * error + 0.0005,
      )
    }
    if (row.true_drop === 0) expect(seen.fail / replicates).toBeLessThan(0.07)
  })
})
