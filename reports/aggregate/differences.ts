import { meanBounds, pairedDifference } from '../../src/statistics/index.js'
import type { DropRates } from './drop-rates.js'
import type { MeansByTask, Pairs } from './pairs.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'
import { testPairs } from './tests.js'
import type { BoundedDifference, Difference, Touched } from './schema.js'

/**
 * How much perturbed groups changed in their episodes at some temperatures, given by their places. It is told and
 * selects no task: what is changed of an episode also depends on what the agent did in it.
 */
export function touchedBy(perturbed: readonly Tally[], temperatures: readonly number[]): Touched {
  const tasks = perturbed[0]?.shape.tasks ?? 0
  const isTouched = new Uint8Array(tasks)
  let [steps, touchedSteps] = [0, 0]
  for (const tally of perturbed) {
    for (let task = 0; task < tasks; task++) {
      eachMeasured(tally, temperatures, task, (slot) => {
        if (tally.changed[slot] === 1) isTouched[task] = 1
      })
    }
    for (const place of temperatures) {
      const { measures, missing } = tally.sums[place]!
      steps += missing.touched === 0 ? measures.steps : NaN
      touchedSteps += measures.touched
    }
  }
  return {
    tasks: isTouched.reduce((sum, one) => sum + one, 0),
    ...(steps > 0 && { steps: touchedSteps / steps }),
  }
}

/** Compares a perturbed group with its clean twin, from their pairs. */
export function differenceOf(pairs: Pairs, touched: Touched | undefined, dropRate: DropRates): Difference {
  const { count, planned, flips, success, progress } = pairs
  const tests = testPairs(pairs)
  return {
    pairs: count,
    planned,
    ...(touched && { touched }),
    success: differenceOver(success),
    progress: differenceOver(progress),
    ...(tests && { tests }),
    flips,
    dropRate,
  }
}

/**
 * {@link pairedDifference} over the tasks that have a pair; where one is missing, also the widest interval that there is
 * if the missing pairs were lost or gained, over every planned task.
 */
export function differenceOver({ difference, low, high }: MeansByTask): BoundedDifference {
  const whole = pairedDifference(Array.from(difference, (mean) => [mean]))
  const isWhole = [low, high].every((bound) => difference.every((one, task) => Object.is(one, bound[task])))
  if (isWhole) return whole
  return {
    ...whole,
    worstCase: { low: meanBounds([...low], 0.025).low, high: meanBounds([...high], 0.025).high },
  }
}
