import type { DictionaryWord } from './machine/dictionary.js'
import type { Machine } from './machine/machine.js'

/** The dictionary of a story, as its parser uses it. */
export interface Dictionary {
  readonly words: readonly DictionaryWord[]
  /**
   * The entry of a word as a player types it: case does not matter, and neither do letters beyond the story's limit.
   */
  find(word: string): DictionaryWord | undefined
  /** Whether a text is one word of the dictionary, with nothing in it that separates words. */
  isWord(text: string): boolean
  /** The word at an address. */
  at(address: number): DictionaryWord | undefined
  /** A line of input in words, in lower case; a separator such as a comma is a word of its own. */
  split(line: string): readonly string[]
}

/** Reads the dictionary of a story (section 13 of the Z-Machine Standards Document). */
export function readDictionary(machine: Machine): Dictionary {
  const { header } = machine
  const words = machine.dictionaryWords()
  const byText = new Map([...words].reverse().map((word) => [word.text, word]))
  const byAddress = new Map(words.map((word) => [word.address, word]))
  const separators = new Set(
    Array.from({ length: machine.readByte(header.dictionary) }, (_, index) =>
      String.fromCharCode(machine.readByte(header.dictionary + 1 + index)),
    ),
  )
  const limit = header.version === 3 ? 6 : 9
  const find = (word: string): DictionaryWord | undefined => byText.get(cut(word.toLowerCase(), limit))
  return {
    words,
    find,
    isWord: (text) => find(text) !== undefined && ![...text].some((character) => separators.has(character)),
    at: (address) => byAddress.get(address),
    split(line) {
      const found: string[] = []
      let word = ''
      const close = (): void => {
        if (word !== '') found.push(word)
        word = ''
      }
      for (const character of line.toLowerCase()) {
        if (/\s/.test(character)) close()
        else if (separators.has(character)) {
          close()
          found.push(character)
        } else word += character
      }
      close()
      return found
    },
  }
}

const secondAlphabet = '0123456789.,!?_#\'"/\\-:()'

/** A word without what lies beyond the limit; letters count one, other characters two or four. */
function cut(word: string, limit: number): string {
  let length = 0
  for (let at = 0; at < word.length; at++) {
    const character = word[at]!
    length += character >= 'a' && character <= 'z' ? 1 : secondAlphabet.includes(character) ? 2 : 4
    if (length > limit) return word.slice(0, at)
  }
  return word
}
