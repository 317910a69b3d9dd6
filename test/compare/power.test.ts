import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { OutcomeCell, Outcomes } from '../../src/compare/outcomes.js'
import { readChange, readPilot } from '../../src/compare/pilot.js'
import type { PowerOptions } from '../../src/compare/power.js'
import { planPower, withDrop } from '../../src/compare/power.js'
import { describePower } from '../../src/compare/power-tables.js'
import { createRandom } from '../../src/core/random.js'
import { betaQuantile } from '../../src/statistics/special-functions.js'
import { drawSigns, madeCells, madeOutcomes } from '../gate/_made.js'

const options: PowerOptions = { metric: 'success', margin: 0.05, drop: 0.1, alpha: 0.05, pass: 0.95, power: 0.8 }

/** A cell in which every task has its own probability of success. */
function drawCell(probabilities: readonly number[], seeds: number, name: string, column = 'none'): OutcomeCell {
  const random = createRandom(name)
  return madeCells(
    probabilities.map((probability) => [drawSigns(probability, seeds, random)]),
    { column },
  )[0]!
}

function outcomesWith(cells: readonly OutcomeCell[], source = 'pilot'): Outcomes {
  return madeOutcomes(cells, { source })
}

/** Success probabilities of tasks: quantiles of a beta distribution with this mean and intra-class correlation. */
function betaProbabilities(tasks: number, mean: number, icc: number): number[] {
  const size = 1 / icc - 1
  return Array.from({ length: tasks }, (_, task) => betaQuantile((task + 0.5) / tasks, mean * size, (1 - mean) * size))
}

describe('readPilot', () => {
  it('finds the variances with which scores were drawn', () => {
    const chances = betaProbabilities(400, 0.6, 0.45)
    const [cell] = readPilot(outcomesWith([drawCell(chances, 20, 'pilot')]), 'success')
    expect(cell).toMatchObject({ tasks: 400, seeds: 20, temperatures: 1 })
    expect(cell!.mean).toBeCloseTo(0.6, 1)
    expect(cell!.withinTask).toBeCloseTo(0.24 * 0.55, 2)
    expect(cell!.betweenTasks).toBeCloseTo(0.24 * 0.45, 1)
    expect(cell!.icc).toBeCloseTo(0.45, 1)
    expect(cell!.fromClean).toBeUndefined()
  })

  it('finds the variance of the change from the clean column: half of the tasks lose all', () => {
    const chances = Array.from({ length: 100 }, () => 1)
    const perturbed = chances.map((_, task) => task % 2)
    const cells = [drawCell(chances, 4, 'a'), drawCell(perturbed, 4, 'b', 'agentrefine-1')]
    const [, cell] = readPilot(outcomesWith(cells), 'success')
    expect(cell!.fromClean).toBeCloseTo(0.25 * (100 / 99), 6)
    expect(cell!.restless).toBe(0)
  })
})

describe('a pilot at temperature 0', () => {
  const chances = Array.from({ length: 60 }, (_, task) => (task < 45 ? 1 : 0))
  const copies = { ...drawCell(chances, 3, 'a'), sameAs: [0, 0, 0] }
  const single = chances.map((chance): (0 | 1 | null)[] => [chance === 1 ? 1 : 0, null, null])
  const once = { ...copies, success: single, progress: single, sameAs: [0, -1, -1] }

  it.each([
    ['copies', copies],
    ['one seed that was to be played', once],
  ])('of %s is one distinct play per task, and a drop still has a variance', (_, cell) => {
    const [read] = readPilot(outcomesWith([cell]), 'success')
    expect(read).toMatchObject({ onePlay: true, tasks: 60, mean: 0.75, withinTask: 0, restless: 0 })
    expect(read!.betweenTasks).toBeCloseTo((0.75 * 0.25 * 60) / 59, 12)
    const plan = planPower(outcomesWith([cell]), options)
    // A share of 0.1 is lost: each of 60 tasks differs by −1 or 0.
    const [planned] = plan.cells
    expect(planned!.fail).toBeGreaterThan(0.5)
    expect(planned!.fail).toBeLessThan(0.95)
    expect(planned!.detectable).toBeGreaterThan(0.06)
    const [grid] = plan.environments
    const row = grid!.rows.find(({ tasks }) => tasks === 60)!
    // More seeds do not raise the power, but more tasks do.
    expect(new Set(row.fail.map((share) => share.toFixed(6))).size).toBe(1)
    expect(grid!.rows.find(({ tasks }) => tasks === 500)!.fail[0]).toBeGreaterThan(row.fail[0]!)
    expect(plan.notes.join(' ')).toContain('1 distinct run of reader on household')
  })

  it('has at least the variance of a drop that successes of 1 and 0 allow; progress has no such bound', () => {
    const none = { taskVariance: 0, pairVariance: 0 }
    expect(withDrop(none, 0.1, 'success').taskVariance).toBeCloseTo(0.09, 12)
    expect(withDrop(none, 0, 'success')).toEqual(none)
    expect(withDrop(none, 0.1, 'progress')).toEqual(none)
    const enough = { taskVariance: 0.05, pairVariance: 0.3 }
    expect(withDrop(enough, 0.1, 'success')).toEqual(enough)
    expect(withDrop({ taskVariance: 0.05, pairVariance: 0.01 }, 0.1, 'success').taskVariance).toBeCloseTo(0.08, 12)
  })
})

