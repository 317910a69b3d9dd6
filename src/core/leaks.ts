import type { Part } from './text.js'

/** An old form or item name that an agent was still shown. */
export interface Leak {
  /** The action form or the item's name: `go to {recep}`, `sofa 1`. */
  readonly old: string
  readonly part: Part
  readonly times: number
}

/** Leaks of several texts together, the most often shown first. */
export function addLeaks(...lists: readonly (readonly Leak[] | undefined)[]): { readonly leaked?: readonly Leak[] } {
  const sums = new Map<string, Leak>()
  for (const leak of lists.flatMap((list) => list ?? [])) {
    const key = `${leak.part} ${leak.old}`
    sums.set(key, { ...leak, times: (sums.get(key)?.times ?? 0) + leak.times })
  }
  if (sums.size === 0) return {}
  const byKey = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, leak]) => leak)
  return { leaked: byKey.sort((one, other) => other.times - one.times) }
}

/**
 * `'go to {recep}' 12 × in the examples and 3 × in the instruction; 'sofa 1' 2 × in observations`, of so many different
 * words.
 */
export function describeLeaks(leaked: readonly Leak[], most = 8): string {
  const words = [...new Set(leaked.map(({ old }) => old))]
  const more = words.length > most ? `; and ${String(words.length - most)} other words` : ''
  const told = words
    .slice(0, most)
    .map((old) => {
      const places = leaked.filter((leak) => leak.old === old)
      return `'${old}' ${places.map(({ times, part }) => `${String(times)} × in ${partWords[part]}`).join(' and ')}`
    })
    .join('; ')
  return told + more
}

const partWords: Readonly<Record<Part, string>> = {
  instruction: 'the instruction',
  examples: 'the examples',
  observations: 'observations',
  admissible: 'lists of actions',
}
