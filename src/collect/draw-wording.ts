import { parseTemplate } from '../core/form.js'
import type { Random } from '../core/random.js'
import { prepositions, verbs } from './thesaurus.js'

/** Chances of another order of an action's words, where it has two items with a preposition between them. */
const frontShare = 0.2
const aheadShare = 0.1

/**
 * Draws other words for action forms: a verb and prepositions of the same meaning, and now and then another order. One drawing is one vocabulary: a word
 * that stands in several forms is replaced alike, and equal templates get equal words. A form of which no word is known stays.
 */
export function drawWording(random: Random): (template: string) => string {
  const words = new Map<string, string>()
  const made = new Map<string, string>()
  const replace = (word: string, groups: readonly (readonly string[])[]): string => {
    const known = words.get(word)
    if (known !== undefined) return known
    const group = groups.find((one) => one.includes(word))
    const drawn = group === undefined ? word : random.pick(group)
    words.set(word, drawn)
    return drawn
  }
  return (template) => {
    const known = made.get(template)
    if (known !== undefined) return known
    const drawn = reword(template, replace, random)
    made.set(template, drawn)
    return drawn
  }
}

type Replace = (word: string, groups: readonly (readonly string[])[]) => string

function reword(template: string, replace: Replace, random: Random): string {
  const { literals, slots } = parseTemplate(template)
  const start = literals[0] === '' ? 1 : 0
  const said = literals.map((literal, index) =>
    index === start ? replaceVerb(literal, replace) : replaceWords(literal, replace),
  )
  const order = random.next()
  const [head, between] = [said[0]!, said[1]]
  if (slots.length !== 2 || head.trim() === '' || between?.trim() === '' || said[2] !== '') return lay(said, slots)
  const [first, second] = [`{${slots[0]!}}`, `{${slots[1]!}}`]
  if (order < frontShare) return `${between!.trim()} ${second} ${head.trim()} ${first}`
  if (order < frontShare + aheadShare) return `${head.trim()} ${between!.trim()} ${second} the ${first}`
  return lay(said, slots)
}

function lay(literals: readonly string[], slots: readonly string[]): string {
  return literals.map((literal, index) => literal + (index < slots.length ? `{${slots[index]!}}` : '')).join('')
}

const openings = verbs.flat().sort((a, b) => b.length - a.length || (a < b ? -1 : 1))

/** The verb with which a literal begins, whatever its first letter is written like; `clean` begins `clean-shot` too. */
function replaceVerb(literal: string, replace: Replace): string {
  const start = literal.search(/\S/)
  if (start === -1) return literal
  const text = literal.slice(start)
  const lower = text.toLowerCase()
  const verb = openings.find((one) => lower.startsWith(one) && /^(?:$|[\s-])/.test(lower.slice(one.length)))
  if (verb === undefined) return literal
  const drawn = replace(verb, verbs)
  const isCapital = text[0] !== lower[0]
  const written = isCapital ? drawn[0]!.toUpperCase() + drawn.slice(1) : drawn
  return literal.slice(0, start) + written + replaceWords(text.slice(verb.length), replace)
}

function replaceWords(literal: string, replace: Replace): string {
  return literal.replace(/(?<![^\s])[a-z/]+(?![^\s])/g, (word) => replace(word, prepositions))
}
