import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Check, type CheckedCell, checkSchema } from '../../../src/results/gate/check.js'
import type { OutcomeCell } from '../../../src/results/compare/outcomes.js'
import { checkRun } from '../../../src/results/gate/check-run.js'
import { type Vectors, madeBaseline, madeCells, madeOutcomes, madePanel, solving, defaultRule } from './_made.js'

/** Checks cells of a run against those of a baseline. */
function checkCells(before: readonly OutcomeCell[], after: readonly OutcomeCell[], rule = defaultRule): Check {
  return checkRun(madeOutcomes(after), madeBaseline(madeOutcomes(before)), rule)
}

/** Checks one cell. */
const checkOne = (before: Vectors, after: Vectors, names?: Parameters<typeof madeCells>[1], rule = defaultRule) =>
  checkCells(madeCells(before), madeCells(after, names), rule)

const only = ({ cells }: Check): CheckedCell => {
  expect(cells).toHaveLength(1)
  return cells[0]!
}

describe('a check', () => {
  it('passes if the run is the baseline, with enough tasks for the margin, and never fails', () => {
    const sign = fc.constantFrom('1', '0')
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 130 }),
        fc.integer({ min: 1, max: 3 }),
        fc.infiniteStream(sign),
        fc.boolean(),
        (tasks, seeds, signs, hasGaps) => {
          const vectors = Array.from({ length: tasks }, (_, task) => [
            Array.from({ length: seeds }, (_, seed) =>
              hasGaps && (task + seed) % 5 === 0 ? 'x' : (signs.next().value as string),
            ).join(''),
          ])
          const result = checkOne(vectors, vectors, {}, { ...defaultRule, minCoverage: 0.1 })
          const { verdict, difference } = only(result)
          expect(result.code).not.toBe(1)
          const isWhole = vectors.every(([outcomes]) => !outcomes!.includes('x'))
          if (isWhole && tasks >= 60) expect(verdict).toBe('pass')
          if (difference) expect(difference.estimate).toBe(0)
          expect(checkSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result)
        },
      ),
      { numRuns: 15 },
    )
  })

  it.each<[string, Vectors, Vectors, string, number]>([
    ['nothing changed', solving(134, 100), solving(134, 100), 'pass', 0],
    ['a regression', solving(134, 100), solving(134, 70), 'fail', 1],
    ['a few tasks', solving(20, 10), solving(20, 9), 'inconclusive', 3],
  ])('judges %s', (_, before, after, verdict, code) => {
    const result = checkOne(before, after)
    expect(only(result).verdict).toBe(verdict)
    expect(result.code).toBe(code)
    expect(checkSchema.parse(result)).toEqual(result)
  })

  it('lists the state of each task', () => {
    const [before, after] = ['11 11 00 10 11 xx 11', '11 00 11 10 xx 11 xx'].map((text) =>
      text.split(' ').map((signs) => [signs]),
    )
    const result = checkOne(before!, after!, { broken: [0, 0, 0, 0, 2, 0, 0] })
    const cell = only(result)
    expect(cell.tasks.map(({ state }) => state).join()).toBe('kept,lost,gained,kept,broken,unknown,unknown')
    expect(cell.tasks[3]).toMatchObject({ baseline: { measured: 2, successes: 1 }, run: { measured: 2, successes: 1 } })
    expect(cell).toMatchObject({ pairs: 8, planned: 14, errors: 2, verdict: 'unknown', cause: 'coverage' })
    expect(cell.reason).toBe(
      'Of its planned episodes 85.7 % are measured in the baseline and 71.4 % in the run; each side needs 90.0 %. 2 episodes of the run ended in an error.',
    )
    expect(result.code).toBe(3)
  })

  it('does not pass without any task in its verdict', () => {
    const still = madeCells(solving(2, 1), { unchanged: true })
    const unchanged = checkCells(still, still)
    expect([only(unchanged).cause, unchanged.code]).toEqual(['unchanged', 3])
    expect(only(unchanged)).not.toHaveProperty('difference')
  })

  it('weighs temperatures alike, whatever the number of their seeds', () => {
    // Of 40 tasks 36 are solved at temperature 0, which has one seed, and 20 at 1, which has four.
    const vectors = (atZero: number, atOne: number): Vectors =>
      solving(40, atZero).map(([sign], task) => [sign!, (task < atOne ? '1' : '0').repeat(4)])
    const cell = only(checkOne(vectors(36, 20), vectors(36, 10)))
    expect(cell.difference!.baseline).toBeCloseTo(0.7, 12)
    expect(cell.difference!.run).toBeCloseTo((0.9 + 0.25) / 2, 12)
  })

  it('names cells that are missing, new, or of a changed condition', () => {
    const vectors = solving(134, 100)
    const side = (...conditions: string[]) => conditions.flatMap((condition) => madeCells(vectors, { condition }))
    const before = madeOutcomes([...side('none', 'gone'), ...madeCells(vectors, { condition: 'other' })])
    const other = madeCells(vectors, { condition: 'other', perturbations: 'd'.repeat(12) })
    const after = madeOutcomes([...side('none', 'fresh'), ...other])
    const models = [{ name: 'reader', hash: 'f'.repeat(12) }]
    const result = checkRun({ ...after, settings: { ...after.settings, models } }, madeBaseline(before), defaultRule)
    expect(result.cells.map(({ condition, verdict, cause }) => [condition, verdict, cause])).toEqual([
      ['none', 'pass', undefined],
      ['other', 'unknown', 'changed'],
      ['gone', 'unknown', 'missing'],
      ['fresh', 'unknown', 'new'],
    ])
    expect(result.code).toBe(3)
    expect(result.notes).toContain('The settings of the model reader are not those of baselines/made.json.')
    expect(checkSchema.parse(result)).toEqual(result)
  })

  it('pairs the seeds that both have, notes the others, and does not judge without one', () => {
    const result = checkOne(solving(134, 100, 3), solving(134, 100, 2))
    expect(only(result)).toMatchObject({ verdict: 'pass', pairs: 134 * 2, planned: 134 * 2 })
    expect(result.notes).toEqual(['Only in baselines/made.json: seed 2.'])
    const others = madeCells(solving(134, 100, 2)).map((cell) => ({ ...cell, seeds: [7, 8] }))
    const none = checkCells(madeCells(solving(134, 100)), others)
    const reason = 'No temperature and seed is on both sides.'
    expect(only(none)).toMatchObject({ verdict: 'unknown', cause: 'unpaired', reason })
    expect(none.code).toBe(3)
    const warm = madeCells(solving(134, 100)).map((cell) => ({ ...cell, temperatures: [1] }))
    const apart = checkCells(madeCells(solving(134, 100)), warm)
    expect(only(apart)).toMatchObject({ cause: 'unpaired', reason })
    expect(apart.notes).toContain('Only in runs/made: temperature 1.')
  })

  it('checks the tasks that run and baseline have in common', () => {
    const baseline = madeBaseline(madeOutcomes(madeCells(solving(134, 100))))
    const ids = ['task-500', ...Array.from({ length: 139 }, (_, task) => `task-${String(task)}`)]
    const panels = [madePanel(140, { tasks: ids.map((id) => ({ id, hash: 'content' })) })]
    const after = madeOutcomes(madeCells([['x'], ...solving(139, 110)], { broken: [1] }), { panels })
    const result = checkRun(after, baseline, defaultRule)
    expect(only(result)).toMatchObject({ verdict: 'pass', pairs: 134, errors: 0 })
    expect(result.notes).toContain(
      'household: compared on the 134 tasks that both have; left out are 0 of baselines/made.json and 6 of runs/made (task-500, task-134, task-135, task-136, task-137 and 1 more).',
    )
  })

  it('is broken, not failed, if all episodes are errors', () => {
    const vectors = solving(10, 5)
    const missing = vectors.map(() => ['x'])
    const result = checkOne(vectors, missing, { broken: missing.map(() => 1) })
    const reason = 'All 10 episodes that were played ended in an error.'
    expect(only(result)).toMatchObject({ verdict: 'broken', cause: 'errors', reason })
    expect(result.code).toBe(4)
  })

  it('gives no verdict on an incomplete run', () => {
    const before = madeBaseline(madeOutcomes(madeCells(solving(134, 100))))
    const outcomes = madeOutcomes(madeCells(solving(134, 60)))
    const result = checkRun(outcomes, before, defaultRule, 'The run was stopped.')
    expect(result).toMatchObject({ verdict: 'broken', code: 4, judged: 0, cells: [] })
    expect(result.reasons).toEqual(['The run was stopped.'])
    expect(checkSchema.parse(result)).toEqual(result)
  })

  it('can judge progress', () => {
    const shift = (by: number) =>
      madeCells(solving(134, 0, 3)).map((cell) => {
        const progress = cell.played.progress.map((_, slot) => {
          const [task, seed] = [slot % 134, Math.floor(slot / 134)]
          return 0.5 + (by * (1 + (task % 3))) / 2 + (((task * 7 + seed * 3) % 10) - 5) / 100
        })
        return { ...cell, played: { ...cell.played, progress } }
      })
    const rule = { ...defaultRule, metric: 'progress' as const }
    const far = only(checkCells(shift(0), shift(-0.2), rule))
    expect(far.verdict).toBe('fail')
    expect(far.tasks.every(({ state }) => state === 'lost')).toBe(true)
    const near = only(checkCells(shift(0), shift(-0.04), { ...rule, margin: 0.1 }))
    expect(near).toMatchObject({ verdict: 'pass', moved: 'worse' })
    expect(near.tasks.some(({ state }) => state === 'lost')).toBe(false)
    expect(only(checkCells(shift(0), shift(-0.2)))).toMatchObject({ verdict: 'pass' })
  })

  it('refuses other limits, and reports the difference', () => {
    const before = madeOutcomes(madeCells(solving(3, 1)))
    const baseline = madeBaseline(before)
    const check = (limits: Partial<typeof before.settings>) => () =>
      checkRun({ ...before, settings: { ...before.settings, ...limits } }, baseline, defaultRule)
    expect(check({ stepLimit: 40 })).toThrow(
      'Expected at most 30 steps an episode, as in the baseline, but the run was played with 40. Play it again with the limit of the baseline, or update the baseline.',
    )
    expect(check({ maxTokens: 99 })).toThrow(/^Expected at most 100 tokens a reply/)
  })
})
