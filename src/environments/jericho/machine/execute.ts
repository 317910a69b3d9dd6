import { at } from './instructions.js'
import { signed } from './memory.js'
import type { Processor } from './processor.js'
import { executeOther } from './other-instructions.js'

/**
 * Executes instructions until the story asks for input or ends. Throws a StoryFault where it cannot go on. The frequent
 * instructions stand here, since a step of a large story takes a hundred thousand; all others are called.
 */
export function execute(processor: Processor): void {
  const { memory, meter, objects, operands, instructions } = processor
  processor.running = true
  while (processor.running) {
    const { code } = instructions
    const { place } = processor
    meter.instruction = code[place + at.address]!
    if (--meter.remaining < 0) meter.exhausted()
    let first = code[place + at.operands]!
    if (first < 0) first = processor.read(-1 - first)
    let second = code[place + at.operands + 1]!
    if (second < 0) second = processor.read(-1 - second)
    const count = code[place + at.count]!
    for (let index = 2; index < count; index++) {
      const operand = code[place + at.operands + index]!
      operands[index] = operand >= 0 ? operand : processor.read(-1 - operand)
    }
    let value = 0
    // The cases are literals, since the engine makes no table of jumps for others.
    switch (code[place + at.code]) {
      case 1: // je, which takes up to four operands
        if (count > 1 && first === second) value = 1
        for (let index = 2; index < count; index++) if (first === operands[index]) value = 1
        break
      case 2: // jl
        if (signed(first) < signed(second)) value = 1
        break
      case 3: // jg
        if (signed(first) > signed(second)) value = 1
        break
      case 4: // dec_chk
        value = (processor.readInPlace(first) - 1) & 0xffff
        processor.writeInPlace(first, value)
        value = signed(value) < signed(second) ? 1 : 0
        break
      case 5: // inc_chk
        value = (processor.readInPlace(first) + 1) & 0xffff
        processor.writeInPlace(first, value)
        value = signed(value) > signed(second) ? 1 : 0
        break
      case 6: // jin
        if (objects.parent(first) === second) value = 1
        break
      case 7: // test
        if ((first & second) === second) value = 1
        break
      case 8: // or
        value = first | second
        break
      case 9: // and
        value = first & second
        break
      case 10: // test_attr
        if (objects.hasAttribute(first, second)) value = 1
        break
      case 13: // store
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
      case 32: // jz
        if (first === 0) value = 1
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
        processor.writeInPlace(first, (processor.readInPlace(first) + 1) & 0xffff)
        break
      case 38: // dec
        processor.writeInPlace(first, (processor.readInPlace(first) - 1) & 0xffff)
        break
      case 48: // rtrue
        value = 1
        processor.leave()
        break
      case 49: // rfalse
        processor.leave()
        break
      case 43: // ret
        value = first
        processor.leave()
        break
      case 56: // ret_popped
        value = processor.pop()
        processor.leave()
        break
      case 44: // jump
        value = 1
        if (code[place + at.branch] !== 0) break
        processor.place = instructions.find(code[place + at.next]! + signed(first) - 2)
        continue
      case 46: // load
        value = processor.readInPlace(first)
        break
      case 65: // storew
        memory.setWord((first + 2 * second) & 0xffff, operands[2]!)
        break
      case 66: // storeb
        memory.setByte((first + second) & 0xffff, operands[2]!)
        break
      case 72: // push
        processor.push(first)
        break
      case 73: // pull
        processor.writeInPlace(first, processor.pop())
        break
      case 25: // call; routine 0 does nothing, and its result is 0
        if (first === 0) break
        operands[1] = second
        processor.enter(first, count - 1)
        continue
      case 95: // check_arg_count
        if (first <= processor.argumentCount) value = 1
        break
      default: {
        operands[0] = first
        operands[1] = second
        processor.operandCount = count
        const result = executeOther(processor, code[place + at.code]!)
        if (result === undefined) continue
        value = result
      }
    }
    processor.complete(value)
  }
}
