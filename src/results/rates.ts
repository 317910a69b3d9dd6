import { mean, spreadByGroup, taskInterval } from '../statistics/index.js'
import type { Passes } from './passes.js'
import { isCopy, placesOf } from './passes.js'
import type { Tally } from './tally.js'
import type { Rate, RunScore } from './schema.js'

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
): Rate {
  const { seeds } = tally.shape
  const byTemperature = temperatures.map((_, place) => runs.slice(place * seeds, (place + 1) * seeds))
  const scoreOf = (run: RunScore): number => run[metric] ?? NaN
  const distinct = byTemperature.map((some) => some.filter(({ copyOf }) => copyOf === undefined).map(scoreOf))
  const { within, between, pooled } = spreadByGroup(distinct)
  const centre = spreadByGroup(byTemperature.map((some) => some.map(scoreOf))).meanOfMeans
  const overTasks = taskInterval(taskMeans(tally[metric], tally, temperatures))
  return {
    runs: distinct.flat().filter(Number.isFinite).length,
    ...(centre !== undefined && { mean: centre }),
    ...(within !== undefined && { deviation: within }),
    ...(between !== undefined && pooled !== undefined && { deviationOfRuns: pooled }),
    ...(between !== undefined && { betweenTemperatures: between }),
    ...(overTasks !== undefined && { overTasks }),
  }
}

/** The {@link taskMean} of each task that has one. */
export function taskMeans(values: Uint8Array | Float64Array, tally: Tally, temperatures: readonly number[]): number[] {
  const means = placesOf(tally.shape).tasks.map((task) => taskMean(values, tally, temperatures, task))
  return means.filter((mean) => !Number.isNaN(mean))
}

/** A task's mean over all temperatures of its mean at each; NaN where one is missing. */
export function temperatureMean(values: Uint8Array | Float64Array, passes: Passes, task: number): number {
  return mean(placesOf(passes.shape).temperatures.map((place) => taskMean(values, passes, [place], task))) ?? NaN
}

/** The mean of one score a task, with its interval over tasks; nothing without a task. */
export function meanOverTasks(scores: readonly number[]) {
  const [centre, overTasks] = [mean(scores), taskInterval(scores)]
  return { ...(centre !== undefined && { mean: centre }), ...(overTasks && { overTasks }) }
}

/**
 * A task's mean over some temperatures, by their places (all where undefined), of its mean over the seeds of each; a
 * value that is NaN, and a temperature without a value, is left out. NaN without any.
 */
export function taskMean(
  values: Uint8Array | Float64Array,
  { shape, state }: Passes,
  temperatures: readonly number[] | undefined,
  task: number,
): number {
  const { seeds, tasks } = shape
  const last = temperatures?.length ?? shape.temperatures
  const scratch = scratchOf(last * seeds)
  let means = 0
  for (let place = 0; place < last; place++) {
    const temperature = temperatures?.[place] ?? place
    let count = means
    for (let seed = 0; seed < seeds; seed++) {
      const slot = (temperature * seeds + seed) * tasks + task
      if (state[slot] === 2 && !Number.isNaN(values[slot]!)) scratch[count++] = values[slot]!
    }
    if (count === means) continue
    scratch[means] = meanOfFirst(scratch, count, means)
    means++
  }
  return meanOfFirst(scratch, means)
}

let buffer = new Float64Array(64)

/** A buffer for the values of one task, which every computation may overwrite. */
export function scratchOf(size: number): Float64Array {
  if (buffer.length < size) buffer = new Float64Array(2 * size)
  return buffer
}

/**
 * Mean of the numbers of a list from `start` up to `end`, for callers too frequent to make a list each time. Like
 * `mean`, it is compensated (Neumaier 1974) and stays within the range of the numbers. NaN for none.
 */
export function meanOfFirst(values: Float64Array, end: number, start = 0): number {
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
