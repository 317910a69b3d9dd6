import type { Memory, Meter } from './memory.js'
import { hexadecimal, signed } from './memory.js'
import type { Shape } from './operations.js'
import { forms, shapesOf } from './operations.js'

/** Types of operands, two bits each (section 4.2). */
const small = 1
const variable = 2
const omitted = 3

const maxInstructions = 65_535

/**
 * An instruction with its operands, result and branch told apart (section 4 of the standard). Operands below 0 are
 * variables: -1 for the stack, -2 for the first local.
 */
export interface Instruction {
  readonly address: number
  readonly shape: Shape
  readonly operands: readonly number[]
  /** The variable of the result, -1 where none is kept. */
  readonly store: number
  readonly hasBranch: boolean
  /** Whether the branch is taken where its condition holds. */
  readonly onTrue: boolean
  /** Whether the branch returns 0 or 1, which is then its target. */
  readonly returns: boolean
  /**
   * The address of the target of a branch, or of text within the instruction. For a call, the packed address of the
   * routine that was called last. `jump` is a branch, unless its operand is a variable.
   */
  targetAddress: number
  readonly nextAddress: number
  /** The instruction at the target, and the next one, once they are known. */
  target: Instruction | undefined
  next: Instruction | undefined
  /** The number of local variables of the routine that was called last. */
  localCount: number
  /** Whether the instruction cannot change. */
  readonly isKept: boolean
}

/** What stands where a story has not begun. */
export const noInstruction: Instruction = {
  ...{ address: 0, shape: shapesOf(3).get(forms.none + 4)!, operands: [], store: -1, hasBranch: false, onTrue: false },
  ...{ returns: false, targetAddress: 0, nextAddress: 0, target: undefined, next: undefined, localCount: 0 },
  isKept: false,
}

/** The instructions of a story. Those in memory that cannot change are kept. */
export class Instructions {
  readonly #memory: Memory
  readonly #meter: Meter
  readonly #version: number
  readonly #shapes: ReadonlyMap<number, Shape>
  readonly #kept: Map<number, Instruction>
  #at = 0

  /** With those of another machine of the same story they have those that are kept in common. */
  constructor(memory: Memory, version: number, meter: Meter, like?: Instructions) {
    this.#memory = memory
    this.#version = version
    this.#meter = meter
    this.#shapes = like === undefined ? shapesOf(version) : like.#shapes
    this.#kept = like === undefined ? new Map() : like.#kept
  }

  /** The instruction at an address. */
  find(address: number): Instruction {
    return this.#kept.get(address) ?? this.#decode(address)
  }

  /** The next instruction, or the target of a branch, which is remembered. */
  follow(instruction: Instruction, way: 'next' | 'target'): Instruction {
    const found = this.find(way === 'next' ? instruction.nextAddress : instruction.targetAddress)
    if (found.isKept) instruction[way] = found
    return found
  }

  #decode(address: number): Instruction {
    const { bytes, dynamicSize, size } = this.#memory
    if (address < 0 || address >= size) {
      this.#meter.fault(`execution leaves the story, which ends at ${hexadecimal(size)}`)
    }
    this.#at = address + 1
    const opcode = bytes[address]!
    let number: number
    let types: number
    if (opcode < 0x80) {
      number = forms.two + (opcode & 31)
      types = (((opcode & 0x40) === 0 ? small : variable) << 14) | (((opcode & 0x20) === 0 ? small : variable) << 12)
      types |= 0xfff
    } else if (opcode < 0xb0) {
      number = forms.one + (opcode & 15)
      types = (((opcode >> 4) & 3) << 14) | 0x3fff
    } else if (opcode === 0xbe && this.#version >= 5) {
      number = forms.extended + bytes[this.#at++]!
      types = this.#types(false)
    } else if (opcode < 0xc0) {
      number = forms.none + (opcode & 15)
      types = 0xffff
    } else {
      number = (opcode < 0xe0 ? forms.two : forms.any) + (opcode & 31)
      types = this.#types(opcode === 0xec || opcode === 0xfa)
    }
    const operands = this.#operands(types)
    const [first = 0] = operands
    const shape = this.#shapes.get(number) ?? this.#refuse(address)
    const { name, needed, stores, branches } = shape
    if (operands.length < needed) {
      this.#meter.fault(`an instruction with ${needed} operands has ${operands.length}`, address)
    }
    const store = stores ? bytes[this.#at++]! : -1
    const isJump = name === 'jump' && first >= 0
    const { onTrue, offset } = branches ? this.#branch() : { onTrue: true, offset: signed(first) }
    const returns = branches && (offset === 0 || offset === 1)
    let targetAddress = returns ? offset : this.#at + offset - 2
    if (name === 'print' || name === 'print_ret') {
      targetAddress = this.#at
      while (this.#at < size && bytes[this.#at]! < 0x80) this.#at += 2
      this.#at += 2
    }
    const instruction: Instruction = {
      address,
      shape,
      operands,
      store,
      hasBranch: branches || isJump,
      onTrue,
      returns,
      targetAddress,
      nextAddress: this.#at,
      target: undefined,
      next: undefined,
      localCount: 0,
      isKept: address >= dynamicSize && this.#kept.size < maxInstructions,
    }
    if (instruction.isKept) this.#kept.set(address, instruction)
    return instruction
  }

  /** The types of up to eight operands, from one byte or from two. */
  #types(double: boolean): number {
    const { bytes } = this.#memory
    const first = bytes[this.#at++]!
    return (first << 8) | (double ? bytes[this.#at++]! : 0xff)
  }

  #operands(types: number): readonly number[] {
    const { bytes } = this.#memory
    const operands: number[] = []
    for (let shift = 14; shift >= 0; shift -= 2) {
      const type = (types >> shift) & 3
      if (type === omitted) break
      let value = bytes[this.#at++]!
      if (type === variable) value = -1 - value
      else if (type !== small) value = (value << 8) | bytes[this.#at++]!
      operands.push(value)
    }
    return operands
  }

  /** A branch (section 4.7). */
  #branch(): { readonly onTrue: boolean; readonly offset: number } {
    const { bytes } = this.#memory
    const first = bytes[this.#at++]!
    let offset = first & 63
    if ((first & 64) === 0) {
      offset = (offset << 8) | bytes[this.#at++]!
      if (offset >= 8192) offset -= 16384
    }
    return { onTrue: (first & 128) !== 0, offset }
  }

  /** Stops at an instruction that the version of the story does not have. */
  #refuse(address: number): never {
    const { bytes } = this.#memory
    const opcode = bytes[address]!
    const extension = opcode === 0xbe && this.#version >= 5 ? `, ${bytes[address + 1]!}` : ''
    this.#meter.fault(`version ${this.#version} has no opcode ${opcode}${extension}`, address)
  }
}
