import { count, expectNumber, notNegative } from './_expect-number.js'
import { asMultiples } from './_as-multiples.js'
import type { SignTails } from './_count-signs.js'
import { countSigns, isCountable } from './_count-signs.js'

/** What {@link signFlip} finds. */
export interface SignFlip {
  /** Two-sided: the share of sign patterns whose mean is at least as far from 0. */
  readonly p: number
  /** One-sided: the share of patterns whose mean is at least as large (small where the differences lie above 0). */
  readonly greater: number
  /** One-sided: the share of patterns whose mean is at most as large (small where they lie below 0). */
  readonly less: number
  /** All patterns, or some of them drawn: then (1 + hits)/(1 + draws), which is never 0. */
  readonly method: 'exact' | 'drawn'
}

/** How {@link signFlip} goes about it. */
export interface SignFlipOptions {
  /** Numbers in [0, 1), used only where patterns are drawn. */
  readonly random: () => number
  /** How many patterns are drawn. */
  readonly draws?: number
  /** Most differences other than 0 of which all patterns are gone through one by one; 22 at most. */
  readonly exactUpTo?: number
  /** Most steps of counting all patterns, some 10⁹ of which are a second: 2·10⁷ where absent. For whoever makes thousands of tests. */
  readonly countUpTo?: number
}

/** Values whose signs one table tells, and numbers of a table. */
const tableBits = 10
const tableSize = 2 ** tableBits
/** How many tables one random number looks up, and the whole numbers that it is made of. */
const tablesPerWord = 3
const words = 2 ** (tablesPerWord * tableBits)

/**
 * Sign-flip permutation test (Fisher 1935) of whether differences, in shares of 1, are symmetric about 0; one a task, since those of one task depend on each
 * other (take their mean first). Exact where all differences are whole multiples of a common unit, as those of successes over seeds are: patterns are then
 * counted, not gone through. Otherwise exact for few differences, drawn for many. Differences of 0, which sizes up to 1e−12 count as, take part; values that are
 * not finite are missing. Sums that differ by less than 1e−12 of the sum of all sizes are equal. Without a difference p is 1.
 * @throws RangeError where `draws` or `exactUpTo` is not a count, and for a number of steps that is not finite or below 0.
 */
export function signFlip(
  differences: readonly number[],
  { random, draws = 10_000, exactUpTo = 20, countUpTo }: SignFlipOptions,
): SignFlip {
  expectNumber('draws', draws, count)
  expectNumber('exactUpTo', exactUpTo, count)
  if (countUpTo !== undefined) expectNumber('countUpTo', countUpTo, notNegative)
  const values = differences.filter((difference) => Number.isFinite(difference) && Math.abs(difference) > 1e-12)
  const multiples = asMultiples(values, 1e5)
  const sizes = multiples?.map(Math.abs)
  if (multiples && sizes && isCountable(sizes, countUpTo))
    return { ...countSigns(sizes, sum(multiples)), method: 'exact' }
  if (values.length <= Math.min(exactUpTo, 22)) return { ...shares(values, signedSums(values), 0), method: 'exact' }
  return { ...shares(values, drawnSums(values, random, draws), 1), method: 'drawn' }
}

/** The shares of `sums`, and of `seen` more that are all hits, that reach the sum observed. */
function shares(values: readonly number[], sums: Float64Array, seen: number): SignTails {
  const observed = sum(values)
  const tie = 1e-12 * sum(values.map(Math.abs))
  const [far, high, low] = [Math.abs(observed) - tie, observed - tie, observed + tie]
  let [farther, greater, less] = [seen, seen, seen]
  for (let place = 0; place < sums.length; place++) {
    const flipped = sums[place]!
    if (Math.abs(flipped) >= far) farther++
    if (flipped >= high) greater++
    if (flipped <= low) less++
  }
  const all = sums.length + seen
  return { p: farther / all, greater: greater / all, less: less / all }
}

/** Ten signs at a time come from a table of all sums that ten values can have, three tables to a random number. The tables lie behind each other. */
function drawnSums(values: readonly number[], random: () => number, draws: number): Float64Array {
  const count = Math.ceil(values.length / tableBits)
  const tables = new Float64Array(count * tableSize)
  for (let table = 0; table < count; table++) {
    tables.set(signedSums(values.slice(table * tableBits, (table + 1) * tableBits)), table * tableSize)
  }
  const lastSize = 2 ** (values.length - (count - 1) * tableBits)
  const sums = new Float64Array(draws)
  for (let draw = 0; draw < draws; draw++) {
    let flipped = 0
    let word = 0
    for (let table = 0; table < count; table++) {
      word = table % tablesPerWord === 0 ? Math.floor(random() * words) : word >> tableBits
      const place = word & ((table === count - 1 ? lastSize : tableSize) - 1)
      flipped += tables[table * tableSize + place]!
    }
    sums[draw] = flipped
  }
  return sums
}

/** The sums under all 2^n patterns of signs; bit k of a place is set where value k keeps its sign. */
function signedSums(values: readonly number[]): Float64Array {
  const sums = new Float64Array(2 ** values.length)
  sums[0] = -sum(values)
  values.forEach((value, bit) => {
    const known = 2 ** bit
    for (let place = 0; place < known; place++) sums[known + place] = sums[place]! + 2 * value
  })
  return sums
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
