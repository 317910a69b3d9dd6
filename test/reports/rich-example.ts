import { type Aggregate, aggregate } from '../../src/results/aggregate.js'
import type { PlannedModel, StoredRun } from '../../src/run/plan.js'
import { createRandom } from '../../src/core/random.js'
import { makePlan, makeRow, makeRun } from './fixture.js'

const models: readonly PlannedModel[] = [
  { name: 'tuned', settings: {}, heldIn: ['alfworld', 'babyai'], withoutInDomain: 'tuned-without' },
  { name: 'tuned-without', settings: {}, heldIn: [], variantOf: 'tuned' },
  { name: 'tuned-masked', settings: {}, heldIn: ['household', 'babyai'], variantOf: 'tuned' },
  { name: 'base', settings: {} },
]
/** The success probability of each model. */
const skill = [0.7, 0.5, 0.65, 0.2]

/**
 * Three environments, four models (two that are variants of the first, one of which has no declaration), the paper's
 * conditions.
 */
export function richRun(): StoredRun {
  const plan = makePlan({
    environments: [
      { name: 'household', tasks: 12 },
      { name: 'babyai', tasks: 10 },
      { name: 'pddl', tasks: 6 },
    ],
    conditions: ['none', 'placebo', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4'],
    models,
    agents: ['react'],
  })
  return makeRun(plan, (at) => {
    const place = plan.models.findIndex(({ name }) => name === at.model)
    const random = createRandom(
      `${String(place)} ${at.environment} ${at.condition} ${String(at.temperature)} ${String(at.seed)} ${at.task}`,
    )
    const harm = at.condition.startsWith('agentrefine') && place !== 3 ? 0.35 : 0
    const chance = random.next()
    if (chance > 0.99) return makeRow(at, 'model-error', 0)
    const isWon = random.next() < skill[place]! - harm
    return makeRow(at, isWon ? 'success' : 'step-limit', isWon ? 1 : Math.floor(4 * random.next()) / 4, {
      understood: 8,
      formatErrors: 1,
      repeats: 1,
      memorised: harm > 0 ? 1 : 0,
    })
  })
}

/** The aggregate of a run in which the first two models of every ranking may be the best, whatever they scored. */
export function withBest(run: StoredRun): Aggregate {
  const summary = aggregate(run)
  const rankings = summary.rankings.map((ranking) => ({
    ...ranking,
    entries: ranking.entries.map((entry, place) => ({ ...entry, best: place < 2 })),
  }))
  return { ...summary, rankings }
}
