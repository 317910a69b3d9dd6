import { parseTemplate, readForm } from '../core/form.js'
import { findForm } from '../core/mentions.js'
import type { NameFinder } from '../core/names.js'
import type { Piece } from '../core/text.js'

/** A piece of plain text; `isCapital` if it begins with a capital letter that its form does not have. */
interface RecoveredPiece {
  readonly piece: Piece
  readonly isCapital: boolean
}

interface Mention {
  readonly start: number
  readonly end: number
  readonly template: string
}

/** An open slot: `{obj}`, `(object)`, `<item>`, `[place]`. */
const openSlot =
  /^(?:\{[^{}\n]{1,60}\}(?:\/\{[^{}\n]{1,60}\})*|\([^()\n]{1,60}\)|<[^<>\n]{1,60}>(?: <[^<>\n]{1,60}>)?|\[[^[\]\n]{1,60}\])$/

/**
 * Splits plain text into commands with items in all slots, action forms with open slots, and prose. Of overlapping
 * mentions the first counts, and of two with the same start the longer. A single word such as `look` counts only if
 * it is alone: on a line, in quotes, in a list.
 */
export function recoverPieces(
  text: string,
  templates: readonly string[],
  names: NameFinder,
): readonly RecoveredPiece[] {
  const pieces: RecoveredPiece[] = []
  let done = 0
  const prose = (end: number): void => {
    if (end > done) pieces.push({ piece: text.slice(done, end), isCapital: false })
  }
  for (const { start, end, template } of findMentions(text, templates, names)) {
    if (start < done) continue
    const first = parseTemplate(template).literals[0]!
    const command = first + text.slice(start + first.length, end)
    const isCapital = first !== '' && text[start] !== first[0]
    const fill = readForm(template, command, (value) => names.has(value) || openSlot.test(value))
    if (fill === undefined) continue
    prose(start)
    const isCommand = Object.values(fill).every(names.has)
    pieces.push({ piece: isCommand ? { command } : { form: template, fill }, isCapital })
    done = end
  }
  prose(text.length)
  return pieces
}

/** The mentions of forms in a text, with items in their slots or with open slots. */
export function findMentions(text: string, templates: readonly string[], names: NameFinder): readonly Mention[] {
  return templates
    .flatMap((template) => findForm(template, text, names.at, true).map((span) => ({ ...span, template })))
    .sort((a, b) => a.start - b.start || b.end - a.end)
}
