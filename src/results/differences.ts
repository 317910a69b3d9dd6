import { holm, meanBounds, noDifferenceP, pairedDifference, ratioOfMeans } from '../statistics/index.js'
import { defined, sumOf } from './lists.js'
import { type MeansByTask, type Metric, type Pairs, isPair, pairWhole, perMetric } from './pairs.js'
import { placesOf } from './passes.js'
import { eachMeasured, meanOfKnown, meansByTask } from './rates.js'
import type { Difference, Test, Touched } from './schema.js'
import type { Tally } from './tally.js'

/**
 * How much perturbed groups changed in their episodes, at some temperatures, given by their places, and on some tasks.
 * It is told and selects no task: what is changed of an episode also depends on what the agent did in it.
 */
export function touchedBy(
  perturbed: readonly Tally[],
  tasks: readonly number[] = placesOf(perturbed[0]?.shape).tasks,
  temperatures: readonly number[] = placesOf(perturbed[0]?.shape).temperatures,
): Touched {
  let [steps, touchedSteps] = [0, 0]
  const touched = tasks.filter((task) => {
    let isTouched = false
    for (const tally of perturbed) {
      eachMeasured(tally, temperatures, task, (slot) => {
        if (tally.changed[slot] === 1) isTouched = true
        steps += tally.steps[slot]!
        touchedSteps += tally.touched[slot]!
      })
    }
    return isTouched
  })
  const share = touchedSteps / steps
  return { tasks: touched.length, of: tasks.length, ...(Number.isFinite(share) && { steps: share }) }
}

/** {@link pairedDifference} over the tasks that have a pair; where one is missing also {@link worstCaseOf}. */
function differenceOver(means: MeansByTask): Difference[Metric] {
  return { ...pairedDifference(means.difference), ...defined({ worstCase: worstCaseOf(means, 0.025) }) }
}

/**
 * The widest interval of the mean difference over everything that the missing pairs may have been, each bound with
 * one-sided error `alpha`; undefined where none is missing.
 */
export function worstCaseOf({ difference, low, high }: Bounded, alpha: number) {
  const isWhole = [low, high].every((bound) => difference.every((value, task) => Object.is(value, bound[task])))
  return isWhole ? undefined : { low: meanBounds(low, alpha).low, high: meanBounds(high, alpha).high }
}

type Bounded = Pick<MeansByTask, 'difference' | 'low' | 'high'>
type Compared = ReturnType<typeof comparePairs>

const known = new WeakMap<Pairs, Compared>()

/**
 * Compares sets of groups, such as the draws of each of some families, with one twin: by task the mean over the sets of
 * the mean over the groups of a set that have a pair.
 */
export function compareSets(twin: Tally, sets: readonly (readonly Tally[])[]): Compared {
  const paired = sets.map((set) => set.map((tally) => pairWhole(twin, tally)))
  const all = paired.flat()
  const [only] = all
  if (all.length === 1 && only !== undefined) {
    const compared = known.get(only) ?? comparePairs(all, only)
    known.set(only, compared)
    return compared
  }
  const means = perMetric((metric): MeansByTask => {
    const byTask = (part: keyof MeansByTask): Float64Array =>
      Float64Array.from({ length: twin.shape.tasks }, (_, task) =>
        meanOfKnown(paired.map((set) => meanOfKnown(set.map((pairs) => pairs[metric][part][task]!)))),
      )
    const [first, second, difference] = [byTask('first'), byTask('second'), byTask('difference')]
    return { first, second, difference, low: byTask('low'), high: byTask('high') }
  })
  return comparePairs(all, means)
}

/** Compares pairs at some temperatures, by their means. Tests are of no difference, not adjusted. */
export function comparePairs(pairs: readonly Pairs[], means: Readonly<Record<Metric, MeansByTask>>) {
  const count = sumOf(pairs, (pair) => pair.count)
  const testOf = (metric: Metric): Test => ({ p: noDifferenceP(means[metric].difference) })
  return {
    ...{ pairs: count, planned: sumOf(pairs, ({ planned }) => planned), means },
    ...perMetric((metric) => differenceOver(means[metric])),
    ...(count > 0 && { tests: perMetric(testOf) }),
  }
}

/**
 * Adjusts the tests of a family, metric by metric; members outside of it stay as they are. A member without a test
 * still counts, so that a family does not shrink while a run is being played.
 */
export function adjustFamily<Member extends Pick<Difference, 'tests'>>(
  members: readonly (Member | undefined)[],
  isInFamily: (place: number) => boolean,
): (Member | undefined)[] {
  const places = members.map((_, place) => place).filter(isInFamily)
  const adjusted = perMetric((metric) => holm(places.map((place) => members[place]?.tests?.[metric].p ?? NaN)))
  return members.map((member, place) => {
    const at = places.indexOf(place)
    if (member?.tests === undefined || at < 0) return member
    const { tests } = member
    return { ...member, tests: perMetric((metric) => ({ ...tests[metric], holm: adjusted[metric][at]! })) }
  })
}

/** The drop rates of a comparison, of means over tasks; a metric whose first score is 0 is absent. */
export function dropRatesOf(means: Readonly<Record<Metric, MeansByTask>>): Difference['dropRate'] {
  return defined(perMetric((metric) => dropRateOf(means[metric])))
}

/** 1 − perturbed/clean with the interval of that ratio; undefined where the clean mean is 0, and without a task. */
export function dropRateOf({ first, second }: MeansByTask) {
  const ratio = ratioOfMeans(first, second)
  if (ratio === undefined) return undefined
  const { value, interval } = ratio
  return { value: 1 - value, ...(interval && { interval: { low: 1 - interval.high, high: 1 - interval.low } }) }
}

/** How many more steps and tokens a perturbed group takes than its clean twin, on tasks solved both times. */
export function overheadOf(twin: Tally, tally: Tally): Difference['overhead'] {
  const takenBySolved = (side: Tally, taken: 'steps' | 'tokens'): Float64Array =>
    meansByTask(side.shape, (slot) => {
      const isSolved = isPair(twin, tally, slot) && twin.success[slot] === 1 && tally.success[slot] === 1
      return isSolved ? side[taken][slot]! : NaN
    })
  const ratioOf = (taken: 'steps' | 'tokens') => {
    const [first, second] = [takenBySolved(twin, taken), takenBySolved(tally, taken)]
    const largest = [...first, ...second].reduce((most, mean) => (mean > most ? mean : most), 0)
    return largest > 0 ? ratioOfMeans(first, second, largest) : undefined
  }
  const tasks = takenBySolved(tally, 'steps').filter(Number.isFinite).length
  return tasks === 0 ? undefined : { tasks, ...defined({ steps: ratioOf('steps'), tokens: ratioOf('tokens') }) }
}
