import { findGroup } from '../../src/results/find.js'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { allTables } from '../../reports/tables/index.js'
import changes from '../../reports/tables/changes.js'
import { hashOf } from '../../src/core/episode.js'
import type { PlannedModel } from '../../src/run/plan.js'
import { createRandom } from '../../src/core/random.js'
import { atTemperatures } from '../../src/run/selection.js'
import { type Table, columnsOf } from '../../src/tables/table.js'
import { changedDose, makePlan, makeRow, makeRun, noDose, smallPlan } from './fixture.js'
import { partOf } from './part.js'

const profile = partOf(changes, ['family', 'part'])

const differences = partOf(changes, ['condition'])

/** The value of a cell: by the label of its row, or of its condition. */
function valueIn([table]: readonly Table[], metric: string, label: string): number | undefined {
  const row = table!.rows.find((one) => one.label === label) ?? table!.rows.at(-1)!
  const place = columnsOf(table!).findIndex((one) => one.metric === metric && (one.label ?? label) === label)
  return row.cells[place]?.value
}

describe('a condition that touches what goes wrong', () => {
  const conditions = ['none', 'placebo', 'a', 'b']
  const plan = smallPlan(60, conditions, { models: ['m', 'n'] })
  /** Solved by luck alone; `a` touches what failed, and `b` nothing. */
  const run = makeRun(plan, (at) => {
    const isSolved = createRandom(`${at.model} ${at.condition} ${at.task}`).next() < 0.5
    const row = makeRow(at, isSolved ? 'success' : 'failure', isSolved ? 1 : 0, { touched: isSolved ? 0 : 2 })
    if (at.condition === 'none') return row
    return { ...row, dose: at.condition === 'a' && !isSolved ? changedDose : noDose }
  })
  const summary = aggregate(run)
  const rateOf = (model: string, condition: string): number =>
    findGroup(summary, 'household', model, 'act', condition)!.pooled.success.mean!

  it.each(['m', 'n'])('is compared on every task, and has one value everywhere: %s', (model) => {
    const change = rateOf(model, 'a') - rateOf(model, 'none')
    const group = findGroup(summary, 'household', model, 'act', 'a')!
    const family = summary.profiles.find((one) => one.model === model)!.families.find((one) => one.family === 'a')!
    expect(group.pooled.difference!.success).toMatchObject({ tasks: 60, mean: expect.closeTo(change, 12) })
    expect(family.success).toMatchObject({ tasks: 60, mean: expect.closeTo(change, 12) })
    const tasks = group.tasks.successes.filter((solved) => solved === 0).length
    expect(group.pooled.difference!.touched).toEqual({ tasks, of: 60, steps: expect.closeTo(tasks / 300, 12) })
    expect(valueIn(differences.tables(summary, 'pooled'), 'touched-tasks', 'a')).toBeLessThan(1)
    expect(valueIn(profile.tables(summary, 'pooled'), 'touched-steps', 'a')).toBeLessThan(0.2)
  })
})

describe('the share that was touched', () => {
  const plan = smallPlan(8, ['none', 'placebo', 'a', 'a:draw=2', 'b:intensity=0.5', 'b'], {
    models: [1, 2].map((step) => ({ name: `m-${String(step)}`, settings: {}, checkpoint: { series: 'm', step } })),
  })
  const conditions = plan.conditions.map((condition) => ({
    ...condition,
    perturbations: condition.perturbations.map((one) => ({
      ...one,
      ...(one.name === 'b' && { intensity: one.intensity ?? 1 }),
      ...(one.promise !== 'identity' && { touches: 'observation' as const, keepsMeaning: true }),
    })),
  }))
  /** The first two tasks are touched, in three of their ten steps. */
  const run = makeRun({ ...plan, conditions }, (at) => {
    const isTouched = Number(at.task.slice(5)) < 2 && at.condition !== 'none'
    const row = makeRow(at, at.condition === 'a' ? 'failure' : 'success', 1, { touched: isTouched ? 3 : 0 })
    return at.condition === 'none' ? row : { ...row, dose: isTouched ? changedDose : noDose }
  })
  const summary = aggregate(run)

  it('stands beside the change of a condition in every table', () => {
    const told = allTables(summary, 'pooled').filter((table) => {
      const shown = columnsOf(table)
      const changes = shown.filter(({ metric }) => /^(success|progress|kept-success)-(change|slope)$/.test(metric))
      for (const { label } of changes)
        for (const row of table.rows) {
          const shares = shown.flatMap((one, place) =>
            /^(kept-)?touched/.test(one.metric) && one.label === label ? [row.cells[place]!.value] : [],
          )
          const isControl = (label ?? row.label) === 'placebo'
          if (isControl) expect(shares.filter((share) => share !== undefined)).toEqual([])
          else expect(shares, table.by).toEqual([0.25, expect.closeTo(0.075, 12)])
        }
      return changes.length > 0
    })
    const parts = ['primary', 'family', 'part', 'condition', 'draws', 'checkpoint', 'dose']
    expect(told.map(({ by }) => by)).toEqual(parts)
  })
})

