import { describe, expect, it } from 'vitest'
import type { OutcomeCell, Outcomes } from '../../../src/results/compare/outcomes.js'
import { type PowerOptions, describePower, planPower, withDrop } from '../../../src/results/compare/power.js'
import { createRandom } from '../../../src/core/random.js'
import { betaQuantile } from '../../../src/statistics/special-functions.js'
import { drawSigns, madeCells, madeOutcomes } from '../gate/_made.js'

const options: PowerOptions = { metric: 'success', margin: 0.05, drop: 0.1, alpha: 0.05, pass: 0.95, power: 0.8 }

/** A cell in which every task has its own probability of success. */
function drawCell(probabilities: readonly number[], seeds: number, name: string, condition = 'none'): OutcomeCell {
  const random = createRandom(name)
  const vectors = probabilities.map((probability) => [drawSigns(probability, seeds, random)])
  return madeCells(vectors, { condition })[0]!
}

const outcomesWith = (...cells: readonly OutcomeCell[]): Outcomes => madeOutcomes(cells, { source: 'pilot' })

/** Success probabilities of tasks: quantiles of a beta distribution with mean 0.6 and intra-class correlation 0.45. */
function betaProbabilities(tasks: number): number[] {
  const size = 1 / 0.45 - 1
  return Array.from({ length: tasks }, (_, task) => betaQuantile((task + 0.5) / tasks, 0.6 * size, 0.4 * size))
}

describe('planPower', () => {
  /**
   * Simulated in the reference with Student's t (margin 5 points, tasks drawn with mean 0.6 and ICC 0.45): pass
   * unchanged, fail at −10 points. The gate's own test passes a little less often.
   */
  it.each([
    [50, 5, 0.47, 0.86],
    [134, 3, 0.63, 0.96],
    [134, 5, 0.8, 0.99],
    [134, 10, 0.97, 1],
  ])('gives %i tasks with %i seeds the power of the reference', (tasks, seeds, pass, fail) => {
    const [cell] = planPower(outcomesWith(drawCell(betaProbabilities(tasks), seeds, 'pilot')), options).cells
    expect(cell!.passUnchanged).toBeLessThan(pass + 0.06)
    expect(cell!.passUnchanged).toBeGreaterThan(pass - 0.13)
    expect(Math.abs(cell!.fail - fail)).toBeLessThan(0.1)
  })

  it('finds how many seeds, tasks or points of margin are needed', () => {
    const pilot = outcomesWith(drawCell(betaProbabilities(134), 3, 'pilot'))
    const plan = planPower(pilot, options)
    const { needed } = plan.environments[0]!
    expect(needed.seeds).toBeGreaterThan(5)
    expect(needed.seeds).toBeLessThanOrEqual(14)
    expect(needed.tasks).toBeGreaterThan(134)
    expect(needed.margin).toBeGreaterThan(0.05)
    expect(describePower(plan)[1]).toMatch(
      /^household: with 134 tasks and 3 seeds .* It takes \d+ seeds, \d+ tasks with these seeds or a margin of \d\.\d points to pass unchanged in at least 95 % of runs \(97\.5 % by the figure above, .*\), and to fail the drop in 80 %\.$/,
    )
    const seedsFor = (pass: number) => planPower(pilot, { ...options, pass }).environments[0]!.needed.seeds!
    expect(seedsFor(0.8)).toBeLessThan(needed.seeds!)
    expect(planPower(pilot, { ...options, margin: needed.margin! }).passUnchanged).toBeCloseTo(0.975, 4)
  })

  it('finds that no number of seeds is enough where nothing ever differed on few tasks', () => {
    const calm = planPower(outcomesWith(drawCell(Array<number>(20).fill(1), 5, 'calm')), options)
    expect(calm.cells[0]).toMatchObject({ passUnchanged: 0, pairVariance: 0, mean: 1 })
    expect(calm.environments[0]!.needed.seeds).toBeNull()
    expect(describePower(calm)[1]).toContain('No number of seeds is enough on 20 tasks. It takes ')
  })

  it('takes the repeats of a pilot at temperature 0 for one play, and a drop still has a variance', () => {
    const chances = Array.from({ length: 60 }, (_, task) => (task < 45 ? 1 : 0))
    const repeated = chances.map((one) => [String(one).repeat(3)])
    const [copies] = madeCells(repeated, { sameAs: [0, 0, 0] })
    expect(planPower(outcomesWith(drawCell(chances, 1, 'a')), options).cells).toEqual([])
    const plan = planPower(outcomesWith(copies), options)
    expect(plan.cells[0]).toMatchObject({ onePlay: true, tasks: 60, mean: 0.75, pairVariance: 0 })
    // A share of 0.1 is lost: each of 60 tasks differs by −1 or 0.
    expect(plan.cells[0]!.fail).toBeGreaterThan(0.5)
    expect(plan.cells[0]!.fail).toBeLessThan(0.95)
    expect(plan.notes.join(' ')).toContain('1 distinct run of reader on household')
    const none = { taskVariance: 0, pairVariance: 0 }
    expect(withDrop(none, 0.1, 'success').taskVariance).toBeCloseTo(0.09, 12)
    expect(withDrop(none, 0.1, 'progress')).toEqual(none)
    expect(withDrop({ taskVariance: 0.05, pairVariance: 0.01 }, 0.1, 'success').taskVariance).toBeCloseTo(0.08, 12)
  })

  it('corrects a fail for all cells, and requires all of them to pass', () => {
    const chances = betaProbabilities(134)
    const conditions = ['none', 'agentrefine-1', 'agentrefine-2']
    const one = planPower(outcomesWith(drawCell(chances, 5, 'none')), options)
    const cells = conditions.map((condition) => drawCell(chances, 5, 'none', condition))
    const three = planPower(outcomesWith(...cells), options)
    expect(three.cells.map((cell) => cell.passUnchanged)).toEqual(conditions.map(() => one.passUnchanged))
    expect(three.cells[0]!.fail).toBeLessThan(one.cells[0]!.fail)
    expect(three.passUnchanged).toBeCloseTo(one.passUnchanged ** 3, 12)
    expect(three.environments[0]!.needed.seeds).toBeGreaterThan(one.environments[0]!.needed.seeds!)
  })
})
