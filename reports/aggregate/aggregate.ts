import type { Outcome, Plan, PlannedColumn, StoredRun } from 'shaketable'
import { hashOf } from 'shaketable'
import type { Behaviour } from './behaviour.js'
import { behaviourOf } from './behaviour.js'
import type { Difference } from './differences.js'
import { differenceOf, findUnchanged } from './differences.js'
import type { Ranking, Robustness, Spread, TaskScores, Variant } from './evidence.js'
import type { Rate, RunScore } from './rates.js'
import { rateOf, scoreRuns } from './rates.js'
import { addSums } from './sums.js'
import type { Tallies, Tally } from './tally.js'
import { tallyRows } from './tally.js'
import type { Trials } from './trials.js'
import { trialsOf } from './trials.js'

/** Everything that the tables of a run say, as plain JSON. Lists are in the plan's order; what cannot be said is absent. */
export interface Aggregate {
  readonly schema: 1
  /** Version of shaketable that made the plan. */
  readonly version: string
  /** First 12 digits of the plan's hash. */
  readonly plan: string
  /** Whether episodes were still being added. */
  readonly partial: boolean
  /** Whether the run was stopped before everything was played. Absent where it was not. */
  readonly stopped?: true
  /** Rows left out because they are of no episode of the plan. */
  readonly strays: number
  /** What a report on this run leaves out or cannot say, in sentences; empty where it tells all. */
  readonly omitted?: readonly string[]
  readonly environments: readonly AggregateEnvironment[]
  readonly columns: readonly AggregateColumn[]
  readonly models: Plan['models']
  readonly agents: Plan['agents']
  readonly temperatures: readonly number[]
  readonly seeds: readonly number[]
  readonly stepLimit: number
  /** One for each environment × model × agent × column. */
  readonly groups: readonly Group[]
  /** One for each environment × model × agent: what all columns together say of it. */
  readonly robustness?: readonly Robustness[]
  /** One for each environment × column × metric: who is best, and who cannot be told apart from the best. */
  readonly rankings?: readonly Ranking[]
  /** One for each environment × agent × column × model that names another as the one it varies: variant minus reference. */
  readonly variants?: readonly Variant[]
}

/** An environment of the run and the tasks it was played on. */
export interface AggregateEnvironment {
  readonly name: string
  readonly version: string
  /** How many tasks. */
  readonly tasks: number
  /** The tasks in the plan's order, and a hash of their ids, kinds and content: only runs on one panel can be compared. */
  readonly panel?: {
    readonly hash: string
    readonly tasks: readonly { readonly id: string; readonly kind?: string; readonly hash: string }[]
  }
}

/** A column, whether it is the clean one, and whether it changes nothing at all: the clean one, or by its promise. */
export interface AggregateColumn {
  readonly label: string
  readonly clean: boolean
  readonly identity: boolean
  readonly perturbations: PlannedColumn['perturbations']
  /** Of its only perturbation, where that has one; 1 where it is at its full strength. */
  readonly intensity?: number
}

/** All episodes of one environment × model × agent × column. */
export interface Group {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  readonly runs: readonly RunScore[]
  /** What came of each task, over every seed at every temperature. */
  readonly tasks?: TaskScores
  /** One for each temperature, over the seeds. */
  readonly temperatures: readonly (Scope & {
    readonly temperature: number
    /** The seeds as tries at each task. Absent for one seed, and where nothing was measured. */
    readonly trials?: Trials
  })[]
  /** Over every seed at every temperature. */
  readonly pooled: Scope
}

