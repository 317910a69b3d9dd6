import { idOf } from './hash.js'
import type { Lore } from './lore.js'
import type { Scene } from './scene.js'
import { wordsOf } from './shown.js'

/** The kinds of item that a goal names, in order, and the goal with them cut out. */
export interface Aim {
  readonly kinds: readonly string[]
  readonly frame: string
  /** Ids of its first words. */
  readonly words: Int32Array
}

const mostKindWords = 3
const mostAims = 4
/** So many words of a goal count. */
export const mostWords = 16

/** Finds what a goal speaks of: the longest runs of words that are kinds of item known from training or seen in this conversation. */
export function readAim(scene: Scene, lore: Lore): Aim {
  const here = new Set<string>()
  for (const { kind, head } of scene.items.values()) {
    here.add(kind)
    here.add(head)
  }
  const words = wordsOf(scene.goal.toLowerCase())
  const kinds: string[] = []
  const frame: string[] = []
  for (let at = 0; at < words.length;) {
    let length = Math.min(mostKindWords, words.length - at)
    for (; length > 0; length--) {
      const kind = words.slice(at, at + length).join(' ')
      if (!here.has(kind) && !lore.kinds.has(kind)) continue
      if (!kinds.includes(kind) && kinds.length < mostAims) kinds.push(kind)
      frame.push('{}')
      break
    }
    if (length === 0) frame.push(words[at]!)
    at += Math.max(1, length)
  }
  return {
    kinds,
    frame: frame.join(' '),
    words: Int32Array.from(words.slice(0, mostWords), (word) => idOf(`goal ${word}`)),
  }
}
