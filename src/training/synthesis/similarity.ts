import { isObject } from '../verify/turn.js'

/** The Jaccard similarity from which on a script is a near duplicate. */
const duplicateSimilarity = 0.8

/** How deep things in things are read. */
const maxDepth = 8

/**
 * What two scripts are compared by: the templates of the actions without the names of their slots, the things, and the
 * words of the goal in lower case. The second of equal words counts as another one. Parts that a script lacks add
 * nothing.
 */
function scriptWords(script: unknown): ReadonlySet<string> {
  if (!isObject(script)) return new Set()
  const { Environment: places, 'Available Actions': actions, Goal: goal } = script
  const words = [
    ...(isObject(actions) ? Object.keys(actions) : []).map((one) => `action: ${one.replace(/\{[^{}]*\}/g, '{}')}`),
    ...(isObject(places) ? Object.values(places).flatMap((place) => thingsIn(place, 1)) : []),
    ...((typeof goal === 'string' && goal.toLowerCase().match(/[\p{L}\p{N}]+/gu)) || []).map((word) => `word: ${word}`),
  ]
  const counts = new Map<string, number>()
  return new Set(
    words.map((word) => {
      counts.set(word, (counts.get(word) ?? 0) + 1)
      return `${word} ${String(counts.get(word))}`
    }),
  )
}

function thingsIn(value: unknown, depth: number): readonly string[] {
  if (!isObject(value) || depth > maxDepth) return []
  return Object.entries(value)
    .filter(([name]) => name !== 'is')
    .flatMap(([name, inside]) => [`thing: ${name.toLowerCase()}`, ...thingsIn(inside, depth + 1)])
}

/**
 * Creates a finder of near duplicates: scripts whose words have a Jaccard similarity of 0.8 or above with those of an
 * earlier one. It takes one script after the other and returns the id of the most similar earlier script, and of the
 * first of several; a near duplicate is not compared with later scripts.
 */
export function createDuplicateFinder(): (id: string, script: unknown) => string | undefined {
  /** The kept scripts that have a word, by their place in `kept`. */
  const holders = new Map<string, number[]>()
  const kept: { readonly id: string; readonly size: number }[] = []
  return (id, script) => {
    const words = scriptWords(script)
    if (words.size === 0) return undefined
    const shared = new Map<number, number>()
    for (const word of words) for (const at of holders.get(word) ?? []) shared.set(at, (shared.get(at) ?? 0) + 1)
    let twin: { readonly similarity: number; readonly at: number } | undefined
    for (const [at, count] of shared) {
      const similarity = count / (words.size + kept[at]!.size - count)
      if (similarity < duplicateSimilarity || similarity < (twin?.similarity ?? 0)) continue
      if (similarity === twin?.similarity && at > twin.at) continue
      twin = { similarity, at }
    }
    if (twin !== undefined) return kept[twin.at]!.id
    for (const word of words) {
      const list = holders.get(word) ?? []
      holders.set(word, list)
      list.push(kept.length)
    }
    kept.push({ id, size: words.size })
    return undefined
  }
}
