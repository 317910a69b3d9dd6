import { meanBounds, pairedDifference, mean } from '../statistics/index.js'
import type { DropRates } from './drop-rates.js'
import type { MeansByTask, Pairs } from './pairs.js'
import { eachMeasured } from './rates.js'
import type { Tally } from './tally.js'
import { testPairs } from './tests.js'
import type { BoundedDifference, Difference, Touched, Group } from './schema.js'

/**
 * How much perturbed groups changed in their episodes at some temperatures, given by their places, and on some tasks.
 * It is told and selects no task: what is changed of an episode also depends on what the agent did in it.
 */
export function touchedBy(
  perturbed: readonly Tally[],
  temperatures: readonly number[],
  tasks: readonly number[] = Array.from({ length: perturbed[0]?.shape.tasks ?? 0 }, (_, task) => task),
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
 * {@link pairedDifference} over the tasks that have a pair; where one is missing, also the widest interval that there
 * is if the missing pairs were lost or gained, over every planned task.
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

/** Shares of pairs of which exactly one is solved; absent where there is no pair. */
interface FlippedShares {
  readonly flipped?: number
  /** Of two clean tries at a task: pass@2 − pass^2. */
  readonly flippedOfClean?: number
}

/**
 * The share of a group's pairs with its clean twin that flipped, beside that of pairs of clean runs at two seeds, at
 * one temperature or over all of them, which weigh the same.
 */
export function flippedShares(group: Group, twin: Group | undefined, temperature?: number): FlippedShares {
  const isMeant = (one: { readonly temperature: number }): boolean => [undefined, one.temperature].includes(temperature)
  const flipped = mean(
    group.temperatures.filter(isMeant).flatMap(({ difference }) => {
      const { flips, pairs } = difference!
      return pairs === 0 ? [] : [(flips.lost + flips.gained) / pairs]
    }),
  )
  const flippedOfClean = mean(
    (twin?.temperatures.filter(isMeant) ?? []).map(({ trials }) =>
      trials?.passAt[2] === undefined ? NaN : trials.passAt[2] - trials.passHat[2]!,
    ),
  )
  return { ...(flipped !== undefined && { flipped }), ...(flippedOfClean !== undefined && { flippedOfClean }) }
}
