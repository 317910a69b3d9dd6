import type { Processor } from './processor.js'

/** A word in a dictionary has no more characters. */
const maxEncoded = 9

/** `scan_table`: the address of the first entry that begins with a value, or 0. */
export function scanTable(processor: Processor, value: number, table: number, count: number, form: number): number {
  const { memory, meter } = processor
  const words = (form & 0x80) !== 0
  let address = table
  let found = 0
  for (let index = 0; index < count && found === 0; index++) {
    meter.spend(1)
    if ((words ? memory.word(address) : memory.byte(address)) === value) found = address
    address = (address + (form & 0x7f)) & 0xffff
  }
  return found
}

/**
 * `copy_table`: copies bytes so that the second table gets what the first had, or forwards byte by byte for a negative
 * size; with 0 as second table it clears the first.
 */
export function copyTable({ memory, meter }: Processor, from: number, to: number, size: number): void {
  const length = Math.abs(size)
  meter.spend(length)
  const backwards = size > 0 && to > from
  for (let step = 0; step < length; step++) {
    const index = backwards ? length - 1 - step : step
    if (to === 0) memory.setByte(from + index, 0)
    else memory.setByte(to + index, memory.byte(from + index))
  }
}

/**
 * `print_table`: prints a rectangle of characters; `skip` bytes lie between two rows. As in Frotz, the rows of the
 * lower window begin at its left edge.
 */
export function printTable(processor: Processor, table: number, width: number, height: number, skip: number): void {
  const { memory, output } = processor
  let address = table
  for (let row = 0; row < height; row++) {
    if (row > 0) output.print('\n')
    for (let column = 0; column < width; column++) output.printCode(memory.byte(address++))
    address += skip
  }
}

/** `encode_text`: writes up to `length` characters of a text as a dictionary has them. */
export function encodeText(
  { memory, text }: Processor,
  source: number,
  length: number,
  from: number,
  to: number,
): void {
  const codes = new Uint8Array(Math.min(length, maxEncoded))
  for (let index = 0; index < codes.length; index++) codes[index] = memory.byte(source + from + index)
  text.encode(codes).forEach((byte, index) => {
    memory.setByte(to + index, byte)
  })
}
