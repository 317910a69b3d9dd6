import type { Pending, Processor } from './processor.js'

const tab = 9
const enter = 13
const unknown = '?'.charCodeAt(0)

/** Gives a line of input to the instruction that waits for it, and completes it (section 15 of the standard). */
export function answerInput(processor: Processor, line: string): void {
  const { pending } = processor
  processor.pending = { kind: 'none' }
  if (pending.kind === 'key') {
    // As in Frotz, the rest of a line answers the next keys, and what is typed there is lost.
    const [first, ...rest] = processor.keys === '' ? line : processor.keys
    processor.keys = rest.join('')
    processor.complete(first === undefined || first === '\n' ? enter : (processor.text.zscii(first) ?? unknown))
  } else if (pending.kind === 'line') {
    processor.keys = ''
    answerLine(processor, line, pending)
  }
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
  processor.complete(enter)
}

/** The ZSCII codes of a line in lower case, at most `room` of them. */
function typed({ text }: Processor, line: string, room: number): readonly number[] {
  const codes: number[] = []
  for (const character of line) {
    if (codes.length >= room) break
    // A tab is a letter of its own in Frotz, whatever it was meant to be.
    if (character === '\t') codes.push(tab)
    else {
      const plain = /\s/.test(character) ? ' ' : character
      codes.push(text.zscii(plain.toLowerCase()) ?? text.zscii(plain) ?? unknown)
    }
  }
  return codes
}
