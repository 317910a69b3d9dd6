import { mean, worstCase, worstOfRepeats } from '../statistics/index.js'
import { isAveraged } from './conditions.js'
import type { Metric } from './pairs.js'
import { metrics } from './pairs.js'
import { isCopy, placesOf } from './passes.js'
import { taskMean } from './rates.js'
import type { Robustness } from './schema.js'
import type { TalliedSubject } from './subjects.js'
import type { Tally } from './tally.js'

/** Computes the figures over all conditions of each environment × model × agent. */
export function describeRobustness(subjects: readonly TalliedSubject[]): Robustness[] {
  return subjects.map(({ names, conditions, find }) => {
    const chosen = conditions.filter((condition) => condition.clean || isAveraged(condition))
    const clean = chosen.find((condition) => condition.clean)
    return { ...names, ...(chosen.length > 1 && summarise(chosen.map(find), clean && find(clean))) }
  })
}

type Shares = Readonly<Record<Metric, number>>

function summarise(conditions: readonly Tally[], clean: Tally | undefined): Partial<Robustness> {
  const { seeds, temperatures, tasks } = placesOf(conditions[0]!.shape)
  /** Seeds that are not copies of earlier ones at some temperature. */
  const places = seeds.filter(
    (seed) => clean === undefined || temperatures.some((place) => !isCopy(clean, place * clean.shape.seeds + seed)),
  )
  const taskScores = (tally: Tally, metric: Metric): number[] =>
    tasks.map((task) => taskMean(tally[metric], tally, temperatures, task))
  /** Temperatures are chosen and not random, so together they are one repeat. */
  const repeatsOf = (tally: Tally, metric: Metric): number[][] =>
    places.map((seed) =>
      tasks.map((task) => {
        const slots = temperatures.map((place) => (place * tally.shape.seeds + seed) * tasks.length + task)
        const sum = slots.reduce((all, slot) => all + (tally.state[slot] === 2 ? tally[metric][slot]! : NaN), 0)
        return sum / slots.length
      }),
    )
  const repeats = (of: 'ofConditions' | 'ofClean'): Shares | undefined =>
    clean &&
    both(
      (metric) =>
        worstOfRepeats(
          conditions.map((tally) => repeatsOf(tally, metric)),
          repeatsOf(clean, metric),
        )?.[of],
    )
  const worst = both((metric) => worstCase(conditions.map((tally) => taskScores(tally, metric))))
  const [oneSeed, ofClean] = [repeats('ofConditions'), repeats('ofClean')]
  const solved = conditions.map((tally) => taskScores(tally, 'success'))
  const measured = tasks.filter((task) => solved.every((scores) => scores[task]! >= 0))
  const allPass = mean(measured.map((task) => Number(solved.every((scores) => scores[task]! >= 0.5))))
  return {
    ...(worst && { worstCase: { ...worst, conditions: conditions.length } }),
    ...(ofClean && oneSeed && { worstOfClean: { ...ofClean, repeats: conditions.length }, worstOfOneSeed: oneSeed }),
    ...(allPass !== undefined && { allPass }),
  }
}

function both(of: (metric: Metric) => number | undefined): Shares | undefined {
  const [success, progress] = metrics.map(of)
  return success === undefined || progress === undefined ? undefined : { success, progress }
}
