import { describe, expect, it } from 'vitest'
import { aggregate } from '../../src/results/aggregate.js'
import { compareActions } from '../../src/results/twins.js'
import { familiesOf } from '../../src/results/families.js'
import type { Touched } from '../../src/core/perturbation.js'
import type { StoredRun } from '../../src/run/plan.js'
import { digitRun, makeRow, makeRun, noDose, smallPlan } from './fixture.js'

const profileOf = (run: StoredRun) => aggregate(run).profiles[0]!.families

describe('families', () => {
  it('are conditions that differ in draw and intensity only', () => {
    const family = ['a', 'a:draw=2', 'a:intensity=0.5']
    const labels = ['none', ...family, 'a:message=empty', 'a+b:draw=2', 'a+b', 'a:intensity=0.5+b']
    const { conditions } = aggregate(digitRun(Object.fromEntries(labels.map((label) => [label, '1']))))
    expect(familiesOf(conditions).map((family) => [family.name, family.conditions.length])).toEqual([
      ['a', 3],
      ['a:message=empty', 1],
      ['a+b', 2],
      ['a:intensity=0.5+b', 1],
    ])
  })
})

describe('the robustness profile', () => {
  it('has a row for each family, the most harmful first and controls last', () => {
    const families = profileOf(
      digitRun({ none: '1111', placebo: '0000', mild: '1110', harsh: '1000', 'swapped-verbs': '1100', kind: '1111' }),
    )
    expect(families.map(({ family, success, adversarial }) => [family, success.mean, adversarial])).toEqual([
      ['harsh', -0.75, undefined],
      ['swapped-verbs', -0.5, true],
      ['mild', -0.25, undefined],
      ['kind', 0, undefined],
      ['placebo', -1, undefined],
    ])
    expect(families[0]).toMatchObject({ success: { clean: 1, perturbed: 0.25, tasks: 4 }, pairs: 4, planned: 4 })
    expect(families[0]!.tests!.success.holm).toBeGreaterThanOrEqual(families[0]!.tests!.success.p)
    expect(families.at(-1)!.tests!.success.holm).toBeUndefined()
  })

  it('takes the mean of a task over its draws, whether they changed it or not', () => {
    const conditions = { none: '1111', a: '1100', 'a:draw=2': '1010' }
    expect(profileOf(digitRun(conditions))[0]).toMatchObject({
      family: 'a',
      conditions: ['a', 'a:draw=2'],
      // By hand: 0, −½, −½, −1.
      success: { mean: -0.5, clean: 1, perturbed: 0.5, tasks: 4 },
      lowest: 'a',
      pairs: 8,
    })
    const untouched = digitRun(conditions, (row) => (row.condition === 'a:draw=2' ? { ...row, dose: noDose } : row))
    expect(profileOf(untouched)[0]).toMatchObject({ success: { mean: -0.5 }, touched: { tasks: 4 }, pairs: 8 })
  })

  it('compares the worst draw of each task with the worst of equally many clean repeats', () => {
    const draws = { none: '1111', a: '1100', 'a:draw=2': '1010' }
    const repeats = { 'clean-repeats': '1110', 'clean-repeats:draw=2': '1101', 'clean-repeats:draw=3': '1111' }
    const { worst } = profileOf(digitRun({ ...draws, ...repeats }))[0]!.success
    // By hand: worst draws 1, 0, 0, 0. Of three pairs of repeats, task 2 is lost in two, task 3 in two.
    expect(worst!.ofDraws).toBeCloseTo(1 / 4, 12)
    expect(worst!.ofClean).toBeCloseTo((1 + 1 + 1 / 3 + 1 / 3) / 4, 12)
    expect(worst!.difference.mean).toBeCloseTo(1 / 4 - 2 / 3, 12)
  })
})

