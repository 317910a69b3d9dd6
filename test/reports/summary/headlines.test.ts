import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
import { judge } from '../../../src/results/summary/verdict.js'
import type { EpisodeRow } from '../../../src/results/episode-row.js'
import type { Plan } from '../../../src/run/plan.js'
import { makePlan, noDose, playTasks } from '../fixture.js'

const tasks = 40
const planOf = (given: Parameters<typeof makePlan>[0]): Plan =>
  makePlan({ environments: [{ name: 'household', tasks }], temperatures: [0], seeds: [1], ...given })

/** The figures of a run in which `succeeds` decides each episode, by the number of its task from 0. */
function figuresOf(
  plan: Plan,
  succeeds: (at: EpisodeRow, task: number) => boolean,
  isUntouched: (at: EpisodeRow, task: number) => boolean = () => false,
) {
  const { rows } = playTasks(plan, succeeds)
  const isDone = (row: EpisodeRow): boolean => isUntouched(row, Number(row.task.split('-')[1]))
  return aggregate({ plan, rows: [...rows].map((row) => (isDone(row) ? { ...row, dose: noDose } : row)) })
}

/** Its headlines after that of the primary endpoint. */
function headlines(...of: Parameters<typeof figuresOf>): string[] {
  return figuresOf(...of)
    .headlines.filter(({ kind }) => kind !== 'primary')
    .map(({ kind, text }) => `${kind}: ${text}`)
}

const base = planOf({ conditions: ['none', 'words', 'order'], models: ['reader', 'parrot'] })
const isAny = (): boolean => true
const isParrotUnder = (at: EpisodeRow, ...conditions: readonly string[]): boolean =>
  at.model === 'parrot' && conditions.includes(at.condition)

describe('headlines', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    [
      'a drop, and a model without one',
      headlines(base, (at) => !isParrotUnder(at, 'words')),
      [
        'overall: 1 of 2 models is significantly worse under at least one of 2 families.',
        'worse: parrot falls from 100 to 0 under words.',
        'unclear: reader shows no significant drop under any of 2 families; a drop of more than 8.8 points is ruled out.',
      ],
    ],
    [
      'a drop on too few tasks to be significant',
      headlines(planOf({ conditions: ['none', 'words'], models: ['a'] }), ({ condition }, task) =>
        condition === 'none' ? true : task > 3,
      ),
      [
        'overall: a is not significantly worse under words.',
        'unclear: a shows no significant drop under words, but even a drop of 20.0 points is not ruled out; the largest seen is from 100 to 90 under words.',
      ],
    ],
    [
      'almost no success without perturbation',
      headlines(base, ({ model }, task) => model === 'parrot' && task === 0),
      [
        'overall: This run cannot show robustness.',
        'floor: reader never succeeds without perturbation, so this run cannot show its robustness.',
        'floor: parrot succeeds in only 2.5 % of episodes without perturbation, so this run cannot show its robustness.',
      ],
    ],
    [
      'a family that changed nothing, which is not held',
      headlines(base, isAny, (at) => at.condition === 'order'),
      [
        'overall: None of 2 models is significantly worse under words.',
        'unclear: reader and parrot show no significant drop under words; a drop of more than 8.8 points is ruled out.',
      ],
    ],
    [
      'a drop on some of the tasks',
      headlines(
        base,
        (at, task) => !isParrotUnder(at, 'words') || task >= 20,
        (at, task) => at.condition === 'words' && task >= 20,
      ),
      [
        'overall: 1 of 2 models is significantly worse under at least one of 2 families.',
        'worse: parrot falls from 100 to 50 under words (changed in 20 of 40 tasks).',
        'unclear: reader shows no significant drop under any of 2 families; a drop of more than 8.8 points is ruled out.',
      ],
    ],
    [
      'adversarial conditions, apart',
      headlines(
        planOf({ conditions: ['none', 'words', 'swapped-verbs'], models: ['a'] }),
        ({ condition }) => condition !== 'swapped-verbs',
      ),
      [
        'overall: a is not significantly worse under words.',
        'unclear: a shows no significant drop under words; a drop of more than 8.8 points is ruled out.',
        'worse: Adversarial, and in no count: a falls from 100 to 0 under swapped-verbs.',
      ],
    ],
  ])('name %s', (_, found, expected) => {
    expect(found).toEqual(expected)
  })

  it('name what a family changes at its first mention', () => {
    const [clean, words] = planOf({ conditions: ['none', 'words'] }).conditions
    const changed = { ...words!, perturbations: [{ ...words!.perturbations[0]!, summary: 'go to {x} → move to {x}' }] }
    const plan = { ...planOf({ models: ['a', 'b'] }), conditions: [clean!, changed] }
    expect(
      headlines(plan, ({ model, condition }, task) => condition === 'none' || (model === 'b' && task < 9)),
    ).toEqual([
      'overall: 2 of 2 models are significantly worse under words.',
      'worse: a falls from 100 to 0 under words (go to → move to).',
      'worse: b falls from 100 to 23 under words.',
    ])
  })

  it('begin with the primary endpoint', () => {
    const first = (...of: Parameters<typeof figuresOf>): string => figuresOf(...of).headlines[0]!.text
    expect(
      first(planOf({ conditions: ['none', 'words'], models: ['a'] }), ({ condition }) => condition === 'none'),
    ).toBe('Primary endpoint: the mean change of success over words is −100.0 points [−100.0, −82.4] for a, p < 0.001.')
    expect(first(base, (at) => !isParrotUnder(at, 'words'))).toBe(
      'Primary endpoint: the mean change of success over words and order is significant for 1 of 2 models (Holm; intervals are not adjusted): parrot (−50.0 points [−54.4, −36.8]).',
    )
    expect(first(base, isAny)).toBe(
      'Primary endpoint: the mean change of success over words and order is significant for none of 2 models (Holm); the lowest is 0.0 points [−8.8, +8.8] for reader.',
    )
  })

  it('call a model worse by a p that is adjusted over all models and families', () => {
    const models = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
    const losesEight = ({ model, condition }: EpisodeRow, task: number): boolean =>
      model !== 'a' || condition === 'none' || task >= 8
    const told = (some: readonly string[]): string =>
      headlines(planOf({ conditions: ['none', 'words'], models: some }), losesEight)[0]!
    // The p of eight tasks lost and none gained is 2/2⁸.
    expect(told(['a'])).toBe('overall: a is significantly worse under words.')
    expect(told(models)).toBe('overall: None of 8 models is significantly worse under words.')
  })

  it('never call a control better or worse', () => {
    const plan = planOf({ conditions: ['none', 'placebo', 'words'], models: ['a'] })
    const figures = figuresOf(plan, ({ condition }, task) => condition === 'placebo' || task >= 30)
    const verdicts = new Map(figures.profiles[0]!.families.map((family) => [family.family, judge(family, 1)]))
    expect(verdicts.get('words')).toMatchObject({ kind: 'unclear', title: 'Inconclusive' })
    expect(verdicts.get('placebo')).toMatchObject({ kind: 'control', title: 'Control' })
    expect(verdicts.get('placebo')!.figures).not.toContain('p ')
  })
})
