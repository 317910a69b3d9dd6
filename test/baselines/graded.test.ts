import { beforeAll, describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { AppliedPerturbation } from '../../src/index.js'
import { readGoal } from '../../baselines/household/goal.js'
import { inTurns } from '../text-hooks.js'
import { ownPerturbation } from '../own-perturbation.js'
import { control, playAll, successes, twoOfEach } from './_play.js'

/** In each sentence the goal's thing was somewhere else once. */
const nearMiss = ownPerturbation(
  'near-miss',
  ({ names, briefing }) => ({
    text: inTurns((pieces, { random }) => {
      const places = names.filter((name) => /^(?:shelf|drawer|cabinet|countertop|bed|dresser) /.test(name))
      const place = places[Math.floor(random.next() * places.length)]!
      return [...pieces, ` Last week somebody saw a ${readGoal(briefing.goal).thing} 1 at the ${place}.`]
    }),
  }),
  'harder',
)

const families = [
  ...perturbations.filter(
    ({ environment, promise, takesCondition }) =>
      environment === undefined && promise !== 'identity' && !takesCondition,
  ),
  nearMiss,
]
const textOnly = ['believer', 'no-retry', 'skimmer', 'short-memory']
const controls = ['parrot', ...textOnly]

/** Families, with the controls that they harm. Of a family that is not listed it is only known that it moves one. */
const movedBy: readonly (readonly [families: string, controls: readonly string[]])[] = [
  ['synonyms symbols pseudo-verbs swapped-verbs argument-order call-syntax', ['parrot', 'skimmer']],
  ['item-style', ['parrot']],
  ['item-synonyms item-pseudo-words', ['parrot', ...textOnly]],
  ['goal-paraphrase observation-paraphrase letter-case unicode', textOnly],
  ['truncated-observation action-failures dropped-feedback', textOnly],
  ['distractor-text near-miss', ['believer', 'short-memory']],
  ['typos', ['believer', 'no-retry', 'short-memory']],
  ['list-order list-visibility decoy-actions', ['skimmer']],
  // These controls are hardly ever refused in the unperturbed wording, so they do not read error messages. They act in
  // the forms that the worked examples show, and do not read examples.
  ['error-messages decoy-forms examples', []],
]
/** Success on fewer tasks than this more or less is not counted as a change. */
const leastChange = 2

const household = await openEnvironment('household')
const tasks = twoOfEach(household)
const countSuccesses = async (name: string, conditions: readonly AppliedPerturbation[]): Promise<number> =>
  successes(await playAll(control(name), household, tasks, { conditions, seed: 0 }))

describe('the graded controls', () => {
  const clean = new Map<string, number>()
  beforeAll(async () => {
    for (const control of controls) clean.set(control, await countSuccesses(control, []))
  })

  it.each(textOnly)('%s solves between a third and all of the unperturbed tasks', (name) => {
    expect(clean.get(name)! / tasks.length).toBeGreaterThan(0.3)
  })

  it.each(families)('$name moves those that it can move', async (perturbation) => {
    const moved: string[] = []
    for (const control of controls) {
      const change = (await countSuccesses(control, [{ perturbation }])) - clean.get(control)!
      if (Math.abs(change) >= leastChange) moved.push(change < 0 ? control : `${control} (better)`)
    }
    const expected = movedBy.find(([families]) => families.split(' ').includes(perturbation.name))?.[1]
    if (expected !== undefined) expect(moved).toEqual(expected)
    else expect(moved).not.toEqual([])
  })
})
