import type { Header } from './header.js'
import { type Memory, type Meter, signed } from './memory.js'
import type { Text } from './text.js'

/** One word of the story's dictionary. */
export interface DictionaryWord {
  readonly address: number
  /** As the story stores it: lower case, cut at 6 (version 3) or 9 characters. */
  readonly text: string
  /** The bytes behind the encoded text; their meaning belongs to the compiler (Inform: flags, verb number, more). */
  readonly data: Uint8Array
}

interface Entries {
  readonly separators: Uint8Array
  readonly first: number
  readonly size: number
  readonly count: number
  readonly sorted: boolean
}

const space = 32
const unknown = 63
/** The work of encoding a word and of searching for it, in instructions. */
const wordCost = 50

/** Looks words up and divides a line into words (section 13 of the standard). */
export function createDictionary(memory: Memory, header: Header, text: Text, meter: Meter) {
  const keyLength = header.version === 3 ? 4 : 6
  const isOld = header.version < 5

  function words(): readonly DictionaryWord[] {
    const { first, size, count } = entriesOf(header.dictionary)
    return Array.from({ length: count }, (_, index) => {
      const address = first + index * size
      const data = memory.bytes.slice(address + keyLength, address + size)
      return { address, text: text.decode(address), data }
    })
  }

  /** The address of the entry of a word, or 0. Letters beyond the limit of the story do not count. */
  function findWord(word: string): number {
    const codes = Uint8Array.from(word, (character) => text.zscii(character) ?? unknown)
    return find(text.encode(codes), entriesOf(header.dictionary))
  }

  function separators(): readonly string[] {
    return Array.from(entriesOf(header.dictionary).separators, (code) => text.character(code))
  }

  /**
   * Divides the text of a text buffer into words and writes them to a parse buffer: number of words, and for each the
   * address of its dictionary entry or 0, its length and its place. With `keepUnknown` the slots of unknown words stay.
   */
  function tokenise(buffer: number, parse: number, dictionary = 0, keepUnknown = false): void {
    const { begin, codes } = typed(buffer)
    const entries = entriesOf(dictionary === 0 ? header.dictionary : dictionary)
    const maxWords = memory.byte(parse)
    meter.spend(codes.length * (1 + (entries.separators.length >> 3)))
    let entryAddress = 0
    const word = (from: number, to: number): void => {
      if (from === to || entryAddress >= maxWords) return
      const slot = parse + 2 + 4 * entryAddress++
      meter.spend(wordCost)
      const entry = find(text.encode(codes.subarray(from, to)), entries)
      if (entry === 0 && keepUnknown) return
      memory.setWord(slot, entry)
      memory.setByte(slot + 2, to - from)
      memory.setByte(slot + 3, from + begin)
    }
    let start = 0
    codes.forEach((code, index) => {
      const separates = entries.separators.includes(code)
      if (!separates && code !== space) return
      word(start, index)
      if (separates) word(index, index + 1)
      start = index + 1
    })
    word(start, codes.length)
    memory.setByte(parse + 1, entryAddress)
  }

  /** The characters in a text buffer, and the offset of the first. In all versions they end at a zero, as in Frotz. */
  function typed(buffer: number): { readonly begin: number; readonly codes: Uint8Array } {
    const begin = isOld ? 1 : 2
    const limit = isOld ? Infinity : memory.byte(buffer + 1)
    let length = 0
    while (length < limit && memory.byte(buffer + begin + length) !== 0) length++
    return { begin, codes: memory.bytes.subarray(buffer + begin, buffer + begin + length) }
  }

  function entriesOf(dictionary: number): Entries {
    const separatorCount = memory.byte(dictionary)
    const table = dictionary + 1 + separatorCount
    const size = memory.byte(table)
    const stated = signed(memory.word(table + 1))
    const first = table + 3
    if (size < keyLength) meter.fault(`a dictionary has entries of ${size} bytes`)
    const room = Math.floor((memory.size - first) / size)
    return {
      separators: memory.bytes.subarray(dictionary + 1, table),
      first,
      size,
      count: Math.min(Math.abs(stated), room),
      sorted: stated >= 0,
    }
  }

  function find(key: Uint8Array, { first, size, count, sorted }: Entries): number {
    if (!sorted) {
      for (let index = 0; index < count; index++) {
        meter.spend(1)
        if (compare(key, first + index * size) === 0) return first + index * size
      }
      return 0
    }
    let low = 0
    let high = count - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = compare(key, first + middle * size)
      if (order === 0) return first + middle * size
      if (order < 0) high = middle - 1
      else low = middle + 1
    }
    return 0
  }

  function compare(key: Uint8Array, entry: number): number {
    for (let index = 0; index < key.length; index++) {
      const difference = key[index]! - memory.bytes[entry + index]!
      if (difference !== 0) return difference
    }
    return 0
  }

  return { words, findWord, separators, tokenise }
}

/** See {@link createDictionary}. */
export type Dictionary = ReturnType<typeof createDictionary>
