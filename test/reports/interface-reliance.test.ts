import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import behaviour from '../../reports/tables/behaviour.js'
import { cellText, columnsOf } from '../../src/tables/table.js'
import type { WordingChoices } from '../../src/results/episode-row.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'
import { partOf } from './part.js'

const interfaceReliance = partOf(behaviour, ['measure'], ['Alias'])

type Choose = (first: WordingChoices['first'], task: number) => Omit<WordingChoices, 'first'>

const chosen = (original: number, alias: number, mixed = 0) => ({ original, alias, mixed })
const takesOriginal: Choose = () => chosen(4, 0)
const takesFirst: Choose = (first) => (first === 'original' ? chosen(3, 0) : chosen(0, 5))

/** Four tasks under a condition in mode `alias`, with the order of the testbed: parity of task and seed. */
function runOf(seeds: readonly number[], choose: Choose | undefined): StoredRun {
  const plan = makePlan({ conditions: ['none', 'alias'], models: ['m'], temperatures: [0], seeds })
  return makeRun(plan, (at) => {
    const task = Number(at.task.slice(5))
    const first = (task + at.seed) % 2 === 0 ? 'original' : 'alias'
    const choices = choose && at.condition === 'alias' ? { choices: { first, ...choose(first, task) } as const } : {}
    return makeRow(at, 'failure', task / 10, choices)
  })
}

const shown = (run: StoredRun): readonly (readonly string[])[] =>
  interfaceReliance.tables(aggregate(run), 'pooled').flatMap((table) => {
    const columns = columnsOf(table)
    return table.rows.map(({ heads, cells }) => [...heads, ...cells.map((cell, at) => cellText(cell, columns[at]!))])
  })

// With n equal clusters x the bounds are x·0.025^(1/n) and 1 − (1 − x)·0.025^(1/n).
describe('interface reliance', () => {
  it.each<[what: string, seeds: readonly number[], choose: Choose, cells: readonly string[]]>([
    [
      'is 100 for a model that keeps to the original wording',
      [1, 2],
      takesOriginal,
      ['100.0', '100.0', '100.0 [39.8, 100.0]', '0.0 [-30.1, 30.1]', '32'],
    ],
    [
      'is 50 with an order bias of 50 for a model that takes the first listed',
      [1, 2],
      takesFirst,
      ['100.0', '0.0', '50.0 [19.9, 80.1]', '50.0 [-10.2, 50.0]', '32'],
    ],
    [
      'counts an action that mixes both half for each, and an episode once however long',
      [1, 2],
      (first, task) => (task === 0 ? chosen(100, 0) : first === 'original' ? chosen(1, 0, 1) : chosen(0, 0, 2)),
      ['81.3', '62.5', '71.9 [28.0, 92.7]', '9.4 [-26.5, 34.0]', '212'],
    ],
    [
      'leaves out what has no choice',
      [1, 2],
      (_, task) => (task === 0 ? chosen(1, 1) : chosen(0, 0)),
      ['50.0', '50.0', '50.0 [1.3, 98.8]', '0.0 [-48.8, 48.8]', '4'],
    ],
  ])('%s', (_, seeds, choose, cells) => {
    expect(shown(runOf(seeds, choose))).toEqual([['m', 'alias', ...cells]])
    const run = runOf(seeds, choose)
    expect(shown({ ...run, rows: [...run.rows].reverse() })).toEqual([['m', 'alias', ...cells]])
  })
})
