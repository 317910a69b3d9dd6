import { at, kinds, onTrue, returns } from './decoded.js'
import { extended } from './extended.js'
import { signed } from './memory.js'
import { noOperand, oneOperand } from './one-operand.js'
import type { Processor } from './processor.js'
import { twoOperands } from './two-operands.js'
import { variableOperands } from './variable-operands.js'

const { one, none, any } = kinds

/**
 * Executes instructions until the story asks for input or ends. Throws a StoryFault where it cannot go on. The frequent
 * instructions stand here, since a step of a large story takes a hundred thousand; all others are called.
 */
export function execute(processor: Processor): void {
  const { calls, decoded, memory, meter, objects, operands } = processor
  processor.running = true
  while (processor.running) {
    const address = processor.pc
    const place = decoded.find(address)
    meter.instruction = address
    if (--meter.remaining < 0) meter.exhausted()
    const { code } = decoded
    const opcode = code[place]!
    const count = code[place + at.count]!
    const given = code[place + at.operands]!
    const first = count === 0 ? 0 : given >= 0 ? given : processor.read(-1 - given)
    let second = 0
    if (count > 1) {
      const other = code[place + at.operands + 1]!
      second = other >= 0 ? other : processor.read(-1 - other)
    }
    processor.pc = code[place + at.next]!
    switch (opcode < 32 && (opcode === 1 ? count !== 2 : count < 2) ? -1 : opcode) {
      // The cases are literals, since the engine makes no table of jumps for others.
      case 1: // je
        branch(processor, code, place, first === second)
        continue
      case 2: // jl
        branch(processor, code, place, signed(first) < signed(second))
        continue
      case 3: // jg
        branch(processor, code, place, signed(first) > signed(second))
        continue
      case 4: // dec_chk
      case 5: {
        // inc_chk
        const value = signed(processor.readInPlace(first)) + (opcode === 4 ? -1 : 1)
        processor.writeInPlace(first, value & 0xffff)
        const now = signed(value)
        branch(processor, code, place, opcode === 4 ? now < signed(second) : now > signed(second))
        continue
      }
      case 6: // jin
        branch(processor, code, place, objects.parent(first) === second)
        continue
      case 7: // test
        branch(processor, code, place, (first & second) === second)
        continue
      case 8: // or
        processor.write(code[place + at.store]!, first | second)
        continue
      case 9: // and
        processor.write(code[place + at.store]!, first & second)
        continue
      case 10: // test_attr
        branch(processor, code, place, objects.hasAttribute(first, second))
        continue
      case 13: // store
        processor.writeInPlace(first, second)
        continue
      case 15: // loadw
        processor.write(code[place + at.store]!, memory.word((first + 2 * second) & 0xffff))
        continue
      case 16: // loadb
        processor.write(code[place + at.store]!, memory.byte((first + second) & 0xffff))
        continue
      case 17: // get_prop
        processor.write(code[place + at.store]!, objects.propertyValue(first, second))
        continue
      case 18: // get_prop_addr
        processor.write(code[place + at.store]!, objects.propertyAddress(first, second))
        continue
      case 20: // add
        processor.write(code[place + at.store]!, (first + second) & 0xffff)
        continue
      case 21: // sub
        processor.write(code[place + at.store]!, (first - second) & 0xffff)
        continue
      case 22: // mul
        processor.write(code[place + at.store]!, Math.imul(first, second) & 0xffff)
        continue
      case 32: // jz
        branch(processor, code, place, first === 0)
        continue
      case 33: {
        // get_sibling
        const sibling = objects.sibling(first)
        processor.write(code[place + at.store]!, sibling)
        branch(processor, code, place, sibling !== 0)
        continue
      }
      case 34: {
        // get_child
        const child = objects.child(first)
        processor.write(code[place + at.store]!, child)
        branch(processor, code, place, child !== 0)
        continue
      }
      case 35: // get_parent
        processor.write(code[place + at.store]!, objects.parent(first))
        continue
      case 37: // inc
        processor.writeInPlace(first, (processor.readInPlace(first) + 1) & 0xffff)
        continue
      case 38: // dec
        processor.writeInPlace(first, (processor.readInPlace(first) - 1) & 0xffff)
        continue
      case 43: // ret
        processor.return(first)
        continue
      case 44: // jump
        processor.pc += signed(first) - 2
        continue
      case 46: // load
        processor.write(code[place + at.store]!, processor.readInPlace(first))
        continue
      case 48: // rtrue
        processor.return(1)
        continue
      case 49: // rfalse
        processor.return(0)
        continue
      case 56: // ret_popped
        processor.return(calls.pop())
        continue
      default:
    }
    operands[0] = first
    operands[1] = second
    for (let index = 2; index < count; index++) {
      const operand = code[place + at.operands + index]!
      operands[index] = operand >= 0 ? operand : processor.read(-1 - operand)
    }
    processor.operandCount = count
    if (opcode === any && count > 0) {
      // call_vs
      processor.enter(code[place + at.store]!)
      continue
    }
    processor.pc = code[place + at.end]!
    if (opcode < one) twoOperands(processor, opcode, first, second)
    else if (opcode < none) oneOperand(processor, opcode - one, first)
    else if (opcode < any) noOperand(processor, opcode - none)
    else if (opcode < kinds.extended) variableOperands(processor, opcode - any)
    else extended(processor, opcode - kinds.extended)
  }
}

/** Follows the branch of an instruction if the condition is what it wants. */
function branch(processor: Processor, code: Int32Array, place: number, condition: boolean): void {
  const flags = code[place + at.branch]!
  if (condition !== ((flags & onTrue) !== 0)) return
  const target = code[place + at.target]!
  if ((flags & returns) !== 0) processor.return(target)
  else processor.pc = target
}
