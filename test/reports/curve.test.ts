import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { chartsOf } from '../../reports/charts/charts-of.js'
import type { StoredRun } from '../../src/run/plan.js'
import { playTasks, smallPlan } from './fixture.js'

/** For each step, how many tasks are won in each condition, from the first task on; undefined: not played. */
type Won = Readonly<Record<number, readonly (number | undefined)[]>>

const conditions = ['none', 'agentrefine-1']

function runOf(won: Won): StoredRun {
  const models = Object.keys(won).map((step) => ({
    name: `tuned-${step}`,
    settings: {},
    checkpoint: { series: 'tuned', step: Number(step) },
  }))
  // Reports sort by step, whatever the order of the plan.
  const plan = smallPlan(20, conditions, { models: ['reader', ...models.toReversed()] })
  return playTasks(
    plan,
    (at, task) => {
      const count = won[Number(at.model.slice(6))]?.[conditions.indexOf(at.condition)]
      return count === undefined ? undefined : task < count
    },
    0.5,
  )
}

describe('a training curve', () => {
  it('has the rates of each checkpoint by step', () => {
    const [only] = aggregate(runOf({ 1000: [16, 4], 200: [6, 4], 500: [10, 8] })).trainingCurves!
    expect(only).toMatchObject({
      environment: 'household',
      series: 'tuned',
      agent: 'act',
      conditions: ['agentrefine-1'],
    })
    expect(only!.checkpoints.map(({ step }) => step)).toEqual([200, 500, 1000])
    expect(
      only!.success.points.map(({ clean, perturbed, change, dropRate }) => [
        clean!.mean,
        perturbed!.mean,
        change.mean,
        dropRate!.value,
      ]),
    ).toEqual([
      [0.3, 0.2, expect.closeTo(-0.1, 12), expect.closeTo(1 / 3, 12)],
      [0.5, 0.4, expect.closeTo(-0.1, 12), expect.closeTo(0.2, 12)],
      [0.8, 0.2, expect.closeTo(-0.6, 12), expect.closeTo(0.75, 12)],
    ])
  })

  it.each<[string, Won]>([
    ['one checkpoint', { 1: [4, 4] }],
    ['two of which one is played', { 1: [4, 4], 2: [undefined, undefined] }],
    ['two that were not played without perturbation', { 1: [undefined, 4], 2: [undefined, 4] }],
  ])('is not drawn for %s', (_, won) => {
    const charts = chartsOf(aggregate(runOf(won)))
    expect(charts.filter(({ file }) => file.startsWith('training-curve'))).toEqual([])
  })
})
