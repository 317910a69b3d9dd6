import { type Header, checksumOf, describeInterpreter, packedUnit } from './header.js'
import { type Dictionary, createDictionary } from './dictionary.js'
import { type Instruction, Instructions, noInstruction } from './instructions.js'
import { Memory, Meter } from './memory.js'
import { type Objects, createObjects } from './objects.js'
import { type Output, createOutput } from './output.js'
import { type Text, createText } from './text.js'

/** Words of the stack: evaluation stacks and local variables of all routines that are being executed. */
const maxStack = 1 << 16
const maxDepth = 1 << 13
/** What a call keeps of its caller beside its instruction: the registers. */
const frameSize = 3

/** The input that a story waits for, with the addresses that its text goes to. */
export type Pending =
  | { readonly kind: 'line'; readonly text: number; readonly parse: number }
  | { readonly kind: 'key' }
  | { readonly kind: 'none' }

/** What the opcode `save` keeps: memory, stack, and the address of the instruction that has to be completed. */
export interface GameState {
  readonly memory: Uint8Array
  readonly stack: Uint16Array
  readonly frames: Int32Array
  /** The addresses of the calls. */
  readonly callers: readonly number[]
  readonly locals: number
  readonly localCount: number
  readonly argumentCount: number
  readonly pc: number
}

/** The registers and the parts of a machine that is executing a story (sections 5 and 6 of the standard). */
export class Processor {
  readonly meter: Meter = new Meter()
  readonly memory: Memory
  readonly bytes: Uint8Array
  readonly text: Text
  readonly objects: Objects
  readonly dictionary: Dictionary
  readonly output: Output
  readonly instructions: Instructions
  readonly random: StoryRandom
  /** The operands of the present instruction, unsigned. */
  readonly operands = new Int32Array(8)
  instruction: Instruction = noInstruction
  /** The stack: local variables of each routine, and its evaluation stack behind them. */
  readonly stack = new Uint16Array(maxStack)
  top = 0
  /** The place of the first local variable on the stack. */
  locals = 0
  localCount = 0
  /** The number of arguments that the present routine was called with. */
  argumentCount = 0
  /** The number of routines that are being executed, which `catch` gives to a story. */
  depth = 0
  running = false
  finished = false
  pending: Pending = { kind: 'none' }
  /** What is left of a line that was typed where a key was awaited. */
  keys = ''
  saved: GameState | undefined
  #callers: Instruction[] = []
  readonly #frames = new Int32Array(maxDepth * frameSize)
  readonly #header: Header
  readonly #checksum: number
  readonly #initial: Uint8Array
  readonly #unit: number
  /** The address of variable 0, were it global; the first global variable has number 16. */
  readonly #globals: number

