import { describe, expect, it } from 'vitest'
import { mean } from '../../../src/statistics/dispersion.js'
import { createRandom } from '../../../src/core/random.js'
import { judge, testDifference } from '../../../src/results/gate/judge.js'
import { powerOfGate } from '../../../src/statistics/power-of-gate.js'
import checks from '../../fixtures/statistics-checks.json' with { type: 'json' }
import { playBoth } from '../../statistics/play-both.js'
import { defaultRule } from './_made.js'

const replicates = 400

describe('the gate, simulated several hundred times', () => {
  const rows = checks.gate_operating_characteristics_sim.rows.filter(
    ({ T, S }) => (T === 50 && S === 1) || (T === 50 && S === 5) || (T === 134 && S === 3),
  )

  it.each(rows)('has the planned probabilities on $T tasks × $S seeds at a drop of $true_drop', (row) => {
    const random = createRandom(`gate ${String(row.T)} ${String(row.S)} ${String(row.true_drop)}`).next
    const seen = { pass: 0, fail: 0, inconclusive: 0 }
    for (let replicate = 0; replicate < replicates; replicate++) {
      const difference = Float64Array.from(playBoth(row.T, row.S, row.true_drop, random), (seeds) => mean(seeds)!)
      const test = testDifference({ difference, low: difference, high: difference }, defaultRule)!
      seen[judge([test], defaultRule)[0]!.verdict]++
    }
    // Mean 0.6 and correlation 0.45: the tasks' true scores have variance 0.45 · 0.6 · 0.4. A drop is in proportion to
    // them.
    const [share, taskShare, kept] = [0.6, 0.45 * 0.6 * 0.4, 1 - row.true_drop / 0.6]
    const noise = (part: number): number => part * share - part ** 2 * (taskShare + share ** 2)
    const planned = powerOfGate({
      margin: 0.05,
      drop: row.true_drop,
      taskVariance: (1 - kept) ** 2 * taskShare,
      pairVariance: noise(1) + noise(kept),
      tasks: row.T,
      seeds: row.S,
    })!
    for (const verdict of ['pass', 'fail'] as const) {
      const error = Math.sqrt(Math.max(planned[verdict] * (1 - planned[verdict]), 0.01) / replicates)
      expect(Math.abs(seen[verdict] / replicates - planned[verdict]), verdict).toBeLessThan(0.03 + 4 * error)
    }
    // The reference uses Student's t, which is slightly more powerful and, in other populations, wrong.
    const error = Math.sqrt(Math.max(row.passes * (1 - row.passes), 0.002) * (1 / replicates + 1 / 4000))
    expect(seen.pass / replicates).toBeLessThan(row.passes + 4 * error)
    expect(seen.pass / replicates).toBeGreaterThan(row.passes - 0.1 - 4 * error)
    const wrong = row.true_drop === 0 ? seen.fail : row.true_drop === 0.05 ? seen.pass : 0
    expect(wrong / replicates).toBeLessThan(0.05 + 4 * Math.sqrt(0.05 / replicates))
  })
})
