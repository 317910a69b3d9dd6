import { count, countTo, expectNumber, expectNumbers, finite } from './_expect-number.js'
import { wholeNumbers } from './_whole-numbers.js'
import { bcaInterval, percentileInterval } from './bootstrap-intervals.js'
import type { Interval } from './intervals.js'

/** A number that says something of the tasks at these places (with repeats); undefined where it says nothing of them. */
export type Statistic = (tasks: ArrayLike<number>) => number | undefined

/** What {@link bootstrapInterval} finds. */
export interface Bootstrap {
  readonly estimate?: number
  /** One for each resample; NaN where the statistic says nothing of it. */
  readonly samples: Float64Array
  /** Absent where nothing can be said: see the two kinds of interval. */
  readonly interval?: Interval
}

/**
 * Draws of `tasks` places with replacement, one for each resample (10,000 where absent). The list handed out is
 * overwritten by the next draw.
 * @throws RangeError for what are not counts.
 */
export function drawTasks({
  tasks,
  resamples = 10_000,
  random,
}: {
  readonly tasks: number
  readonly resamples?: number
  readonly random: () => number
}): Generator<ArrayLike<number>, void> {
  expectNumber('tasks', tasks, count)
  expectNumber('resamples', resamples, count)
  return drawPlaces(tasks, resamples, random)
}

function* drawPlaces(tasks: number, resamples: number, random: () => number): Generator<ArrayLike<number>, void> {
  const draw = wholeNumbers(random)
  const places = new Uint32Array(tasks)
  for (let resample = 0; resample < resamples; resample++) {
    for (let place = 0; place < tasks; place++) places[place] = draw(tasks)
    yield places
  }
}

/**
 * Bootstrap of any statistic over tasks, with the draws as data: {@link drawTasks}, or a written list. The interval is BCa or the plain percentile one
 * (the default, at 0.95).
 * @throws RangeError for a place that is not one of the tasks', for an infinite statistic, where the number of tasks is not a count, and unless `confidence` is
 * between 0 and 1.
 */
export function bootstrapInterval({
  tasks,
  statistic,
  draws,
  confidence = 0.95,
  method = 'percentile',
}: {
  readonly tasks: number
  readonly statistic: Statistic
  readonly draws: Iterable<ArrayLike<number>>
  readonly confidence?: number
  readonly method?: 'percentile' | 'bca'
}): Bootstrap {
  expectNumber('tasks', tasks, count)
  const samples = Float64Array.from(draws, (drawn) => {
    expectNumbers('each place drawn', drawn, countTo(tasks - 1))
    return statistic(drawn) ?? NaN
  })
  const everyTask = Array.from({ length: tasks }, (_, task) => task)
  const estimate = statistic(everyTask)
  if (estimate === undefined) return { samples }
  expectNumber('the statistic of all tasks', estimate, finite)
  const leaveOneOut = (): number[] =>
    everyTask.map((left) => statistic(everyTask.filter((task) => task !== left))).filter((value) => value !== undefined)
  const interval =
    method === 'bca'
      ? bcaInterval(samples, estimate, leaveOneOut(), confidence)
      : percentileInterval(samples, confidence)
  return { estimate, samples, ...(interval && { interval }) }
}
