import { hexadecimal } from './fault.js'
import type { Meter } from './meter.js'

/** The number of zero bytes behind a story: no instruction is longer, so that operands may be read without a test. */
const padding = 32

/** The value of a 16-bit word as a signed number (section 2.2 of the standard). */
export function signed(word: number): number {
  return (word << 16) >> 16
}

/** The memory of a story: bytes and big-endian words with bounds (section 1 of the standard). */
export class Memory {
  /** The story, and zeros behind it. */
  readonly bytes: Uint8Array
  /** The number of bytes that may be read. */
  readonly size: number
  /** The number of bytes that may be written. */
  readonly dynamicSize: number
  readonly #meter: Meter

  constructor(story: Uint8Array, dynamicSize: number, meter: Meter) {
    this.bytes = new Uint8Array(story.length + padding)
    this.bytes.set(story)
    this.size = story.length
    this.dynamicSize = dynamicSize
    this.#meter = meter
  }

  byte(address: number): number {
    if (address >= this.size) this.#outside(address)
    return this.bytes[address]!
  }

  word(address: number): number {
    if (address + 1 >= this.size) this.#outside(address)
    return (this.bytes[address]! << 8) | this.bytes[address + 1]!
  }

  setByte(address: number, value: number): void {
    if (address >= this.dynamicSize) this.#unwritable(address)
    this.bytes[address] = value
  }

  setWord(address: number, value: number): void {
    if (address + 1 >= this.dynamicSize) this.#unwritable(address)
    this.bytes[address] = value >> 8
    this.bytes[address + 1] = value
  }

  #outside(address: number): never {
    this.#meter.fault(`it reads at ${hexadecimal(address)}, but the story ends at ${hexadecimal(this.size)}`)
  }

  #unwritable(address: number): never {
    this.#meter.fault(
      `it writes at ${hexadecimal(address)}, but memory that may change ends at ${hexadecimal(this.dynamicSize)}`,
    )
  }
}
