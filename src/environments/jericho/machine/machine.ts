import type { DictionaryWord } from './dictionary.js'
import { execute } from './operations.js'
import { type Header, readHeader } from './header.js'
import { StoryFault } from './memory.js'
import type { ObjectTree } from './objects.js'
import type { OutputState } from './output.js'
import { type GameState, type Pending, Processor } from './processor.js'

/** Choices of whoever runs a story. */
interface MachineOptions {
  /** Seed of the random numbers, 0 to 2^31 - 1; 0 by default. The generator is Frotz's: equal seeds give its games. */
  readonly seed?: number
  /**
   * The work allowed between two inputs: one unit for an instruction, and one for each character printed or table entry
   * visited. 20 million by default, which takes a second or less.
   */
  readonly instructionBudget?: number
}

/** The input that a story waits for. A key is asked for as a line, and its first character counts. */
type Awaiting = 'line' | 'key' | 'none'

/**
 * A whole state of a machine between two inputs. Immutable: it may be restored any number of times, also on another
 * machine of the same story. `memory` is a copy of the memory that the story may change.
 */
export interface Snapshot extends GameState {
  readonly pending: Pending
  readonly finished: boolean
  readonly keys: string
  readonly random: readonly [number, number, number]
  readonly output: OutputState
  readonly saved: GameState | undefined
}

const defaultBudget = 20_000_000

const tab = 9
const enter = 13
const unknown = '?'.charCodeAt(0)

/**
 * A Z-machine for one play of a story of version 3, 4, 5 or 8, after the Z-Machine Standards Document 1.1; text only.
 * Timed input never runs out of time, undo is not provided, games are saved in memory, and the text of the upper window
 * is left out. Whatever a story does wrong ends in a StoryFault, after which the machine is finished until it is
 * started anew or a snapshot restored.
 *
 * @example
 * const machine = new Machine(readFileSync('zork1.z3'), { seed: 12 })
 * console.log(machine.start())
 * console.log(machine.step('open mailbox'))
 */
export class Machine {
  readonly header: Header
  readonly #processor: Processor
  readonly #budget: number

  /** Throws a ShaketableError (`bad-input`) where the bytes are no story of version 3, 4, 5 or 8. They are copied. */
  constructor(story: Uint8Array, options: MachineOptions = {}) {
    const { seed = 0, instructionBudget = defaultBudget } = options
    this.#budget = instructionBudget
    this.header = readHeader(story)
    this.#processor = new Processor(story.subarray(0, this.header.length), this.header, seed)
  }

  /** Runs from the beginning to the first input and returns the text printed. May be called again to begin anew. */
  start(): string {
    this.#processor.saved = undefined
    this.#processor.keys = ''
    this.#processor.restart()
    return this.#run(() => undefined)
  }

