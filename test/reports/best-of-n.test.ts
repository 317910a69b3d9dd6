import { describe, expect, it } from 'vitest'
import behaviour from '../../reports/tables/behaviour.js'
import { aggregate } from '../../src/results/aggregate.js'
import { columnsOf } from '../../src/tables/table.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import type { StoredRun } from '../../src/run/plan.js'
import { makeRow, makeRun, smallPlan } from './fixture.js'
import { partOf } from './part.js'

const bestOfN = partOf(behaviour, ['measure'], ['Tries'])

/** Successes of four tasks by seed: 1 success, 0 failure, x broken, - not played. */
function runOf(byTask: readonly string[], temperatures: readonly number[] = [1]): StoredRun {
  const seeds = Array.from(byTask[0]!, (_, index) => index + 1)
  const plan = smallPlan(byTask.length, ['none'], { temperatures, seeds })
  return makeRun(plan, (at): EpisodeRow | undefined => {
    const mark = byTask[Number(at.task.slice(5))]![at.seed - 1]!
    if (mark === '-') return undefined
    if (mark === 'x') return makeRow(at, 'model-error', 0)
    return mark === '1' ? makeRow(at, 'success', 1) : makeRow(at, 'step-limit', at.seed / 10)
  })
}

const tablesOf = (run: StoredRun) => bestOfN.tables(aggregate(run), 'each-temperature')

/** Figures of the first row by metric. */
function figures(run: StoredRun): Record<string, number | undefined> {
  const [table] = tablesOf(run)
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
