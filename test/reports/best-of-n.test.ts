import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { columnsOf } from '../../src/tables/table.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun, smallPlan } from './fixture.js'
import { partOf } from './part.js'
import { aggregateSchema } from '../../src/results/schema.js'
import { findAgent } from '../../src/agents/index.js'
import behaviour from '../../reports/tables/behaviour.js'

const bestOfN = partOf(behaviour, ['measure'], ['Tries'])

/** Successes of tasks by seed: 1 success, 0 failure, x broken. */
function runOf(byTask: readonly string[]): StoredRun {
  const seeds = Array.from(byTask[0]!, (_, index) => index + 1)
  return makeRun(smallPlan(byTask.length, ['none'], { seeds }), (at) => {
    const mark = byTask[Number(at.task.slice(5))]![at.seed - 1]!
    if (mark === 'x') return makeRow(at, 'model-error', 0)
    return mark === '1' ? makeRow(at, 'success', 1) : makeRow(at, 'step-limit', at.seed / 10)
  })
}

/** Figures of the first row by metric. */
function figures(run: StoredRun): Record<string, number | undefined> {
  const [table] = bestOfN.tables(aggregate(run), 'each-temperature')
  return Object.fromEntries(columnsOf(table!).map(({ metric }, place) => [metric, table!.rows[0]!.cells[place]!.value]))
}

describe('best of n', () => {
  it('takes the best of the seeds for success and for progress, task by task', () => {
    const shown = figures(runOf(['1000', '0000', '1111', '0110']))
    expect(shown['best-success']).toBe(0.75)
    expect(shown['best-progress']).toBeCloseTo((1 + 0.4 + 1 + 1) / 4, 12)
    expect(shown['fewest-tries']).toBe(4)
  })

  it('gives the success probability of k tries, for every k that all tasks have', () => {
    const shown = figures(runOf(['1000', '0000', '1111', '0110']))
    expect(shown['pass-at-1']).toBeCloseTo(7 / 16, 12)
    expect(shown['pass-hat-1']).toBeCloseTo(7 / 16, 12)
    expect(shown['pass-at-2']).toBeCloseTo((0.5 + 0 + 1 + 5 / 6) / 4, 12)
    expect(shown['pass-hat-2']).toBeCloseTo((0 + 0 + 1 + 1 / 6) / 4, 12)
    expect(Object.keys(shown)).not.toContain('pass-at-5')
    expect(figures(runOf(['1xxx', '0000']))['pass-at-2']).toBeUndefined()
  })
})

const specs = ['act', 'reflexion:trials=3', 'best-of-n:n=2:agent=react']
const rounds: readonly (readonly number[])[] = [[1], [0.5, 0.25, 0.5], [0.25, 1], [0.5, 0.75, 0]]

/** Four tasks; the trials of each are given. */
function triedRun(): StoredRun {
  const plan = makePlan({ agents: specs, models: ['m'], conditions: ['none'], temperatures: [1], seeds: [1] })
  const named = plan.agents.map(({ name }) => ({ name, settings: findAgent(name).settings }))
  return makeRun({ ...plan, agents: named }, (at) => {
    const trials = rounds[Number(at.task.slice(5))]!
    const progress =
      at.agent === 'act' ? trials[0]! : at.agent.startsWith('best') ? Math.max(...trials) : trials.at(-1)!
    const row = makeRow(at, progress === 1 ? 'success' : 'step-limit', progress)
    return at.agent === 'act' ? row : { ...row, trials }
  })
}

describe('a report on agents with several trials', () => {
  it('has mean numbers of trials, and the mean progress of the first, last and best', () => {
    const summary = aggregate(triedRun())
    const of = (agent: string) => summary.groups.find((group) => group.agent === agent)!.pooled
    expect(of('act').behaviour).not.toHaveProperty('ownTrials')
    expect(of('reflexion:trials=3').behaviour.ownTrials).toEqual({
      taken: 2.25,
      first: 0.5625,
      last: 0.625,
      best: 0.8125,
    })
    expect(of('reflexion:trials=3').progress.mean).toBe(0.625)
    expect(of('best-of-n:n=2:agent=react').progress.mean).toBe(0.8125)
    expect(aggregateSchema.parse(JSON.parse(JSON.stringify(summary)))).toEqual(summary)
  })
})
