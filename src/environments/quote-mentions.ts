import { parseTemplate, readForm } from '../core/form.js'
import { findForm } from '../core/mentions.js'
import { createNameFinder } from '../core/names.js'
import type { Piece } from '../core/text.js'

/**
 * Prose in which the commands that it mentions (`Remember to open boot first`) become pieces, so that perturbations
 * reach them. A command has items in all slots and may begin a sentence; of two that overlap the longer counts.
 * @param templates of the action forms that are understood
 * @param names items that the prose may mention
 */
export function quoteMentions(text: string, templates: readonly string[], names: readonly string[]): readonly Piece[] {
  const finder = createNameFinder(names)
  const spans = templates
    .flatMap((template) =>
      findForm(template, text, finder.at).filter(({ start, end }) =>
        isCommand(template, text.slice(start, end), finder.has),
      ),
    )
    .sort((a, b) => a.start - b.start || b.end - a.end)
  const pieces: Piece[] = []
  let quoted = 0
  for (const { start, end } of spans) {
    if (start < quoted) continue
    pieces.push(text.slice(quoted, start), { command: text.slice(start, end) })
    quoted = end
  }
  return [...pieces, text.slice(quoted)].filter((piece) => piece !== '')
}

function isCommand(template: string, text: string, isName: (value: string) => boolean): boolean {
  const first = parseTemplate(template).literals[0]!
  return readForm(template, first + text.slice(first.length), isName) !== undefined
}
