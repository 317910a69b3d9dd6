import type { Outcome } from 'shaketable'
import { performanceProfile } from 'shaketable/statistics'
import type { Behaviour } from './behaviour.js'
import { behaviourOf } from './behaviour.js'
import type { AggregateColumn } from './columns.js'
import { curveOf } from './curve.js'
import type { Difference } from './differences.js'
import type { Spread } from './evidence.js'
import type { Logprobs } from './logprobs.js'
import { logprobsOf } from './logprobs.js'
import type { Rate, RunScore } from './rates.js'
import { eachMeasured, rateOf } from './rates.js'
import { countPlanned } from './passes.js'
import { spreadOf } from './spread.js'
import { addSums } from './sums.js'
import type { Tally } from './tally.js'

/** A group at one temperature, or over all of them. */
export interface Scope {
  /** Measurements and planned episodes. Broken and missing episodes enter no mean. */
  readonly coverage: { readonly valid: number; readonly planned: number }
  readonly outcomes: Readonly<Record<Outcome, number>>
  readonly success: Rate
  readonly progress: Rate
  /** Absent on the clean twin, and in a run without one. */
  readonly difference?: Difference
  readonly behaviour: Behaviour
  /** Absent in a run that did not ask for them. */
  readonly logprobs?: Logprobs
  /** Of success and of progress; absent below two seeds or two tasks, and where too little was measured. */
  readonly spread?: Readonly<Record<'success' | 'progress', Spread>>
  /**
   * Mean progress after 0, 1, 2, … steps up to the step limit, over the measurements (an ended episode keeps its last).
   * Absent where the rows do not tell when progress was made, and where more than 1,000 steps are allowed.
   */
  readonly curve?: readonly number[]
  /**
   * Performance profile: share of measurements whose progress is above 0, 0.05, …, 0.95. Absent without a measurement.
   */
  readonly profile?: readonly number[]
}

/**
 * Describes a group but for its difference; `temperatures` are the places of those that enter, `runs` all its passes.
 */
export function describeScope(
  tally: Tally,
  runs: readonly RunScore[],
  temperatures: readonly number[],
  column: AggregateColumn,
): Scope {
  const { seeds, tasks } = tally.shape
  const chosen = temperatures.flatMap((place) => runs.slice(place * seeds, (place + 1) * seeds))
  const valid = chosen.reduce((sum, run) => sum + run.valid, 0)
  const sums = addSums(
    temperatures.map((place) => tally.sums[place]!),
    tally.stepLimit,
  )
  const spread = spreadOf(tally, temperatures)
  const curve = curveOf(sums, valid)
  const logprobs = logprobsOf(tally, temperatures, sums)
  return {
    coverage: { valid, planned: countPlanned(tally, temperatures) * tasks },
    outcomes: sums.outcomes,
    success: rateOf('success', chosen, tally, temperatures),
    progress: rateOf('progress', chosen, tally, temperatures),
    behaviour: behaviourOf(tally, temperatures, sums, column),
    ...(logprobs && { logprobs }),
    ...(spread && { spread }),
    ...(curve && { curve }),
    ...(valid > 0 && { profile: performanceProfile(progressOf(tally, temperatures), thresholds) }),
  }
}

const thresholds = Array.from({ length: 20 }, (_, place) => place / 20)

function progressOf(tally: Tally, temperatures: readonly number[]): number[] {
  const progress: number[] = []
  for (let task = 0; task < tally.shape.tasks; task++) {
    eachMeasured(tally, temperatures, task, (slot) => progress.push(tally.progress[slot]!))
  }
  return progress
}
