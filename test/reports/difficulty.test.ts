import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import byKind from '../../reports/tables/by-kind.js'
import { cellText, columnsOf } from '../../src/tables/table.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makeRow, makeRun, smallPlan } from './fixture.js'
import { partOf } from './part.js'

const difficulty = partOf(byKind, ['difficulty'])

const difficulties = ['easy', undefined, 'hard', 'easy', 'hard', 'easy'] as const
/** By task: outcome at seed 1 and at seed 2; `x` broke. Every failure has a progress of 0.25, every success of 0.75. */
const outcomes = ['11', '11', '00', '10', 'x0', '00']

function runOf(known: readonly ('easy' | 'hard' | undefined)[], measure?: string): StoredRun {
  const plan = smallPlan(6, ['none'], { seeds: [1, 2] })
  const [environment] = plan.environments
  const tasks = environment!.tasks.map((task, place) => ({
    ...task,
    ...(known[place] && { difficulty: known[place] }),
  }))
  const environments = [{ ...environment!, tasks, ...(measure !== undefined && { measure }) }]
  return makeRun({ ...plan, environments }, (at) => {
    const mark = outcomes[Number(at.task.slice(5))]![at.seed - 1]!
    if (mark === 'x') return makeRow(at, 'model-error', 0)
    return mark === '1' ? makeRow(at, 'success', 0.75) : makeRow(at, 'step-limit', 0.25)
  })
}

describe('the table by difficulty', () => {
  it('has the mean over the tasks of each split, and leaves out tasks of unknown difficulty', () => {
    const [table] = difficulty.tables(aggregate(runOf(difficulties)), 'pooled')
    const columns = columnsOf(table!)
    const shown = table!.rows.map(({ cells }) => cells.map((cell, place) => cellText(cell, columns[place]!)))
    expect(shown).toEqual([
      ['50.0 [6.7, 93.3]', '50.0 [13.3, 86.7]', '6/6', '0.0 [0.0, 84.2]', '25.0 [4.0, 88.1]', '3/4'],
    ])
    expect(table!.notes.join(' ')).toContain('on 3 easy tasks and 2 hard tasks.')
    expect(table!.notes).toContain('1 task of unknown difficulty left out.')
  })
})
