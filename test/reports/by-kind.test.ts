import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import byKind from '../../reports/tables/by-kind.js'
import { meanBounds } from '../../src/statistics/mean-bounds.js'
import type { StoredRun } from '../../src/run/plan.js'
import { playTasks, smallPlan } from './fixture.js'

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
    expect(summary.groups.at(-1)!.kinds![0]!.difference!.pairs).toBe(8)
  })
})
