import { hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { usedIn } from '../core/perturbation.js'
import type { Plan } from '../core/report.js'

/**
 * Under what a run was played, beside its panels: what two runs must have in common to be paired, or what is told where
 * they do not.
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

/** Something by name, and a hash of what is behind the name. */
export interface Named {
  readonly name: string
  readonly hash: string
}

/** A column in one environment. */
export interface PlacedColumn extends Named {
  readonly environment: string
}

const digits = 12

/** The conditions of a plan. Settings enter as hashes only: they may hold addresses that are nobody's business. */
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
          usedIn(perturbations, environment).map(({ name, version, scope, refuse, intensity }) => ({
            name,
            version,
            scope,
            refuse,
            intensity,
          })),
          digits,
        ),
      })),
    ),
  }
}

/** What follows where a run was not played under its baseline's conditions. */
interface ConditionsDiffer {
  /** Whether a column of both is not the same perturbations under one name. */
  isOther(environment: string, column: string): boolean
  /** What may explain a difference, in sentences. */
  readonly notes: readonly string[]
}

/** @throws ShaketableError `bad-input` where the episodes of the two have other limits: then they are other tasks. */
export function compareConditions(baseline: Conditions, run: Conditions): ConditionsDiffer {
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
    isOther: (environment, column) => isOtherColumn(baseline, run, environment, column),
    notes: [
      ...others('models').map((name) => `The settings of the model ${name} are not those of the baseline.`),
      ...others('agents').map((name) => `The settings of the agent ${name} are not those of the baseline.`),
    ],
  }
}

/** Whether a column of both is not the same perturbations under one name. */
export function isOtherColumn(before: Conditions, after: Conditions, environment: string, column: string): boolean {
  const hashIn = ({ columns }: Conditions): string | undefined =>
    columns.find((one) => one.environment === environment && one.name === column)?.hash
  const [was, is] = [hashIn(before), hashIn(after)]
  return was !== undefined && is !== undefined && was !== is
}
