import { hashOf } from '../../core/episode.js'
import { settingsOf, usedIn } from '../../core/perturbation.js'
import type { Plan } from '../../run/plan.js'
import type { RunSettings } from './baseline-file.js'

const digits = 12

/** The settings of a plan. Settings enter as hashes only, since they may hold private addresses. */
export function settingsOfRun({
  temperatures,
  seeds,
  stepLimit,
  maxTokens,
  environments,
  models,
  agents,
  conditions,
}: Plan): RunSettings {
  const named = ({ name, settings }: Plan['agents'][number]) => ({ name, hash: hashOf(settings, digits) })
  return {
    temperatures,
    seeds,
    stepLimit,
    maxTokens,
    models: models.map(named),
    agents: agents.map(named),
    conditions: environments.flatMap(({ name: environment }) =>
      conditions.map(({ label, perturbations }) => ({
        environment,
        name: label,
        hash: hashOf(
          usedIn(perturbations, environment).map((perturbation) => ({
            name: perturbation.name,
            version: perturbation.version,
            ...settingsOf(perturbation),
          })),
          digits,
        ),
      })),
    ),
  }
}

/** How the settings of two runs differ, the first of which is called `source` in notes on settings. */
export function compareSettings(before: RunSettings, after: RunSettings, source: string) {
  const limits = [
    { words: 'steps an episode', was: before.stepLimit, is: after.stepLimit },
    { words: 'tokens a reply', was: before.maxTokens, is: after.maxTokens },
  ]
  const changed = (kind: 'models' | 'agents'): RunSettings['models'] =>
    after[kind].filter(({ name, hash }) => before[kind].some((known) => known.name === name && known.hash !== hash))
  const hashIn = ({ conditions }: RunSettings, environment: string, condition: string): string | undefined =>
    conditions.find((one) => one.environment === environment && one.name === condition)?.hash
  return {
    /** Whether a condition of this name has different perturbations on the two sides. */
    isOther(environment: string, condition: string): boolean {
      const [was, is] = [before, after].map((side) => hashIn(side, environment, condition))
      return was !== undefined && is !== undefined && was !== is
    },
    /** Episodes of different limits are not comparable in a gate. */
    limits: limits.filter(({ was, is }) => was !== is),
    notes: [
      ...changed('models').map(({ name }) => `The settings of the model ${name} are not those of ${source}.`),
      ...changed('agents').map(({ name }) => `The settings of the agent ${name} are not those of ${source}.`),
    ],
  }
}
