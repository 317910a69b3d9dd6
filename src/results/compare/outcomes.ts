import { identifyExperiment, panelHash } from '../experiment.js'
import type { Measurements } from '../passes.js'
import type { Experiment } from '../schema.js'
import { tallyRows } from '../tallies.js'
import { hashOf } from '../../core/episode.js'
import type { StoredRun } from '../../run/plan.js'
import { conditionsIn, pairsOf } from '../../run/plan.js'
import { count } from '../../tables/words.js'

/** What came of every episode of a run or of a stored baseline. */
export interface Outcomes {
  /** Where they come from, for messages: a run's folder or a baseline's file. */
  readonly source: string
  /** Version of shaketable that played them. */
  readonly version: string
  readonly panels: readonly Panel[]
  readonly cells: readonly OutcomeCell[]
  /** What is missing and why, in sentences. */
  readonly notes: readonly string[]
  /** When models behind servers played, and what that took; absent for control models. */
  readonly served?: Pick<Experiment, 'dates' | 'cost'>
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

/** Cells by {@link keyOf} their names. */
export function cellsByKey({ cells }: Outcomes): ReadonlyMap<string, OutcomeCell> {
  return new Map(cells.map((cell) => [keyOf(cell.environment, cell.model, cell.agent, cell.condition), cell]))
}

/** Names as one key. */
export function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names)
}

/**
 * Reads a run's rows once, in any order. `source` names it in messages; cells come in the plan's order.
 * @throws ShaketableError `store` for two rows of one episode.
 */
export function outcomesOf(run: StoredRun, source: string): Outcomes {
  const { plan } = run
  const tallies = tallyRows(run)
  const { dates, cost } = identifyExperiment(plan, tallies)
  return {
    source,
    version: plan.version,
    ...(dates && { served: { dates, ...(cost && { cost }) } }),
    panels: plan.environments.map((environment) => ({
      environment: environment.name,
      version: environment.version,
      hash: panelHash(environment),
      settings: hashOf(environment.settings, 12),
      tasks: environment.tasks.map(({ id, kind, hash }) => ({ id, ...(kind !== undefined && { kind }), hash })),
    })),
    cells: plan.environments.flatMap(({ name: environment }) =>
      pairsOf(plan).flatMap(({ model, agent }) =>
        conditionsIn(plan.conditions, environment).map(({ label, perturbations }) => {
          const played = tallies.find(environment, model.name, agent.name, label)
          const isIdentity = perturbations.every(({ promise }) => promise === 'identity')
          const unchanged = !isIdentity && played.state.includes(2) && !played.changed.includes(1)
          const names = { environment, model: model.name, agent: agent.name, condition: label }
          return { ...names, temperatures: plan.temperatures, seeds: plan.seeds, played, unchanged }
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
