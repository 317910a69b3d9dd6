/** Numbers of words, from 1; 0 stands for a word that occurs in no phrase. */
export type Vocabulary = Map<string, number>

/** The words of a text, in order: their numbers, and where each begins and ends. The next text overwrites them. */
export interface Words {
  readonly count: number
  readonly ids: Int32Array
  readonly starts: Int32Array
  readonly ends: Int32Array
}

/** The word that stands for any number. */
export const anyNumber = '#'

const other = 0
const letter = 1
const digit = 2
const kinds = new Uint8Array(128)
for (let code = 48; code < 58; code++) kinds[code] = digit
for (let code = 97; code < 123; code++) kinds[code] = kinds[code - 32] = letter

const kindOf = (code: number): number => (code < 128 ? kinds[code]! : letter)

/**
 * Splits texts into words: runs of letters, and runs of digits, all of which count as one number word. So
 * `countertop1`, `CounterTop 1` and `countertop_1` are the same two words. A reader reuses its arrays from text to
 * text.
 */
export function createWordReader(vocabulary: Vocabulary): (text: string) => Words {
  let ids = new Int32Array(1024)
  let starts = new Int32Array(1024)
  let ends = new Int32Array(1024)
  const grow = (): void => {
    const longer = (list: Int32Array): Int32Array<ArrayBuffer> => {
      const grown = new Int32Array(list.length * 2)
      grown.set(list)
      return grown
    }
    ;[ids, starts, ends] = [longer(ids), longer(starts), longer(ends)]
  }
  return (text) => {
    const lower = text.toLowerCase()
    const numberWord = vocabulary.get(anyNumber) ?? 0
    let count = 0
    for (let index = 0; index < lower.length;) {
      const kind = kindOf(lower.charCodeAt(index))
      if (kind === other) {
        index++
        continue
      }
      const start = index++
      while (index < lower.length && kindOf(lower.charCodeAt(index)) === kind) index++
      if (count === ids.length) grow()
      ids[count] = kind === digit ? numberWord : (vocabulary.get(lower.slice(start, index)) ?? 0)
      starts[count] = start
      ends[count] = index
      count++
    }
    return { count, ids, starts, ends }
  }
}

/** The numbers of a phrase's words. New words are added to the vocabulary; `#` is any number. */
export function numbersOf(phrase: string, vocabulary: Vocabulary): number[] {
  return (phrase.toLowerCase().match(/[a-z\u0080-\uffff]+|\d+|#/g) ?? []).map((word) => {
    const key = /^\d/.test(word) ? anyNumber : word
    const known = vocabulary.get(key)
    if (known !== undefined) return known
    vocabulary.set(key, vocabulary.size + 1)
    return vocabulary.size
  })
}
