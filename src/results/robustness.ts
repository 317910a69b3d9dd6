import { standardDeviation, worstCase, worstOfRepeats } from '../statistics/index.js'
import { isAveraged } from './conditions.js'
import type { Metric } from './pairs.js'
import { metrics } from './pairs.js'
import { isCopy } from './passes.js'
import { repeatScores, taskMean } from './rates.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'
import type { AggregateCondition, Group, Robustness } from './schema.js'

/**
 * Computes the figures over all conditions of each environment × model × agent; `groups` are all groups of the plan.
 */
export function describeRobustness(
  groups: readonly Group[],
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
): Robustness[] {
  const enters = new Map(
    conditions.map((condition) => [
      condition.label,
      { clean: condition.clean, enters: condition.clean || isAveraged(condition) },
    ]),
  )
  const families = new Map<string, Group[]>()
  for (const group of groups) {
    const key = JSON.stringify([group.environment, group.model, group.agent])
    const family = families.get(key)
    if (family === undefined) families.set(key, [group])
    else family.push(group)
  }
  return [...families.values()].map((family) => {
    const [{ environment, model, agent }] = family as [Group]
    const find = ({ condition }: Group): Tally => tallies.find(environment, model, agent, condition)
    const chosen = family.filter(({ condition }) => enters.get(condition)!.enters)
    const clean = chosen.find(({ condition }) => enters.get(condition)!.clean)
    return {
      environment,
      model,
      agent,
      ...(chosen.length > 1 && summarise(chosen.map(find), clean && find(clean))),
      ...spreadOver(chosen.filter((group) => group !== clean)),
    }
  })
}

type Shares = Readonly<Record<Metric, number>>

function summarise(conditions: readonly Tally[], clean: Tally | undefined): Partial<Robustness> {
  const { seeds } = conditions[0]!.shape
  const places = Array.from({ length: seeds }, (_, seed) => seed).filter(
    (seed) => clean === undefined || isDistinct(clean, seed),
  )
  const worst = both((metric) => worstCase(conditions.map((tally) => taskScores(tally, metric))))
  const temperatures = Array.from({ length: conditions[0]!.shape.temperatures }, (_, place) => place)
  const repeatsOf = (tally: Tally, metric: Metric): number[][] =>
    places.map((seed) => repeatScores(tally[metric], tally, temperatures, seed))
  const repeats = (of: 'ofConditions' | 'ofClean'): Shares | undefined =>
    clean &&
    both(
      (metric) =>
        worstOfRepeats(
          conditions.map((tally) => repeatsOf(tally, metric)),
          repeatsOf(clean, metric),
        )?.[of],
    )
  const [oneSeed, ofClean] = [repeats('ofConditions'), repeats('ofClean')]
  const solved = conditions.map((tally) => taskScores(tally, 'success'))
  const measured = solved[0]!.map((_, task) => task).filter((task) => solved.every((scores) => scores[task]! >= 0))
  const passed = measured.filter((task) => solved.every((scores) => scores[task]! >= 0.5))
  return {
    ...(worst && { worstCase: { ...worst, conditions: conditions.length } }),
    ...(ofClean && oneSeed && { worstOfClean: { ...ofClean, repeats: conditions.length }, worstOfOneSeed: oneSeed }),
    ...(measured.length > 0 && { allPass: passed.length / measured.length }),
  }
}

/** Whether a seed is not a copy of an earlier one at some temperature. */
function isDistinct(tally: Tally, seed: number): boolean {
  const { temperatures, seeds } = tally.shape
  return Array.from({ length: temperatures }, (_, place) => place * seeds + seed).some((pass) => !isCopy(tally, pass))
}

/** Means by task over all temperatures and seeds; NaN where nothing was measured. */
function taskScores(tally: Tally, metric: Metric): number[] {
  const { temperatures, tasks } = tally.shape
  const places = Array.from({ length: temperatures }, (_, place) => place)
  return Array.from({ length: tasks }, (_, task) => taskMean(tally[metric], tally, places, task))
}

function both(of: (metric: Metric) => number | undefined): Shares | undefined {
  const [success, progress] = metrics.map(of)
  return success === undefined || progress === undefined ? undefined : { success, progress }
}

function spreadOver(groups: readonly Group[]): Partial<Robustness> {
  const spread = both((metric) => {
    const means = groups.map(({ pooled }) => pooled[metric].mean).filter((value) => value !== undefined)
    return means.length === groups.length ? standardDeviation(means) : undefined
  })
  return spread ? { spreadOverConditions: spread } : {}
}
