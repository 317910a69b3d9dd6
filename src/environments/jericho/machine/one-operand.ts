import { returnToSave, saveGame } from './saving.js'
import type { Processor } from './processor.js'

/** Executes an instruction with one operand (1OP of section 14 of the standard) that is not frequent. */
export function oneOperand(processor: Processor, code: number, value: number): void {
  const { objects, operands, output, text } = processor
  switch (code) {
    case 4: // get_prop_len
      return processor.store(objects.propertyLength(value))
    case 7: // print_addr
      return output.print(text.decode(value))
    case 8: // call_1s
      if (processor.version < 4) processor.illegalOpcode()
      operands[0] = value
      return processor.call(true)
    case 9: // remove_obj
      return value === 0 ? undefined : objects.remove(value)
    case 10: // print_obj; Frotz gives a name to objects without one
      return output.print(objects.name(value) || `object#${value}`)
    case 13: // print_paddr
      return output.print(text.decode(processor.unpacked(value)))
    case 15: // not, from version 5 on call_1n
      if (processor.version < 5) return processor.store(~value)
      operands[0] = value
      return processor.call(false)
    default:
      return processor.illegalOpcode()
  }
}

/** Executes an instruction without operands (0OP of section 14 of the standard) that is not frequent. */
export function noOperand(processor: Processor, code: number): void {
  const { output, version } = processor
  switch (code) {
    case 2: // print
      return printInline(processor)
    case 3: // print_ret
      printInline(processor)
      output.print('\n')
      return processor.return(1)
    case 4: // nop
      return undefined
    case 5: // save
      return version < 5 ? saveGame(processor) : processor.illegalOpcode()
    case 6: // restore
      return version < 5 ? returnToSave(processor) : processor.illegalOpcode()
    case 7: // restart
      return processor.restart()
    case 9: // pop, from version 5 on catch
      if (version >= 5) processor.store(processor.calls.depth)
      else processor.calls.pop()
      return undefined
    case 10: // quit
      processor.finished = true
      processor.running = false
      return undefined
    case 11: // new_line
      return output.print('\n')
    case 12: // show_status; some stories of later versions have it by mistake
      return undefined
    case 13: // verify
      return processor.branch(processor.intact)
    case 15: // piracy: every copy is genuine (section 15)
      return version >= 5 ? processor.branch(true) : processor.illegalOpcode()
    default:
      return processor.illegalOpcode()
  }
}

function printInline(processor: Processor): void {
  const { output, text } = processor
  output.print(text.decode(processor.pc))
  processor.pc = text.end
}
