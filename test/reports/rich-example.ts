import type { Aggregate, Group, Scope } from '../../src/results/aggregate.js'
import { aggregate } from '../../src/results/aggregate.js'
import type { Ranking, Robustness, Spread, Test, Variant } from '../../src/results/schema.js'
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
 * columns; `rename` gives every name another.
 */
export function richRun(rename: (name: string) => string = (name) => name): StoredRun {
  const isRenamed = rename('household') !== 'household'
  const plan = makePlan({
    environments: [
      { name: rename('household'), tasks: 12 },
      { name: rename('babyai'), tasks: 10 },
      { name: rename('pddl'), tasks: 6 },
    ],
    columns: ['none', 'placebo', 'agentrefine-1', 'agentrefine-2', 'agentrefine-3', 'agentrefine-4'],
    models: models.map(({ name, heldIn, withoutInDomain, variantOf, settings }) => ({
      name: rename(name),
      settings,
      ...(heldIn && {
        heldIn: heldIn.map((one) => (one === 'alfworld' && isRenamed ? rename('household') : rename(one))),
      }),
      ...(withoutInDomain !== undefined && { withoutInDomain: rename(withoutInDomain) }),
      ...(variantOf !== undefined && { variantOf: rename(variantOf) }),
    })),
    agents: ['react'],
  })
  return makeRun(plan, (at) => {
    const place = plan.models.findIndex(({ name }) => name === at.model)
    const random = createRandom(
      `${String(place)} ${at.environment} ${at.column} ${String(at.temperature)} ${String(at.seed)} ${at.task}`,
    )
    const harm = at.column.startsWith('agentrefine') && place !== 3 ? 0.35 : 0
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

/** The aggregate of a run with evidence inserted by hand: figures that are easy to recognise. */
export function withEvidence(run: StoredRun): Aggregate {
  const summary = aggregate(run)
  const test = (p: number): Test => ({ p, holm: Math.min(1, 2 * p) })
  const spread: Spread = { overSeeds: 0.012, overTasks: 0.104, both: 0.105, icc: 0.437 }
  const enrich = <Given extends Scope>(scope: Given): Given => ({
    ...scope,
    spread: { success: spread, progress: { ...spread, overSeeds: 0.0087 } },
    ...(scope.difference && {
      difference: {
        ...scope.difference,
        flips: { both: 11, lost: 7, gained: 3, neither: 5 },
        tests: { success: test(0.0004), progress: test(0.031) },
        dropRate: { success: { value: 0.453, interval: { low: 0.301, high: 0.602 } }, progress: { value: 0.25 } },
      },
    }),
  })
  return {
    ...summary,
    groups: summary.groups.map((group): Group => ({
      ...group,
      pooled: enrich(group.pooled),
      temperatures: group.temperatures.map(enrich),
    })),
    rankings: summary.environments.flatMap(({ name: environment }) =>
      summary.columns.flatMap(({ label: column }) =>
        (['success', 'progress'] as const).map((metric): Ranking => {
          const entries = summary.groups
            .filter((group) => group.environment === environment && group.column === column)
            .map(({ model, agent, pooled }) => ({ model, agent, mean: pooled[metric].mean ?? 0 }))
            .sort((first, second) => second.mean - first.mean)
          return {
            environment,
            column,
            metric,
            entries: entries.map((entry, place) => ({
              ...entry,
              best: place < 2,
              ...(place > 0 && { p: 0.2 / place }),
            })),
          }
        }),
      ),
    ),
    robustness: summary.environments.flatMap(({ name: environment }) =>
      summary.models.map(({ name: model }): Robustness => ({
        environment,
        model,
        agent: 'react',
        worstCase: { success: 0.123, progress: 0.234, columns: 5 },
        worstOfOneSeed: { success: 0.234, progress: 0.345 },
        worstOfClean: { success: 0.345, progress: 0.456, repeats: 5 },
        allPass: 0.0625,
        spreadOverColumns: { success: 0.1, progress: 0.05 },
      })),
    ),
    variants: summary.environments.flatMap(({ name: environment }) =>
      summary.columns.flatMap(({ label: column }) =>
        summary.models.flatMap(({ name: model, variantOf }): Variant[] =>
          variantOf === undefined
            ? []
            : [
                {
                  environment,
                  agent: 'react',
                  column,
                  model,
                  reference: variantOf,
                  pairs: 70,
                  success: { tasks: 12, mean: -0.2, standardError: 0.05, interval: { low: -0.31, high: -0.09 } },
                  progress: { tasks: 12, mean: 0.031 },
                  tests: { success: test(0.0121), progress: test(0.6) },
                },
              ],
        ),
      ),
    ),
  }
}
