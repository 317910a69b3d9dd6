import type { Plan } from '../define.js'
import { conditionsIn, pairsOf } from '../define.js'
import { differenceOf, touchedBy, differenceOver } from './differences.js'
import { dropRatesOf, overheadOf } from './drop-rates.js'
import type { Pairs, BoundedMeans, MeansByTask } from './pairs.js'
import { pairTallies } from './pairs.js'
import { scoreRuns, taskMean, eachMeasured } from './rates.js'
import { describeScope } from './scope.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'
import { adjustFamily } from './tests.js'
import { trialsOf } from './trials.js'
import type { AggregateCondition, Group, Scope, TaskScores, KindScore } from './schema.js'
import { mean } from '../statistics/index.js'
import { countPlanned } from './passes.js'

/** Describes the groups of a plan, one for each environment × model × agent × condition that is played there. */
export function describeGroups(plan: Plan, tallies: Tallies, conditions: readonly AggregateCondition[]): Group[] {
  return plan.environments.flatMap((environment) =>
    pairsOf(plan).flatMap(({ model, agent }) =>
      describeFamily(
        plan,
        tallies,
        conditionsIn(conditions, environment.name),
        {
          environment: environment.name,
          model: model.name,
          agent: agent.name,
        },
        placesByKind(environment.tasks),
      ),
    ),
  )
}

type Names = Pick<Group, 'environment' | 'model' | 'agent'>

/**
 * The conditions of one environment × model × agent: their tests are a family at each temperature, and another over all
 * of them.
 */
function describeFamily(
  plan: Plan,
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
  names: Names,
  kinds: ReturnType<typeof placesByKind>,
): Group[] {
  const { environment, model, agent } = names
  const find = ({ label }: AggregateCondition): Tally => tallies.find(environment, model, agent, label)
  const cleanCondition = conditions.find(({ clean }) => clean)
  const clean = cleanCondition && find(cleanCondition)
  const members = conditions.map((condition) => {
    const tally = find(condition)
    return {
      condition,
      tally,
      twin: condition.clean ? undefined : clean,
      runs: scoreRuns(tally, plan.temperatures, plan.seeds),
    }
  })
  const places = plan.temperatures.map((_, place) => place)
  const pairedAt = (temperatures: readonly number[]) =>
    members.map(({ tally, twin }) => twin && pairTallies(twin, tally, temperatures))
  const describeAt = (temperatures: readonly number[], paired: ReturnType<typeof pairedAt>): Scope[] => {
    const differences = members.map(({ tally, condition }, place) => {
      const pairs = paired[place]
      if (pairs === undefined) return undefined
      const overhead = temperatures.length === places.length ? overheadOf(pairs) : undefined
      const touched = condition.identity ? undefined : touchedBy([tally], temperatures)
      return { ...differenceOf(pairs, touched, dropRatesOf(pairs)), ...(overhead && { overhead }) }
    })
    const adjusted = adjustFamily(differences, (place) => !conditions[place]!.identity)
    return members.map(({ condition, tally, runs }, place) => {
      const difference = adjusted[place]
      return {
        ...describeScope(tally, runs, temperatures, condition),
        ...(difference && { difference }),
      }
    })
  }
  const paired = pairedAt(places)
  const pooled = describeAt(places, paired)
  const byTemperature = places.length === 1 ? [pooled] : places.map((place) => describeAt([place], pairedAt([place])))
  return members.map(({ condition, tally, runs }, member) => ({
    ...names,
    condition: condition.label,
    runs: runs.filter((_, pass) => tally.planned[pass] === 1),
    tasks: scoreTasks(tally, paired[member]),
    ...(kinds && { kinds: describeKinds(kinds, tally, paired[member], condition.identity) }),
    temperatures: places.map((place) => {
      const trials = trialsOf(tally, place)
      return { temperature: plan.temperatures[place]!, ...byTemperature[place]![member]!, ...(trials && { trials }) }
    }),
    pooled: pooled[member]!,
  }))
}

/** Scores every task of a group; `pairs` are all those with its clean twin, where it has one. */
function scoreTasks(tally: Tally, pairs: Pairs | undefined): TaskScores {
  const { temperatures, seeds, tasks } = tally.shape
  const everywhere = Array.from({ length: temperatures }, (_, place) => place)
  const [valid, broken, successes] = [zeros(tasks), zeros(tasks), zeros(tasks)]
  for (let slot = 0; slot < temperatures * seeds * tasks; slot++) {
    const task = slot % tasks
    if (tally.state[slot] === 1) broken[task]!++
    if (tally.state[slot] !== 2) continue
    valid[task]!++
    successes[task]! += tally.success[slot]!
  }
  const progress = Array.from({ length: tasks }, (_, task) => orNull(taskMean(tally.progress, tally, everywhere, task)))
  return {
    valid,
    broken,
    successes,
    progress,
    ...(pairs && { change: Array.from(pairs.success.difference, orNull) }),
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}

function orNull(mean: number): number | null {
  return Number.isNaN(mean) ? null : mean
}

/**
 * The places of an environment's tasks by their kind, in the order of the panel; undefined for fewer than two kinds.
 */
function placesByKind(
  tasks: readonly { readonly kind?: string }[],
): ReadonlyMap<string, readonly number[]> | undefined {
  const kinds = new Map<string, number[]>()
  tasks.forEach(({ kind = '' }, place) => {
    const places = kinds.get(kind)
    if (places === undefined) kinds.set(kind, [place])
    else places.push(place)
  })
  return kinds.size < 2 ? undefined : kinds
}

/** Describes a group by the kinds of its tasks; `pairs` are all those with its clean twin, where it has one. */
function describeKinds(
  kinds: ReadonlyMap<string, readonly number[]>,
  tally: Tally,
  pairs: Pairs | undefined,
  isIdentity: boolean,
): KindScore[] {
  const everywhere = Array.from({ length: tally.shape.temperatures }, (_, place) => place)
  return [...kinds].map(([kind, places]): KindScore => {
    const meanOf = (values: Tally['success'] | Tally['progress']): number | undefined =>
      mean(places.map((task) => taskMean(values, tally, everywhere, task)).filter((score) => !Number.isNaN(score)))
    const [success, progress] = [meanOf(tally.success), meanOf(tally.progress)]
    let valid = 0
    for (const task of places) eachMeasured(tally, everywhere, task, () => valid++)
    return {
      kind,
      tasks: places.length,
      coverage: { valid, planned: places.length * countPlanned(tally, everywhere) },
      ...(success !== undefined && { success }),
      ...(progress !== undefined && { progress }),
      ...(pairs && {
        difference: {
          pairs: places.reduce((sum, task) => sum + pairs.counts[task]!, 0),
          ...(!isIdentity && { touched: touchedBy([tally], everywhere, places) }),
          success: differenceOver(pick(pairs.success, places)),
          progress: differenceOver(pick(pairs.progress, places)),
        },
      }),
    }
  })
}

function pick({ first, second, difference, low, high }: BoundedMeans, places: readonly number[]): MeansByTask {
  const of = (values: Float64Array): number[] => places.map((place) => values[place]!)
  return { first: of(first), second: of(second), difference: of(difference), low: of(low), high: of(high) }
}
