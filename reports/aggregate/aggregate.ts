import type { Plan, PlannedTask, StoredRun } from 'shaketable'
import { hashOf, ShaketableError } from 'shaketable'
import type { AggregateColumn } from './columns.js'
import { describeColumns } from './columns.js'
import type { Drawn } from './drawing.js'
import { drawFor } from './drawing.js'
import type { Ranking, Robustness, Variant } from './evidence.js'
import type { Experiment } from './experiment.js'
import type { Primary } from './primary.js'
import { describePrimary } from './primary.js'
import { identifyExperiment } from './experiment.js'
import type { Group } from './group.js'
import { describeGroups } from './group.js'
import type { Notice } from './notices.js'
import { listNotices } from './notices.js'
import { listOmitted } from './omitted.js'
import { panelHash } from './panel.js'
import { describeRankings } from './rankings.js'
import { describeRobustness } from './robustness.js'
import { tallyRows } from './tally.js'
import { describeVariants } from './variants.js'

export type { AggregateColumn } from './columns.js'
export type { Group } from './group.js'
export type { Scope } from './scope.js'

/**
 * Everything that the tables of a run say, as plain JSON. Lists are in the plan's order; what cannot be said is absent.
 */
export interface Aggregate {
  readonly schema: 2
  /** Version of shaketable that made the plan. */
  readonly version: string
  /** First 12 digits of the plan's hash. */
  readonly plan: string
  readonly experiment: Experiment
  /** What makes its numbers mean less than they seem to, most serious first. */
  readonly notices: readonly Notice[]
  /** Whether episodes were still being added, or the run was stopped before everything was played. */
  readonly partial: boolean
  /** Whether the run was stopped before everything was played. Absent where it was not. */
  readonly stopped?: true
  /** Rows left out because they are of no episode of the plan. */
  readonly strays: number
  readonly drawn: Drawn
  /** What a report on this run leaves out or cannot say, in sentences; empty where it tells all. */
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
  /** One for each environment × model × agent: what all columns together say of it. */
  readonly robustness: readonly Robustness[]
  /** One for each environment × column × metric: who is best, and who cannot be told apart from the best. */
  readonly rankings: readonly Ranking[]
  /**
   * One for each environment × agent × column × model that names another as the one it varies: variant minus reference.
   */
  readonly variants: readonly Variant[]
}

/** An environment of the run and the tasks it was played on. */
interface AggregateEnvironment {
  readonly name: string
  readonly version: string
  /** What progress and success count, and by whose rules, where the plan says it. */
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
 * Sums a run up in one pass over its rows, in any order, holding some two dozen bytes for each planned episode.
 * @throws ShaketableError `bad-input` for a plan of another schema; `store` for two rows of one episode.
 */
export function aggregate(run: StoredRun): Aggregate {
  const { plan } = run
  checkSchema(plan)
  const tallies = tallyRows(run)
  const columns = describeColumns(plan)
  const drawing = drawFor(plan)
  const groups = describeGroups(plan, tallies, columns, drawing)
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
    drawn: { seed: drawing.seed, resamples: drawing.resamples },
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
