import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import behaviour from '../../reports/tables/behaviour.js'
import { cellText, columnsOf } from '../../src/tables/table.js'
import type { WordingSums } from '../../src/results/episode-row.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makeRow, makeRun, smallPlan } from './fixture.js'
import { partOf } from './part.js'

const preference = partOf(behaviour, ['measure'], ['Said', 'Wordings'])

/**
 * By task: the means of an episode at seed 1 and at seed 2; the number of two steps that prefer the present wording.
 */
const tasks: readonly (readonly [present: number, original: number, preferred: number])[][] = [
  [
    [-1, -2, 2],
    [-1, -3, 2],
  ],
  [
    [-2, -1, 0],
    [-2, -1, 0],
  ],
  [
    [-1.5, -2, 1],
    [-1, -2, 2],
  ],
]

function runOf(wordings: boolean, logprobs = true): StoredRun {
  const models = [{ name: 'm', settings: { logprobs: 'top' } }]
  const plan = smallPlan(4, ['none', 'babyai-1'], { models, seeds: [1, 2] })
  return makeRun(plan, (at) => {
    if (!logprobs) return makeRow(at, 'failure', 0)
    const actionTokens = { tokens: 10, sum: -4 - at.seed }
    const [present, original, preferred] = tasks[Number(at.task.slice(5))]?.[at.seed - 1] ?? [0, 0, 0]
    const scored = present === 0 ? 0 : 2
    const sums: WordingSums = {
      steps: 5,
      asked: 3,
      scored,
      preferred,
      present: 2 * present,
      original: 2 * original,
    }
    return makeRow(at, 'failure', 0, {
      actionTokens,
      ...(wordings && at.condition !== 'none' && { wordings: sums }),
    })
  })
}

const shown = (run: StoredRun): unknown =>
  preference.tables(aggregate(run), 'pooled').map((table) => {
    const columns = columnsOf(table)
    return table.rows.map(({ heads, cells }) => [...heads, ...cells.map((cell, at) => cellText(cell, columns[at]!))])
  })

describe('the preference between wordings', () => {
  it('is a mean over tasks with its interval over tasks, and reports how many steps were scored', () => {
    // Differences by task: (1 + 2)/2, −1, (0.5 + 1)/2; t with 2 degrees of freedom. Shares: 1, 0, 0.75.
    expect(shown(runOf(true))).toEqual([
      [
        ['m', 'none', '-0.55', '–', '–', '–', '–', '0', '0/0'],
        ['m', 'babyai-1', '-0.55', '-1.42', '-1.83', '0.42 [-2.77, 3.60]', '58.3 [8.2, 95.2]', '40', '12/24'],
      ],
    ])
    const notes = preference.tables(aggregate(runOf(true)), 'pooled')[0]!.notes.join(' ')
    expect(notes).toContain('m: only the first token in which the wordings differ is compared')
  })
})
