import type { Pending, Processor } from './processor.js'

const enter = 13
const unknown = '?'.charCodeAt(0)

/** Gives a line of input to the instruction that waits for it (`read` and `read_char`, section 15 of the standard). */
export function answerInput(processor: Processor, line: string): void {
  const { pending } = processor
  processor.pending = { kind: 'none' }
  if (pending.kind === 'key') processor.store(keyOf(processor, line))
  else if (pending.kind === 'line') answerLine(processor, line, pending)
}

function keyOf({ text }: Processor, line: string): number {
  const [first] = line
  return first === undefined || first === '\n' ? enter : (text.zscii(first) ?? unknown)
}

function answerLine(processor: Processor, line: string, { text, parse }: Pending & { readonly kind: 'line' }): void {
  const { dictionary, memory, version } = processor
  const old = version < 5
  const present = old ? 0 : memory.byte(text + 1)
  const begin = text + (old ? 1 : 2)
  const room = memory.byte(text) - (old ? 1 : 0) - present
  const codes = typed(processor, line, Math.max(0, room))
  codes.forEach((code, index) => {
    memory.setByte(begin + present + index, code)
  })
  if (old) memory.setByte(begin + codes.length, 0)
  else memory.setByte(text + 1, present + codes.length)
  if (parse !== 0) dictionary.tokenise(text, parse)
  if (!old) processor.store(enter)
}

/** The ZSCII codes of a line in lower case, at most `room` of them. */
function typed({ text }: Processor, line: string, room: number): readonly number[] {
  const codes: number[] = []
  for (const character of line) {
    if (codes.length >= room) break
    const plain = /\s/.test(character) ? ' ' : character
    codes.push(text.zscii(plain.toLowerCase()) ?? text.zscii(plain) ?? unknown)
  }
  return codes
}
