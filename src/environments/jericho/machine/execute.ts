import { signed } from './memory.js'
import type { Processor } from './processor.js'

/** Bits of the answer of `check_unicode`. */
const printable = 1
const typeable = 2

/** A word in a dictionary has no more characters. */
const maxEncoded = 9

/** Executes instructions until the story asks for input or ends. Throws a StoryFault where it cannot go on. */
export function execute(processor: Processor): void {
  const { memory, meter, objects, operands, output, text, version } = processor
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
    const first = count > 0 ? operands[0]! : 0
    const second = count > 1 ? operands[1]! : 0
    const third = count > 2 ? operands[2]! : 0
    /** What is stored, and what branches where it is not 0. */
    let value = 0
    // The cases are literals, since the engine makes no table of jumps for others. Where the story goes on elsewhere,
    // or waits, they continue.
    switch (instruction.code) {
      case 1: // je, which takes up to four operands
        for (let index = 1; index < count; index++) if (first === operands[index]) value = 1
        break
      case 2: // jl
        value = Number(signed(first) < signed(second))
        break
      case 3: // jg
        value = Number(signed(first) > signed(second))
        break
      case 4: // dec_chk
        value = Number(signed(processor.add(first, -1)) < signed(second))
        break
      case 5: // inc_chk
        value = Number(signed(processor.add(first, 1)) > signed(second))
        break
      case 6: // jin
        value = Number(objects.parent(first) === second)
        break
      case 7: // test
        value = Number((first & second) === second)
        break
      case 8: // or
        value = first | second
        break
      case 9: // and
        value = first & second
        break
      case 10: // test_attr
        value = Number(objects.hasAttribute(first, second))
        break
      case 11: // set_attr
      case 12: // clear_attr
        objects.setAttribute(first, second, instruction.code === 11)
        break
      case 13: // store
        processor.writeInPlace(first, second)
        break
      case 14: // insert_obj
        objects.insert(first, second)
        break
      case 15: // loadw
        value = memory.word((first + 2 * second) & 0xffff)
        break
      case 16: // loadb
        value = memory.byte((first + second) & 0xffff)
        break
      case 17: // get_prop
        value = objects.propertyValue(first, second)
        break
      case 18: // get_prop_addr
        value = objects.propertyAddress(first, second)
        break
      case 19: // get_next_prop
        value = objects.nextProperty(first, second)
        break
      case 20: // add
        value = first + second
        break
      case 21: // sub
        value = first - second
        break
      case 22: // mul
        value = Math.imul(first, second)
        break
      case 23: // div
      case 24: // mod
        if (second === 0) meter.fault('it divides by zero')
        value = signed(first) % signed(second)
        if (instruction.code === 23) value = Math.trunc(signed(first) / signed(second))
        break
      case 25: // call; routine 0 does nothing, and its result is 0
        if (first === 0) break
        processor.enter(first, count - 1)
        continue
      case 28: // throw
        processor.unwind(second)
        processor.return(first)
        continue
      case 32: // jz
        value = Number(first === 0)
        break
      case 33: // get_sibling
        value = objects.sibling(first)
        break
      case 34: // get_child
        value = objects.child(first)
        break
      case 35: // get_parent
        value = objects.parent(first)
        break
      case 36: // get_prop_len
        value = objects.propertyLength(first)
        break
      case 37: // inc
        processor.add(first, 1)
        break
      case 38: // dec
        processor.add(first, -1)
        break
      case 39: // print_addr
        output.print(text.decode(first))
        break
      case 41: // remove_obj
        if (first !== 0) objects.remove(first)
        break
      case 42: // print_obj; Frotz gives a name to objects without one
        output.print(objects.name(first) || `object#${first}`)
        break
      case 43: // ret
        processor.return(first)
        continue
      case 44: // jump, which branches unless its operand is a variable
        value = 1
        if (instruction.hasBranch) break
        processor.instruction = processor.instructions.find(instruction.nextAddress + signed(first) - 2)
        continue
      case 45: // print_paddr
        output.print(text.decode(processor.unpacked(first)))
        break
      case 46: // load
        value = processor.readInPlace(first)
        break
      case 47: // not
        value = ~first
        break
      case 48: // rtrue
      case 49: // rfalse
        processor.return(instruction.code === 48 ? 1 : 0)
        continue
      case 50: // print
        output.print(text.decode(instruction.targetAddress))
        break
      case 51: // print_ret
        output.print(`${text.decode(instruction.targetAddress)}\n`)
        processor.return(1)
        continue
      case 53: // save; auxiliary files, which have operands, cannot be written
        value = count > 0 ? 0 : processor.save()
        break
      case 54: // restore
        value = count > 0 ? 0 : processor.restore()
        break
      case 55: // restart
        processor.restart()
        continue
      case 56: // ret_popped
        processor.return(processor.pop())
        continue
      case 57: // pop, from version 5 on catch
        value = version < 5 ? processor.pop() : processor.depth
        break
      case 58: // quit
        processor.finished = true
        processor.running = false
        continue
      case 59: // new_line
        output.print('\n')
        break
      case 61: // verify
        value = Number(processor.intact)
        break
      case 63: // piracy: every copy is genuine (section 15)
        value = 1
        break
      case 65: // storew
        memory.setWord((first + 2 * second) & 0xffff, third)
        break
      case 66: // storeb
        memory.setByte((first + second) & 0xffff, third)
        break
      case 67: // put_prop
        objects.setProperty(first, second, third)
        break
      case 68: // read
        processor.await({ kind: 'line', text: first, parse: second })
        continue
      case 69: // print_char
        output.printCode(first)
        break
      case 70: // print_num
        output.print(String(signed(first)))
        break
      case 71: // random: a range of 0 or less seeds the generator, and the answer is 0
        if (signed(first) > 0) value = processor.random.next(first)
        else processor.random.reseed(-signed(first))
        break
      case 72: // push
        processor.push(first)
        break
      case 73: // pull
        processor.writeInPlace(first, processor.pop())
        break
      case 75: // set_window
        output.selectWindow(first)
        break
      case 77: // erase_window
        output.erase(signed(first))
        break
      case 79: // set_cursor
        output.setCursor(first, second)
        break
      case 80: // get_cursor
        memory.setWord(first, output.cursor().row)
        memory.setWord((first + 2) & 0xffff, output.cursor().column)
        break
      case 83: // output_stream
        output.select(signed(first), second)
        break
      case 86: // read_char
        processor.await({ kind: 'key' })
        continue
      case 87: // scan_table
        value = scanTable(processor, first, second, third, count > 3 ? operands[3]! : 0x82)
        break
      case 91: // tokenise
        processor.dictionary.tokenise(first, second, third, count > 3 && operands[3] !== 0)
        break
      case 92: // encode_text
        encodeText(processor, first, second, third, operands[3]!)
        break
      case 93: // copy_table
        copyTable(processor, first, second, signed(third))
        break
      case 94: // print_table
        printTable(processor, first, second, count > 2 ? third : 1, count > 3 ? operands[3]! : 0)
        break
      case 95: // check_arg_count
        value = Number(first <= processor.argumentCount)
        break
      case 98: // log_shift
        value = shift(first, signed(second))
        break
      case 99: // art_shift
        value = shift(signed(first), signed(second))
        break
      case 100: // set_font: there is only the normal font, 1; font 0 asks for the present one
        value = first <= 1 ? 1 : 0
        break
      case 105: // save_undo
      case 106: // restore_undo; -1 says that undo is not provided, as in Jericho
        value = -1
        break
      case 107: // print_unicode
        output.print(isPrintable(first) ? String.fromCharCode(first) : '?')
        break
      case 108: // check_unicode
        if (!isPrintable(first)) break
        value = printable | (text.zscii(String.fromCharCode(first)) === undefined ? 0 : typeable)
        break
      default:
      // What changes only the screen, plays sounds or reads commands from a file does nothing, and so does nop.
    }
    processor.complete(value)
  }
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
