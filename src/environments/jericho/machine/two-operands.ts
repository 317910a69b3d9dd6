import type { Processor } from './processor.js'
import { signed } from './memory.js'

/** Executes an instruction with two operands (2OP of section 14 of the standard); `je` takes up to four. */
export function twoOperands(processor: Processor, code: number, first: number, second: number): void {
  const { memory, objects, operands, operandCount } = processor
  if (operandCount < 2 && code !== 1) processor.meter.fault(`an instruction with two operands has ${operandCount}`)
  switch (code) {
    case 1: {
      // je
      let equal = operandCount > 1 && first === second
      for (let index = 2; index < operandCount; index++) equal ||= first === operands[index]
      return processor.branch(equal)
    }
    case 2: // jl
      return processor.branch(signed(first) < signed(second))
    case 3: // jg
      return processor.branch(signed(first) > signed(second))
    case 4: {
      // dec_chk
      const value = signed(processor.readInPlace(first)) - 1
      processor.writeInPlace(first, value & 0xffff)
      return processor.branch(signed(value) < signed(second))
    }
    case 5: {
      // inc_chk
      const value = signed(processor.readInPlace(first)) + 1
      processor.writeInPlace(first, value & 0xffff)
      return processor.branch(signed(value) > signed(second))
    }
    case 6: // jin
      return processor.branch(objects.parent(first) === second)
    case 7: // test
      return processor.branch((first & second) === second)
    case 8: // or
      return processor.store(first | second)
    case 9: // and
      return processor.store(first & second)
    case 10: // test_attr
      return processor.branch(objects.hasAttribute(first, second))
    case 11: // set_attr
      return objects.setAttribute(first, second, true)
    case 12: // clear_attr
      return objects.setAttribute(first, second, false)
    case 13: // store
      return processor.writeInPlace(first, second)
    case 14: // insert_obj
      return objects.insert(first, second)
    case 15: // loadw
      return processor.store(memory.word((first + 2 * second) & 0xffff))
    case 16: // loadb
      return processor.store(memory.byte((first + second) & 0xffff))
    case 17: // get_prop
      return processor.store(objects.propertyValue(first, second))
    case 18: // get_prop_addr
      return processor.store(objects.propertyAddress(first, second))
    case 19: // get_next_prop
      return processor.store(objects.nextProperty(first, second))
    case 20: // add
      return processor.store(first + second)
    case 21: // sub
      return processor.store(first - second)
    case 22: // mul
      return processor.store(Math.imul(first, second))
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
