import type { Plan } from '../define.js'
import { mean, pairedDifference } from '../statistics/index.js'
import { adjustFamily, comparePairs, compareSets, dropRatesOf, overheadOf, touchedBy } from './differences.js'
import { defined, groupBy, sumOf } from './lists.js'
import { type Pairs, pairBySeed, pairWhole } from './pairs.js'
import { countPlanned, placesOf } from './passes.js'
import { knownOf, scoreRuns, taskMeans } from './rates.js'
import type { Group, KindScore, Scope } from './schema.js'
import { describeScope } from './scope.js'
import type { TalliedSubject } from './subjects.js'
import type { Tally } from './tally.js'
import { trialsOf } from './trials.js'

/**
 * Describes the groups of a subject, one for each condition: their tests are a family at each temperature, and another
 * over all of them.
 */
export function describeGroups({ temperatures, seeds }: Plan, subject: TalliedSubject): Group[] {
  const { names, environment, conditions, clean, find } = subject
  const kinds = groupBy(environment.tasks.keys(), (place) => environment.tasks[place]!.kind ?? '')
  const members = conditions.map((condition) => {
    const tally = find(condition)
    const twin = condition.clean ? undefined : clean
    const runs = scoreRuns(tally, temperatures, seeds)
    return { condition, tally, twin, pairs: twin && pairWhole(twin, tally), runs }
  })
  const places = temperatures.map((_, place) => place)
  const describeAt = (some: readonly number[]): Scope[] => {
    const isWhole = some.length === places.length
    const differences = members.map(({ tally, condition, twin }) => {
      if (twin === undefined) return undefined
      const pairs = isWhole ? pairWhole(twin, tally) : pairBySeed(twin, tally, some)
      const { means, ...compared } = isWhole ? compareSets(twin, [[tally]]) : comparePairs([pairs], pairs)
      return {
        ...compared,
        ...(!condition.identity && { touched: touchedBy([tally], undefined, some) }),
        flips: pairs.flips,
        dropRate: dropRatesOf(means),
        ...(isWhole && defined({ overhead: overheadOf(twin, tally) })),
      }
    })
    const adjusted = adjustFamily(differences, (place) => !conditions[place]!.identity)
    return members.map(({ condition, tally, runs }, place) => {
      const difference = adjusted[place]
      return { ...describeScope(tally, runs, some, condition), ...(difference && { difference }) }
    })
  }
  const pooled = describeAt(places)
  const byTemperature = places.length === 1 ? [pooled] : places.map((place) => describeAt([place]))
  return members.map(({ condition, tally, pairs, runs }, member) => {
    const tasks = scoreTasks(tally, pairs)
    return {
      ...{ ...names, condition: condition.label, tasks },
      runs: runs.filter((_, pass) => tally.planned[pass] === 1),
      ...(kinds.size > 1 && { kinds: describeKinds(kinds, tally, tasks, pairs) }),
      temperatures: places.map((place) => ({
        ...{ temperature: temperatures[place]!, ...byTemperature[place]![member]! },
        ...defined({ trials: trialsOf(tally, place) }),
      })),
      pooled: pooled[member]!,
    }
  })
}

/** Scores every task of a group; `pairs` are all those with its clean twin, where it has one. */
function scoreTasks(tally: Tally, pairs: Pairs | undefined): Group['tasks'] {
  const places = placesOf(tally.shape)
  const zeros = (): number[] => places.tasks.map(() => 0)
  const [valid, broken, successes] = [zeros(), zeros(), zeros()]
  tally.state.forEach((state, slot) => {
    const task = slot % places.tasks.length
    if (state === 1) broken[task]!++
    if (state !== 2) return
    valid[task]!++
    successes[task]! += tally.success[slot]!
  })
  const orNull = (mean: number): number | null => (Number.isNaN(mean) ? null : mean)
  return {
    valid,
    broken,
    successes,
    progress: Array.from(taskMeans(tally.progress, tally), orNull),
    ...(pairs && { change: Array.from(pairs.success.difference, orNull) }),
  }
}

/** Describes a group by the kinds of its tasks; `pairs` are all those with its clean twin, where it has one. */
function describeKinds(
  kinds: ReadonlyMap<string, readonly number[]>,
  tally: Tally,
  { valid }: Group['tasks'],
  pairs: Pairs | undefined,
): KindScore[] {
  const means = taskMeans(tally.success, tally)
  return [...kinds].map(([kind, tasks]): KindScore => ({
    ...{ kind, tasks: tasks.length },
    coverage: { valid: sumOf(tasks, (task) => valid[task]!), planned: tasks.length * countPlanned(tally) },
    ...defined({ success: mean(knownOf(tasks.map((task) => means[task]!))) }),
    ...(pairs && { difference: { success: pairedDifference(tasks.map((task) => pairs.success.difference[task]!)) } }),
  }))
}
