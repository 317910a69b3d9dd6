import type { Vocabulary, Words } from './read-words.js'
import { numbersOf } from './read-words.js'

/** A phrase that was found: its owner, the index of its first word, and the index after its last. */
interface FoundPhrase<T> {
  readonly of: T
  readonly from: number
  readonly until: number
}

interface Node<T> {
  readonly next: Map<number, Node<T>>
  of: T | undefined
}

/** Finds phrases among words. Of the phrases that start at one word it takes the longest. */
export function createPhraseFinder<T>(
  phrases: readonly { readonly phrase: string; readonly of: T }[],
  vocabulary: Vocabulary,
): (words: Words, found: (phrase: FoundPhrase<T>) => void) => void {
  const root: Node<T> = { next: new Map(), of: undefined }
  for (const { phrase, of } of phrases) {
    let node = root
    for (const word of numbersOf(phrase, vocabulary)) {
      const next = node.next.get(word) ?? { next: new Map(), of: undefined }
      node.next.set(word, next)
      node = next
    }
    node.of ??= of
  }
  return ({ count, ids }, found) => {
    for (let from = 0; from < count; from++) {
      let best: FoundPhrase<T> | undefined
      let node = root.next.get(ids[from]!)
      for (let until = from + 1; node !== undefined; until++) {
        if (node.of !== undefined) best = { of: node.of, from, until }
        node = until < count ? node.next.get(ids[until]!) : undefined
      }
      if (best !== undefined) found(best)
    }
  }
}
