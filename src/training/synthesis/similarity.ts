import { isObject } from '../../files/json.js'

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
    ...(isObject(actions) ? Object.keys(actions) : []).map((key) => `action: ${key.replace(/\{[^{}]*\}/g, '{}')}`),
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
  const kept: { readonly id: string; readonly words: ReadonlySet<string> }[] = []
  return (id, script) => {
    const words = scriptWords(script)
    let twin: { readonly similarity: number; readonly id: string } | undefined
    for (const other of kept) {
      const [small, large] = [words.size, other.words.size].sort((one, two) => one - two) as [number, number]
      if (small < duplicateSimilarity * large) continue
      const shared = [...words].filter((word) => other.words.has(word)).length
      const similarity = shared / (small + large - shared)
      if (similarity >= duplicateSimilarity && similarity > (twin?.similarity ?? 0)) twin = { similarity, id: other.id }
    }
    if (twin === undefined && words.size > 0) kept.push({ id, words })
    return twin?.id
  }
}
