import type { StoredRun } from '../../../src/run/plan.js'
import { makePlan, makeRow, makeRun } from '../../reports/fixture.js'

/**
 * A run of one model on the clean condition, a text for each seed and a letter for each of its tasks: s success, h
 * progress of a half, 0 none, x broken, a dot not played.
 */
export function playLetters(bySeed: readonly string[], given: Parameters<typeof makePlan>[0] = {}): StoredRun {
  const plan = makePlan({
    conditions: ['none'],
    models: ['reader'],
    temperatures: [0],
    seeds: bySeed.map((_, place) => place + 1),
    environments: [{ name: 'household', tasks: bySeed[0]!.length }],
    ...given,
  })
  return makeRun(plan, (at) => {
    const task = plan.environments[0]!.tasks.findIndex(({ id }) => id === at.task)
    const letter = bySeed[plan.seeds.indexOf(at.seed)]![task]!
    if (letter === '.') return undefined
    const outcome = letter === 's' ? 'success' : letter === 'x' ? 'model-error' : 'step-limit'
    return makeRow(at, outcome, letter === 's' ? 1 : letter === 'h' ? 0.5 : 0)
  })
}
