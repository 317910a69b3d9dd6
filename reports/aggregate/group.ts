import type { Plan } from 'shaketable'
import type { AggregateColumn } from './columns.js'
import { differenceOf, findUnchanged } from './differences.js'
import type { TaskScores } from './evidence.js'
import type { RunScore } from './rates.js'
import { scoreRuns } from './rates.js'
import type { Scope } from './scope.js'
import { describeScope } from './scope.js'
import type { Tallies } from './tally.js'
import { scoreTasks } from './task-scores.js'
import type { Trials } from './trials.js'
import { trialsOf } from './trials.js'

/** All episodes of one environment × model × agent × column. */
export interface Group {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly column: string
  readonly runs: readonly RunScore[]
  readonly tasks: TaskScores
  /** One for each temperature, over the seeds. */
  readonly temperatures: readonly (Scope & {
    readonly temperature: number
    /** The seeds as tries at each task. Absent for one seed, and where nothing was measured. */
    readonly trials?: Trials
  })[]
  /** Over every seed at every temperature. */
  readonly pooled: Scope
}

/** Describes the groups of a plan, one for each environment × model × agent × column. */
export function describeGroups(plan: Plan, tallies: Tallies, columns: readonly AggregateColumn[]): Group[] {
  return plan.environments.flatMap((environment) =>
    plan.models.flatMap((model) =>
      plan.agents.flatMap((agent) =>
        columns.map((column) =>
          describeGroup(plan, tallies, columns, environment.name, model.name, agent.name, column),
        ),
      ),
    ),
  )
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
    tasks: scoreTasks(tally, clean, unchanged),
    temperatures: places.map((place) => {
      const trials = trialsOf(tally, place)
      return { temperature: plan.temperatures[place]!, ...describe([place]), ...(trials && { trials }) }
    }),
    pooled: describe(places),
  }
}