  constructor(story: Uint8Array, header: Header, seed: number) {
    this.#header = header
    this.#unit = packedUnit[header.version]
    this.#globals = header.globals - 32
    this.#checksum = checksumOf(story)
    this.memory = new Memory(story, header.staticMemory, this.meter)
    this.bytes = this.memory.bytes
    this.text = createText(this.memory, header, this.meter)
    this.output = createOutput(this.memory, this.text, this.meter)
    this.objects = createObjects(this.memory, header, this.text, this.meter, this.output)
    this.dictionary = createDictionary(this.memory, header, this.text, this.meter)
    this.instructions = new Instructions(this.memory, header.version, this.meter)
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
    this.top = this.locals = this.localCount = this.argumentCount = this.depth = 0
    this.pending = { kind: 'none' }
    this.finished = false
    this.instruction = this.instructions.find(this.#header.start)
  }

  /** Reads variable 0 (the top of the stack, which it takes off), 1 to 15 (local) or 16 to 255 (global). */
  read(variable: number): number {
    if (variable >= 16) {
      const address = this.#globals + 2 * variable
      return (this.bytes[address]! << 8) | this.bytes[address + 1]!
    }
    if (variable === 0) return this.pop()
    if (variable > this.localCount) this.#noLocal(variable)
    return this.stack[this.locals + variable - 1]!
  }

  /** Writes a variable; variable 0 pushes onto the stack. */
  write(variable: number, value: number): void {
    if (variable >= 16) this.memory.setWord(this.#globals + 2 * variable, value)
    else if (variable === 0) this.push(value)
    else {
      if (variable > this.localCount) this.#noLocal(variable)
      this.stack[this.locals + variable - 1] = value
    }
  }

  /** Reads a variable named by an operand; the top of the stack stays where it is (section 6.3.4). */
  readInPlace(variable: number): number {
    if (variable > 255) this.#noVariable(variable)
    const value = this.read(variable)
    if (variable === 0) this.top++
    return value
  }

  writeInPlace(variable: number, value: number): void {
    if (variable > 255) this.#noVariable(variable)
    if (variable === 0) this.pop()
    this.write(variable, value)
  }

  /** Adds to a variable named by an operand, and gives its new value. */
  add(variable: number, summand: number): number {
    const value = (this.readInPlace(variable) + summand) & 0xffff
    this.writeInPlace(variable, value)
    return value
  }

  push(value: number): void {
    if (this.top === maxStack) this.#overflow()
    this.stack[this.top++] = value
  }

  pop(): number {
    if (this.top === this.locals + this.localCount) this.meter.fault('it takes a value from an empty stack')
    return this.stack[--this.top]!
  }

  #overflow(): never {
    this.meter.fault(`its stack has more than ${maxStack} words`)
  }

  /** The byte address of a packed address of a routine or string (section 1.2.3). */
  unpacked(packed: number): number {
    return packed * this.#unit
  }

  /** Stops at an instruction that needs input, until it is completed. */
  await(pending: Pending): void {
    this.pending = pending
    this.running = false
  }

  /** Calls a routine with some operands, which stand behind the first. */
  enter(packed: number, argumentCount: number): void {
    const call = this.instruction
    if (call.targetAddress !== packed || call.target === undefined) this.#findRoutine(call, packed)
    const { localCount } = call
    if (this.depth === maxDepth) this.meter.fault(`it executes more than ${maxDepth} routines at once`)
    if (this.top + localCount > maxStack) this.#overflow()
    const frame = this.depth * frameSize
    this.#callers[this.depth++] = call
    this.#frames[frame] = this.locals
    this.#frames[frame + 1] = this.localCount
    this.#frames[frame + 2] = this.argumentCount
    this.locals = this.top
    this.localCount = localCount
    this.argumentCount = argumentCount
    this.top += localCount
    for (let local = 0; local < localCount; local++) {
      this.stack[this.locals + local] =
        local < argumentCount ? this.operands[local + 1]! : this.#initialLocal(packed, local)
    }
    this.instruction = call.target!
    if (!this.instruction.isKept) call.target = undefined
  }

  /** Remembers a routine in the instruction that calls it. */
  #findRoutine(call: Instruction, packed: number): void {
    const address = packed * this.#unit
    const localCount = this.memory.byte(address)
    if (localCount > 15) this.meter.fault(`it calls a routine at ${address} with ${localCount} local variables`)
    call.target = this.instructions.find(address + 1 + (this.#header.version < 5 ? 2 * localCount : 0))
    call.targetAddress = packed
    call.localCount = localCount
  }

  /** Routines give values to their local variables up to version 4; later these are 0. */
  #initialLocal(packed: number, local: number): number {
    return this.#header.version < 5 ? this.memory.word(packed * this.#unit + 1 + 2 * local) : 0
  }

  /** Leaves the present routine: the call is the present instruction, and has to be completed with its result. */
  leave(): void {
    if (this.depth === 0) this.meter.fault('it returns from its first routine')
    const frame = --this.depth * frameSize
    this.top = this.locals
    this.locals = this.#frames[frame]!
    this.localCount = this.#frames[frame + 1]!
    this.argumentCount = this.#frames[frame + 2]!
    this.instruction = this.#callers[this.depth]!
  }

  /** Returns from the present routine. */
  return(value: number): void {
    this.leave()
    this.complete(value)
  }

  /** Goes back to the routine at a depth, so that it can be left; what it called ends without a result. */
  unwind(depth: number): void {
    if (depth === 0 || depth > this.depth) {
      this.meter.fault(`it throws to the routine at depth ${depth} of ${this.depth}`)
    }
    while (this.depth > depth) this.locals = this.#frames[--this.depth * frameSize]!
  }

  /** Stores the result of the present instruction or follows its branch, and goes on to the next (section 4.7). */
  complete(value: number): void {
    const { instructions, instruction } = this
    if (instruction.store >= 0) this.write(instruction.store, value & 0xffff)
    if (!instruction.hasBranch || (value !== 0) !== instruction.onTrue) {
      this.instruction = instruction.next ?? instructions.follow(instruction, 'next')
    } else if (!instruction.returns) this.instruction = instruction.target ?? instructions.follow(instruction, 'target')
    else this.return(instruction.targetAddress)
  }

  capture(): GameState {
    return {
      memory: this.bytes.slice(0, this.memory.dynamicSize),
      stack: this.stack.slice(0, this.top),
      frames: this.#frames.slice(0, this.depth * frameSize),
      callers: this.#callers.slice(0, this.depth).map(({ address }) => address),
      locals: this.locals,
      localCount: this.localCount,
      argumentCount: this.argumentCount,
      pc: this.instruction.address,
    }
  }

  reinstate(state: GameState): void {
    this.bytes.set(state.memory)
    this.stack.set(state.stack)
    this.#frames.set(state.frames)
    this.top = state.stack.length
    this.depth = state.callers.length
    this.#callers = state.callers.map((address) => this.instructions.find(address))
    this.locals = state.locals
    this.localCount = state.localCount
    this.argumentCount = state.argumentCount
    this.instruction = this.instructions.find(state.pc)
  }

  /** `save`: keeps the state in memory; a machine has one saved game. What is kept is paid for from the budget. */
  save(): number {
    this.#payForCopy()
    this.saved = this.capture()
    return 1
  }

  /**
   * `restore`: goes back to the instruction that saved, which is completed once more with 2 (section 15 of the
   * standard); 0 where nothing was saved. The transcript and fixed-pitch flags stay (section 6.1.2).
   */
  restore(): number {
    if (this.saved === undefined) return 0
    const kept = this.bytes[0x11]! & 3
    this.#payForCopy()
    this.reinstate(this.saved)
    this.bytes[0x11] = (this.bytes[0x11]! & ~3) | kept
    return 2
  }

  #payForCopy(): void {
    this.meter.spend((this.memory.dynamicSize + 2 * this.top) >> 4)
  }

