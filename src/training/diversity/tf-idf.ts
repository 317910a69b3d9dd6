import type { UnitVector } from '../../statistics/vectors.js'
import { unitVector } from '../../statistics/vectors.js'

/** Words that are told apart; the most frequent ones where there are more. */
const maxWords = 50_000

/**
 * The words of a text in lower case. All numbers are one word, since they differ from task to task; signs are left out.
 */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*|\p{N}+/gu) ?? []).map((word) =>
    /^\p{N}/u.test(word) ? '#' : word,
  )
}

/** Equal for texts of the same words. */
export function keyOf(text: string): string {
  return wordsOf(text).join(' ')
}

/**
 * TF–IDF of texts: (1 + ln f) for a word that occurs f times, times ln((1 + n) / (1 + d)) + 1 for a word in d of the n
 * texts (Salton and Buckley 1988, with the smoothed idf of scikit-learn), to unit length. Undefined for a text without
 * a word. Texts that have only words beyond the maximum are equal.
 */
export function tfIdf(texts: readonly string[]): readonly (UnitVector | undefined)[] {
  const counts = texts.map((text) => {
    const found = new Map<string, number>()
    for (const word of wordsOf(text)) found.set(word, (found.get(word) ?? 0) + 1)
    return found
  })
  const documents = new Map<string, number>()
  for (const found of counts) for (const word of found.keys()) documents.set(word, (documents.get(word) ?? 0) + 1)
  const kept = [...documents]
    .sort(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
    .slice(0, maxWords)
    .map(([word, found], place) => [word, { place, idf: Math.log((1 + texts.length) / (1 + found)) + 1 }] as const)
  const words = new Map(kept)
  return counts.map((found) => {
    const weights = [...found]
      .flatMap(([word, times]) => {
        const known = words.get(word)
        return known === undefined ? [] : [{ place: known.place, weight: (1 + Math.log(times)) * known.idf }]
      })
      .sort((one, other) => one.place - other.place)
    if (weights.length === 0 && found.size > 0) weights.push({ place: maxWords, weight: 1 })
    return unitVector(
      weights.map(({ weight }) => weight),
      weights.map(({ place }) => place),
    )
  })
}
