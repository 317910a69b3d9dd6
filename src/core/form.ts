/**
 * Action forms: templates such as `take {obj} from {recep}`. They are read and written by structure, never by regular
 * expressions over prose.
 */

/** A kind of action: its template with slots, and its meaning. */
export interface ActionForm {
  readonly template: string
  readonly meaning: string
  /** The environment's own template, where perturbations have reworded it. */
  readonly origin?: string
}

/**
 * A parsed template: `literals[0] slots[0] literals[1] … slots[n-1] literals[n]`. `{obj}/{recep}` is one slot for
 * either; `{n#}` takes digits alone.
 */
export interface Template {
  readonly literals: readonly string[]
  readonly slots: readonly string[]
}

/** The text in each slot, by the slot's name. */
export type Filling = Readonly<Record<string, string>>

const cache = new Map<string, Template>()

/** Parses a template. Cached, since a few templates are parsed thousands of times. */
export function parseTemplate(template: string): Template {
  const cached = cache.get(template)
  if (cached !== undefined) return cached
  const parts = template.split(/\{(\w+#?(?:\}\/\{\w+#?)*)\}/)
  const parsed: Template = {
    literals: parts.filter((_, index) => index % 2 === 0),
    slots: parts.filter((_, index) => index % 2 === 1),
  }
  if (cache.size > 10_000) cache.clear()
  cache.set(template, parsed)
  return parsed
}

/** The names of all slots, those of `{obj}/{recep}` apart. */
export function slotNames(template: string): readonly string[] {
  return parseTemplate(template).slots.flatMap((slot) => slot.split('}/{'))
}

/**
 * Fills the slots of a template. A slot without a value stays as it is; `{obj}/{recep}` can have one value, or one for
 * each name.
 */
export function printForm(template: string, filling: Filling | ((slot: string) => string | undefined)): string {
  const { literals, slots } = parseTemplate(template)
  const valueOf =
    typeof filling === 'function'
      ? filling
      : (slot: string) => (Object.hasOwn(filling, slot) ? filling[slot] : undefined)
  let text = literals[0]!
  slots.forEach((slot, index) => {
    const value =
      valueOf(slot) ??
      slot
        .split('}/{')
        .map((name) => valueOf(name) ?? `{${name}}`)
        .join('/')
    text += value + literals[index + 1]!
  })
  return text
}

/** Maximum number of characters of a name in a slot. */
const maxNameLength = 1000

/**
 * Matches a command against a template. Every division of the text is tried in order; the first in which `accepts`
 * holds for every slot wins. Without `accepts` a slot takes any text that is not empty, `{n#}` digits. A slot that
 * occurs twice must have the same text both times.
 * @param longest maximum number of characters passed to `accepts`, which keeps the time linear in the text
 * @returns the text in each slot, or undefined if the command does not match
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
  const digits = slots.map((slot) => slot.endsWith('#'))
  const takesAnything = accepts === undefined && !digits.includes(true)
  const values: string[] = []
  const take = (slot: number, from: number, to: number): boolean => {
    if (to <= from || (accepts !== undefined && to - from > longest)) return false
    const value = text.slice(from, to)
    if (accepts?.(value) === false || (digits[slot]! && !/^\d+$/.test(value))) return false
    values[slot] = value
    return true
  }
  const divide = (slot: number, from: number): boolean => {
    if (slot === slots.length - 1) return take(slot, from, end)
    const literal = literals[slot + 1]!
    if (literal === '') return false
    for (let at = text.indexOf(literal, from + 1); at !== -1 && at < end; at = text.indexOf(literal, at + 1)) {
      if (take(slot, from, at) && divide(slot + 1, at + literal.length)) return true
      // The first position leaves the most room for the rest, so where anything is accepted no later one can succeed.
      if (takesAnything || at - from > longest) return false
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
 * Number of characters of a template outside its slots. Of two forms that match a text, the one with more is the better
 * match.
 */
export function literalLength(template: string): number {
  return parseTemplate(template).literals.reduce((sum, literal) => sum + literal.length, 0)
}
