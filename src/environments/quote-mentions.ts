import { parseTemplate, readForm } from '../core/form.js'
import { findForm } from '../core/mentions.js'
import { createNameFinder } from '../core/names.js'
import type { Piece } from '../core/text.js'

/**
 * Prose in which commands that it mentions (`Remember to open boot first`) are quoted as such, so that perturbations
 * reach them. Only what is a command with items in all slots counts; one that begins a sentence counts as well, and of
 * two that overlap the longer.
 * @param templates of the forms of action that are understood
 * @param names items that the prose may name
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

function isCommand(template: string, said: string, isName: (value: string) => boolean): boolean {
  const first = parseTemplate(template).literals[0]!
  return readForm(template, first + said.slice(first.length), isName) !== undefined
}
