import { identifyExperiment, panelHash } from '../experiment.js'
import { defined } from '../lists.js'
import type { Measurements } from '../passes.js'
import { describeUse } from '../summary/identity.js'
import { tallyRows } from '../tallies.js'
import { hashOf } from '../../core/episode.js'
import { settingsOf, usedIn } from '../../core/perturbation.js'
import { type PlannedPerturbation, type StoredRun, conditionsIn, pairsOf } from '../../run/plan.js'
import { count } from '../../tables/words.js'

/** The two sides of a comparison. */
export const sides = ['first', 'second'] as const

/** One value for each side of a comparison. */
export type Sides<Value> = Readonly<Record<(typeof sides)[number], Value>>

/** What is called one thing on the first side and another on the second. */
export type NamePair = Sides<string>

/** What came of every episode of a run or of a stored baseline. */
export interface Outcomes {
  /** Where they come from, for messages: a run's folder or a baseline's file. */
  readonly source: string
  /** Version of shaketable that played them. */
  readonly version: string
  /** Beside the panels. Settings of models and agents are hashes, since they may hold private addresses. */
  readonly settings: {
    readonly stepLimit: number
    readonly maxTokens: number
    readonly models: readonly { readonly name: string; readonly hash: string }[]
    readonly agents: readonly { readonly name: string; readonly hash: string }[]
  }
  readonly panels: readonly Panel[]
  readonly cells: readonly OutcomeCell[]
  /** What is missing and why, in sentences. */
  readonly notes: readonly string[]
  /** The last day (UTC) on which a model behind a server played, `2026-11-22`; absent for control models. */
  readonly played?: string
  /** What the episodes took from model servers, in words. */
  readonly took?: string
}

/** The tasks of one environment, in order. Panels with equal hashes are equal in everything. */
export interface Panel {
  readonly environment: string
  readonly version: string
  /** Hash of the environment's name, version and settings and of its tasks' ids and content. */
  readonly hash: string
  /** Hash of the settings. */
  readonly settings: string
  /** `hash` is that of the task's content. */
  readonly tasks: readonly { readonly id: string; readonly kind?: string; readonly hash: string }[]
}

/** The episodes of one environment × model × agent × condition. */
export interface OutcomeCell {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly condition: string
  /** Hash of the perturbations that the condition has in this environment. */
  readonly perturbations: string
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  /** By temperature, seed and the panel's tasks. */
  readonly played: Measurements
  /**
   * Whether the condition's perturbation changed nothing on any task at any temperature. False on the clean condition,
   * on conditions that promise identity, and where nothing was measured.
   */
  readonly unchanged: boolean
}

const digits = 12

/**
 * Reads a run's rows once, in any order. `source` names it in messages; cells come in the plan's order.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function outcomesOf(run: StoredRun, source: string): Outcomes {
  const { plan } = run
  const tallies = tallyRows(run)
  const { dates, cost } = identifyExperiment(plan, tallies)
  const named = ({ name, settings }: (typeof plan.agents)[number]) => ({ name, hash: hashOf(settings, digits) })
  return {
    source,
    version: plan.version,
    settings: {
      stepLimit: plan.stepLimit,
      maxTokens: plan.maxTokens,
      models: plan.models.map(named),
      agents: plan.agents.map(named),
    },
    ...defined({ played: dates?.last, took: dates && cost && describeUse(cost) }),
    panels: plan.environments.map((environment) => ({
      environment: environment.name,
      version: environment.version,
      hash: panelHash(environment),
      settings: hashOf(environment.settings, digits),
      tasks: environment.tasks.map(({ id, kind, hash }) => ({ id, ...defined({ kind }), hash })),
    })),
    cells: plan.environments.flatMap(({ name: environment }) =>
      pairsOf(plan).flatMap(({ model, agent }) =>
        conditionsIn(plan.conditions, environment).map(({ label, perturbations }) => {
          const played = tallies.find(environment, model.name, agent.name, label)
          const isIdentity = perturbations.every(({ promise }) => promise === 'identity')
          const unchanged = !isIdentity && played.state.includes(2) && !played.changed.includes(1)
          return {
            ...{ environment, model: model.name, agent: agent.name, condition: label },
            perturbations: hashPerturbations(perturbations, environment),
            ...{ temperatures: plan.temperatures, seeds: plan.seeds, played, unchanged },
          }
        }),
      ),
    ),
    notes: [
      ...(run.notes ?? []),
      ...(tallies.strays > 0
        ? [`${count(tallies.strays, 'row')} ${tallies.strays === 1 ? 'is' : 'are'} of no planned episode and left out.`]
        : []),
      ...(run.writing ? ['The run is still being written.'] : []),
      ...(run.stopped === undefined ? [] : [`The run was stopped before everything was played: ${run.stopped}`]),
    ],
  }
}

function hashPerturbations(perturbations: readonly PlannedPerturbation[], environment: string): string {
  const used = usedIn(perturbations, environment).map((perturbation) => {
    const { name, version } = perturbation
    return { name, version, ...settingsOf(perturbation) }
  })
  return hashOf(used, digits)
}