describe('the row of all temperatures', () => {
  /** Solved tasks of ten by temperature, every seed alike but the last task of the second seed of `nearly`. */
  const solved: Readonly<Record<string, readonly [number, number]>> = { copies: [9, 5], nearly: [8, 4] }
  const models: readonly PlannedModel[] = Object.keys(solved).map((name) => ({ name, settings: {} }))
  const served: PlannedModel = { name: 'served', settings: {}, seedsAtZero: 1 }
  const plan = makePlan({
    environments: [{ name: 'household', tasks: 10 }],
    models: [...models, served],
    conditions: ['none', 'a', 'b'],
    seeds: [1, 2, 3, 4],
  })
  const run = makeRun(plan, (at) => {
    if (at.model === 'served' && at.temperature === 0 && at.seed > 1) return undefined
    const [atZero, atOne] = solved[at.model] ?? [9, 5]
    const isSolved = Number(at.task.slice(5)) < (at.temperature === 0 ? atZero : atOne)
    const row = makeRow(at, isSolved ? 'success' : 'failure', isSolved ? 1 : 0)
    // At temperature 0 seeds are copies, except for the text of one episode.
    const seed = at.temperature === 0 && !(at.condition === 'a' && at.seed === 2 && at.task === 'task-3') ? 1 : at.seed
    return { ...row, trace: hashOf([at.task, at.condition, at.temperature, seed], 12) }
  })
  const summary = aggregate(run)

  it.each([
    ['copies', 0.7],
    ['nearly', 0.6],
    ['served', 0.7],
  ])('is the mean of the means at each, however many seeds are copies or were planned: %s', (model, mean) => {
    for (const condition of ['none', 'a', 'b']) {
      const { pooled, temperatures } = findGroup(summary, 'household', model, 'act', condition)!
      expect(pooled.success.mean).toBeCloseTo(mean, 12)
      expect(pooled.success.mean).toBeCloseTo(temperatures.reduce((sum, { success }) => sum + success.mean!, 0) / 2, 12)
      expect(pooled.behaviour.perEpisode!.steps).toBe(10)
      if (condition === 'none') continue
      expect(pooled.difference!.success.mean).toBeCloseTo(0, 12)
    }
    const profiled = summary.profiles.find((one) => one.model === model)!.families
    for (const { success } of profiled)
      expect([success.clean, success.perturbed]).toEqual([expect.closeTo(mean, 12), expect.closeTo(mean, 12)])
    const places = summary.rankings.filter(({ metric }) => metric === 'success')
    for (const { entries } of places) expect(entries.find((one) => one.model === model)!.mean).toBeCloseTo(mean, 12)
  })

  it('is of some temperatures alone where they are chosen', () => {
    const part = aggregate(atTemperatures({ ...run }, ['0']))
    expect(part.temperatures).toEqual([0])
    expect(part.strays).toBe(0)
    expect(findGroup(part, 'household', 'copies', 'act', 'a')!.pooled.success.mean).toBeCloseTo(0.9, 12)
    expect(() => atTemperatures({ ...run }, ['0.5'])).toThrow(
      /^--temperatures: expected some of those that the run has \(0, 1\), got '0.5'/,
    )
  })
})

describe('missing episodes', () => {
  const plan = smallPlan(10, ['none', 'a'])
  const withMissing = (missing: number, isOfThese = (condition: string) => condition !== 'none') =>
    aggregate(
      makeRun(plan, (at) => {
        const isMissing = isOfThese(at.condition) && Number(at.task.slice(5)) < missing
        return isMissing ? { ...makeRow(at, 'model-error', 0), error: 'refused' } : makeRow(at, 'success', 1)
      }),
    )

  it('bound each change by everything that they may have been', () => {
    const broken = withMissing(2)
    const { groups, profiles } = broken
    const { success } = groups[1]!.pooled.difference!
    expect(success.mean).toBe(0)
    expect(success.worstCase!.low).toBeLessThan(-0.2)
    expect(success.worstCase!.low).toBeLessThan(success.interval!.low)
    // The clean twin succeeded, so that nothing can be gained.
    expect(success.worstCase!.high).toBeLessThanOrEqual(success.interval!.high)
    expect(profiles[0]!.families[0]!.success.worstCase).toEqual(success.worstCase)
    const [table] = differences.tables(broken, 'pooled')
    expect(columnsOf(table!).map(({ metric }) => metric)).toContain('success-change-if-missing')
    // Where both are missing, the task may be lost or gained: the bounds mirror each other.
    const { worstCase } = withMissing(2, () => true).groups[1]!.pooled.difference!.success
    expect(worstCase!.low).toBeCloseTo(success.worstCase!.low, 12)
    expect(worstCase!.high).toBeCloseTo(-worstCase!.low, 12)
    expect(withMissing(0).groups[1]!.pooled.difference!.success).not.toHaveProperty('worstCase')
  })
})
