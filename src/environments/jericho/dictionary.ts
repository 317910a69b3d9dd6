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
  const words = machine.dictionaryWords()
  const byAddress = new Map(words.map((word) => [word.address, word]))
  const separators = new Set(machine.separators())
  const find = (word: string): DictionaryWord | undefined => byAddress.get(machine.findWord(word.toLowerCase()))
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
