import { type Memory, type Meter, hexadecimal, signed } from './memory.js'

/**
 * The instructions by their form and number (section 14 of the standard): the name, the number of operands needed,
 * `s` if it stores a result, `b` if it branches, and the first version that has it, if that is not 3. What it means in
 * later versions stands behind a bar. Instructions of one name do the same.
 */
const table = {
  two: `- je:0b jl:2b jg:2b dec_chk:2b inc_chk:2b jin:2b test:2b or:2s and:2s test_attr:2b set_attr:2 clear_attr:2
    store:2 insert_obj:2 loadw:2s loadb:2s get_prop:2s get_prop_addr:2s get_next_prop:2s add:2s sub:2s mul:2s div:2s
    mod:2s call:2s@4 call:2@5 set_colour:2@5 throw:2@5`,
  one: `jz:1b get_sibling:1sb get_child:1sb get_parent:1s get_prop_len:1s inc:1 dec:1 print_addr:1 call:1s@4
    remove_obj:1 print_obj:1 ret:1 jump:1 print_paddr:1 load:1s not:1s|call:1@5`,
  none: `rtrue:0 rfalse:0 print:0 print_ret:0 nop:0 save:0b|save:0s@4|none:0@5 restore:0b|restore:0s@4|none:0@5 restart:0
    ret_popped:0 pop:0|catch:0s@5 quit:0 new_line:0 show_status:0 verify:0b - piracy:0b@5`,
  any: `call:1s storew:3 storeb:3 put_prop:3 read:1|read:1s@5 print_char:1 print_num:1 random:1s push:1 pull:1
    split_window:1 set_window:1 call:1s@4 erase_window:1@4 erase_line:1@4 set_cursor:1@4 get_cursor:1@4
    set_text_style:1@4 buffer_mode:1@4 output_stream:1 input_stream:1 sound_effect:0 read_char:0s@4 scan_table:3sb@4
    not:1s@5 call:1@5 call:1@5 tokenise:2@5 encode_text:4@5 copy_table:3@5 print_table:2@5 check_arg_count:1b@5`,
  extended: `save:0s@5 restore:0s@5 log_shift:0s@5 art_shift:0s@5 set_font:0s@5 - - - - save_undo:0s@5
    restore_undo:0s@5 print_unicode:0@5 check_unicode:0s@5 set_true_colour:0@5`,
}

/** The first number of the instructions of each form, to which that of the opcode is added. */
const forms = { two: 0, one: 32, none: 48, any: 64, extended: 96 } as const

/** The name of each instruction with its number among them. */
export const codes: ReadonlyMap<string, number> = new Map(
  [...new Set(Object.values(table).flatMap((entries) => entries.match(/\w+(?=:)/g)!))].map((name, code) => [
    name,
    code,
  ]),
)
const jump = codes.get('jump')!
const withText: readonly number[] = [codes.get('print')!, codes.get('print_ret')!]

/** What an instruction needs and does. */
interface Shape {
  readonly code: number
  readonly needed: number
  readonly stores: boolean
  readonly branches: boolean
}

/** The instructions of a version, by number. */
function shapesOf(version: number): ReadonlyMap<number, Shape> {
  const shapes = new Map<number, Shape>()
  for (const [form, entries] of Object.entries(table)) {
    entries.split(/\s+/).forEach((entry, index) => {
      const number = forms[form as keyof typeof forms] + index
      for (const meaning of entry.split('|')) {
        const [, name, needed, stores, branches, since = '3'] = /^(\w+):(\d)(s?)(b?)(?:@(\d))?$/.exec(meaning) ?? []
        if (name === undefined || version < Number(since)) continue
        const code = codes.get(name)!
        shapes.set(number, { code, needed: Number(needed), stores: stores === 's', branches: branches === 'b' })
        if (name === 'none') shapes.delete(number)
      }
    })
  }
  return shapes
}

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
  readonly code: number
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
  ...{ address: 0, code: 0, operands: [], store: -1, hasBranch: false, onTrue: false },
  ...{ returns: false, targetAddress: 0, nextAddress: 0, target: undefined, next: undefined, localCount: 0 },
  isKept: false,
}

/** The instructions of a story. Those in memory that cannot change are kept. */
export class Instructions {
  readonly #memory: Memory
  readonly #meter: Meter
  readonly #version: number
  readonly #shapes: ReadonlyMap<number, Shape>
  readonly #kept = new Map<number, Instruction>()
  #at = 0

  constructor(memory: Memory, version: number, meter: Meter) {
    this.#memory = memory
    this.#version = version
    this.#meter = meter
    this.#shapes = shapesOf(version)
  }

  /** The instruction at an address. */
  find(address: number): Instruction {
    return this.#kept.get(address) ?? this.#decode(address)
  }

  /** The next instruction, or the target of a branch, which is remembered. */
  follow(instruction: Instruction, way: 'next' | 'target'): Instruction {
    const target = this.find(way === 'next' ? instruction.nextAddress : instruction.targetAddress)
    if (target.isKept) instruction[way] = target
    return target
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
    const { code, needed, stores, branches } = this.#shapes.get(number) ?? this.#refuse(address)
    if (operands.length < needed) {
      this.#meter.fault(`an instruction with ${needed} operands has ${operands.length}`, address)
    }
    const store = stores ? bytes[this.#at++]! : -1
    const isJump = code === jump && first >= 0
    const { onTrue, offset } = branches ? this.#branch() : { onTrue: true, offset: signed(first) }
    const returns = branches && (offset === 0 || offset === 1)
    let targetAddress = returns ? offset : this.#at + offset - 2
    if (withText.includes(code)) {
      targetAddress = this.#at
      while (this.#at < size && bytes[this.#at]! < 0x80) this.#at += 2
      this.#at += 2
    }
    const instruction: Instruction = {
      address,
      code,
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
