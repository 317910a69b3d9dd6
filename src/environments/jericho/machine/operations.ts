import { signed } from './memory.js'
import type { Processor } from './processor.js'

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
export const forms = { two: 0, one: 32, none: 48, any: 64, extended: 96 } as const

/** Carries an instruction out. @returns what is stored, and what branches where it is not 0; nothing is 0 */
type Operation = (processor: Processor, first: number, second: number, third: number, count: number) => unknown

/** What an instruction needs and does. */
export interface Shape {
  readonly name: string
  readonly operate: Operation
  /** Whether it completes itself, since the story may go on elsewhere, or waits. */
  readonly leaves: boolean
  readonly needed: number
  readonly stores: boolean
  readonly branches: boolean
}

/** The instructions of a version, by number. */
export function shapesOf(version: number): ReadonlyMap<number, Shape> {
  const shapes = new Map<number, Shape>()
  for (const [form, entries] of Object.entries(table)) {
    entries.split(/\s+/).forEach((entry, index) => {
      const number = forms[form as keyof typeof forms] + index
      for (const meaning of entry.split('|')) {
        const [, name, needed, stores, branches, since = '3'] = /^(\w+):(\d)(s?)(b?)(?:@(\d))?$/.exec(meaning) ?? []
        if (name === undefined || version < Number(since)) continue
        shapes.set(number, {
          name,
          operate: jumps[name] ?? operations[name] ?? nothing,
          leaves: jumps[name] !== undefined,
          needed: Number(needed),
          stores: stores === 's',
          branches: branches === 'b',
        })
        if (name === 'none') shapes.delete(number)
      }
    })
  }
  return shapes
}

/** What changes only the screen, plays sounds or reads commands from a file does nothing, and so does nop. */
const nothing: Operation = () => undefined

/** Executes instructions until the story asks for input or ends. Throws a StoryFault where it cannot go on. */
export function execute(processor: Processor): void {
  const { meter, operands } = processor
  processor.running = true
  while (processor.running) {
    const { instruction } = processor
    meter.instruction = instruction.address
    if (--meter.remaining < 0) meter.exhausted()
    const count = instruction.operands.length
    for (let index = 0; index < count; index++) {
      const operand = instruction.operands[index]!
      operands[index] = operand >= 0 ? operand : processor.read(-1 - operand)
    }
    const { operate, leaves } = instruction.shape
    const value = operate(
      processor,
      count > 0 ? operands[0]! : 0,
      count > 1 ? operands[1]! : 0,
      count > 2 ? operands[2]! : 0,
      count,
    )
    if (!leaves) processor.complete((value as number | undefined) ?? 0)
  }
}

/** Instructions after which the story may go on elsewhere, or waits. */
const jumps: Readonly<Record<string, Operation>> = {
  /** Routine 0 does nothing, and its result is 0. */
  call: (p, first, _second, _third, count) => (first === 0 ? p.complete(0) : p.enter(first, count - 1)),
  throw(p, first, second) {
    p.unwind(second)
    p.return(first)
  },
  ret: (p, first) => p.return(first),
  rtrue: (p) => p.return(1),
  rfalse: (p) => p.return(0),
  ret_popped: (p) => p.return(p.pop()),
  print_ret(p) {
    p.output.print(`${p.text.decode(p.instruction.targetAddress)}\n`)
    p.return(1)
  },
  /** It branches unless its operand is a variable. */
  jump(p, first) {
    const { instruction } = p
    if (instruction.hasBranch) p.complete(1)
    else p.instruction = p.instructions.find(instruction.nextAddress + signed(first) - 2)
  },
  restart: (p) => p.restart(),
  quit(p) {
    p.finished = true
    p.running = false
  },
  read: (p, first, second) => p.await({ kind: 'line', text: first, parse: second }),
  read_char: (p) => p.await({ kind: 'key' }),
}

