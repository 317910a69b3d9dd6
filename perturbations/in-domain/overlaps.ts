import type { EvaluationText } from '../../src/define.js'
import type { Vocabulary, Words } from './read-words.js'
import { anyNumber, numbersOf } from './read-words.js'

/** Number of words in a run. */
const runLength = 8
/** A run needs this many words that are not numbers, since almost only numbers prove nothing. */
const minWords = 4

/** A run of words that also occurs in evaluation tasks. */
export interface Overlap {
  readonly environment: string
  /** Equal for equal runs. */
  readonly key: string
  readonly from: number
  readonly until: number
}

/**
 * Finds runs of eight words that occur in evaluation tasks. All numbers count as equal, since they differ from task to
 * task.
 */
export function createOverlapFinder(
  evaluation: readonly EvaluationText[],
  vocabulary: Vocabulary,
): (words: Words, found: (overlap: Overlap) => void) => void {
  const numberWord = numbersOf(anyNumber, vocabulary)[0]!
  const runs = new Map<number, { readonly key: string; readonly environment: string }[]>()
  for (const { environment, text } of evaluation) {
    const ids = numbersOf(text, vocabulary)
    for (let from = 0; from + runLength <= ids.length; from++) {
      const run = ids.slice(from, from + runLength)
      if (run.filter((id) => id !== numberWord).length < minWords) continue
      const key = run.join(' ')
      const hash = hashRun(run, 0)
      const list = runs.get(hash) ?? []
      if (list.some((one) => one.key === key && one.environment === environment)) continue
      list.push({ key, environment })
      runs.set(hash, list)
    }
  }
  return ({ count, ids }, found) => {
    if (runs.size === 0) return
    let knownWords = 0
    for (let index = 0; index < count; index++) {
      knownWords = ids[index] === 0 ? 0 : knownWords + 1
      if (knownWords < runLength) continue
      const from = index + 1 - runLength
      const list = runs.get(hashRun(ids, from))
      if (list === undefined) continue
      const key = ids.subarray(from, index + 1).join(' ')
      for (const one of list) {
        if (one.key === key) found({ environment: one.environment, key, from, until: index + 1 })
      }
    }
  }
}

function hashRun(ids: ArrayLike<number>, from: number): number {
  let hash = 0
  for (let index = from; index < from + runLength; index++) hash = (Math.imul(hash, 0x01000193) ^ ids[index]!) | 0
  return hash
}
