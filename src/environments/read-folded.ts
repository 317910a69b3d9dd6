import type { ReadAction } from '../core/environment.js'
import type { Filling } from '../core/form.js'
import { readForm } from '../core/form.js'

/**
 * Reads an action by any templates, as a game does that compares folded texts, such as those in lower case.
 * @param names what slots take; undefined where they take any text
 */
export function readFolded(
  action: string,
  templates: readonly string[],
  names: readonly string[] | undefined,
  fold: (text: string) => string,
): ReadAction | undefined {
  const text = fold(action)
  const known = names && new Map(names.map((name) => [fold(name), name]))
  for (const template of templates) {
    const filling = readForm(foldTemplate(template, fold), text, known && ((value) => known.has(value)))
    if (filling === undefined) continue
    const entries = Object.entries(filling).map(([slot, value]) => [slot, known?.get(value) ?? value])
    return { template, filling: Object.fromEntries(entries) as Filling }
  }
  return undefined
}

/** A template whose words, but not its slots, are in lower case where folding ignores letter case. */
function foldTemplate(template: string, fold: (text: string) => string): string {
  if (fold('A') === 'A') return template
  return template.replace(/\{\w+\}|[^{]+/g, (part) => (part.startsWith('{') ? part : part.toLowerCase()))
}
