import { ShaketableError } from '../../../core/errors.js'

/**
 * What a story did that an interpreter cannot carry out: a bad address, an illegal opcode, a stack overflow, an endless
 * loop. The only error that playing a story throws, whatever the file contains.
 */
export class StoryFault extends ShaketableError {
  override readonly name: string = 'StoryFault'
  /** The byte address of the instruction. */
  readonly address: number
  /** Whether the story would work on without end. */
  readonly isEndless: boolean
  /** What the story printed since the last input. */
  said = ''

  constructor(reason: string, address: number, isEndless = false) {
    super(
      'environment',
      `the story cannot go on: ${reason}, in the instruction at address ${hexadecimal(address)}. ` +
        'The file may be damaged, or the story itself be faulty.',
    )
    this.address = address
    this.isEndless = isEndless
  }
}

/** An address as the documents of the Z-machine write it: `0x4f05`. */
export function hexadecimal(address: number): string {
  return `0x${address.toString(16)}`
}

/** The budget of a machine outside a turn, where its memory is only looked at. */
const outsideTurn = 0x3fffffff

/** Counts the work of a machine, and knows which instruction is being executed. All parts of a machine share one. */
export class Meter {
  /** The address of the instruction that is being executed. */
  instruction = 0
  /** The work that is left for this turn; each instruction takes 1. */
  remaining = outsideTurn
  #budget = outsideTurn
  /** Work of this turn beside the instructions. */
  #spent = 0
  #instructions = 0

  /** Instructions executed in all turns that have ended. */
  get instructions(): number {
    return this.#instructions
  }

  beginTurn(budget: number): void {
    this.#budget = budget
    this.remaining = budget
    this.#spent = 0
  }

  endTurn(): void {
    this.#instructions += this.#budget - this.remaining - this.#spent
    this.#budget = outsideTurn
    this.remaining = outsideTurn
  }

  /** Takes work off the budget: characters decoded, table entries visited. */
  spend(units: number): void {
    this.#spent += units
    if ((this.remaining -= units) < 0) this.exhausted()
  }

  exhausted(): never {
    throw new StoryFault(
      `it used up its budget of ${this.#budget.toLocaleString('en')} units of work without asking for input`,
      this.instruction,
      true,
    )
  }

  fault(reason: string, address = this.instruction): never {
    throw new StoryFault(reason, address)
  }
}

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
