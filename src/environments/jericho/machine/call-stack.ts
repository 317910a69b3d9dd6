import type { Meter } from './meter.js'

/** Words of the stack: evaluation stacks and local variables of all routines that are being executed. */
const maxStack = 1 << 16
const maxDepth = 1 << 13
/** What a call keeps of its caller: where to go on, where the result goes, and the caller's registers. */
const frameSize = 5

/** A copy of a call stack. */
export interface CallStackState {
  readonly stack: Uint16Array
  readonly frames: Int32Array
  readonly locals: number
  readonly localCount: number
  readonly argumentCount: number
}

/**
 * The routines that are being executed, with their local variables and evaluation stacks (section 6 of the standard).
 */
export class CallStack {
  /** After `leave`: where the caller goes on, and the variable that its result goes to. */
  returnAddress = 0
  target = 0
  readonly #meter: Meter
  readonly #stack = new Uint16Array(maxStack)
  readonly #frames = new Int32Array(maxDepth * frameSize)
  #depth = 0
  #top = 0
  /** The place of the first local variable on the stack. */
  #locals = 0
  #localCount = 0
  #argumentCount = 0
  /** Where the evaluation stack of the present routine begins. */
  #bottom = 0

  constructor(meter: Meter) {
    this.#meter = meter
  }

  /** The number of routines that are being executed, which `catch` gives to a story. */
  get depth(): number {
    return this.#depth
  }

  /** The number of words on the stack. */
  get size(): number {
    return this.#top
  }

  /** The number of arguments that the present routine was called with. */
  get argumentCount(): number {
    return this.#argumentCount
  }

  clear(): void {
    this.#depth = 0
    this.#top = 0
    this.#locals = 0
    this.#localCount = 0
    this.#argumentCount = 0
    this.#bottom = 0
  }

  push(value: number): void {
    if (this.#top === maxStack) this.#overflow()
    this.#stack[this.#top++] = value
  }

  pop(): number {
    if (this.#top === this.#bottom) this.#underflow()
    return this.#stack[--this.#top]!
  }

  /** The top of the evaluation stack, which stays there. */
  peek(): number {
    if (this.#top === this.#bottom) this.#underflow()
    return this.#stack[this.#top - 1]!
  }

  replaceTop(value: number): void {
    if (this.#top === this.#bottom) this.#underflow()
    this.#stack[this.#top - 1] = value
  }

  /** Local variable 1 to 15. */
  local(number: number): number {
    if (number > this.#localCount) this.#noLocal(number)
    return this.#stack[this.#locals + number - 1]!
  }

  setLocal(number: number, value: number): void {
    if (number > this.#localCount) this.#noLocal(number)
    this.#stack[this.#locals + number - 1] = value
  }

  /** Begins a routine with local variables of value 0. */
  enter(returnAddress: number, target: number, localCount: number, argumentCount: number): void {
    if (this.#depth === maxDepth) this.#meter.fault(`it calls more than ${maxDepth} routines within each other`)
    if (this.#top + localCount > maxStack) this.#overflow()
    const frame = this.#depth++ * frameSize
    this.#frames[frame] = returnAddress
    this.#frames[frame + 1] = target
    this.#frames[frame + 2] = this.#locals
    this.#frames[frame + 3] = this.#localCount
    this.#frames[frame + 4] = this.#argumentCount
    this.#locals = this.#top
    this.#localCount = localCount
    this.#argumentCount = argumentCount
    this.#bottom = this.#top + localCount
    while (this.#top < this.#bottom) this.#stack[this.#top++] = 0
  }

  /** Ends the present routine; `returnAddress` and `target` tell where its caller goes on. */
  leave(): void {
    if (this.#depth === 0) this.#meter.fault('it returns from its first routine')
    const frame = --this.#depth * frameSize
    this.#top = this.#locals
    this.returnAddress = this.#frames[frame]!
    this.target = this.#frames[frame + 1]!
    this.#locals = this.#frames[frame + 2]!
    this.#localCount = this.#frames[frame + 3]!
    this.#argumentCount = this.#frames[frame + 4]!
    this.#bottom = this.#locals + this.#localCount
  }

  /** Goes back to the routine at a depth, so that it can be left; what it called ends without a result. */
  unwind(depth: number): void {
    if (depth === 0 || depth > this.#depth) {
      this.#meter.fault(`it throws to the routine at depth ${depth} of ${this.#depth}`)
    }
    while (this.#depth > depth) this.#locals = this.#frames[--this.#depth * frameSize + 2]!
  }

  save(): CallStackState {
    return {
      stack: this.#stack.slice(0, this.#top),
      frames: this.#frames.slice(0, this.#depth * frameSize),
      locals: this.#locals,
      localCount: this.#localCount,
      argumentCount: this.#argumentCount,
    }
  }

  load(state: CallStackState): void {
    this.#stack.set(state.stack)
    this.#frames.set(state.frames)
    this.#top = state.stack.length
    this.#depth = state.frames.length / frameSize
    this.#locals = state.locals
    this.#localCount = state.localCount
    this.#argumentCount = state.argumentCount
    this.#bottom = state.locals + state.localCount
  }

  #overflow(): never {
    this.#meter.fault(`its stack has more than ${maxStack} words`)
  }

  #underflow(): never {
    this.#meter.fault('it takes a value from an empty stack')
  }

  #noLocal(number: number): never {
    this.#meter.fault(`its routine has ${this.#localCount} local variables, but it uses number ${number}`)
  }
}
