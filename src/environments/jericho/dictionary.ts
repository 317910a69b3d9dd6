import type { DictionaryWord } from './machine/dictionary.js'
import type { Machine } from './machine/machine.js'

/** Reads the dictionary of a story, as its parser uses it (section 13 of the Z-Machine Standards Document). */
export function readDictionary(machine: Machine) {
  const words = machine.dictionaryWords()
  const byAddress = new Map(words.map((word) => [word.address, word]))
  const separators = new Set(machine.separators())
  /** The entry of a word as a player types it: case does not matter, nor do letters beyond the story's limit. */
  const find = (word: string): DictionaryWord | undefined => byAddress.get(machine.findWord(word.toLowerCase()))
  return {
    words,
    find,
    /** Whether a text is one word of the dictionary, with nothing in it that separates words. */
    isWord: (text: string) => find(text) !== undefined && ![...text].some((character) => separators.has(character)),
    at: (address: number) => byAddress.get(address),
    /** A line of input in words, in lower case; a separator such as a comma is a word of its own. */
    split(line: string): readonly string[] {
      const words: string[] = []
      let word = ''
      const close = (): void => {
        if (word !== '') words.push(word)
        word = ''
      }
      for (const character of line.toLowerCase()) {
        if (/\s/.test(character)) close()
        else if (separators.has(character)) {
          close()
          words.push(character)
        } else word += character
      }
      close()
      return words
    },
  }
}

/** See {@link readDictionary}. */
export type Dictionary = ReturnType<typeof readDictionary>