/** A group at one temperature, or over all of them. */
export interface Scope {
  /** Measurements and planned episodes. Broken and missing episodes enter no mean. */
  readonly coverage: { readonly valid: number; readonly planned: number }
  readonly outcomes: Readonly<Record<Outcome, number>>
  readonly success: Rate
  readonly progress: Rate
  /** Absent on the clean twin, and in a run without one. */
  readonly difference?: Difference
  readonly behaviour: Behaviour
  /** Of success and of progress; absent below two seeds or two tasks, or where a measurement is missing. */
  readonly spread?: Readonly<Record<'success' | 'progress', Spread>>
  /**
   * Mean progress after 0, 1, 2, … steps up to the step limit, over the measurements (an ended episode keeps its last). Absent where the rows do not tell when
   * progress was made.
   */
  readonly curve?: readonly number[]
  /** Quantile curve for a performance profile: share of measurements whose progress is above 0, 0.05, …, 0.95. */
  readonly profile?: readonly number[]
}

/** Sums a run up in one pass over its rows, in any order, holding 23 bytes for each planned episode. */
export function aggregate(run: StoredRun): Aggregate {
  const { plan } = run
  const tallies = tallyRows(run)
  const columns = plan.columns.map(({ label, perturbations }) => ({
    label,
    clean: perturbations.length === 0,
    identity: perturbations.every(({ promise }) => promise === 'identity'),
    perturbations,
  }))
  return {
    schema: 1,
    version: plan.version,
    plan: hashOf(plan, 12),
    partial: run.writing === true || run.stopped !== undefined,
    ...(run.stopped !== undefined && { stopped: true }),
    strays: tallies.strays,
    environments: plan.environments.map(({ name, version, tasks }) => ({ name, version, tasks: tasks.length })),
    columns,
    models: plan.models,
    agents: plan.agents,
    temperatures: plan.temperatures,
    seeds: plan.seeds,
    stepLimit: plan.stepLimit,
    groups: plan.environments.flatMap((environment) =>
      plan.models.flatMap((model) =>
        plan.agents.flatMap((agent) =>
          columns.map((column) =>
            describeGroup(plan, tallies, columns, environment.name, model.name, agent.name, column),
          ),
        ),
      ),
    ),
  }
}

function describeGroup(
  plan: Plan,
  tallies: Tallies,
  columns: readonly AggregateColumn[],
  environment: string,
  model: string,
  agent: string,
  column: AggregateColumn,
): Group {
  const tally = tallies.find(environment, model, agent, column.label)
  const cleanColumn = column.clean ? undefined : columns.find(({ clean }) => clean)
  const clean = cleanColumn && tallies.find(environment, model, agent, cleanColumn.label)
  const unchanged = column.identity ? new Set<number>() : findUnchanged(tally)
  const runs = scoreRuns(tally, plan.temperatures, plan.seeds)
  const describe = (temperatures: readonly number[]): Scope => ({
    ...describeScope(tally, runs, temperatures, column),
    ...(clean && { difference: differenceOf(clean, tally, temperatures, unchanged) }),
  })
  const places = plan.temperatures.map((_, place) => place)
  return {
    environment,
    model,
    agent,
    column: column.label,
    runs,
    temperatures: places.map((place) => {
      const trials = trialsOf(tally, place)
      return { temperature: plan.temperatures[place]!, ...describe([place]), ...(trials && { trials }) }
    }),
    pooled: describe(places),
  }
}

function describeScope(
  tally: Tally,
  runs: readonly RunScore[],
  temperatures: readonly number[],
  column: AggregateColumn,
): Scope {
  const { seeds, tasks } = tally.shape
  const sums = addSums(temperatures.map((place) => tally.sums[place]!))
  const chosen = temperatures.flatMap((place) => runs.slice(place * seeds, (place + 1) * seeds))
  return {
    coverage: {
      valid: chosen.reduce((sum, run) => sum + run.valid, 0),
      planned: temperatures.length * seeds * tasks,
    },
    outcomes: sums.outcomes,
    success: rateOf('success', chosen, tally, temperatures),
    progress: rateOf('progress', chosen, tally, temperatures),
    behaviour: behaviourOf(tally, temperatures, sums, column),
  }
}
