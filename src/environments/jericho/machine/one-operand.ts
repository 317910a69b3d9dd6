import { returnToSave, saveGame } from './saving.js'
import type { Processor } from './processor.js'
import { signed } from './memory.js'

/** Executes an instruction with one operand (1OP of section 14 of the standard). */
export function oneOperand(processor: Processor, code: number, value: number): void {
  const { objects, operands, output, text } = processor
  switch (code) {
    case 0: // jz
      return processor.branch(value === 0)
    case 1: {
      // get_sibling
      const sibling = objects.sibling(value)
      processor.store(sibling)
      return processor.branch(sibling !== 0)
    }
    case 2: {
      // get_child
      const child = objects.child(value)
      processor.store(child)
      return processor.branch(child !== 0)
    }
    case 3: // get_parent
      return processor.store(objects.parent(value))
    case 4: // get_prop_len
      return processor.store(objects.propertyLength(value))
    case 5: // inc
      return processor.writeInPlace(value, (processor.readInPlace(value) + 1) & 0xffff)
    case 6: // dec
      return processor.writeInPlace(value, (processor.readInPlace(value) - 1) & 0xffff)
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
    case 11: // ret
      return processor.return(value)
    case 12: // jump
      processor.pc += signed(value) - 2
      return undefined
    case 13: // print_paddr
      return output.print(text.decode(processor.unpacked(value)))
    case 14: // load
      return processor.store(processor.readInPlace(value))
    case 15: // not, from version 5 on call_1n
      if (processor.version < 5) return processor.store(~value)
      operands[0] = value
      return processor.call(false)
    default:
      return processor.illegalOpcode()
  }
}

/** Executes an instruction without operands (0OP of section 14 of the standard). */
export function noOperand(processor: Processor, code: number): void {
  const { output, version } = processor
  switch (code) {
    case 0: // rtrue
      return processor.return(1)
    case 1: // rfalse
      return processor.return(0)
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
    case 8: // ret_popped
      return processor.return(processor.calls.pop())
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
