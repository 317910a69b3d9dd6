import type { Processor } from './processor.js'
import { signed } from './memory.js'
import { copyTable, encodeText, printTable, scanTable } from './tables.js'

/** The first version that has each opcode, by number. */
const since: readonly number[] = [
  3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5, 5,
]
/** The smallest number of operands of each opcode. */
const needed: readonly number[] = [
  1, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 3, 1, 1, 1, 2, 4, 3, 2, 1,
]

/** Executes an instruction with any number of operands (VAR of section 14 of the standard). */
export function variableOperands(processor: Processor, code: number): void {
  const { memory, meter, objects, operandCount, operands, output, version } = processor
  if (version < since[code]!) processor.illegalOpcode()
  if (operandCount < needed[code]!) meter.fault(`an instruction with ${needed[code]!} operands has ${operandCount}`)
  const first = operands[0]!
  const second = operandCount > 1 ? operands[1]! : 0
  const third = operandCount > 2 ? operands[2]! : 0
  switch (code) {
    case 0: // call_vs
    case 12: // call_vs2
      return processor.call(true)
    case 25: // call_vn
    case 26: // call_vn2
      return processor.call(false)
    case 1: // storew
      return memory.setWord((first + 2 * second) & 0xffff, third)
    case 2: // storeb
      return memory.setByte((first + second) & 0xffff, third)
    case 3: // put_prop
      return objects.setProperty(first, second, third)
    case 4: // read
      return processor.await({ kind: 'line', text: first, parse: second })
    case 5: // print_char
      return output.printCode(first)
    case 6: // print_num
      return output.print(String(signed(first)))
    case 7: // random
      return random(processor, signed(first))
    case 8: // push
      return processor.calls.push(first)
    case 9: // pull
      return processor.writeInPlace(first, processor.calls.pop())
    case 11: // set_window
      return output.selectWindow(first)
    case 13: // erase_window
      return output.erase(signed(first))
    case 15: // set_cursor
      return output.setCursor(first, second)
    case 16: // get_cursor
      memory.setWord(first, output.cursor.row)
      return memory.setWord((first + 2) & 0xffff, output.cursor.column)
    case 10: // split_window: the text of the upper window is not kept
    case 14: // erase_line
    case 17: // set_text_style
    case 18: // buffer_mode
    case 20: // input_stream: there are no files of commands
    case 21: // sound_effect
      return undefined
    case 19: // output_stream
      return output.select(signed(first), second)
    case 22: // read_char
      return processor.await({ kind: 'key' })
    case 23: // scan_table
      return scanTable(processor, first, second, third, operandCount > 3 ? operands[3]! : 0x82)
    case 24: // not
      return processor.store(~first)
    case 27: // tokenise
      return processor.dictionary.tokenise(first, second, third, operandCount > 3 && operands[3] !== 0)
    case 28: // encode_text
      return encodeText(processor, first, second, third, operands[3]!)
    case 29: // copy_table
      return copyTable(processor, first, second, signed(third))
    case 30: // print_table
      return printTable(processor, first, second, operandCount > 2 ? third : 1, operandCount > 3 ? operands[3]! : 0)
    case 31: // check_arg_count
      return processor.branch(first <= processor.calls.argumentCount)
    default:
      return processor.illegalOpcode()
  }
}

/** Stores a number from 1 to the range; a range of 0 or less seeds the generator, and the answer is 0. */
function random(processor: Processor, range: number): void {
  if (range > 0) return processor.store(processor.random.next(range))
  processor.random.reseed(-range)
  processor.store(0)
}
