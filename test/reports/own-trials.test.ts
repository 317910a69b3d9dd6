import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { aggregateSchema } from '../../src/results/schema.js'
import { findAgent } from '../../src/agents/index.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'

const specs = ['act', 'reflexion:trials=3', 'best-of-n:n=2:agent=react']
const rounds: readonly (readonly number[])[] = [[1], [0.5, 0.25, 0.5], [0.25, 1], [0.5, 0.75, 0]]

/** Four tasks; the trials of each are given. */
function run(agents: readonly string[] = specs): StoredRun {
  const plan = makePlan({ agents, models: ['m'], conditions: ['none'], temperatures: [1], seeds: [1] })
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
    const summary = aggregate(run())
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
