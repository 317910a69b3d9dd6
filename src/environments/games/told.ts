import { compareCodePoints, sortByCodePoint } from '../pddl/code-points.js'
import type { Facts } from '../pddl/tables.js'
import type { CompiledGame } from './compile-game.js'

/** What holds in a live game, as sentences. */
export interface Told {
  /** All of it. */
  everything(): string
  /** Some of it. */
  only(atoms: readonly number[]): string
  /** Takes in what an action changed. */
  note(added: readonly number[], deleted: readonly number[]): void
}

/** Keeps the sentences of what holds in order, so that a step costs no sorting. */
export function createTold({ task, sayings }: CompiledGame, facts: Facts): Told {
  const sentences: string[] = []
  for (let atom = 0; atom < task.table.predicateOf.length; atom++) {
    if (facts.has(atom)) sentences.push(sayings.sentence(atom))
  }
  sortByCodePoint(sentences)
  const placeOf = (sentence: string): number => {
    let [low, high] = [0, sentences.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compareCodePoints(sentences[middle]!, sentence) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
  return {
    everything: () => sentences.join(' '),
    only: (atoms) => sortByCodePoint(atoms.map(sayings.sentence)).join(' '),
    note(added, deleted) {
      // Two atoms may be worded alike, and then the sentence stands twice.
      for (const atom of deleted) sentences.splice(placeOf(sayings.sentence(atom)), 1)
      for (const atom of added) sentences.splice(placeOf(sayings.sentence(atom)), 0, sayings.sentence(atom))
    },
  }
}
