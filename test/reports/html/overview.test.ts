import type { ComponentChildren } from 'preact'
import { Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { aggregate } from '../../../src/results/aggregate.js'
import type { Difference } from '../../../src/results/schema.js'
import { modelCards } from '../../../reports/html/overview/cards.js'
import { affectedBy } from '../../../reports/html/overview/effects.js'
import { findingsOf } from '../../../src/results/summary/findings.js'
import { judge } from '../../../src/results/summary/verdict.js'
import type { Dose } from '../../../src/core/dose.js'
import type { Outcome } from '../../../src/core/episode.js'
import type { Measures } from '../../../src/results/episode-row.js'
import { changedDose, makePlan, makeRow, makeRun, playTasks, smallPlan } from '../fixture.js'
import { runWithTrajectories } from './_runs.js'

/** A difference of success over 134 tasks. */
function differenceOf(
  success: { readonly mean?: number; readonly interval?: { readonly low: number; readonly high: number } },
  p?: number,
): Difference {
  const both = { tasks: 134, ...success }
  const test = p !== undefined && ({ method: 'sign-flip-exact', p: p / 4, holm: p } as const)
  return {
    ...{ pairs: 670, planned: 670, touched: { tasks: 134, of: 134 }, dropRate: {} },
    success: both,
    progress: both,
    flips: { both: 0, lost: 0, gained: 0, neither: 0 },
    ...(test && { tests: { success: test, progress: test } }),
  }
}

const change = (mean: number, low: number, high: number, p?: number): Difference =>
  differenceOf({ mean, interval: { low, high } }, p)
const none = { ...differenceOf({}), pairs: 0 }

describe('a verdict', () => {
  it.each<[string, Difference, number?]>([
    ['worse: Significantly worse: −93.3 points [−95.0, −91.0], Holm p < 0.001', change(-0.933, -0.95, -0.91, 0.0004)],
    ['better: Significantly better: +20.0 points [+10.0, +30.0], Holm p = 0.012', change(0.2, 0.1, 0.3, 0.012)],
    [
      'steady: Holds: −1.2 points [−3.0, +0.6], Holm p = 0.31 | A drop of more than 3.0 points is ruled out.',
      change(-0.012, -0.03, 0.006, 0.31),
    ],
    [
      'unclear: Inconclusive: −8.0 points [−25.0, +9.0], Holm p = 0.40 | Anything from a drop of 25.0 points to a gain of 9.0 is possible.',
      change(-0.08, -0.25, 0.09, 0.4),
    ],
    ['unknown: Unknown | No pair with the clean twin is measured yet.', none],
    [
      'untouched: Unchanged | The perturbation changed nothing on any task, so this is no evidence.',
      { ...change(0, -0.02, 0.02, 1), touched: { tasks: 0, of: 134 } },
    ],
    [
      'unknown: No clean success: 0.0 points, Holm p = 1.00 | The clean twins never succeed, so there is nothing to lose.',
      differenceOf({ mean: 0 }, 1),
      0,
    ],
  ])('is %s', (expected, difference, clean = 0.9) => {
    const { kind, title, figures, remark } = judge({ ...difference, identity: false }, clean)
    const words = figures === undefined ? title : `${title}: ${figures}`
    expect(`${kind}: ${remark === undefined ? words : `${words} | ${remark}`}`).toBe(expected)
  })
})

describe('a reason', () => {
  it.each<[string, Partial<Measures>, Partial<Measures>, readonly string[], Outcome?, Dose?]>([
    [
      'memorised wording',
      {},
      { understood: 5, memorised: 4 },
      ['80 % of refused actions are in the old wording.', 'No episode ever found the new wording.'],
    ],
    [
      'actions that are not understood',
      { understood: 9 },
      { understood: 5, adapted: 3 },
      ['50 % of actions are not understood, against 10 % in the clean twin.'],
    ],
    ['repeats', {}, { repeats: 3, adapted: 1 }, ['30 % of actions repeat one that was just refused.']],
    [
      'replies that are cut off',
      {},
      { faults: { length: 4 }, adapted: 1 },
      ['40 % of replies reached the token limit.'],
    ],
    [
      'nothing that is as frequent in the clean twin',
      { formatErrors: 5, repeats: 4, understood: 5 },
      { formatErrors: 5, repeats: 4, understood: 5, adapted: 1 },
      [],
    ],
  ])('is %s', (_, clean, perturbed, expected, outcome = 'failure', dose = changedDose) => {
    const plan = makePlan({ conditions: ['none', 'agentrefine-1'], models: ['m'] })
    const run = makeRun(plan, (at) =>
      at.condition === 'none' ? makeRow(at, 'success', 1, clean) : { ...makeRow(at, outcome, 0, perturbed), dose },
    )
    expect(findingsOf(aggregate(run))[0]!.findings[0]!.reasons).toEqual(expected)
  })
})

/** Markup as words. */
const words = (child: ComponentChildren): string =>
  renderToString(h(Fragment, {}, child))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describe('the overview', () => {
  const played = aggregate(runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 80 }] })))
  const subjects = affectedBy(played)

  it('shows the worst perturbation and its reasons', () => {
    const parrot = subjects.find(({ model }) => model === 'parrot')!
    const worst = parrot.findings.find(({ condition }) => condition.label === 'agentrefine-1')!
    expect(worst.verdict).toMatchObject({ kind: 'worse' })
    const told = words(modelCards(played, subjects))
    for (const part of [
      'parrot clean success 100.0 % lowest, under agentrefine-1 0.0 % Significantly worse under agentrefine-1',
      '100 % of refused actions are in the old wording. No episode ever found the new wording. 33 % of actions repeat',
      'No significant drop: reader',
      'No significant change under 1 of 1',
    ])
      expect(told).toContain(part)
  })

  it('never reports an identity or adversarial condition as the worst', () => {
    const plan = smallPlan(80, ['none', 'placebo', 'adversary', 'agentrefine-1'])
    const run = aggregate(playTasks(plan, ({ condition }) => condition !== 'placebo' && condition !== 'adversary'))
    const text = words(modelCards(run, affectedBy(run)))
    expect(text).toContain('Adversarial, and so in no figure over several conditions: adversary.')
    expect(text).toContain('lowest, under agentrefine-1')
  })
})