/** The other instructions. */
const operations: Readonly<Record<string, Operation>> = {
  /** It takes up to four operands. */
  je: ({ operands }, first, _second, _third, count) => {
    for (let index = 1; index < count; index++) if (first === operands[index]) return 1
    return 0
  },
  jl: (_, first, second) => Number(signed(first) < signed(second)),
  jg: (_, first, second) => Number(signed(first) > signed(second)),
  jz: (_, first) => Number(first === 0),
  inc: (p, first) => void p.add(first, 1),
  dec: (p, first) => void p.add(first, -1),
  inc_chk: (p, first, second) => Number(signed(p.add(first, 1)) > signed(second)),
  dec_chk: (p, first, second) => Number(signed(p.add(first, -1)) < signed(second)),
  test: (_, first, second) => Number((first & second) === second),
  or: (_, first, second) => first | second,
  and: (_, first, second) => first & second,
  not: (_, first) => ~first,
  add: (_, first, second) => first + second,
  sub: (_, first, second) => first - second,
  mul: (_, first, second) => Math.imul(first, second),
  div: (p, first, second) => Math.trunc(signed(first) / divisor(p, second)),
  mod: (p, first, second) => signed(first) % divisor(p, second),
  log_shift: (_, first, second) => shift(first, signed(second)),
  art_shift: (_, first, second) => shift(signed(first), signed(second)),

  jin: ({ objects }, first, second) => Number(objects.parent(first) === second),
  test_attr: ({ objects }, first, second) => Number(objects.hasAttribute(first, second)),
  set_attr: ({ objects }, first, second) => objects.setAttribute(first, second, true),
  clear_attr: ({ objects }, first, second) => objects.setAttribute(first, second, false),
  insert_obj: ({ objects }, first, second) => objects.insert(first, second),
  remove_obj: ({ objects }, first) => (first === 0 ? 0 : objects.remove(first)),
  get_prop: ({ objects }, first, second) => objects.propertyValue(first, second),
  get_prop_addr: ({ objects }, first, second) => objects.propertyAddress(first, second),
  get_next_prop: ({ objects }, first, second) => objects.nextProperty(first, second),
  get_prop_len: ({ objects }, first) => objects.propertyLength(first),
  put_prop: ({ objects }, first, second, third) => objects.setProperty(first, second, third),
  get_sibling: ({ objects }, first) => objects.sibling(first),
  get_child: ({ objects }, first) => objects.child(first),
  get_parent: ({ objects }, first) => objects.parent(first),

  load: (p, first) => p.readInPlace(first),
  store: (p, first, second) => p.writeInPlace(first, second),
  loadw: ({ memory }, first, second) => memory.word((first + 2 * second) & 0xffff),
  loadb: ({ memory }, first, second) => memory.byte((first + second) & 0xffff),
  storew: ({ memory }, first, second, third) => memory.setWord((first + 2 * second) & 0xffff, third),
  storeb: ({ memory }, first, second, third) => memory.setByte((first + second) & 0xffff, third),
  push: (p, first) => p.push(first),
  pull: (p, first) => p.writeInPlace(first, p.pop()),
  pop: (p) => p.pop(),
  catch: (p) => p.depth,
  check_arg_count: (p, first) => Number(first <= p.argumentCount),
  copy_table: (p, first, second, third) => copyTable(p, first, second, signed(third)),
  scan_table: (p, first, second, third, count) => scanTable(p, first, second, third, count > 3 ? p.operands[3]! : 0x82),

  print: ({ output, text, instruction }) => output.print(text.decode(instruction.targetAddress)),
  print_addr: ({ output, text }, first) => output.print(text.decode(first)),
  print_paddr: (p, first) => p.output.print(p.text.decode(p.unpacked(first))),
  /** Frotz gives a name to objects without one. */
  print_obj: ({ output, objects }, first) => output.print(objects.name(first) || `object#${first}`),
  print_char: ({ output }, first) => output.printCode(first),
  print_num: ({ output }, first) => output.print(String(signed(first))),
  print_unicode: ({ output }, first) => output.print(isPrintable(first) ? String.fromCharCode(first) : '?'),
  print_table: (p, first, second, third, count) =>
    printTable(p, first, second, count > 2 ? third : 1, count > 3 ? p.operands[3]! : 0),
  new_line: ({ output }) => output.print('\n'),
  set_window: ({ output }, first) => output.selectWindow(first),
  erase_window: ({ output }, first) => output.erase(signed(first)),
  set_cursor: ({ output }, first, second) => output.setCursor(first, second),
  get_cursor({ memory, output }, first) {
    memory.setWord(first, output.cursor().row)
    memory.setWord((first + 2) & 0xffff, output.cursor().column)
  },
  output_stream: ({ output }, first, second) => output.select(signed(first), second),
  /** There is only the normal font, 1; font 0 asks for the present one. */
  set_font: (_, first) => (first <= 1 ? 1 : 0),
  check_unicode({ text }, first) {
    if (!isPrintable(first)) return 0
    return printable | (text.zscii(String.fromCharCode(first)) === undefined ? 0 : typeable)
  },
  tokenise: (p, first, second, third, count) =>
    p.dictionary.tokenise(first, second, third, count > 3 && p.operands[3] !== 0),
  encode_text: (p, first, second, third) => encodeText(p, first, second, third, p.operands[3]!),

  /** Auxiliary files, which have operands, cannot be written. */
  save: (p, _first, _second, _third, count) => (count > 0 ? 0 : p.save()),
  restore: (p, _first, _second, _third, count) => (count > 0 ? 0 : p.restore()),
  /** -1 says that undo is not provided, as in Jericho. */
  save_undo: () => -1,
  restore_undo: () => -1,
  verify: (p) => Number(p.intact),
  /** Every copy is genuine (section 15). */
  piracy: () => 1,
  /** A range of 0 or less seeds the generator, and the answer is 0. */
  random({ random }, first) {
    if (signed(first) > 0) return random.next(first)
    random.reseed(-signed(first))
    return 0
  },
}

