import type { Processor } from './processor.js'
import { returnToSave, saveGame } from './saving.js'
import { signed } from './memory.js'

/** Bits of the answer of `check_unicode`. */
const printable = 1
const typeable = 2

/** Executes an extended instruction of version 5 and later (EXT of section 14 of the standard). */
export function extended(processor: Processor, code: number): void {
  const { operandCount, operands, output, text } = processor
  const first = operandCount > 0 ? operands[0]! : 0
  const second = operandCount > 1 ? operands[1]! : 0
  switch (code) {
    case 0: // save; auxiliary files, which have operands, cannot be written
      return operandCount > 0 ? processor.store(0) : saveGame(processor)
    case 1: // restore
      return operandCount > 0 ? processor.store(0) : returnToSave(processor)
    case 2: // log_shift
      return processor.store(shift(first, signed(second)))
    case 3: // art_shift
      return processor.store(shift(signed(first), signed(second)))
    case 4: // set_font: there is only the normal font, 1; font 0 asks for the present one
      return processor.store(first <= 1 ? 1 : 0)
    case 9: // save_undo
    case 10: // restore_undo; -1 says that undo is not provided, as in Jericho
      return processor.store(-1)
    case 11: // print_unicode
      return output.print(isPrintable(first) ? String.fromCharCode(first) : '?')
    case 12: {
      // check_unicode
      const canType = text.zscii(String.fromCharCode(first)) !== undefined && isPrintable(first)
      return processor.store((isPrintable(first) ? printable : 0) | (canType ? typeable : 0))
    }
    case 13: // set_true_colour
      return undefined
    default:
      return processor.illegalOpcode()
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
