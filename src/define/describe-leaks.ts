import type { Leak } from '../core/dose.js'
import type { Part } from '../core/text.js'

/**
 * `'go to {recep}' 12 × in the examples and 3 × in the instruction; 'sofa 1' 2 × in observations`; at most `max` words.
 */
export function describeLeaks(leaked: readonly Leak[], max = 8): string {
  const words = [...new Set(leaked.map(({ old }) => old))]
  const more = words.length > max ? `; and ${String(words.length - max)} other words` : ''
  const described = words
    .slice(0, max)
    .map((old) => {
      const places = leaked.filter((leak) => leak.old === old)
      return `'${old}' ${places.map(({ times, part }) => `${String(times)} × in ${partWords[part]}`).join(' and ')}`
    })
    .join('; ')
  return described + more
}

const partWords: Readonly<Record<Part, string>> = {
  instruction: 'the instruction',
  examples: 'the examples',
  observations: 'observations',
  admissible: 'lists of actions',
}
