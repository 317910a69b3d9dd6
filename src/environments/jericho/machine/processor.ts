import type { CallStackState } from './call-stack.js'
import { CallStack } from './call-stack.js'
import { Decoded } from './decoded.js'
import { Dictionary } from './dictionary.js'
import type { Header } from './header.js'
import { checksumOf, describeInterpreter, packedUnit } from './header.js'
import { Memory } from './memory.js'
import { Meter } from './meter.js'
import { Objects } from './objects.js'
import { Output } from './output.js'
import { StoryRandom } from './random.js'
import { Text } from './text.js'

/** The result of a call is thrown away. */
const discard = -1

/** The input that a story waits for, with the addresses that its text goes to. */
export type Pending =
  | { readonly kind: 'line'; readonly text: number; readonly parse: number }
  | { readonly kind: 'key' }
  | { readonly kind: 'none' }

/** What the opcode `save` keeps: memory, stack, and where execution goes on. */
export interface GameState {
  readonly memory: Uint8Array
  readonly calls: CallStackState
  readonly pc: number
}

/** The registers and the parts of a machine that is executing a story (section 5 of the standard). */
export class Processor {
  readonly meter: Meter = new Meter()
  readonly memory: Memory
  readonly bytes: Uint8Array
  readonly calls: CallStack
  readonly text: Text
  readonly objects: Objects
  readonly dictionary: Dictionary
  readonly output: Output
  readonly decoded: Decoded
  readonly random: StoryRandom
  /** The operands of the present instruction, unsigned. */
  readonly operands = new Int32Array(8)
  operandCount = 0
  /** The address of the next byte to be read of the present instruction. */
  pc = 0
  running = false
  finished = false
  pending: Pending = { kind: 'none' }
  /** What is left of a line that was typed where a key was awaited. */
  keys = ''
  saved: GameState | undefined
  readonly #header: Header
  readonly #checksum: number
  readonly #initial: Uint8Array
  readonly #unit: number

  constructor(story: Uint8Array, header: Header, seed: number) {
    this.#header = header
    this.#unit = packedUnit[header.version]
    this.#checksum = checksumOf(story, header.length)
    this.memory = new Memory(story, header.staticMemory, this.meter)
    this.bytes = this.memory.bytes
    this.calls = new CallStack(this.meter)
    this.text = new Text(this.memory, header, this.meter)
    this.output = new Output(this.memory, this.text, this.meter)
    this.objects = new Objects(this.memory, header, this.text, this.meter, this.output)
    this.dictionary = new Dictionary(this.memory, header, this.text, this.meter)
    this.decoded = new Decoded(this.memory, header.version, this.meter)
    this.random = new StoryRandom(seed)
    this.#initial = story.slice(0, header.staticMemory)
  }

  get version(): Header['version'] {
    return this.#header.version
  }

  /** Whether the file has the checksum that its header states (`verify`). */
  get intact(): boolean {
    return this.#checksum === this.#header.checksum
  }

