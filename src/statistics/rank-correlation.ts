import { expectEqualLengths, expectNumbers, finite } from './_expect-number.js'
import { midranks } from './_midranks.js'
import { mean } from './dispersion.js'

/**
 * Kendall's τ-b (Biometrika 33, 1945) of two lists over the same things, such as models' scores clean and perturbed: −1 (turned round) to 1 (one order), corrected for
 * ties. Undefined where an order cannot be told: below two things, and where all values of one list are equal.
 * @throws RangeError for lists of unequal length, and for a value that is not finite.
 */
export function kendallTauB(first: readonly number[], second: readonly number[]): number | undefined {
  const ranks = ranksOf(first, second)
  let [concordance, ofFirst, ofSecond] = [0, 0, 0]
  for (let one = 0; one < first.length; one++) {
    for (let other = 0; other < one; other++) {
      const a = Math.sign(ranks.first[one]! - ranks.first[other]!)
      const b = Math.sign(ranks.second[one]! - ranks.second[other]!)
      concordance += a * b
      ofFirst += a * a
      ofSecond += b * b
    }
  }
  return ratio(concordance, ofFirst, ofSecond)
}

/**
 * Spearman's ρ: Pearson's correlation of the ranks, ties sharing their mean rank; −1 to 1. Undefined where {@link
 * kendallTauB} is, and throws where it does.
 */
export function spearman(first: readonly number[], second: readonly number[]): number | undefined {
  const ranks = ranksOf(first, second)
  return pearson(ranks.first, ranks.second)
}

/**
 * Pearson's correlation of two lists, −1 to 1. Undefined below two pairs, and where all values of one are equal.
 * @throws RangeError for lists of unequal length, and for a value that is not finite.
 */
export function pearson(first: readonly number[], second: readonly number[]): number | undefined {
  expectEqualLengths('both lists', [first, second])
  for (const values of [first, second]) expectNumbers('each value', values, finite)
  const [centreFirst, centreSecond] = [mean(first), mean(second)]
  if (centreFirst === undefined || centreSecond === undefined) return undefined
  let [product, ofFirst, ofSecond] = [0, 0, 0]
  first.forEach((value, place) => {
    const [a, b] = [value - centreFirst, second[place]! - centreSecond]
    product += a * b
    ofFirst += a * a
    ofSecond += b * b
  })
  return ratio(product, ofFirst, ofSecond)
}

/** One root of a product, not a product of roots: equal lists then give 1 to the last digit. */
function ratio(product: number, ofFirst: number, ofSecond: number): number | undefined {
  const scale = Math.sqrt(ofFirst * ofSecond)
  return scale > 0 && scale < Infinity ? Math.max(-1, Math.min(1, product / scale)) : undefined
}

function ranksOf(
  first: readonly number[],
  second: readonly number[],
): { first: readonly number[]; second: readonly number[] } {
  expectEqualLengths('both lists', [first, second])
  expectNumbers('each value', [...first, ...second], finite)
  return { first: midranks(first), second: midranks(second) }
}
