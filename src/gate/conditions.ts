import { hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { settingsOf, usedIn } from '../core/perturbation.js'
import type { Plan } from '../run/plan.js'

/**
 * The conditions of a run beside its panels: two runs that are paired must share them, or a note names what differs.
 */
export interface Conditions {
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly stepLimit: number
  readonly maxTokens: number
  readonly models: readonly Named[]
  readonly agents: readonly Named[]
  /** By label, in each environment; the hash is of the perturbations that are used there. */
  readonly columns: readonly PlacedColumn[]
}

/** A name, and a hash of its settings or content. */
export interface Named {
  readonly name: string
  readonly hash: string
}

interface PlacedColumn extends Named {
  readonly environment: string
}

const digits = 12

/** The conditions of a plan. Settings enter as hashes only, since they may hold private addresses. */
export function conditionsOf({
  temperatures,
  seeds,
  stepLimit,
  maxTokens,
  environments,
  models,
  agents,
  columns,
}: Plan): Conditions {
  const named = ({ name, settings }: Plan['agents'][number]): Named => ({ name, hash: hashOf(settings, digits) })
  return {
    temperatures,
    seeds,
    stepLimit,
    maxTokens,
    models: models.map(named),
    agents: agents.map(named),
    columns: environments.flatMap(({ name: environment }) =>
      columns.map(({ label, perturbations }) => ({
        environment,
        name: label,
        hash: hashOf(
          usedIn(perturbations, environment).map((one) => ({
            name: one.name,
            version: one.version,
            ...settingsOf(one),
          })),
          digits,
        ),
      })),
    ),
  }
}

/**
 * How the conditions of a run differ from those of its baseline: which columns do, and notes on the rest.
 * @throws ShaketableError `bad-input` where the episodes of the two have different limits.
 */
export function compareConditions(baseline: Conditions, run: Conditions) {
  for (const [limit, words] of [
    ['stepLimit', 'steps an episode'],
    ['maxTokens', 'tokens a reply'],
  ] as const) {
    if (baseline[limit] === run[limit]) continue
    throw new ShaketableError(
      'bad-input',
      `Expected at most ${String(baseline[limit])} ${words}, as in the baseline, but the run was played with ${String(run[limit])}. ` +
        'Play it again with the limit of the baseline, or update the baseline.',
    )
  }
  const others = (kind: 'models' | 'agents'): string[] =>
    run[kind]
      .filter(({ name, hash }) => baseline[kind].some((known) => known.name === name && known.hash !== hash))
      .map(({ name }) => name)
  return {
    isOther: (environment: string, column: string) => isOtherColumn(baseline, run, environment, column),
    notes: [
      ...others('models').map((name) => `The settings of the model ${name} are not those of the baseline.`),
      ...others('agents').map((name) => `The settings of the agent ${name} are not those of the baseline.`),
    ],
  }
}

/** Whether a column of this name has different perturbations on the two sides. */
export function isOtherColumn(before: Conditions, after: Conditions, environment: string, column: string): boolean {
  const hashIn = ({ columns }: Conditions): string | undefined =>
    columns.find((one) => one.environment === environment && one.name === column)?.hash
  const [was, is] = [hashIn(before), hashIn(after)]
  return was !== undefined && is !== undefined && was !== is
}
