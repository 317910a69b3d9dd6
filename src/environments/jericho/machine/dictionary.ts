import type { Header } from './header.js'
import type { Memory, Meter } from './memory.js'
import { signed } from './memory.js'
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
/** The work of encoding a word and of searching for it, in instructions. */
const wordCost = 50

/** Looks words up and divides a line into words (section 13 of the standard). */
export class Dictionary {
  readonly #memory: Memory
  readonly #text: Text
  readonly #meter: Meter
  readonly #own: number
  readonly #keyLength: number
  readonly #old: boolean

  constructor(memory: Memory, header: Header, text: Text, meter: Meter) {
    this.#memory = memory
    this.#text = text
    this.#meter = meter
    this.#own = header.dictionary
    this.#keyLength = header.version === 3 ? 4 : 6
    this.#old = header.version < 5
  }

  words(): readonly DictionaryWord[] {
    const { first, size, count } = this.#entries(this.#own)
    return Array.from({ length: count }, (_, index) => {
      const address = first + index * size
      const data = this.#memory.bytes.slice(address + this.#keyLength, address + size)
      return { address, text: this.#text.decode(address), data }
    })
  }

  /**
   * Divides the text of a text buffer into words and writes them to a parse buffer: number of words, and for each the
   * address of its dictionary entry or 0, its length and its place. With `keepUnknown` the slots of unknown words stay.
   */
  tokenise(text: number, parse: number, dictionary = 0, keepUnknown = false): void {
    const memory = this.#memory
    const { begin, codes } = this.#typed(text)
    const entries = this.#entries(dictionary === 0 ? this.#own : dictionary)
    const maxWords = memory.byte(parse)
    this.#meter.spend(codes.length * (1 + (entries.separators.length >> 3)))
    let words = 0
    const word = (from: number, to: number): void => {
      if (from === to || words >= maxWords) return
      const slot = parse + 2 + 4 * words++
      this.#meter.spend(wordCost)
      const found = this.#find(this.#text.encode(codes.subarray(from, to)), entries)
      if (found === 0 && keepUnknown) return
      memory.setWord(slot, found)
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
    memory.setByte(parse + 1, words)
  }

  /** The characters in a text buffer, and the offset of the first. In all versions they end at a zero, as in Frotz. */
  #typed(text: number): { readonly begin: number; readonly codes: Uint8Array } {
    const begin = this.#old ? 1 : 2
    const limit = this.#old ? Infinity : this.#memory.byte(text + 1)
    let length = 0
    while (length < limit && this.#memory.byte(text + begin + length) !== 0) length++
    return { begin, codes: this.#memory.bytes.subarray(text + begin, text + begin + length) }
  }

  #entries(dictionary: number): Entries {
    const memory = this.#memory
    const separatorCount = memory.byte(dictionary)
    const table = dictionary + 1 + separatorCount
    const size = memory.byte(table)
    const stated = signed(memory.word(table + 1))
    const first = table + 3
    if (size < this.#keyLength) this.#meter.fault(`a dictionary has entries of ${size} bytes`)
    const room = Math.floor((memory.size - first) / size)
    return {
      separators: memory.bytes.subarray(dictionary + 1, table),
      first,
      size,
      count: Math.min(Math.abs(stated), room),
      sorted: stated >= 0,
    }
  }

  #find(key: Uint8Array, { first, size, count, sorted }: Entries): number {
    if (!sorted) {
      for (let index = 0; index < count; index++) {
        this.#meter.spend(1)
        if (this.#compare(key, first + index * size) === 0) return first + index * size
      }
      return 0
    }
    let low = 0
    let high = count - 1
    while (low <= high) {
      const middle = (low + high) >> 1
      const order = this.#compare(key, first + middle * size)
      if (order === 0) return first + middle * size
      if (order < 0) high = middle - 1
      else low = middle + 1
    }
    return 0
  }

  #compare(key: Uint8Array, entry: number): number {
    for (let index = 0; index < key.length; index++) {
      const difference = key[index]! - this.#memory.bytes[entry + index]!
      if (difference !== 0) return difference
    }
    return 0
  }
}