  #noVariable(variable: number): never {
    this.meter.fault(`there is no variable ${variable}`)
  }

  #noLocal(number: number): never {
    this.meter.fault(`its routine has ${this.localCount} local variables, but it uses number ${number}`)
  }
}

/**
 * The random numbers of Frotz, so that a story plays as it does there with the same seed: a linear congruence of 31
 * bits of which the upper 15 are used. A story may also choose predictable numbers (section 2.4 of the standard).
 */
class StoryRandom {
  readonly #seed: number
  #state = 0
  #interval = 0
  #counter = 0

  constructor(seed: number) {
    this.#seed = seed
    this.reseed(0)
  }

  /** Begins anew: from the host's seed for 0, counting 0, 1, … below 1000, otherwise from the value. */
  reseed(value: number): void {
    this.#interval = 0
    if (value === 0) this.#state = this.#seed
    else if (value >= 1000) this.#state = value
    else {
      this.#counter = 0
      this.#interval = value
    }
  }

  /** A number from 1 to `range`. */
  next(range: number): number {
    if (this.#interval !== 0) {
      const value = this.#counter
      this.#counter = value + 1 === this.#interval ? 0 : value + 1
      return (value % range) + 1
    }
    this.#state = (Math.imul(0x015a4e35, this.#state) + 1) & 0x7fffffff
    return (((this.#state >> 16) & 0x7fff) % range) + 1
  }

  save(): readonly [number, number, number] {
    return [this.#state, this.#interval, this.#counter]
  }

  load([state, interval, counter]: readonly [number, number, number]): void {
    this.#state = state
    this.#interval = interval
    this.#counter = counter
  }
}
