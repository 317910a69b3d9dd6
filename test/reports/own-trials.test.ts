import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { aggregateSchema } from '../../src/results/schema.js'
import behaviour from '../../reports/tables/behaviour.js'
import main from '../../reports/tables/main.js'
import { findAgent } from '../../src/agents/index.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from './fixture.js'

const specs = ['act', 'reflexion:trials=3', 'best-of-n:n=2:agent=react']
const rounds: readonly (readonly number[])[] = [[1], [0.5, 0.25, 0.5], [0.25, 1], [0.5, 0.75, 0]]

/** Four tasks; the trials of each are given. */
function run(agents: readonly string[] = specs): StoredRun {
  const plan = makePlan({ agents, models: ['m'], columns: ['none'], temperatures: [1], seeds: [1] })
  const named = plan.agents.map(({ name }) => ({ name, settings: findAgent(name).settings }))
  return makeRun({ ...plan, agents: named }, (at) => {
    const trials = rounds[Number(at.task.slice(5))]!
    const progress =
      at.agent === 'act' ? trials[0]! : at.agent.startsWith('best') ? Math.max(...trials) : trials.at(-1)!
    const row = makeRow(at, progress === 1 ? 'success' : 'step-limit', progress)
    return at.agent === 'act' ? row : { ...row, trials }
  })
}

const text = (report: typeof main, of: StoredRun, file: string): string =>
  [...report.render(of)].find((one) => one.file === `tables/${file}`)!.text

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

  it('shows them in columns of their own, only if there are any', () => {
    const table = text(behaviour, run(), 'behaviour.md')
    expect(table).toContain('| Taken | First trial | Last trial | Best trial |')
    expect(table).toMatch(/\| m +\| reflexion:trials=3 \| none \| .* \| 2\.\d \| 56\.\d \| 62\.5 \| 81\.\d \|/)
    expect(text(behaviour, run(['act']), 'behaviour.md')).not.toContain('Trials')
    expect(text(behaviour, run(), 'behaviour.csv')).toContain('best-trial-progress')
  })

  it('describes the agents in its captions', () => {
    const caption = text(main, run(), 'main.md').replace(/\s+/g, ' ')
    expect(caption).toContain(
      'reflexion:trials=3: up to 3 trials at a task by the agent act, until one succeeds; after each failure the model writes a reflection, and the next trial shows it the last 3 reflections. Success and progress are those of the last trial;',
    )
    expect(caption).toContain('best-of-n:n=2:agent=react: up to 2 trials at a task by the agent react')
    expect(caption).toContain('Success and progress are those of the best trial')
    expect(text(main, run(['act']), 'main.md')).not.toContain('trial')
  })

  it('is the same for any order of rows', () => {
    const forth = run()
    const back = { ...forth, rows: [...forth.rows].reverse() }
    expect(text(behaviour, back, 'behaviour.md')).toBe(text(behaviour, forth, 'behaviour.md'))
  })
})