  /** Begins the story anew; the transcript and fixed-pitch flags stay (section 6.1.3). */
  restart(): void {
    const kept = this.bytes[0x11]! & 3
    this.#payForCopy()
    this.bytes.set(this.#initial)
    this.bytes[0x11] = (this.bytes[0x11]! & ~3) | kept
    describeInterpreter(this.bytes, this.version)
    this.random.reseed(0)
    this.output.load({ screen: true, upper: false, row: 1, column: 1, tables: [] })
    this.pc = this.#header.start
    this.calls.clear()
    this.pending = { kind: 'none' }
    this.finished = false
  }

  /** Reads variable 0 (the top of the stack, which it takes off), 1 to 15 (local) or 16 to 255 (global). */
  read(variable: number): number {
    if (variable === 0) return this.calls.pop()
    if (variable >= 16) {
      const address = this.#header.globals + 2 * (variable - 16)
      return (this.bytes[address]! << 8) | this.bytes[address + 1]!
    }
    return this.calls.local(variable)
  }

  /** Writes a variable; variable 0 pushes onto the stack. */
  write(variable: number, value: number): void {
    if (variable === 0) this.calls.push(value)
    else if (variable >= 16) this.memory.setWord(this.#header.globals + 2 * (variable - 16), value)
    else this.calls.setLocal(variable, value)
  }

  /** Reads a variable named by an operand; the top of the stack stays where it is (section 6.3.4). */
  readInPlace(variable: number): number {
    return variable === 0 ? this.calls.peek() : this.read(this.#byteOf(variable))
  }

  writeInPlace(variable: number, value: number): void {
    if (variable === 0) this.calls.replaceTop(value)
    else this.write(this.#byteOf(variable), value)
  }

  /** The byte address of a packed address of a routine or string (section 1.2.3). */
  unpacked(packed: number): number {
    return packed * this.#unit
  }

  /** Stops before the rest of an instruction that needs input. */
  await(pending: Pending): void {
    this.pending = pending
    this.running = false
  }

  /** Writes the result of an instruction to the variable named by its next byte. */
  store(value: number): void {
    this.write(this.bytes[this.pc++]!, value & 0xffff)
  }

  /** Reads the branch of an instruction and follows it if the condition is what it wants (section 4.7). */
  branch(condition: boolean): void {
    const first = this.bytes[this.pc++]!
    let offset = first & 63
    if ((first & 64) === 0) {
      offset = (offset << 8) | this.bytes[this.pc++]!
      if (offset >= 8192) offset -= 16384
    }
    if (condition !== (first & 128) > 0) return
    if (offset === 0 || offset === 1) this.return(offset)
    else this.pc += offset - 2
  }

  /** Calls the routine of the first operand with the others; a kept result goes to the variable of the next byte. */
  call(keepsResult: boolean): void {
    this.enter(keepsResult ? this.bytes[this.pc++]! : discard)
  }

  /** Calls the routine of the first operand with the others; the result goes to a variable. */
  enter(target: number): void {
    const packed = this.operands[0]!
    if (packed === 0) {
      if (target !== discard) this.write(target, 0)
      return
    }
    const address = packed * this.#unit
    const localCount = this.memory.byte(address)
    if (localCount > 15) this.meter.fault(`it calls a routine at ${address} with ${localCount} local variables`)
    const given = this.operandCount - 1
    this.calls.enter(this.pc, target, localCount, given)
    this.pc = address + 1
    if (this.version < 5) {
      for (let local = 1; local <= localCount; local++, this.pc += 2)
        this.calls.setLocal(local, this.memory.word(this.pc))
    }
    for (let local = Math.min(given, localCount); local > 0; local--) this.calls.setLocal(local, this.operands[local]!)
  }

  return(value: number): void {
    this.calls.leave()
    this.pc = this.calls.returnAddress
    if (this.calls.target !== discard) this.write(this.calls.target, value)
  }

  capture(): GameState {
    return { memory: this.bytes.slice(0, this.memory.dynamicSize), calls: this.calls.save(), pc: this.pc }
  }

  reinstate(state: GameState): void {
    this.bytes.set(state.memory)
    this.calls.load(state.calls)
    this.pc = state.pc
  }

  /** Goes back to a saved state as the opcodes do: the transcript and fixed-pitch flags stay (section 6.1.2). */
  resume(state: GameState): void {
    const kept = this.bytes[0x11]! & 3
    this.#payForCopy()
    this.reinstate(state)
    this.bytes[0x11] = (this.bytes[0x11]! & ~3) | kept
  }

  /** The present state for the opcodes that save; unlike a snapshot it is paid for from the budget. */
  kept(): GameState {
    this.#payForCopy()
    return this.capture()
  }

  #payForCopy(): void {
    this.meter.spend((this.memory.dynamicSize + 2 * this.calls.size) >> 4)
  }

  /** Stops at an instruction that the version of the story does not have. */
  illegalOpcode(): never {
    const at = this.meter.instruction
    const opcode = this.bytes[at]!
    const extension = opcode === 0xbe && this.version >= 5 ? `, ${this.bytes[at + 1]!}` : ''
    this.meter.fault(`version ${this.version} has no opcode ${opcode}${extension}`)
  }

  #byteOf(variable: number): number {
    if (variable > 255) this.meter.fault(`there is no variable ${variable}`)
    return variable
  }
}
