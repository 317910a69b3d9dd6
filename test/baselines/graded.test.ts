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

/** The controls that a family harms. Of a family that is not listed it is only known that it moves one. */
const movedBy: Readonly<Record<string, readonly string[]>> = {
  synonyms: ['parrot', 'skimmer'],
  symbols: ['parrot', 'skimmer'],
  'pseudo-verbs': ['parrot', 'skimmer'],
  'swapped-verbs': ['parrot', 'skimmer'],
  'argument-order': ['parrot', 'skimmer'],
  'call-syntax': ['parrot', 'skimmer'],
  'item-style': ['parrot'],
  'item-synonyms': ['parrot', ...textOnly],
  'item-pseudo-words': ['parrot', ...textOnly],
  'goal-paraphrase': textOnly,
  'observation-paraphrase': textOnly,
  // These controls are hardly ever refused in the unperturbed wording, so they do not read error messages.
  'error-messages': [],
  // They act in the forms that the worked examples show.
  'decoy-forms': [],
  // They do not read examples.
  examples: [],
  'distractor-text': ['believer', 'short-memory'],
  typos: ['believer', 'no-retry', 'short-memory'],
  'letter-case': textOnly,
  unicode: textOnly,
  'truncated-observation': textOnly,
  'list-order': ['skimmer'],
  'list-visibility': ['skimmer'],
  'decoy-actions': ['skimmer'],
  'action-failures': textOnly,
  'dropped-feedback': textOnly,
  'near-miss': ['believer', 'short-memory'],
}
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
    const expected = movedBy[perturbation.name]
    if (expected !== undefined) expect(moved).toEqual(expected)
    else expect(moved).not.toEqual([])
  })
})