/** Bits of the answer of `check_unicode`. */
const printable = 1
const typeable = 2

/** A word in a dictionary has no more characters. */
const maxEncoded = 9

function divisor({ meter }: Processor, word: number): number {
  return word === 0 ? meter.fault('it divides by zero') : signed(word)
}

function shift(value: number, places: number): number {
  if (places >= 0) return places > 15 ? 0 : value << places
  return value >> Math.min(-places, 31)
}

/** Control characters and halves of surrogate pairs have no picture. */
function isPrintable(unicode: number): boolean {
  return unicode >= 32 && !(unicode >= 127 && unicode < 160) && !(unicode >= 0xd800 && unicode < 0xe000)
}

/** `scan_table`: the address of the first entry that begins with a value, or 0. */
function scanTable(processor: Processor, value: number, table: number, count: number, form: number): number {
  const { memory, meter } = processor
  const words = (form & 0x80) !== 0
  let address = table
  let found = 0
  for (let index = 0; index < count && found === 0; index++) {
    meter.spend(1)
    if ((words ? memory.word(address) : memory.byte(address)) === value) found = address
    address = (address + (form & 0x7f)) & 0xffff
  }
  return found
}

/**
 * `copy_table`: copies bytes so that the second table gets what the first had, or forwards byte by byte for a negative
 * size; with 0 as second table it clears the first.
 */
function copyTable({ memory, meter }: Processor, from: number, to: number, size: number): void {
  const length = Math.abs(size)
  meter.spend(length)
  const backwards = size > 0 && to > from
  for (let step = 0; step < length; step++) {
    const index = backwards ? length - 1 - step : step
    if (to === 0) memory.setByte(from + index, 0)
    else memory.setByte(to + index, memory.byte(from + index))
  }
}

/**
 * `print_table`: prints a rectangle of characters; `skip` bytes lie between two rows. As in Frotz, the rows of the
 * lower window begin at its left edge.
 */
function printTable(processor: Processor, table: number, width: number, height: number, skip: number): void {
  const { memory, output } = processor
  let address = table
  for (let row = 0; row < height; row++) {
    if (row > 0) output.print('\n')
    for (let column = 0; column < width; column++) output.printCode(memory.byte(address++))
    address += skip
  }
}

/** `encode_text`: writes up to `length` characters of a text as a dictionary has them. */
function encodeText({ memory, text }: Processor, source: number, length: number, from: number, to: number): void {
  const codes = new Uint8Array(Math.min(length, maxEncoded))
  for (let index = 0; index < codes.length; index++) codes[index] = memory.byte(source + from + index)
  text.encode(codes).forEach((byte, index) => {
    memory.setByte(to + index, byte)
  })
}
