import { hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import type { Plan } from '../core/report.js'

/** Under what a run was played, beside its panels: what two runs must have in common to be paired, or what is told where they do not. */
export interface Conditions {
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly stepLimit: number
  readonly maxTokens: number
  readonly models: readonly Named[]
  readonly agents: readonly Named[]
  /** By label; the hash is of the perturbations. */
  readonly columns: readonly Named[]
}

/** Something by name, and a hash of what is behind the name. */
export interface Named {
  readonly name: string
  readonly hash: string
}

const digits = 12

/** The conditions of a plan. Settings enter as hashes only: they may hold addresses that are nobody's business. */
export function conditionsOf({ temperatures, seeds, stepLimit, maxTokens, models, agents, columns }: Plan): Conditions {
  const named = ({ name, settings }: Plan['agents'][number]): Named => ({ name, hash: hashOf(settings, digits) })
  return {
    temperatures,
    seeds,
    stepLimit,
    maxTokens,
    models: models.map(named),
    agents: agents.map(named),
    columns: columns.map(({ label, perturbations }) => ({
      name: label,
      hash: hashOf(
        perturbations.map(({ name, version, scope, refuse, intensity }) => ({
          name,
          version,
          scope,
          refuse,
          intensity,
        })),
        digits,
      ),
    })),
  }
}

/** What follows where a run was not played under its baseline's conditions. */
export interface ConditionsDiffer {
  /** Columns of both that are not the same perturbations under one name. */
  readonly columns: ReadonlySet<string>
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
  const others = (kind: 'models' | 'agents' | 'columns'): string[] =>
    run[kind]
      .filter(({ name, hash }) => baseline[kind].some((known) => known.name === name && known.hash !== hash))
      .map(({ name }) => name)
  return {
    columns: new Set(others('columns')),
    notes: [
      ...others('models').map((name) => `The settings of the model ${name} are not those of the baseline.`),
      ...others('agents').map((name) => `The settings of the agent ${name} are not those of the baseline.`),
    ],
  }
}