describe('planPower', () => {
  /**
   * Simulated in the reference with Student's t (margin 5 points, tasks drawn with mean 0.6 and ICC 0.45): pass
   * unchanged, fail at −10 points. The gate's own test passes a little less often.
   */
  it.each([
    [50, 1, 0.17, 0.35],
    [50, 5, 0.47, 0.86],
    [134, 1, 0.31, 0.66],
    [134, 3, 0.63, 0.96],
    [134, 5, 0.8, 0.99],
    [134, 10, 0.97, 1],
  ])('gives %i tasks with %i seeds the power of the reference', (tasks, seeds, pass, fail) => {
    const pilot = outcomesWith([drawCell(betaProbabilities(134, 0.6, 0.45), 10, 'pilot')])
    const [grid] = planPower(pilot, options).environments
    const row = grid!.rows.find((one) => one.tasks === tasks)!
    const place = grid!.seeds.indexOf(seeds)
    expect(row.pass[place]!).toBeLessThan(pass + 0.03)
    expect(row.pass[place]!).toBeGreaterThan(pass - 0.11)
    expect(Math.abs(row.fail[place]! - fail)).toBeLessThan(0.09)
  })

  it('finds how many seeds, tasks or points of margin are needed', () => {
    const pilot = outcomesWith([drawCell(betaProbabilities(134, 0.6, 0.45), 3, 'pilot')])
    const plan = planPower(pilot, options)
    const { needed, rows, seeds } = plan.environments[0]!
    expect(needed.seeds).toBeGreaterThan(5)
    expect(needed.seeds).toBeLessThanOrEqual(14)
    expect(needed.tasks).toBeGreaterThan(134)
    expect(needed.margin).toBeGreaterThan(0.05)
    const passAt = (tasks: number, size: number) => rows.find((row) => row.tasks === tasks)!.pass[seeds.indexOf(size)]!
    expect(passAt(134, 5)).toBeLessThan(0.95)
    expect(passAt(134, 20)).toBeGreaterThan(0.95)
    expect(describePower(plan)[0]).toBe(
      `An unchanged model passes a margin of 5.0 points in ${(100 * passAt(134, 3)).toFixed(1)} % of runs.`,
    )
    expect(describePower(plan)[1]).toMatch(
      /^household: with 134 tasks and 3 seeds .* It takes \d+ seeds, \d+ tasks with these seeds or a margin of \d\.\d points to pass unchanged in at least 95 % of runs \(97\.5 % by the figure above, .*\), and to fail the drop in 80 %\.$/,
    )
    const seedsFor = (pass: number) => planPower(pilot, { ...options, pass }).environments[0]!.needed.seeds!
    expect(seedsFor(0.8)).toBeLessThan(needed.seeds!)
    expect(planPower(pilot, { ...options, margin: needed.margin! }).passUnchanged).toBeCloseTo(0.975, 4)
  })

  it('finds that no number of seeds is enough if tasks differ too much', () => {
    const pilot = outcomesWith([drawCell(betaProbabilities(50, 0.6, 0.45), 5, 'pilot')])
    const plan = planPower(pilot, { ...options, taskVariance: 0.09 })
    const { needed, floor } = plan.environments[0]!
    expect(needed.seeds).toBeNull()
    expect(floor).toBeCloseTo(Math.sqrt(0.09 / 50), 12)
    expect(describePower(plan)[1]).toContain(
      'No number of seeds is enough on 50 tasks: a change differs between tasks (ω² = 0.090), which leaves a standard error of 4.2 points, √(ω²/50)',
    )
    expect(
      planPower(pilot, { ...options, taskVariance: 0.09, margin: 0.2, drop: 0.4 }).environments[0]!.needed.seeds,
    ).not.toBeNull()
  })

  it('uses the variances of a change from a second run', () => {
    const chances = betaProbabilities(134, 0.6, 0.45)
    const changed = chances.map((chance, task) => Math.min(1, Math.max(0, chance + (task % 2 === 0 ? 0.3 : -0.3))))
    const [first, second] = [
      outcomesWith([drawCell(chances, 20, 'a')], 'A'),
      outcomesWith([drawCell(changed, 20, 'b')], 'B'),
    ]
    const change = readChange(first, second, 'success').of(readPilot(first, 'success')[0]!)!
    const truth = chances.map((chance, task) => changed[task]! - chance)
    const mean = truth.reduce((sum, one) => sum + one, 0) / truth.length
    const variance = truth.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (truth.length - 1)
    expect(change.taskVariance).toBeCloseTo(variance, 1)
    const otherSeeds = {
      ...second,
      cells: second.cells.map((cell) => ({ ...cell, seeds: cell.seeds.map((seed) => seed + 100) })),
    }
    const byTask = readChange(first, otherSeeds, 'success')
    expect(byTask.of(readPilot(first, 'success')[0]!)!.taskVariance).toBeCloseTo(variance, 1)
    expect(byTask.of(readPilot(first, 'success')[0]!)!.pairVariance).toBeCloseTo(change.pairVariance, 1)
    expect(byTask.notes).toEqual([expect.stringMatching(/^The seeds are not the same, 20 seeds/)])
    expect(planPower(first, options, { second: otherSeeds }).notes).toEqual(byTask.notes)
    const plan = planPower(first, options, { second })
    expect(plan.change).toEqual({ source: 'B' })
    expect(plan.cells[0]!.taskVariance).toBe(change.taskVariance)
    // A changed model that is as good on average passes less often than an unchanged one.
    const alone = planPower(first, options)
    expect(plan.passUnchanged).toBe(alone.passUnchanged)
    const passAt = ({ environments: [grid] }: typeof plan) => grid!.rows.find(({ tasks }) => tasks === 134)!.pass
    expect(passAt(plan)[0]).toBeLessThan(passAt(alone)[0]!)
    expect(describePower(plan).at(-1)).toBe(
      'The variance of a change between tasks (ω²) was measured against B, cell by cell.',
    )
  })

  it('does not treat constant outcomes as certain: they do not pass on few tasks', () => {
    const plan = planPower(
      outcomesWith([
        drawCell(
          Array.from({ length: 20 }, () => 1),
          5,
          'calm',
        ),
      ]),
      options,
    )
    expect(plan.cells[0]).toMatchObject({ passUnchanged: 0, withinTask: 0 })
    expect(describePower(plan)[1]).toContain(
      'No number of seeds is enough on 20 tasks: no pair ever differed, which proves little on so few.',
    )
  })

  it('corrects a fail for all cells, and requires all of them to pass', () => {
    const chances = betaProbabilities(134, 0.6, 0.45)
    const columns = ['none', 'agentrefine-1', 'agentrefine-2']
    const one = planPower(outcomesWith([drawCell(chances, 5, 'none')]), options)
    const three = planPower(outcomesWith(columns.map((column) => drawCell(chances, 5, 'none', column))), options)
    expect(three.cells.map((cell) => cell.passUnchanged)).toEqual(columns.map(() => one.passUnchanged))
    expect(three.cells[0]!.fail).toBeLessThan(one.cells[0]!.fail)
    expect(three.passUnchanged).toBeCloseTo(one.passUnchanged ** 3, 12)
    expect(three.environments[0]!.needed.seeds).toBeGreaterThan(one.environments[0]!.needed.seeds!)
  })

  it('has at least the same power with more seeds', () => {
    const chance = fc.double({ min: 0.05, max: 0.95, noNaN: true })
    fc.assert(
      fc.property(fc.array(chance, { minLength: 10, maxLength: 30 }), (chances) => {
        const plan = planPower(outcomesWith([drawCell(chances, 4, 'any')]), options)
        const grid = plan.environments[0]
        if (grid === undefined || grid.noisiest.withinTask === 0) return
        for (const kind of ['pass', 'fail'] as const) {
          for (const row of grid.rows)
            for (let place = 1; place < row[kind].length; place++)
              expect(row[kind][place]!).toBeGreaterThanOrEqual(row[kind][place - 1]! - 1e-3)
        }
      }),
      { numRuns: 6 },
    )
  })
})
