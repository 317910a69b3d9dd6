import { describe, expect, it } from 'vitest'
import type { OutcomeCell, Outcomes } from '../../../src/results/compare/outcomes.js'
import { describePassUnchanged } from '../../../src/results/compare/pass-unchanged.js'
import { describePower, planPower } from '../../../src/results/compare/power.js'
import { createRandom } from '../../../src/core/random.js'
import { checkRun } from '../../../src/results/gate/check-run.js'
import { describeResult } from '../../../src/results/gate/describe-check.js'
import { describeSelfTest, selfTest } from '../../../src/results/gate/self-test.js'
import { type Vectors, drawSigns, madeBaseline, madeCells, madeOutcomes, defaultRule } from './_made.js'

/** Tasks with probabilities of success around `mean`, a text for each temperature. */
function drawn(name: string, seeds: number, { tasks = 134, mean = 0.8, temperatures = 1 } = {}): Vectors {
  const random = createRandom(name)
  return Array.from({ length: tasks }, () =>
    Array.from({ length: temperatures }, () => drawSigns(mean + 0.3 * (random.next() - 0.5), seeds, random)),
  )
}

const conditions = ['none', 'agentrefine-1']
const of = (vectors: (condition: string) => Vectors, given: Parameters<typeof madeCells>[1] = {}): OutcomeCell[] =>
  conditions.flatMap((condition) => madeCells(vectors(condition), { ...given, condition }))
const withHoles = (vectors: Vectors): Vectors =>
  vectors.map((groups, task) => groups.map((signs) => (task % 7 === 0 ? `x${signs.slice(1)}` : signs)))

const runs: Readonly<Record<string, Outcomes>> = {
  'two seeds': madeOutcomes(of((condition) => drawn(condition, 2))),
  'eight seeds': madeOutcomes(of((condition) => drawn(condition, 8, { mean: 0.85 }))),
  'two temperatures': madeOutcomes(of((condition) => drawn(condition, 3, { temperatures: 2 }))),
  'missing episodes': madeOutcomes(of((condition) => withHoles(drawn(condition, 12, { mean: 0.85 })))),
  'two plays at temperature 0 that are one': madeOutcomes(
    of((condition) => drawn(condition, 1).map(([sign]) => [sign!.repeat(2)]), { sameAs: [0, 0] }),
  ),
}

describe('how often an unchanged model passes', () => {
  const other = runs['eight seeds']!

  it.each(Object.entries(runs))('is one figure in check, power and check --self: %s', (_, run) => {
    const rule = { ...defaultRule, minCoverage: 0.5 }
    const checked = checkRun(run, madeBaseline(run), rule)
    const plan = planPower(run, { ...rule, drop: 0.1, pass: 0.95, power: 0.8 })
    const self = selfTest(run, rule, createRandom('splits'), 2)
    expect(checked.passUnchanged).toBeGreaterThan(0)
    expect([plan.passUnchanged, self.passUnchanged]).toEqual([checked.passUnchanged, checked.passUnchanged])
    expect(plan.cells.map((cell) => cell.passUnchanged)).toEqual(checked.cells.map(({ power }) => power!.passUnchanged))
    const sentence = describePassUnchanged(checked.passUnchanged, 2, rule.margin)
    expect(describePower(plan)).toContain(sentence)
    expect(describeSelfTest(self)).toContain(sentence)
    expect(describeResult(checked)).toContain(sentence)
  })

  it('is unknown where no cell of either side has repeats, and is that of the side that has them otherwise', () => {
    const one = madeOutcomes(of((condition) => drawn(condition, 1)))
    expect(checkRun(one, madeBaseline(one), defaultRule)).not.toHaveProperty('passUnchanged')
    expect(describePassUnchanged(undefined, 2, 0.05)).toMatch(/^How often an unchanged model passes is unknown: /)
    const pass = checkRun(one, madeBaseline(other), defaultRule).passUnchanged!
    expect(pass).toBeGreaterThan(0)
    expect(pass).toBeLessThan(checkRun(runs['two seeds']!, madeBaseline(other), defaultRule).passUnchanged!)
  })
})
