import { count, expectNumbers } from './_expect-number.js'

/**
 * Fisher's exact test of a two by two table of counts, [[a, b], [c, d]], such as successes and failures of two independent arms: the two-sided p, the chance
 * of all tables with the same margins that are at most as likely (within a part in 10^10).
 * @throws RangeError for what are not counts.
 */
export function fisherExact(a: number, b: number, c: number, d: number): number {
  expectNumbers('each count', [a, b, c, d], count)
  const [row, column, total] = [a + b, a + c, a + b + c + d]
  const lowest = Math.max(0, row + column - total)
  const highest = Math.min(row, column)
  const likeliest = Math.floor(((row + 1) * (column + 1)) / (total + 2))
  // Chances are relative to that of the likeliest table, so that none overflows and each is a product of few factors.
  const chances = new Float64Array(highest - lowest + 1)
  const place = Math.min(highest, Math.max(lowest, likeliest))
  const odds = (x: number): number => ((row - x) * (column - x)) / ((x + 1) * (total - row - column + x + 1))
  chances[place - lowest] = 1
  for (let x = place; x < highest; x++) chances[x + 1 - lowest] = chances[x - lowest]! * odds(x)
  for (let x = place; x > lowest; x--) chances[x - 1 - lowest] = chances[x - lowest]! / odds(x - 1)
  const limit = chances[a - lowest]! * (1 + 1e-10)
  const ascending = chances.sort()
  let [all, unlikely] = [0, 0]
  for (const chance of ascending) {
    all += chance
    if (chance <= limit) unlikely = all
  }
  return unlikely / all
}