  /**
   * Gives the story one line of input and runs it to the next input. The line is cut at the story's limit; characters
   * that the story cannot read become question marks. Where a key is awaited the first character counts, or Enter for
   * an empty line, and the others answer the next keys. Returns the text printed in the lower window, with newlines as
   * the story prints them (lines are not wrapped), including the prompt at its end; the echo of the input is not
   * included. A finished story answers ''.
   */
  step(line: string): string {
    if (this.awaiting === 'none') return ''
    return this.#run(() => {
      answerInput(this.#processor, line)
    })
  }

  get awaiting(): Awaiting {
    return this.#processor.pending.kind
  }

  /** Whether the story has ended: it executed `quit`, or a fault stopped it. */
  get finished(): boolean {
    return this.#processor.finished
  }

  /** The number of instructions executed since the machine was made; a restored snapshot does not set it back. */
  get instructions(): number {
    return this.#processor.meter.instructions
  }

  snapshot(): Snapshot {
    const { pending, finished, keys, random, output, saved } = this.#processor
    return {
      ...this.#processor.capture(),
      pending,
      finished,
      keys,
      random: random.save(),
      output: output.save(),
      saved,
    }
  }

  restore(snapshot: Snapshot): void {
    const processor = this.#processor
    processor.reinstate(snapshot)
    processor.random.load(snapshot.random)
    processor.output.load(snapshot.output)
    processor.pending = snapshot.pending
    processor.finished = snapshot.finished
    processor.keys = snapshot.keys
    processor.saved = snapshot.saved
  }

  get objects(): ObjectTree {
    return this.#processor.objects
  }

  /** Global variable 0 to 239. In version 3, global 0 is the object of the place, 1 the score and 2 the turns. */
  global(number: number): number {
    return this.readWord(this.header.globals + 2 * number)
  }

  /** A byte of memory, 0 to 255. Throws a StoryFault beyond the end of the story. */
  readByte(address: number): number {
    return this.#processor.memory.byte(address)
  }

  /** A word of memory, 0 to 65535. Throws a StoryFault beyond the end of the story. */
  readWord(address: number): number {
    return this.#processor.memory.word(address)
  }

  /** A view of the memory that the story may change; for hashes and comparisons, not for writing. */
  get dynamicMemory(): Uint8Array {
    return this.#processor.bytes.subarray(0, this.#processor.memory.dynamicSize)
  }

  /** The words of the story's own dictionary, in its order. */
  dictionaryWords(): readonly DictionaryWord[] {
    return this.#withBudget(() => this.#processor.dictionary.words())
  }

  /** The address of the entry that the story finds for a word in lower case, or 0. */
  findWord(word: string): number {
    return this.#withBudget(() => this.#processor.dictionary.findWord(word))
  }

  /** What separates words besides blanks, and is a word itself. */
  separators(): readonly string[] {
    return this.#processor.dictionary.separators()
  }

  #run(begin: () => void): string {
    return this.#withBudget(() => {
      try {
        begin()
        execute(this.#processor)
        return this.#processor.output.take()
      } catch (error) {
        this.#processor.pending = { kind: 'none' }
        this.#processor.finished = true
        if (error instanceof StoryFault) error.said = this.#processor.output.take()
        throw error
      }
    })
  }

  #withBudget<T>(work: () => T): T {
    const { meter } = this.#processor
    meter.beginTurn(this.#budget)
    try {
      return work()
    } finally {
      meter.endTurn()
    }
  }
}

/** Gives a line of input to the instruction that waits for it, and completes it (section 15 of the standard). */
function answerInput(processor: Processor, line: string): void {
  const { pending } = processor
  processor.pending = { kind: 'none' }
  if (pending.kind === 'key') {
    // As in Frotz, the rest of a line answers the next keys, and what is typed there is lost.
    const [first, ...rest] = processor.keys === '' ? line : processor.keys
    processor.keys = rest.join('')
    processor.complete(first === undefined || first === '\n' ? enter : (processor.text.zscii(first) ?? unknown))
  } else if (pending.kind === 'line') {
    processor.keys = ''
    answerLine(processor, line, pending)
  }
}

function answerLine(processor: Processor, line: string, { text, parse }: Pending & { readonly kind: 'line' }): void {
  const { dictionary, memory, version } = processor
  const old = version < 5
  const present = old ? 0 : memory.byte(text + 1)
  const begin = text + (old ? 1 : 2)
  const room = memory.byte(text) - (old ? 1 : 0) - present
  const codes = typed(processor, line, Math.max(0, room))
  codes.forEach((code, index) => {
    memory.setByte(begin + present + index, code)
  })
  if (old) memory.setByte(begin + codes.length, 0)
  else memory.setByte(text + 1, present + codes.length)
  if (parse !== 0) dictionary.tokenise(text, parse)
  processor.complete(enter)
}

/** The ZSCII codes of a line in lower case, at most `room` of them. */
function typed({ text }: Processor, line: string, room: number): readonly number[] {
  const codes: number[] = []
  for (const character of line) {
    if (codes.length >= room) break
    // A tab is a letter of its own in Frotz, whatever it was meant to be.
    if (character === '\t') codes.push(tab)
    else {
      const plain = /\s/.test(character) ? ' ' : character
      codes.push(text.zscii(plain.toLowerCase()) ?? text.zscii(plain) ?? unknown)
    }
  }
  return codes
}
