import { hexadecimal } from './fault.js'
import type { Memory } from './memory.js'
import type { Meter } from './meter.js'

/** Types of operands, two bits each (section 4.2). */
const small = 1
const variable = 2
const omitted = 3

/** Kinds of instructions: the first number of each, to which that of the opcode is added. */
export const kinds = { two: 0, one: 32, none: 48, any: 64, extended: 96 } as const

/** Places in a decoded instruction. An operand below 0 is a variable: -1 for the stack, -2 for the first local. */
export const at = { operands: 2, end: 1, count: 10, store: 11, branch: 12, target: 13, next: 14 } as const
/** Bits of `branch`: whether it is taken on true, and whether it returns its target. */
export const onTrue = 1
export const returns = 2

const stride = 16
const maxInstructions = 65_535

/** Frequent opcodes that store a result, and those that branch; the others read this from their bytes. */
const stores = new Set([
  ...[8, 9, 15, 16, 17, 18, 20, 21, 22].map((code) => kinds.two + code),
  ...[1, 2, 3, 14].map((code) => kinds.one + code),
  kinds.any,
])
const branches = new Set([
  ...[1, 2, 3, 4, 5, 6, 7, 10].map((code) => kinds.two + code),
  ...[0, 1, 2].map((code) => kinds.one + code),
])

/**
 * Instructions with their operands, results and branches told apart (section 4 of the standard). Those in memory that
 * cannot change are kept.
 */
export class Decoded {
  /** The instructions, {@link at} after the place that `find` returns. */
  code = new Int32Array(1024 * stride)
  readonly #memory: Memory
  readonly #meter: Meter
  readonly #version: number
  /** The number of the instruction at an address, 0 for none; number 0 is used for those that are not kept. */
  readonly #numbers: Uint16Array
  #count = 0
  #at = 0

  constructor(memory: Memory, version: number, meter: Meter) {
    this.#memory = memory
    this.#version = version
    this.#meter = meter
    this.#numbers = new Uint16Array(memory.size)
  }

  /** The place of the instruction at an address. */
  find(address: number): number {
    const number = this.#numbers[address]
    return number === undefined || number === 0 ? this.#decode(address) : number * stride
  }

  #decode(address: number): number {
    const { bytes, dynamicSize, size } = this.#memory
    if (address < 0 || address >= size) {
      this.#meter.fault(`execution leaves the story, which ends at ${hexadecimal(size)}`)
    }
    const place = address < dynamicSize ? 0 : this.#next(address)
    const { code } = this
    this.#at = address + 1
    const opcode = bytes[address]!
    let kind: number
    let types: number
    if (opcode < 0x80) {
      kind = kinds.two + (opcode & 31)
      types = (((opcode & 0x40) === 0 ? small : variable) << 14) | (((opcode & 0x20) === 0 ? small : variable) << 12)
      types |= 0xfff
    } else if (opcode < 0xb0) {
      kind = kinds.one + (opcode & 15)
      types = (((opcode >> 4) & 3) << 14) | 0x3fff
    } else if (opcode === 0xbe && this.#version >= 5) {
      kind = kinds.extended + bytes[this.#at++]!
      types = this.#types(false)
    } else if (opcode < 0xc0) {
      kind = kinds.none + (opcode & 15)
      types = 0xffff
    } else {
      kind = (opcode < 0xe0 ? kinds.two : kinds.any) + (opcode & 31)
      types = this.#types(opcode === 0xec || opcode === 0xfa)
    }
    code[place] = kind
    this.#operands(place, types)
    code[place + at.end] = this.#at
    if (stores.has(kind)) code[place + at.store] = bytes[this.#at++]!
    if (branches.has(kind)) this.#branch(place)
    code[place + at.next] = this.#at
    return place
  }

  /** The place for an instruction to be kept; all are forgotten where there are too many. */
  #next(address: number): number {
    if (this.#count === maxInstructions) {
      this.#numbers.fill(0)
      this.#count = 0
    }
    const place = ++this.#count * stride
    this.#numbers[address] = this.#count
    if (place >= this.code.length) {
      const longer = new Int32Array(2 * this.code.length)
      longer.set(this.code)
      this.code = longer
    }
    return place
  }

  /** The types of up to eight operands, from one byte or from two. */
  #types(double: boolean): number {
    const { bytes } = this.#memory
    const first = bytes[this.#at++]!
    return (first << 8) | (double ? bytes[this.#at++]! : 0xff)
  }

  #operands(place: number, types: number): void {
    const { bytes } = this.#memory
    let count = 0
    for (let shift = 14; shift >= 0; shift -= 2) {
      const type = (types >> shift) & 3
      if (type === omitted) break
      let value = bytes[this.#at++]!
      if (type === variable) value = -1 - value
      else if (type !== small) value = (value << 8) | bytes[this.#at++]!
      this.code[place + at.operands + count++] = value
    }
    this.code[place + at.count] = count
  }

  /** A branch (section 4.7). */
  #branch(place: number): void {
    const { bytes } = this.#memory
    const first = bytes[this.#at++]!
    let offset = first & 63
    if ((first & 64) === 0) {
      offset = (offset << 8) | bytes[this.#at++]!
      if (offset >= 8192) offset -= 16384
    }
    const isReturn = offset === 0 || offset === 1
    this.code[place + at.branch] = ((first & 128) > 0 ? onTrue : 0) | (isReturn ? returns : 0)
    this.code[place + at.target] = isReturn ? offset : this.#at + offset - 2
  }
}
