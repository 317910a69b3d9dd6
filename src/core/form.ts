/**
 * Action forms: templates such as `take {obj} from {recep}` that are read and written by structure, never by a regular
 * expression over prose.
 */

/** One kind of action that an environment understands: its template with slots, and what it does. */
export interface ActionForm {
  readonly template: string
  readonly meaning: string
}

/**
 * A template taken apart: `literals[0] slots[0] literals[1] … slots[n-1] literals[n]`. `{obj}/{recep}` is one slot for
 * either.
 */
export interface Template {
  readonly literals: readonly string[]
  readonly slots: readonly string[]
}

/** What stands in each slot. */
export type Filling = Readonly<Record<string, string>>

const taken = new Map<string, Template>()

/** Takes a template apart. Results are kept, as the same few templates are read many thousand times. */
export function parseTemplate(template: string): Template {
  const known = taken.get(template)
  if (known !== undefined) return known
  const parts = template.split(/\{(\w+(?:\}\/\{\w+)*)\}/)
  const parsed: Template = {
    literals: parts.filter((_, index) => index % 2 === 0),
    slots: parts.filter((_, index) => index % 2 === 1),
  }
  if (taken.size > 10_000) taken.clear()
  taken.set(template, parsed)
  return parsed
}

/** Writes a command: each slot of the template filled in. A slot without a filling stays as it is. */
export function printForm(template: string, filling: Filling): string {
  const { literals, slots } = parseTemplate(template)
  let text = literals[0]!
  slots.forEach((slot, index) => {
    text += (Object.hasOwn(filling, slot) ? filling[slot]! : `{${slot}}`) + literals[index + 1]!
  })
  return text
}

/** No name that fills a slot has more characters. */
const maxNameLength = 1000

/**
 * Reads a command by a template. Every way to divide the text is tried in order and the first in which `accepts` takes
 * every slot's text wins; without `accepts` any text that is not empty will do. A slot that stands twice must be filled
 * alike.
 * @param longest characters of the longest text that `accepts` is asked about, so that the time is linear in a long
 * text
 * @returns what stands in each slot, or undefined where the text is not of this form.
 */
export function readForm(
  template: string,
  text: string,
  accepts?: (value: string) => boolean,
  longest = maxNameLength,
): Filling | undefined {
  const { literals, slots } = parseTemplate(template)
  const first = literals[0]!
  if (!text.startsWith(first)) return undefined
  if (slots.length === 0) return text === first ? {} : undefined
  const end = text.length - literals[slots.length]!.length
  if (!text.endsWith(literals[slots.length]!)) return undefined
  const values: string[] = []
  const take = (slot: number, from: number, to: number): boolean => {
    if (to <= from || (accepts !== undefined && to - from > longest)) return false
    const value = text.slice(from, to)
    if (accepts?.(value) === false) return false
    values[slot] = value
    return true
  }
  const divide = (slot: number, from: number): boolean => {
    if (slot === slots.length - 1) return take(slot, from, end)
    const literal = literals[slot + 1]!
    if (literal === '') return false
    for (let at = text.indexOf(literal, from + 1); at !== -1 && at < end; at = text.indexOf(literal, at + 1)) {
      if (take(slot, from, at) && divide(slot + 1, at + literal.length)) return true
      // The first place leaves most room for the rest: where any text will do, no later one can succeed.
      if (accepts === undefined || at - from > longest) return false
    }
    return false
  }
  if (!divide(0, first.length)) return undefined
  const filling = new Map<string, string>()
  for (const [index, slot] of slots.entries()) {
    if ((filling.get(slot) ?? values[index]) !== values[index]) return undefined
    filling.set(slot, values[index]!)
  }
  return Object.fromEntries(filling)
}

/**
 * Characters of a template that are not slots: of two forms that fit a text, the one with more of them says more about
 * it.
 */
export function literalLength(template: string): number {
  return parseTemplate(template).literals.reduce((sum, literal) => sum + literal.length, 0)
}
