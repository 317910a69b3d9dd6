import { mean, spreadByGroup, taskInterval } from 'shaketable/statistics'
import { isCopy } from './passes.js'
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

/** The rate over several passes; `temperatures` are the places of those that enter. */
export function rateOf(
  metric: 'success' | 'progress',
  runs: readonly RunScore[],
  tally: Tally,
  temperatures: readonly number[],
): Rate {
  const distinct = runs.filter(({ copyOf }) => copyOf === undefined)
  const scores = distinct.map((run) => run[metric]).filter((score) => score !== undefined)
  const centre = mean(scores)
  const { within, between } = spreadByGroup(
    temperatures.map((_, place) =>
      runs
        .slice(place * tally.shape.seeds, (place + 1) * tally.shape.seeds)
        .map((run) => (run.copyOf === undefined ? (run[metric] ?? NaN) : NaN)),
    ),
  )
  const overTasks = taskInterval(taskMeans(tally[metric], tally, temperatures))
  return {
    runs: scores.length,
    ...(centre !== undefined && { mean: centre }),
    ...(within !== undefined && { deviation: within }),
    ...(between !== undefined && { betweenTemperatures: between }),
    ...(overTasks !== undefined && { overTasks }),
  }
}

/**
 * Each task's mean over some temperatures, by their places, and all seeds; tasks without a measurement are left out.
 */
function taskMeans(values: Uint8Array | Float64Array, tally: Tally, temperatures: readonly number[]): number[] {
  const means: number[] = []
  for (let task = 0; task < tally.shape.tasks; task++) {
    const mean = taskMean(values, tally, temperatures, task)
    if (!Number.isNaN(mean)) means.push(mean)
  }
  return means
}

/** A task's mean over some temperatures, by their places, and all seeds but copies; NaN without a measurement. */
export function taskMean(
  values: Uint8Array | Float64Array,
  { shape: { seeds, tasks }, state, sameAs, scratch }: Tally,
  temperatures: readonly number[],
  task: number,
): number {
  let count = 0
  for (const temperature of temperatures) {
    for (let seed = 0; seed < seeds; seed++) {
      const pass = temperature * seeds + seed
      const slot = pass * tasks + task
      if (state[slot] === 2 && sameAs[pass] === seed) scratch[count++] = values[slot]!
    }
  }
  return meanOfFirst(scratch, count)
}

/**
 * Mean of the first numbers of a list, for callers too frequent to make a list each time. Like `mean`, it is
 * compensated (Neumaier 1974) and stays within the range of the numbers. NaN for none.
 */
export function meanOfFirst(values: Float64Array, count: number): number {
  let [sum, correction] = [0, 0]
  let [low, high] = [Infinity, -Infinity]
  for (let place = 0; place < count; place++) {
    const value = values[place]!
    const next = sum + value
    correction += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum
    sum = next
    if (value < low) low = value
    if (value > high) high = value
  }
  return Math.min(high, Math.max(low, (sum + correction) / count))
}

/** Visits the slots of a task's measurements at some temperatures, over all seeds, in the plan's order. */
export function eachMeasured(
  { shape, state }: Tally,
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

/**
 * Each task's mean over some temperatures, by their places, at one seed. Temperatures are chosen and not random, so
 * together they are one repeat. NaN where one of them has no measurement.
 */
export function repeatScores(
  values: Uint8Array | Float64Array,
  { shape: { seeds, tasks }, state }: Tally,
  temperatures: readonly number[],
  seed: number,
): number[] {
  const scores: number[] = []
  for (let task = 0; task < tasks; task++) {
    let sum = 0
    for (const temperature of temperatures) {
      const slot = (temperature * seeds + seed) * tasks + task
      sum += state[slot] === 2 ? values[slot]! : NaN
    }
    scores.push(sum / temperatures.length)
  }
  return scores
}
