import type { EvaluationText } from '../../src/define.js'

/** A word of a text, and the place where it stands. */
export interface Word {
  readonly word: string
  readonly from: number
  readonly until: number
}

/** Words that were found: the index of the first, and the index after the last. */
interface Found {
  readonly from: number
  readonly until: number
}

/** The word that stands for any number. */
const anyNumber = '#'

/**
 * The words of a text, in order: runs of letters, and runs of digits, all of which count as the one word `#`. So
 * `countertop1`, `CounterTop 1` and `countertop_1` are the same two words.
 */
export function readWords(text: string, pattern = /[a-z\u0080-\uffff]+|\d+/g): readonly Word[] {
  return [...text.toLowerCase().matchAll(pattern)].map(({ 0: word, index }) => ({
    word: /^\d/.test(word) ? anyNumber : word,
    from: index,
    until: index + word.length,
  }))
}

/** A phrase can say `#` itself. */
const wordsOfPhrases = /[a-z\u0080-\uffff]+|\d+|#/g

/** Creates a search for phrases among words. Of the phrases that start at one word it takes the longest. */
export function createPhraseFinder<Owner>(
  phrases: readonly { readonly phrase: string; readonly of: Owner }[],
): (words: readonly Word[]) => Iterable<Found & { readonly of: Owner }> {
  /** By their first word, the longest first. */
  const known = new Map<string, { readonly words: readonly string[]; readonly of: Owner }[]>()
  for (const { phrase, of } of phrases) {
    const words = readWords(phrase, wordsOfPhrases).map(({ word }) => word)
    known.set(words[0]!, [...(known.get(words[0]!) ?? []), { words, of }])
  }
  for (const list of known.values()) list.sort((one, other) => other.words.length - one.words.length)
  return function* (words) {
    for (const [from, { word }] of words.entries()) {
      const longest = known.get(word)?.find((one) => one.words.every((other, at) => words[from + at]?.word === other))
      if (longest !== undefined) yield { of: longest.of, from, until: from + longest.words.length }
    }
  }
}

/** Number of words in a run. */
const runLength = 8
/** A run needs this many words that are not numbers, since almost only numbers prove nothing. */
const minWords = 4

/**
 * Creates a search for runs of eight words that occur in evaluation tasks. All numbers count as equal, since they
 * differ from task to task. Equal runs have equal keys.
 */
export function createOverlapFinder(
  evaluation: readonly EvaluationText[],
): (words: readonly Word[]) => Iterable<Found & { readonly environment: string; readonly key: string }> {
  const runs = new Map<string, Set<string>>()
  const known = new Set<string>()
  for (const { environment, text } of evaluation) {
    const words = readWords(text).map(({ word }) => word)
    for (let from = 0; from + runLength <= words.length; from++) {
      const run = words.slice(from, from + runLength)
      if (run.filter((word) => word !== anyNumber).length < minWords) continue
      for (const word of run) known.add(word)
      const key = run.join(' ')
      runs.set(key, (runs.get(key) ?? new Set()).add(environment))
    }
  }
  return function* (words) {
    let knownWords = 0
    for (const [index, { word }] of words.entries()) {
      knownWords = known.has(word) ? knownWords + 1 : 0
      if (knownWords < runLength) continue
      const [from, until] = [index + 1 - runLength, index + 1]
      const run = words.slice(from, until).map((wordAt) => wordAt.word)
      const key = run.join(' ')
      for (const environment of runs.get(key) ?? []) yield { environment, key, from, until }
    }
  }
}
