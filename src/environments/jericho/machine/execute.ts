import { hexadecimal } from './fault.js'
import { extended } from './extended.js'
import { noOperand, oneOperand } from './one-operand.js'
import type { Processor } from './processor.js'
import { twoOperands } from './two-operands.js'
import { variableOperands } from './variable-operands.js'

/** Types of operands, two bits each (section 4.2). */
const large = 0
const small = 1
const variable = 2
const omitted = 3

/** Executes instructions until the story asks for input or ends. Throws a StoryFault where it cannot go on. */
export function execute(processor: Processor): void {
  const { bytes, meter, memory, operands } = processor
  processor.running = true
  while (processor.running) {
    const address = processor.pc
    if (address < 0 || address >= memory.size) {
      meter.fault(`execution leaves the story, which ends at ${hexadecimal(memory.size)}`)
    }
    meter.instruction = address
    if (--meter.remaining < 0) meter.exhausted()
    const opcode = bytes[address]!
    if (opcode < 0x80) {
      const first = bytes[address + 1]!
      const second = bytes[address + 2]!
      processor.pc = address + 3
      processor.operandCount = 2
      twoOperands(
        processor,
        opcode & 31,
        (opcode & 0x40) === 0 ? first : processor.read(first),
        (opcode & 0x20) === 0 ? second : processor.read(second),
      )
      continue
    }
    processor.pc = address + 1
    if (opcode < 0xb0) {
      processor.operandCount = 1
      oneOperand(processor, opcode & 15, operand(processor, (opcode >> 4) & 3))
    } else if (opcode === 0xbe && processor.version >= 5) {
      const code = bytes[processor.pc++]!
      readOperands(processor, false)
      extended(processor, code)
    } else if (opcode < 0xc0) {
      processor.operandCount = 0
      noOperand(processor, opcode & 15)
    } else {
      readOperands(processor, opcode === 0xec || opcode === 0xfa)
      if (opcode < 0xe0) twoOperands(processor, opcode & 31, operands[0]!, operands[1]!)
      else variableOperands(processor, opcode & 31)
    }
  }
}

/** Reads up to four operands after a byte of types, or up to eight after two (section 4.4). */
function readOperands(processor: Processor, double: boolean): void {
  const { bytes, operands } = processor
  let types = bytes[processor.pc++]!
  let slots = 4
  if (double) {
    types = (types << 8) | bytes[processor.pc++]!
    slots = 8
  }
  let count = 0
  for (let shift = 2 * (slots - 1); shift >= 0; shift -= 2) {
    const type = (types >> shift) & 3
    if (type === omitted) break
    operands[count++] = operand(processor, type)
  }
  processor.operandCount = count
}

function operand(processor: Processor, type: number): number {
  const { bytes } = processor
  if (type === small) return bytes[processor.pc++]!
  if (type === variable) return processor.read(bytes[processor.pc++]!)
  if (type !== large) return 0
  const value = (bytes[processor.pc]! << 8) | bytes[processor.pc + 1]!
  processor.pc += 2
  return value
}
