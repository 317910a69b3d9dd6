/** How often a sum of values of which each takes either sign with equal chance is as large, as small, or as far from 0 as the one observed. */
export interface SignTails {
  readonly p: number
  readonly greater: number
  readonly less: number
}

/** Whether {@link countSigns} takes at most so many steps; some 10⁹ of them are a second. */
export function isCountable(sizes: readonly number[], mostSteps = 2e7): boolean {
  return sizes.length * sum(sizes) <= mostSteps
}

/**
 * The exact tails for whole numbers: `sizes` are positive, `observed` is their sum under the signs seen. The numbers with a plus sign have a sum that is
 * counted by dynamic programming, one number after the other, in steps ∝ Σ sizes each.
 */
export function countSigns(sizes: readonly number[], observed: number): SignTails {
  const total = sum(sizes)
  const chances = new Float64Array(total + 1)
  chances[0] = 1
  let reached = 0
  for (const size of sizes) {
    reached += size
    for (let plus = reached; plus >= size; plus--) chances[plus] = (chances[plus]! + chances[plus - size]!) / 2
    for (let plus = Math.min(size - 1, reached); plus >= 0; plus--) chances[plus]! /= 2
  }
  const atLeast = (signed: number): number => sum(chances.subarray((signed + total) / 2))
  const greater = Math.min(1, atLeast(observed))
  const less = Math.min(1, atLeast(-observed))
  return { p: observed === 0 ? 1 : Math.min(1, 2 * Math.min(greater, less)), greater, less }
}

function sum(values: Iterable<number>): number {
  let total = 0
  for (const value of values) total += value
  return total
}
