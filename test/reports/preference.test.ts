import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import type { WordingChoices } from '../../src/results/episode-row.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun, smallPlan } from './fixture.js'
import { partOf, textsOf } from './part.js'
import behaviour from '../../reports/tables/behaviour.js'

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

const models = [{ name: 'm', settings: { logprobs: 'top' } }]
const scoredRun = makeRun(smallPlan(4, ['none', 'babyai-1'], { models, seeds: [1, 2] }), (at) => {
  const actionTokens = { tokens: 10, sum: -4 - at.seed }
  const [present, original, preferred] = tasks[Number(at.task.slice(5))]?.[at.seed - 1] ?? [0, 0, 0]
  const scored = present === 0 ? 0 : 2
  const wordings = { steps: 5, asked: 3, scored, preferred, present: 2 * present, original: 2 * original }
  return makeRow(at, 'failure', 0, { actionTokens, ...(at.condition !== 'none' && { wordings }) })
})

describe('the preference between wordings', () => {
  it('is a mean over tasks with its interval over tasks, and reports how many steps were scored', () => {
    // Differences by task: (1 + 2)/2, −1, (0.5 + 1)/2; t with 2 degrees of freedom. Shares: 1, 0, 0.75.
    const [table] = preference.tables(aggregate(scoredRun), 'pooled')
    expect(textsOf(table!)).toEqual([
      ['m', 'none', '-0.55', '–', '–', '–', '–', '0', '0/0'],
      ['m', 'babyai-1', '-0.55', '-1.42', '-1.83', '0.42 [-2.77, 3.60]', '58.3 [8.2, 95.2]', '40', '12/24'],
    ])
    expect(table!.notes.join(' ')).toContain('m: only the first token in which the wordings differ is compared')
  })
})

const interfaceReliance = partOf(behaviour, ['measure'], ['Alias'])

type Choose = (first: WordingChoices['first'], task: number) => Omit<WordingChoices, 'first'>

const chosen = (original: number, alias: number, mixed = 0) => ({ original, alias, mixed })
const takesOriginal: Choose = () => chosen(4, 0)
const takesFirst: Choose = (first) => (first === 'original' ? chosen(3, 0) : chosen(0, 5))

/** Four tasks under a condition in mode `alias`, with the order of the testbed: parity of task and seed. */
function runOf(choose: Choose): StoredRun {
  const plan = makePlan({ conditions: ['none', 'alias'], models: ['m'], temperatures: [0], seeds: [1, 2] })
  return makeRun(plan, (at) => {
    const task = Number(at.task.slice(5))
    const first = (task + at.seed) % 2 === 0 ? 'original' : 'alias'
    const choices = at.condition === 'alias' ? { choices: { first, ...choose(first, task) } as const } : {}
    return makeRow(at, 'failure', task / 10, choices)
  })
}

const shown = (run: StoredRun) => interfaceReliance.tables(aggregate(run), 'pooled').flatMap(textsOf)

// With n equal clusters x the bounds are x·0.025^(1/n) and 1 − (1 − x)·0.025^(1/n).
describe('interface reliance', () => {
  it.each<[what: string, choose: Choose, cells: readonly string[]]>([
    [
      'is 100 for a model that keeps to the original wording',
      takesOriginal,
      ['100.0', '100.0', '100.0 [39.8, 100.0]', '0.0 [-30.1, 30.1]', '32'],
    ],
    [
      'is 50 with an order bias of 50 for a model that takes the first listed',
      takesFirst,
      ['100.0', '0.0', '50.0 [19.9, 80.1]', '50.0 [-10.2, 50.0]', '32'],
    ],
    [
      'counts an action that mixes both half for each, and an episode once however long',
      (first, task) => (task === 0 ? chosen(100, 0) : first === 'original' ? chosen(1, 0, 1) : chosen(0, 0, 2)),
      ['81.3', '62.5', '71.9 [28.0, 92.7]', '9.4 [-26.5, 34.0]', '212'],
    ],
    [
      'leaves out what has no choice',
      (_, task) => (task === 0 ? chosen(1, 1) : chosen(0, 0)),
      ['50.0', '50.0', '50.0 [1.3, 98.8]', '0.0 [-48.8, 48.8]', '4'],
    ],
  ])('%s', (_, choose, cells) => {
    const run = runOf(choose)
    expect(shown(run)).toEqual([['m', 'alias', ...cells]])
    expect(shown({ ...run, rows: [...run.rows].reverse() })).toEqual([['m', 'alias', ...cells]])
  })
})
