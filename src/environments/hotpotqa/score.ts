/** SQuAD's metrics as HotpotQA and ReAct's `wrappers.py` compute them, Unicode-aware as Python is. */

/** How well an answer matches the right one. */
interface AnswerScore {
  /** Equality after normalisation. */
  readonly exactMatch: boolean
  /** Harmonic mean of precision and recall over words, 0 to 1. */
  readonly f1: number
}

/** Lower case, without ASCII punctuation and the words a, an and the, with single blanks. */
export function normaliseAnswer(answer: string): string {
  const words = answer
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu, ' ')
  return words.split(pythonSpace).filter(Boolean).join(' ')
}

/** White space as Python's `str.split()` has it: U+001C to U+001F and U+0085 count, U+FEFF does not. */
const pythonSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u

const closed = new Set(['yes', 'no', 'noanswer'])

/** Scores an answer. One of yes, no and noanswer gets no partial score. */
export function scoreAnswer(answer: string, expected: string): AnswerScore {
  const [given, right] = [normaliseAnswer(answer), normaliseAnswer(expected)]
  const exactMatch = given === right
  if (!exactMatch && (closed.has(given) || closed.has(right))) return { exactMatch, f1: 0 }
  const [words, rightWords] = [given, right].map((text) => text.split(' ').filter(Boolean)) as [string[], string[]]
  const left = new Map<string, number>()
  for (const word of rightWords) left.set(word, (left.get(word) ?? 0) + 1)
  let same = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count > 0) same++
    left.set(word, count - 1)
  }
  if (same === 0) return { exactMatch, f1: 0 }
  const [precision, recall] = [same / words.length, same / rightWords.length]
  return { exactMatch, f1: (2 * precision * recall) / (precision + recall) }
}
