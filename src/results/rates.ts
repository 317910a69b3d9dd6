import { mean, spreadByGroup, taskInterval } from '../statistics/index.js'
import { defined } from './lists.js'
import { type Passes, type Shape, isCopy, placesOf } from './passes.js'
import type { Tally } from './tally.js'
import type { RunScore, Scope } from './schema.js'

/** Scores every pass of a group, temperatures outermost, in the plan's order, whether it is planned or not. */
export function scoreRuns(tally: Tally, temperatures: readonly number[], seeds: readonly number[]): RunScore[] {
  const { tasks } = tally.shape
  return temperatures.flatMap((temperature, atTemperature) =>
    seeds.map((seed, atSeed) => {
      const pass = atTemperature * seeds.length + atSeed
      const first = pass * tasks
      const progress: number[] = []
      let successes = 0
      for (let slot = first; slot < first + tasks; slot++) {
        if (tally.state[slot] !== 2) continue
        progress.push(tally.progress[slot]!)
        successes += tally.success[slot]!
      }
      const valid = progress.length
      const scored = valid > 0 && { success: successes / valid, progress: mean(progress)! }
      const copied = isCopy(tally, pass) && { copyOf: seeds[tally.sameAs[pass]!]! }
      return { temperature, seed, ...copied, valid, ...scored }
    }),
  )
}

/**
 * The rate over several passes, the mean of the means at each temperature; `temperatures` are the places of those that
 * enter. A copy enters the mean, so that no weight depends on how many there are, but is no further run.
 */
export function rateOf(
  metric: 'success' | 'progress',
  runs: readonly RunScore[],
  tally: Tally,
  temperatures: readonly number[],
): Scope['success'] {
  const { seeds } = tally.shape
  const byTemperature = temperatures.map((_, place) => runs.slice(place * seeds, (place + 1) * seeds))
  const scoreOf = (run: RunScore): number => run[metric] ?? NaN
  const distinct = byTemperature.map((some) => some.filter(({ copyOf }) => copyOf === undefined).map(scoreOf))
  const { within, between, pooled } = spreadByGroup(distinct)
  const centre = spreadByGroup(byTemperature.map((some) => some.map(scoreOf))).meanOfMeans
  const overTasks = taskInterval(knownOf(taskMeans(tally[metric], tally, temperatures)))
  return {
    runs: distinct.flat().filter(Number.isFinite).length,
    ...defined({ mean: centre, deviation: within, betweenTemperatures: between, overTasks }),
    ...(between !== undefined && pooled !== undefined && { deviationOfRuns: pooled }),
  }
}

/** The mean of one score a task, with its interval over tasks; nothing without a task. */
export function meanOverTasks(scores: readonly number[]) {
  return defined({ mean: mean(scores), overTasks: taskInterval(scores) })
}

/** What there is of an episode, by slot. */
type Values = Uint8Array | Uint32Array | Float64Array

/**
 * By task the mean over some temperatures, by their places (all where absent), of the mean over the seeds of each of
 * what `read` gives for a slot; NaN is left out, and is the mean of nothing.
 */
export function meansByTask(
  shape: Shape,
  read: (slot: number) => number,
  temperatures = placesOf(shape).temperatures,
): Float64Array {
  const { seeds, tasks } = shape
  const means = new Float64Array(tasks)
  // The means of the temperatures that are known come first, then the values of one temperature.
  const values = new Float64Array(temperatures.length + seeds)
  for (let task = 0; task < tasks; task++) {
    let known = 0
    for (const temperature of temperatures) {
      let end = known
      for (let seed = 0; seed < seeds; seed++) {
        const value = read((temperature * seeds + seed) * tasks + task)
        if (!Number.isNaN(value)) values[end++] = value
      }
      if (end > known) values[known] = meanOf(values, known++, end)
    }
    means[task] = meanOf(values, 0, known)
  }
  return means
}

/** {@link meansByTask} of the measurements. */
export function taskMeans(values: Values, { shape, state }: Passes, temperatures?: readonly number[]): Float64Array {
  return meansByTask(shape, (slot) => (state[slot] === 2 ? values[slot]! : NaN), temperatures)
}

/** By task the mean of its means at all temperatures; NaN where one of them is missing. */
export function wholeTaskMeans(values: Values, passes: Passes): Float64Array {
  const each = placesOf(passes.shape).temperatures.map((place) => taskMeans(values, passes, [place]))
  return Float64Array.from({ length: passes.shape.tasks }, (_, task) => mean(each.map((means) => means[task]!)) ?? NaN)
}

/** The numbers of a list that are known. */
export function knownOf(values: Iterable<number>): number[] {
  return [...values].filter((value) => !Number.isNaN(value))
}

/** The mean of the values that are known; NaN without one. */
export function meanOfKnown(values: Iterable<number>): number {
  return mean(knownOf(values)) ?? NaN
}

/**
 * Mean of the numbers of a list from `start` up to `end`, for callers too frequent to make a list each time. Like
 * `mean`, it is compensated (Neumaier 1974) and stays within the range of the numbers. NaN for none.
 */
function meanOf(values: Float64Array, start: number, end: number): number {
  let [sum, correction] = [0, 0]
  let [low, high] = [Infinity, -Infinity]
  for (let place = start; place < end; place++) {
    const value = values[place]!
    const next = sum + value
    correction += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
    if (value < low) low = value
    if (value > high) high = value
  }
  return Math.min(high, Math.max(low, (sum + correction) / (end - start)))
}

/** Visits the slots of a task's measurements at some temperatures, over all seeds, in the plan's order. */
export function eachMeasured(
  { shape, state }: Passes,
  temperatures: readonly number[],
  task: number,
  visit: (slot: number) => void,
): void {
  for (const temperature of temperatures) {
    for (let seed = 0; seed < shape.seeds; seed++) {
      const slot = (temperature * shape.seeds + seed) * shape.tasks + task
      if (state[slot] === 2) visit(slot)
    }
  }
}
