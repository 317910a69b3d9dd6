import { countTo, expectEqualLengths, expectNumbers } from './_expect-number.js'
import { midranks } from './_midranks.js'
import { chiSquareTail } from './tails.js'

/** A test against the chi-square distribution with `df` degrees of freedom; `p` is its upper tail. */
export interface ChiSquareTest {
  readonly statistic: number
  readonly df: number
  readonly p: number
}

/**
 * Cochran's Q (Biometrika 37, 1950): do the same tasks succeed as often under each of several conditions?
 * `outcomes[task][condition]` is 0 or 1. Tasks with a value that is not finite are left out. Where no task tells
 * conditions apart the statistic is 0 and p is 1. Undefined below two conditions, and without a task.
 * @throws RangeError for rows of unequal length, and for a value that is neither 0 nor 1.
 */
export function cochranQ(outcomes: readonly (readonly number[])[]): ChiSquareTest | undefined {
  expectEqualLengths('rows', outcomes)
  expectNumbers('each outcome', outcomes.flat().filter(Number.isFinite), countTo(1))
  const rows = outcomes.filter((row) => row.every(Number.isFinite))
  const conditions = rows[0]?.length ?? 0
  if (conditions < 2) return undefined
  const ofTasks = rows.map(sum)
  const ofConditions = rows[0]!.map((_, condition) => sum(rows.map((row) => row[condition]!)))
  const total = sum(ofTasks)
  const spread = conditions * sum(ofConditions.map((value) => value * value)) - total * total
  const telling = conditions * total - sum(ofTasks.map((value) => value * value))
  return test(telling === 0 ? 0 : ((conditions - 1) * spread) / telling, conditions - 1)
}

/**
 * Friedman's test (JASA 32, 1937) with the correction for ties: do the same tasks score alike under each of several conditions, by the ranks within a task?
 * `groups[condition][task]`. Tasks with a value that is not finite are left out. Where all conditions tie on every task the statistic is 0 and p is 1. Undefined below
 * two conditions, and without a task.
 * @throws RangeError for conditions of unequal length.
 */
export function friedman(groups: readonly (readonly number[])[]): ChiSquareTest | undefined {
  expectEqualLengths('conditions', groups)
  const conditions = groups.length
  if (conditions < 2) return undefined
  const ranks = groups[0]!
    .map((_, task) => groups.map((group) => group[task]!))
    .filter((row) => row.every(Number.isFinite))
    .map(midranks)
  if (ranks.length === 0) return undefined
  const centre = (conditions + 1) / 2
  const spread = sum(groups.map((_, condition) => sum(ranks.map((row) => row[condition]! - centre)) ** 2))
  const telling = sum(ranks.map((row) => sum(row.map((rank) => (rank - centre) ** 2))))
  return test(telling === 0 ? 0 : ((conditions - 1) * spread) / telling, conditions - 1)
}

function test(statistic: number, df: number): ChiSquareTest {
  return { statistic, df, p: chiSquareTail(statistic, df) }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
