import { signed } from './memory.js'
import { executeOther } from './other-instructions.js'
import type { Processor } from './processor.js'

/**
 * Executes instructions until the story asks for input or ends. Throws a StoryFault where it cannot go on. The frequent
 * instructions stand here, since a step of a large story takes a hundred thousand; all others are called. For the same
 * reason the registers are variables of this function, which are given to the processor where it needs them.
 */
export function execute(processor: Processor): void {
  const { memory, meter, objects, operands, instructions, stack, bytes, globals } = processor
  let { instruction, top, locals, localCount } = processor
  processor.running = true
  for (;;) {
    meter.instruction = instruction.address
    if (--meter.remaining < 0) meter.exhausted()
    let first = instruction.first
    if (first < 0) {
      if (first < -16) {
        const address = globals - 2 * first
        first = (bytes[address]! << 8) | bytes[address + 1]!
      } else if (first < -1) {
        if (first < -1 - localCount) processor.noLocal(-1 - first)
        first = stack[locals - 2 - first]!
      } else {
        if (top === locals + localCount) processor.underflow()
        first = stack[--top]!
      }
    }
    let second = instruction.second
    if (second < 0) {
      if (second < -16) {
        const address = globals - 2 * second
        second = (bytes[address]! << 8) | bytes[address + 1]!
      } else if (second < -1) {
        if (second < -1 - localCount) processor.noLocal(-1 - second)
        second = stack[locals - 2 - second]!
      } else {
        if (top === locals + localCount) processor.underflow()
        second = stack[--top]!
      }
    }
    const { count } = instruction
    if (count > 2) {
      const { others } = instruction
      processor.top = top
      for (let index = 2; index < count; index++) {
        const operand = others[index - 2]!
        operands[index] = operand >= 0 ? operand : processor.read(-1 - operand)
      }
      top = processor.top
    }
    let value = 0
    let condition = false
    // What branches leaves this block; what stores goes to its end.
    branching: {
      // The cases are literals, since the engine makes no table of jumps for others.
      switch (instruction.code) {
        case 1: // je, which takes up to four operands
          condition = count > 1 && first === second
          for (let index = 2; index < count; index++) condition ||= first === operands[index]
          break branching
        case 2: // jl
          condition = signed(first) < signed(second)
          break branching
        case 3: // jg
          condition = signed(first) > signed(second)
          break branching
        case 4: // dec_chk
          processor.top = top
          condition = signed(processor.add(first, -1)) < signed(second)
          break branching
        case 5: // inc_chk
          processor.top = top
          condition = signed(processor.add(first, 1)) > signed(second)
          break branching
        case 6: // jin
          condition = objects.parent(first) === second
          break branching
        case 7: // test
          condition = (first & second) === second
          break branching
        case 10: // test_attr
          condition = objects.hasAttribute(first, second)
          break branching
        case 32: // jz
          condition = first === 0
          break branching
        case 44: // jump
          condition = true
          if (instruction.hasBranch) break branching
          instruction = instructions.find(instruction.nextAddress + signed(first) - 2)
          continue
        case 95: // check_arg_count
          condition = first <= processor.argumentCount
          break branching
        case 8: // or
          value = first | second
          break
        case 9: // and
          value = first & second
          break
        case 13: // store
          processor.top = top
          processor.writeInPlace(first, second)
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
        case 20: // add
          value = first + second
          break
        case 21: // sub
          value = first - second
          break
        case 22: // mul
          value = Math.imul(first, second)
          break
        case 48: // rtrue
          processor.return(1)
          ;({ instruction, top, locals, localCount } = processor)
          continue
        case 49: // rfalse
          processor.return(0)
          ;({ instruction, top, locals, localCount } = processor)
          continue
        case 25: // call; routine 0 does nothing, and its result is 0
          if (first === 0) break
          operands[1] = second
          processor.top = top
          processor.instruction = instruction
          processor.enter(first, count - 1)
          ;({ instruction, top, locals, localCount } = processor)
          continue
        case 35: // get_parent
          value = objects.parent(first)
          break
        case 36: // get_prop_len
          value = objects.propertyLength(first)
          break
        case 37: // inc
          processor.top = top
          processor.add(first, 1)
          break
        case 38: // dec
          processor.top = top
          processor.add(first, -1)
          break
        case 46: // load
          processor.top = top
          value = processor.readInPlace(first)
          break
        case 65: // storew
          memory.setWord((first + 2 * second) & 0xffff, operands[2]!)
          break
        case 66: // storeb
          memory.setByte((first + second) & 0xffff, operands[2]!)
          break
        case 72: // push
          processor.top = top
          processor.push(first)
          top = processor.top
          break
        case 73: // pull
          processor.top = top
          processor.writeInPlace(first, processor.pop())
          top = processor.top
          break
        case 43: // ret
          processor.return(first)
          ;({ instruction, top, locals, localCount } = processor)
          continue
        default: {
          operands[0] = first
          operands[1] = second
          processor.operandCount = count
          processor.top = top
          processor.instruction = instruction
          const result = executeOther(processor, instruction.code)
          if (result !== undefined) processor.complete(result)
          if (!processor.running) return
          ;({ instruction, top, locals, localCount } = processor)
          continue
        }
      }
      const variable = instruction.store
      if (variable >= 16) memory.setWord(globals + 2 + 2 * variable, value)
      else if (variable > 0) {
        if (variable > localCount) processor.noLocal(variable)
        stack[locals + variable - 1] = value
      } else if (variable === 0) {
        if (top === stack.length) processor.overflow()
        stack[top++] = value
      }
      instruction = instruction.next ?? instructions.follow(instruction)
      continue
    }
    if (condition !== instruction.onTrue) instruction = instruction.next ?? instructions.follow(instruction)
    else if (!instruction.returns) instruction = instruction.target ?? instructions.branch(instruction)
    else {
      processor.return(instruction.targetAddress)
      ;({ instruction, top, locals, localCount } = processor)
    }
  }
}
