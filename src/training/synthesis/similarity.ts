import { isObject } from '../verify/turn.js'

/** The default similarity from which on a script is a near duplicate. */
export const duplicateSimilarity = 0.8

/** How deep things in things are read. */
const maxDepth = 8

/**
 * What two scripts are compared by, as a multiset: the templates of the actions without the names of their slots, the
 * things, and the words of the goal in lower case. Parts that a script lacks add nothing.
 */
export function scriptWords(script: unknown): readonly string[] {
  if (!isObject(script)) return []
  const { Environment: places, 'Available Actions': actions, Goal: goal } = script
  return [
    ...keysOf(actions).map((template) => `action: ${template.replace(/\{[^{}]*\}/g, '{}')}`),
    ...(isObject(places) ? Object.values(places).flatMap((place) => thingsIn(place, 1)) : []),
    ...((typeof goal === 'string' && goal.toLowerCase().match(/[\p{L}\p{N}]+/gu)) || []).map((word) => `word: ${word}`),
  ]
}

function thingsIn(value: unknown, depth: number): readonly string[] {
  if (!isObject(value) || depth > maxDepth) return []
  return Object.entries(value)
    .filter(([name]) => name !== 'is')
    .flatMap(([name, inside]) => [`thing: ${name.toLowerCase()}`, ...thingsIn(inside, depth + 1)])
}

function keysOf(value: unknown): readonly string[] {
  return isObject(value) ? Object.keys(value) : []
}

/** Compares scripts with those before. */
interface DuplicateFinder {
  /**
   * Takes the next script. Returns the index (from 0, in the order of the calls) of the most similar earlier script,
   * and of the first of several, if it is similar enough; such a script is a near duplicate, and later ones are not
   * compared with it.
   */
  add(script: unknown): number | undefined
}

/**
 * Creates a finder of near duplicates: scripts whose {@link scriptWords} have a Jaccard similarity of the threshold or
 * above with those of an earlier one. The comparison is exact.
 * @param threshold above 0, at most 1
 */
export function createDuplicateFinder(threshold = duplicateSimilarity): DuplicateFinder {
  /** The kept scripts that have a word, by their place in `kept`. */
  const holders = new Map<string, number[]>()
  const kept: { readonly index: number; readonly size: number }[] = []
  let shared = new Uint32Array(1024)
  let count = 0

  const findTwin = (words: ReadonlySet<string>): number | undefined => {
    if (shared.length < kept.length) shared = new Uint32Array(2 * kept.length)
    shared.fill(0, 0, kept.length)
    for (const word of words) for (const place of holders.get(word) ?? []) shared[place]!++
    let best: number | undefined
    let bestSimilarity = 0
    for (const [place, { index, size }] of kept.entries()) {
      const similarity = shared[place]! / (words.size + size - shared[place]!)
      if (similarity < threshold || similarity <= bestSimilarity) continue
      best = index
      bestSimilarity = similarity
    }
    return best
  }

  return {
    add(script) {
      const words = numbered(scriptWords(script))
      const index = count++
      if (words.size === 0) return undefined
      const twin = findTwin(words)
      if (twin !== undefined) return twin
      for (const word of words) {
        const list = holders.get(word)
        if (list === undefined) holders.set(word, [kept.length])
        else list.push(kept.length)
      }
      kept.push({ index, size: words.size })
      return undefined
    },
  }
}

/** A multiset as a set: the second of equal words gets a 2, and so on. */
function numbered(words: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>()
  return new Set(
    words.map((word) => {
      const count = (counts.get(word) ?? 0) + 1
      counts.set(word, count)
      return `${word} ${String(count)}`
    }),
  )
}
