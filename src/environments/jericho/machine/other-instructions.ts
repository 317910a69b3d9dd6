import { signed } from './memory.js'
import type { Processor } from './processor.js'
import { copyTable, encodeText, printTable, scanTable } from './tables.js'

/** Bits of the answer of `check_unicode`. */
const printable = 1
const typeable = 2

/**
 * Executes an instruction that is not frequent, by its number, and gives its result, 0 where it has none; undefined
 * where the story goes on elsewhere, or waits.
 */
export function executeOther(processor: Processor, code: number): number | undefined {
  const { memory, meter, objects, operandCount, operands, output, text, version } = processor
  const first = operandCount > 0 ? operands[0]! : 0
  const second = operandCount > 1 ? operands[1]! : 0
  const third = operandCount > 2 ? operands[2]! : 0
  switch (code) {
    case 11: // set_attr
    case 12: // clear_attr
      objects.setAttribute(first, second, code === 11)
      return 0
    case 14: // insert_obj
      objects.insert(first, second)
      return 0
    case 19: // get_next_prop
      return objects.nextProperty(first, second)
    case 23: // div
    case 24: // mod
      if (second === 0) meter.fault('it divides by zero')
      return code === 23 ? Math.trunc(signed(first) / signed(second)) : signed(first) % signed(second)
    case 28: // throw
      processor.unwind(second)
      processor.return(first)
      return undefined
    case 33: // get_sibling
      return objects.sibling(first)
    case 34: // get_child
      return objects.child(first)
    case 39: // print_addr
      output.print(text.decode(first))
      return 0
    case 41: // remove_obj
      if (first !== 0) objects.remove(first)
      return 0
    case 42: // print_obj; Frotz gives a name to objects without one
      output.print(objects.name(first) || `object#${first}`)
      return 0
    case 45: // print_paddr
      output.print(text.decode(processor.unpacked(first)))
      return 0
    case 47: // not
      return ~first
    case 50: // print
      output.print(text.decode(processor.inlineText))
      return 0
    case 51: // print_ret
      output.print(`${text.decode(processor.inlineText)}\n`)
      processor.return(1)
      return undefined
    case 53: // save; auxiliary files, which have operands, cannot be written
      return operandCount > 0 ? 0 : processor.save()
    case 54: // restore
      return operandCount > 0 ? 0 : processor.restore()
    case 55: // restart
      return processor.restart()
    case 56: // ret_popped
      processor.return(processor.pop())
      return undefined
    case 57: // pop, from version 5 on catch
      return version < 5 ? processor.pop() : processor.depth
    case 58: // quit
      processor.finished = true
      processor.running = false
      return undefined
    case 59: // new_line
      output.print('\n')
      return 0
    case 61: // verify
      return processor.intact ? 1 : 0
    case 63: // piracy: every copy is genuine (section 15)
      return 1
    case 67: // put_prop
      objects.setProperty(first, second, third)
      return 0
    case 68: // read
      return processor.await({ kind: 'line', text: first, parse: second })
    case 69: // print_char
      output.printCode(first)
      return 0
    case 70: // print_num
      output.print(String(signed(first)))
      return 0
    case 71: // random: a range of 0 or less seeds the generator, and the answer is 0
      if (signed(first) > 0) return processor.random.next(first)
      processor.random.reseed(-signed(first))
      return 0
    case 75: // set_window
      output.selectWindow(first)
      return 0
    case 77: // erase_window
      output.erase(signed(first))
      return 0
    case 79: // set_cursor
      output.setCursor(first, second)
      return 0
    case 80: // get_cursor
      memory.setWord(first, output.cursor.row)
      memory.setWord((first + 2) & 0xffff, output.cursor.column)
      return 0
    case 83: // output_stream
      output.select(signed(first), second)
      return 0
    case 86: // read_char
      return processor.await({ kind: 'key' })
    case 87: // scan_table
      return scanTable(processor, first, second, third, operandCount > 3 ? operands[3]! : 0x82)
    case 91: // tokenise
      processor.dictionary.tokenise(first, second, third, operandCount > 3 && operands[3] !== 0)
      return 0
    case 92: // encode_text
      encodeText(processor, first, second, third, operands[3]!)
      return 0
    case 93: // copy_table
      copyTable(processor, first, second, signed(third))
      return 0
    case 94: // print_table
      printTable(processor, first, second, operandCount > 2 ? third : 1, operandCount > 3 ? operands[3]! : 0)
      return 0
    case 98: // log_shift
      return shift(first, signed(second))
    case 99: // art_shift
      return shift(signed(first), signed(second))
    case 100: // set_font: there is only the normal font, 1; font 0 asks for the present one
      return first <= 1 ? 1 : 0
    case 105: // save_undo
    case 106: // restore_undo; -1 says that undo is not provided, as in Jericho
      return -1
    case 107: // print_unicode
      output.print(isPrintable(first) ? String.fromCharCode(first) : '?')
      return 0
    case 108: {
      // check_unicode
      const canType = text.zscii(String.fromCharCode(first)) !== undefined && isPrintable(first)
      return (isPrintable(first) ? printable : 0) | (canType ? typeable : 0)
    }
    default:
      // What changes only the screen, plays sounds or reads commands from a file does nothing, and so does nop.
      return 0
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