describe('the actions of twins', () => {
  it.each([
    ['', '', 0, 1],
    ['aaabbb', 'aaabbb', 0, 3],
    ['aaabbb', 'aaaccc', 1 / 2, 2],
    // One is missing at the front: by place none is equal, by distance one of four differs.
    ['aaabbbcccddd', 'bbbcccddd', 1 / 4, 1],
    ['aaa', 'aaabbbcccddd', 3 / 4, 2],
    // Three characters are one action: aab, bcc and abb, ccc.
    ['aabbcc', 'abbccc', 1, 1],
  ])('of %j and %j are %d apart and differ at step %d', (one, other, distance, divergence) => {
    expect(compareActions(one, other)).toEqual({ distance, divergence })
    expect(compareActions(other, one)).toEqual({ distance, divergence })
  })

  const said: Readonly<Record<string, string>> = {
    ...{ none: 'aaabbb', a: 'aaaxxx', 'a:draw=2': 'yyyxxx' },
    ...{ 'clean-repeats': 'aaabbb', 'clean-repeats:draw=2': 'aaaccc' },
  }
  // The last task has rows that do not record their actions.
  const run = makeRun(smallPlan(12, Object.keys(said)), (at) => ({
    ...makeRow(at, 'failure', 0),
    ...(at.task !== 'task-11' && { actions: said[at.condition]! }),
  }))

  it.each([1, -1])('stand beside those of clean repeats, also where no task is solved (rows in order %d)', (order) => {
    const rows = order === 1 ? run.rows : [...run.rows].reverse()
    const [a, repeats] = profileOf({ ...run, rows })
    // By hand: distances 1/2 and 1, first steps 2 and 1; of the repeats 0 and 1/2, and 3 (never) and 2.
    expect(a!.paths!.distance).toMatchObject({ mean: 3 / 4, ofClean: 1 / 4, beyond: { mean: 1 / 2 } })
    expect(a!.paths!.divergence.mean).toBeCloseTo(1.5, 12)
    expect(a!.paths!.divergence.ofClean).toBeCloseTo(2.5, 12)
    expect(a!.paths!.divergence.beyond!.mean).toBeCloseTo(-1, 12)
    const { low, high } = a!.paths!.distance.beyond!.interval!
    expect(low).toBeGreaterThan(0)
    expect(high).toBeLessThan(1)
    expect(repeats!.paths!.distance.beyond).toBeUndefined()
  })
})

describe('surface and meaning', () => {
  /** Families with what they touch, whether they keep the meaning, their dose of forms, and the tasks that are won. */
  const told: Readonly<Record<string, readonly [Touched, boolean, number, string]>> = {
    synonyms: ['action', true, 9, '1110'],
    few: ['action', true, 2, '1111'],
    pseudo: ['action', false, 8, '1000'],
    huge: ['action', false, 90, '0000'],
    adversary: ['action', false, 9, '0000'],
    typos: ['observation', true, 5, '1100'],
  }
  const base = digitRun({
    none: '1111',
    ...Object.fromEntries(Object.entries(told).map(([name, [, , , won]]) => [name, won])),
  })
  const run: StoredRun = {
    plan: {
      ...base.plan,
      conditions: base.plan.conditions.map((condition) => {
        const [touches, keepsMeaning] = told[condition.label] ?? []
        const declared = touches && { touches, keepsMeaning: keepsMeaning! }
        return { ...condition, perturbations: condition.perturbations.map((one) => ({ ...one, ...declared })) }
      }),
    },
    rows: [...base.rows].map((row) => {
      const [touches, , amount = 0] = told[row.condition] ?? []
      const of = touches === 'action' ? { forms: amount } : { characters: amount * row.measures.steps }
      return { ...row, dose: { ...noDose, ...of } }
    }),
  }

  it('stand side by side for each part of the decision process', () => {
    const { parts } = aggregate(run).profiles[0]!
    expect(parts!.map(({ touches }) => touches)).toEqual(['observation', 'action'])
    const [observation, action] = parts!
    expect(observation!.kept).toMatchObject({ families: ['typos'], touched: { tasks: 4 }, success: { mean: -0.5 } })
    expect(observation).not.toHaveProperty('changed')
    // By hand: −¼ and 0; −¾ and −1; adversarial ones are in no group.
    expect(action!.kept).toMatchObject({ families: ['synonyms', 'few'], success: { mean: -1 / 8 } })
    expect(action!.changed).toMatchObject({ families: ['pseudo', 'huge'], success: { mean: -7 / 8 } })
  })
})
