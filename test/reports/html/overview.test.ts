import { Fragment, h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { modelCards } from '../../../reports/html/overview/cards.js'
import { affectedBy } from '../../../reports/html/overview/effects.js'
import type { StoredRun } from '../../../src/run/plan.js'
import { aggregate } from '../../../src/results/aggregate.js'
import { makePlan, playTasks, smallPlan } from '../fixture.js'
import { runWithTrajectories } from './_runs.js'

/** The cards of a run as words. */
const cardsOf = (run: StoredRun): string => {
  const summary = aggregate(run)
  const markup = renderToString(h(Fragment, {}, modelCards(summary, affectedBy(summary))))
  return markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')
}

describe('the cards of models', () => {
  it('show the worst perturbation, its reasons, and the other changes', () => {
    const told = cardsOf(runWithTrajectories(makePlan({ environments: [{ name: 'household', tasks: 80 }] })))
    for (const part of [
      'parrot clean success 100.0 % lowest, under agentrefine-1 0.0 % Significantly worse under agentrefine-1',
      '100 % of refused actions are in the old wording. No episode ever found the new wording. 33 % of actions repeat',
      'No significant drop: reader',
      'No significant change under 1 of 1',
    ])
      expect(told).toContain(part)
    const lost: Record<string, number> = { words: 80, order: 60 }
    const plan = smallPlan(80, ['none', 'words', 'order'])
    expect(cardsOf(playTasks(plan, ({ condition }, task) => task >= (lost[condition] ?? 0)))).toContain(
      'Also −75.0 under order .',
    )
  })

  it('never report an identity or adversarial condition as the worst', () => {
    const plan = smallPlan(80, ['none', 'placebo', 'adversary', 'agentrefine-1'])
    const told = cardsOf(playTasks(plan, ({ condition }) => condition !== 'placebo' && condition !== 'adversary'))
    expect(told).toContain('Adversarial, and so in no figure over several conditions: adversary.')
    expect(told).toContain('lowest, under agentrefine-1')
  })
})
