import { parseTemplate, readForm } from '../core/form.js'
import { findForm } from '../core/mentions.js'
import type { NameFinder } from '../core/names.js'
import type { Piece } from '../core/text.js'

/** A piece of plain text, and whether it began with a capital letter that its form does not have. */
interface RecoveredPiece {
  readonly piece: Piece
  readonly isCapital: boolean
}

interface Mention {
  readonly start: number
  readonly end: number
  readonly template: string
}

/** A slot that is left open: `{obj}`, `(object)`, `<item>`, `[place]`. */
const openSlot =
  /^(?:\{[^{}\n]{1,60}\}(?:\/\{[^{}\n]{1,60}\})*|\([^()\n]{1,60}\)|<[^<>\n]{1,60}>(?: <[^<>\n]{1,60}>)?|\[[^[\]\n]{1,60}\])$/

/**
 * Plain text as pieces: commands with items in all slots, action forms whose slots are left open, and prose. Of two
 * mentions that overlap the first counts, of two that begin together the longer. A single word such as `look` counts
 * only where it stands alone: on a line, in quotes, in a list.
 */
export function recoverPieces(
  text: string,
  templates: readonly string[],
  names: NameFinder,
): readonly RecoveredPiece[] {
  const pieces: RecoveredPiece[] = []
  let told = 0
  const prose = (end: number): void => {
    if (end > told) pieces.push({ piece: text.slice(told, end), isCapital: false })
  }
  for (const { start, end, template } of findMentions(text, templates, names)) {
    if (start < told) continue
    const first = parseTemplate(template).literals[0]!
    const said = first + text.slice(start + first.length, end)
    const isCapital = first !== '' && text[start] !== first[0]
    const fill = readForm(template, said, (value) => names.has(value) || openSlot.test(value))
    if (fill === undefined) continue
    prose(start)
    const isCommand = Object.values(fill).every(names.has)
    pieces.push({ piece: isCommand ? { command: said } : { form: template, fill }, isCapital })
    told = end
  }
  prose(text.length)
  return pieces
}

/** Where a text mentions forms, with items in their slots or with the slots left open. */
export function findMentions(text: string, templates: readonly string[], names: NameFinder): readonly Mention[] {
  return templates
    .flatMap((template) => {
      const isWord = !/[\s{]/.test(template)
      return findForm(template, text, names.at)
        .filter(({ start, end }) => !isWord || standsAlone(text, start, end))
        .map(({ start, end }) => ({ start, end, template }))
    })
    .sort((a, b) => a.start - b.start || b.end - a.end)
}

function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start)
  const after = text.slice(end, end + 1)
  return /(?:^|[\n'"`]|[,:>*-] ?)$/.test(before) && /^(?:$|[\n'"`,.:;])/.test(after)
}
