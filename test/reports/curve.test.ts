import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { chartsOf } from '../../reports/charts/charts-of.js'
import type { StoredRun } from '../../src/run/plan.js'
import { holm } from '../../src/statistics/multiplicity.js'
import { noDifferenceP } from '../../src/statistics/mean-bounds.js'
import { pairedDifference } from '../../src/statistics/paired-difference.js'
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

/** Differences of a list of 0 and 1 by task: the first `from` to `to` change by one. */
const changes = (from: number, to: number, sign: number): number[] =>
  Array.from({ length: 20 }, (_, task) => (task >= from && task < to ? sign : 0))

const growing = { 1000: [16, 4], 200: [6, 4], 500: [10, 8] }
const headlineOf = (run: StoredRun): string | undefined =>
  aggregate(run).headlines.find(({ kind }) => kind === 'curve')?.text

describe('a training curve', () => {
  it('has the rates of each checkpoint by step, and tests from the first to the last that are paired by task', () => {
    const [only] = aggregate(runOf(growing)).trainingCurves!
    expect(only).toMatchObject({
      environment: 'household',
      series: 'tuned',
      agent: 'act',
      conditions: ['agentrefine-1'],
    })
    expect(only!.checkpoints.map(({ step }) => step)).toEqual([200, 500, 1000])
    const { points, trends } = only!.success
    expect(
      points.map(({ clean, perturbed, change, dropRate }) => [
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
    const [clean, change] = [changes(6, 16, 1), changes(6, 16, -1)]
    const ps = [noDifferenceP(clean), 1, noDifferenceP(change.map((one) => one / 2))]
    const adjusted = holm(ps)
    expect(trends!.clean).toEqual({
      tasks: 20,
      from: 0.3,
      to: 0.8,
      mean: 0.5,
      interval: pairedDifference(clean).interval,
      p: ps[0],
      holm: adjusted[0],
    })
    expect(trends!.perturbed).toMatchObject({ from: 0.2, to: 0.2, mean: 0, p: 1, holm: 1 })
    // A change of a change lies within ±2, so its interval is twice that of its half.
    const half = pairedDifference(change.map((one) => one / 2)).interval!
    expect(trends!.change!.from).toBeCloseTo(-0.1, 12)
    expect(trends!.change!.to).toBeCloseTo(-0.6, 12)
    expect(trends!.change!.interval.low).toBeCloseTo(2 * half.low, 9)
    expect(trends!.change!.holm).toBeCloseTo(adjusted[2]!, 12)
  })

  it.each<[string, Won]>([
    ['growing success and a growing drop', growing],
    ['a last checkpoint that is not the best', { 1: [4, 4], 2: [20, 20], 3: [5, 4] }],
    ['a first checkpoint that never succeeds', { 1: [0, 0], 2: [18, 6] }],
    ['a shrinking drop', { 1: [18, 2], 2: [18, 18] }],
    ['a part that is played', { 1: [18, 2], 2: [18, 18], 3: [undefined, undefined] }],
  ])('is told in one sentence: %s', (_, won) => {
    expect(headlineOf(runOf(won))).toMatchSnapshot()
  })

  it.each<[string, Won]>([
    ['one checkpoint', { 1: [4, 4] }],
    ['two of which one is played', { 1: [4, 4], 2: [undefined, undefined] }],
    ['two that were not played without perturbation', { 1: [undefined, 4], 2: [undefined, 4] }],
  ])('is not drawn and has no sentence for %s', (_, won) => {
    const all = aggregate(runOf(won))
    expect(chartsOf(all).filter(({ name }) => name === 'training-curve')).toEqual([])
    expect(all.headlines.filter(({ kind }) => kind === 'curve')).toEqual([])
  })
})
