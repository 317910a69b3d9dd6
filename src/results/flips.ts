import { mean } from '../statistics/index.js'
import type { Group } from './schema.js'

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
