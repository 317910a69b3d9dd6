import { describe, expect, it } from 'vitest'
import robustness from '../../reports/tables/robustness.js'
import { mean } from '../../src/statistics/index.js'
import { aggregate } from '../../src/results/aggregate.js'
import type { Plan } from '../../src/run/plan.js'
import { makeRow, makeRun, noDose, smallPlan } from './fixture.js'

const conditions = ['none', 'placebo', ...drawsOf('words', 3), 'alone', ...drawsOf('repeats', 3), ...drawsOf('two', 2)]

function drawsOf(name: string, draws: number): string[] {
  return Array.from({ length: draws }, (_, place) => (place === 0 ? name : `${name}:draw=${String(place + 1)}`))
}

const made = smallPlan(5, conditions, { models: ['reader'], seeds: [1, 2] })
const plan: Plan = {
  ...made,
  conditions: made.conditions.map((condition) => ({
    ...condition,
    perturbations: condition.perturbations.map((one) => ({
      ...one,
      ...(one.name.startsWith('repeats') && { promise: 'identity' as const }),
    })),
  })),
}

/**
 * Episodes that are lost, as condition, task and seed (both seeds without one). Task 4 is left unchanged by one draw.
 */
const lost: readonly (readonly [string, number, number?])[] = [
  ['words', 0],
  ['words:draw=2', 0],
  ['words:draw=2', 1],
  ['words:draw=3', 0, 2],
  ['words:draw=3', 4],
  ['repeats', 3, 1],
]

const run = makeRun(plan, (at) => {
  const task = Number(at.task.slice(5))
  const isLost = lost.some(
    ([condition, place, seed = at.seed]) => condition === at.condition && place === task && seed === at.seed,
  )
  const row = makeRow(at, isLost ? 'failure' : 'success', isLost ? 0.5 : 1)
  return at.condition === 'words:draw=2' && task === 4 ? { ...row, dose: noDose } : row
})

describe('several draws of a perturbation', () => {
  const summary = aggregate(run)
  const of = (family: string) => summary.draws.find((one) => one.family === family)!

  it('have a spread over draws, on every task', () => {
    const { tasks, success, progress } = of('words')
    expect(tasks).toBe(5)
    expect(success.change.mean).toBeCloseTo(-0.3, 12)
    expect(success.overDraws!.deviation).toBeCloseTo(0.1, 12)
    // Student's t over three draws, 4.303, besides the interval over tasks.
    const half = (4.302653 * 0.1) / Math.sqrt(3)
    const { low } = success.change.interval!
    expect(success.ofFamily!.low).toBeCloseTo(success.change.mean! - Math.hypot(success.change.mean! - low, half), 4)
    expect(success.overDraws!.beyondNoise).toBe(0)
    expect(progress.change.mean).toBeCloseTo(-0.15, 12)
  })

  it('count as one, their mean, in averages and in the primary endpoint', () => {
    // Three families: words, of which one draw leaves task 4 unchanged, alone and two, which lose nothing.
    const [comparison] = summary.primary!.comparisons
    const words = [-2.5 / 3, -1 / 3, 0, 0, -1 / 3].map((change) => change / 3)
    expect(comparison!.difference.mean).toBeCloseTo(mean(words)!, 12)
    const [table] = robustness.tables(summary, 'pooled')
    const average = table!.groups[0]!.columns.findIndex(({ metric }) => metric === 'success-average')
    const rate = (condition: string) =>
      summary.groups.find((group) => group.condition === condition)!.pooled.success.mean!
    const three = mean(['words', 'words:draw=2', 'words:draw=3'].map(rate))!
    expect(table!.rows[0]!.cells[average]!.value).toBeCloseTo((1 + three + 1 + 1) / 4, 12)
    expect(table!.notes.join(' ')).toContain('the draws of one perturbation count as one, their mean.')
  })
})
