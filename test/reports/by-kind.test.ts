import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { meanBounds } from '../../src/statistics/mean-bounds.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makeRow, makeRun, playTasks, smallPlan } from './fixture.js'
import { partOf, textsOf } from './part.js'
import byKind from '../../reports/tables/by-kind.js'

const kindNames = ['pick', 'look', 'clean', 'heat', 'cool', 'two']
/**
 * Four tasks of each kind: under `agentrefine-1` the first three kinds lose every success but one each, the others
 * none.
 */
function halves(): StoredRun {
  const plan = smallPlan(24, ['none', 'placebo', 'agentrefine-1'], { seeds: [1, 2] })
  const [household] = plan.environments
  const tasks = household!.tasks.map((task, place) => ({ ...task, kind: kindNames[place % 6]! }))
  return playTasks({ ...plan, environments: [{ ...household!, tasks }] }, ({ condition, seed }, task) => {
    const isLost = condition === 'agentrefine-1' && task % 6 < 3 && task >= 6
    return !isLost && (seed === 1 || task !== 0)
  })
}

const summary = aggregate(halves())
const [table] = byKind.tables(summary, 'pooled')
const changes = table!.rows.map(({ kind, cells }) => ({ kind, ...cells[4] }))

describe('the table of kinds of tasks', () => {
  it('has the change of each kind with the task as the cluster', () => {
    expect(changes.map(({ value }) => value)).toEqual([-0.75, -0.75, -0.75, 0, 0, 0, -0.375])
    // Four tasks of which one does not change: almost no evidence about other tasks.
    const { low, high } = meanBounds([-1, -1, -1, 0], 0.025)
    expect(changes[0]).toMatchObject({ low, high })
    expect(summary.groups.at(-1)!.kinds![0]!.coverage).toEqual({ valid: 8, planned: 8 })
  })
})

const difficulties = ['easy', undefined, 'hard', 'easy', 'hard', 'easy'] as const
/** By task: outcome at seed 1 and at seed 2; `x` broke. Every failure has a progress of 0.25, every success of 0.75. */
const outcomes = ['11', '11', '00', '10', 'x0', '00']

function gradedRun(): StoredRun {
  const plan = smallPlan(6, ['none'], { seeds: [1, 2] })
  const [household] = plan.environments
  const tasks = household!.tasks.map((task, place) => {
    const difficulty = difficulties[place]
    return { ...task, ...(difficulty && { difficulty }) }
  })
  return makeRun({ ...plan, environments: [{ ...household!, tasks }] }, (at) => {
    const mark = outcomes[Number(at.task.slice(5))]![at.seed - 1]!
    if (mark === 'x') return makeRow(at, 'model-error', 0)
    return mark === '1' ? makeRow(at, 'success', 0.75) : makeRow(at, 'step-limit', 0.25)
  })
}

describe('the table by difficulty', () => {
  it('has the mean over the tasks of each split, and leaves out tasks of unknown difficulty', () => {
    const [table] = partOf(byKind, ['difficulty']).tables(aggregate(gradedRun()), 'pooled')
    expect(textsOf(table!)).toEqual([
      ['m', 'none', '50.0 [6.7, 93.3]', '50.0 [13.3, 86.7]', '6/6', '0.0 [0.0, 84.2]', '25.0 [4.0, 88.1]', '3/4'],
    ])
    expect(table!.notes.join(' ')).toContain('on 3 easy tasks and 2 hard tasks.')
    expect(table!.notes).toContain('1 task of unknown difficulty left out.')
  })
})
