import { describe, expect, it } from 'vitest'
import { allTables } from '../../reports/tables/index.js'
import { type Aggregate, aggregate } from '../../src/results/aggregate.js'
import { deviationOfDraws } from '../../src/results/combined-scores.js'
import { columnsOf } from '../../src/tables/table.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import { hashOf } from '../../src/core/episode.js'
import type { PlannedModel, StoredRun } from '../../src/run/plan.js'
import { createRandom } from '../../src/core/random.js'
import { makePlan, makeRow, makeRun } from './fixture.js'
import { cellText } from './part.js'

const conditions = ['none', 'placebo', 'agentrefine-1']
const server: PlannedModel = { name: 'm', settings: {} }

/** Twelve tasks; at temperature 0 each seed equals the first, unless `play` gives something else. */
function served(
  { temperatures = [0], model = server }: { temperatures?: readonly number[]; model?: PlannedModel } = {},
  change: (row: EpisodeRow) => EpisodeRow = (row) => row,
): StoredRun {
  const plan = makePlan({ environments: [{ name: 'household', tasks: 12 }], models: [model], conditions, temperatures })
  return makeRun(plan, (at) => {
    if (at.temperature === 0 && at.seed > (model.seedsAtZero ?? Infinity)) return undefined
    const seed = at.temperature === 0 ? 1 : at.seed
    const isWon =
      createRandom(`${at.task} ${at.condition} ${String(seed)}`).next() < (at.condition === 'none' ? 0.8 : 0.5)
    const row = makeRow(at, isWon ? 'success' : 'step-limit', isWon ? 1 : 0.25)
    return change({ ...row, trace: hashOf([at.task, at.condition, at.temperature, seed], 12) })
  })
}

/** Whether it counts episodes. */
const isLeftOut = (metric: string) => /^coverage$|drop-rate$/.test(metric)

/** The whole report except for the number of episodes and the plan. */
const figuresOf = (summary: Aggregate) =>
  allTables(summary, 'each-temperature').map((table) => {
    const shown = columnsOf(table)
    const rows = table.rows.map(
      ({ heads, cells }) =>
        cells.map((cell, place) => (isLeftOut(shown[place]!.metric) ? '' : cellText(cell, shown[place]!))).join(' ') +
        heads.join(' '),
    )
    return [table.by ?? table.name, ...rows]
  })

describe('seeds with equal episodes', () => {
  const summary = aggregate(served())

  it('count as one run: no deviation, no spread, no tries', () => {
    for (const { runs, pooled, temperatures } of summary.groups) {
      expect(runs.map(({ copyOf }) => copyOf)).toEqual([undefined, 1, 1])
      expect(pooled.success.runs).toBe(1)
      expect(pooled.success.deviation).toBeUndefined()
      expect(temperatures[0]!.trials).toBeUndefined()
      expect(pooled.coverage).toEqual({ valid: 36, planned: 36 })
    }
    expect(deviationOfDraws(summary.groups.slice(1, 3), 'success')).toBeUndefined()
    const metrics = allTables(summary, 'pooled').flatMap((table) => columnsOf(table).map(({ metric }) => metric))
    expect(metrics.filter((metric) => metric.startsWith('pass-'))).toEqual([])
  })

  it.each([[[0]], [[0, 1]]])(
    'give the figures of one seed that was played once, at temperatures %j',
    (temperatures) => {
      const all = aggregate(served({ temperatures }))
      const first = aggregate(served({ temperatures, model: { ...server, seedsAtZero: 1 } }))
      expect(figuresOf(all)).toEqual(figuresOf(first))
    },
  )

  it.each([
    [
      'a single reply is another one',
      (row: EpisodeRow) => (row.task === 'task-7' && row.seed === 2 ? { ...row, trace: '000000000000' } : row),
    ],
    [
      'an episode is missing',
      (row: EpisodeRow): EpisodeRow =>
        row.task === 'task-7' && row.seed === 2 ? { ...row, outcome: 'model-error', progress: 0 } : row,
    ],
  ])('are not detected if %s', (_, change) => {
    const { groups, omitted } = aggregate(served({}, change))
    expect(groups[0]!.runs.map(({ copyOf }) => copyOf)).toEqual([undefined, undefined, 1])
    expect(groups[0]!.pooled.success.runs).toBe(2)
    expect(omitted.join(' ')).toContain('the 3 runs are 2 distinct runs')
  })
})
