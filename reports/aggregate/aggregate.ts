import type { Plan, PlannedTask, StoredRun } from 'shaketable'
import { hashOf, ShaketableError } from 'shaketable'
import type { AggregateColumn } from './columns.js'
import { describeColumns } from './columns.js'
import type { Drawn } from './drop-rates.js'
import { drawFor } from './drop-rates.js'
import type { Ranking, Robustness, Variant } from './evidence.js'
import type { Experiment } from './experiment.js'
import type { Primary } from './primary.js'
import { describePrimary } from './primary.js'
import { identifyExperiment, panelHash } from './experiment.js'
import type { Group } from './group.js'
import { describeGroups } from './group.js'
import type { Notice } from './notices.js'
import { listNotices } from './notices.js'
import { listOmitted } from './omitted.js'
import { describeRankings } from './rankings.js'
import { describeRobustness } from './robustness.js'
import { tallyRows } from './tally.js'
import { describeVariants } from './variants.js'

export type { AggregateColumn } from './columns.js'
export type { Group } from './group.js'
export type { Scope } from './scope.js'

/**
 * All figures of a run, as plain JSON. Lists are in the plan's order; a figure that cannot be computed is absent.
 */
export interface Aggregate {
  readonly schema: 2
  /** Version of shaketable that made the plan. */
  readonly version: string
  /** First 12 digits of the plan's hash. */
  readonly plan: string
  readonly experiment: Experiment
  /** Warnings on what limits the meaning of the figures, most serious first. */
  readonly notices: readonly Notice[]
  /** Whether episodes were still being added, or the run was stopped before everything was played. */
  readonly partial: boolean
  /** Whether the run was stopped before everything was played. Absent where it was not. */
  readonly stopped?: true
  /** Rows left out because they belong to no episode of the plan. */
  readonly strays: number
  readonly drawn: Drawn
  /** What a report on this run leaves out, in sentences. */
  readonly omitted: readonly string[]
  readonly environments: readonly AggregateEnvironment[]
  readonly columns: readonly AggregateColumn[]
  readonly models: Plan['models']
  readonly agents: Plan['agents']
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly stepLimit: number
  /** One for each environment × model × agent × column. */
  readonly groups: readonly Group[]
  /** Absent in a run without a clean column or without one that changes something. */
  readonly primary?: Primary
  /** One for each environment × model × agent: figures over all its columns. */
  readonly robustness: readonly Robustness[]
  /** One for each environment × column × metric: the order of the models, and the confidence set of the best. */
  readonly rankings: readonly Ranking[]
  /**
   * One for each environment × agent × column × model that names a reference model: variant minus reference.
   */
  readonly variants: readonly Variant[]
}

/** An environment of the run and the tasks it was played on. */
interface AggregateEnvironment {
  readonly name: string
  readonly version: string
  /** What progress and success measure, and by whose rules, where the plan says so. */
  readonly measure?: string
  /** How many tasks. */
  readonly tasks: number
  /**
   * The tasks in the plan's order, and a hash of the environment's settings and their ids and content: only runs on one
   * panel can be compared.
   */
  readonly panel: {
    readonly hash: string
    readonly tasks: readonly PlannedTask[]
  }
}

/**
 * Computes all figures of a run in one pass over its rows, in any order, with about 27 bytes for each planned episode.
 * @throws ShaketableError `bad-input` for a plan of another schema; `store` for two rows of one episode.
 */
export function aggregate(run: StoredRun): Aggregate {
  const { plan } = run
  checkSchema(plan)
  const tallies = tallyRows(run)
  const columns = describeColumns(plan)
  const drawn = drawFor(plan)
  const groups = describeGroups(plan, tallies, columns, drawn)
  const experiment = identifyExperiment(plan, tallies.dates)
  const primary = describePrimary(plan, tallies, columns)
  return {
    schema: 2,
    version: plan.version,
    plan: hashOf(plan, 12),
    experiment,
    notices: listNotices(run, experiment, groups, columns, tallies),
    partial: run.writing === true || run.stopped !== undefined,
    ...(run.stopped !== undefined && { stopped: true }),
    strays: tallies.strays,
    drawn,
    omitted: listOmitted(run, tallies.strays, columns, groups),
    environments: plan.environments.map((environment) => ({
      name: environment.name,
      version: environment.version,
      ...(environment.measure !== undefined && { measure: environment.measure }),
      tasks: environment.tasks.length,
      panel: { hash: panelHash(environment), tasks: environment.tasks },
    })),
    columns,
    models: plan.models,
    agents: plan.agents,
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    stepLimit: plan.stepLimit,
    groups,
    ...(primary && { primary }),
    robustness: describeRobustness(groups, tallies, columns),
    rankings: describeRankings(groups, tallies, columns),
    variants: describeVariants(plan, tallies, columns),
  }
}

function checkSchema({ schema, version }: { readonly schema: number; readonly version: string }): void {
  if (schema === 1) return
  throw new ShaketableError(
    'bad-input',
    `Expected a plan of schema 1, got schema ${String(schema)}, written by shaketable ${version}. Make the report with that version.`,
  )
}
