import type { Processor } from './processor.js'
import { signed } from './memory.js'

/**
 * Executes an instruction with two operands (2OP of section 14 of the standard) that is not frequent; `je` takes up to
 * four.
 */
export function twoOperands(processor: Processor, code: number, first: number, second: number): void {
  const { objects, operands, operandCount } = processor
  if (operandCount < 2 && code !== 1) processor.meter.fault(`an instruction with two operands has ${operandCount}`)
  switch (code) {
    case 1: {
      // je
      let equal = operandCount > 1 && first === second
      for (let index = 2; index < operandCount; index++) equal ||= first === operands[index]
      return processor.branch(equal)
    }
    case 11: // set_attr
      return objects.setAttribute(first, second, true)
    case 12: // clear_attr
      return objects.setAttribute(first, second, false)
    case 14: // insert_obj
      return objects.insert(first, second)
    case 19: // get_next_prop
      return processor.store(objects.nextProperty(first, second))
    case 23: // div
      return processor.store(Math.trunc(signed(first) / divisor(processor, second)))
    case 24: // mod
      return processor.store(signed(first) % divisor(processor, second))
    case 25: // call_2s
      return processor.version >= 4 ? call(processor, first, second, true) : processor.illegalOpcode()
    case 26: // call_2n
      return processor.version >= 5 ? call(processor, first, second, false) : processor.illegalOpcode()
    case 27: // set_colour
      return processor.version >= 5 ? undefined : processor.illegalOpcode()
    case 28: // throw
      if (processor.version < 5) processor.illegalOpcode()
      processor.calls.unwind(second)
      return processor.return(first)
    default:
      return processor.illegalOpcode()
  }
}

function call(processor: Processor, routine: number, argument: number, keepsResult: boolean): void {
  processor.operands[0] = routine
  processor.operands[1] = argument
  processor.call(keepsResult)
}

function divisor(processor: Processor, value: number): number {
  if (value === 0) processor.meter.fault('it divides by zero')
  return signed(value)
}
