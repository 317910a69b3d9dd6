import { ShaketableError } from '../core/errors.js'
import { type Lens, type Perturbation, definePerturbation, rewordActions } from '../core/perturbation.js'
import { checkWordings, rewordForms } from '../core/wording.js'
import { parseTemplate } from '../core/form.js'
import type { Random } from '../core/random.js'
import { z } from 'zod'
import { packagedData } from '../files/packaged.js'

/** Attempts to draw a wording without collisions. */
const maxDrawings = 200

/**
 * A new wording of the action forms, drawn from a thesaurus for each episode; everything else stays the same. As with
 * any perturbation, examples and lists follow the new wording, and the old one is refused. A wording in which two
 * actions would be equal is drawn again.
 */
export const varyWording: Perturbation = definePerturbation({
  name: 'vary-wording',
  summary: 'every episode words its actions in its own way',
  source: 'this testbed, after the many environments of AgentRefine’s training data',
  promise: 'invariant',
  open({ briefing: { forms }, names, random }) {
    const taken = new Set([...names, ...forms.flatMap(({ template }) => wordsOf(template)[0] ?? [])].flatMap(wordsOf))
    for (let drawing = 0; drawing < maxDrawings; drawing++) {
      const draw = drawWording(random.fork(String(drawing)), taken)
      const lens = rewordActions(Object.fromEntries(forms.map(({ template }) => [template, draw(template)])))
      if (isClear(lens, forms, names)) return lens
    }
    throw new ShaketableError(
      'perturbation',
      `No wording without collisions was found for the ${String(forms.length)} action forms in ${String(maxDrawings)} drawings. Leave --vary-wording out.`,
    )
  },
})

function isClear(lens: Lens, forms: Parameters<typeof rewordForms>[1], names: readonly string[]): boolean {
  try {
    checkWordings(rewordForms(lens, forms), names)
    return true
  } catch (thrown) {
    if (thrown instanceof ShaketableError && thrown.code === 'perturbation') return false
    throw thrown
  }
}

const groups = z.array(z.array(z.string().min(1)).min(1))
const thesaurus = packagedData('src/training/thesaurus.yaml', z.strictObject({ verbs: groups, prepositions: groups }))

/** Probabilities of two other word orders, for actions with two items and a preposition between them. */
const frontShare = 0.2
const aheadShare = 0.1

/**
 * Draws a wording for action forms: verbs and prepositions of the same meaning, and sometimes another word order.
 * Within a wording, equal words get equal replacements, no two verbs start with the same word, and equal templates stay
 * equal. A form whose verb is not in the thesaurus is not changed.
 * @param taken first words that no drawn verb may have, in lower case: words of items, and first words of other actions
 */
export function drawWording(random: Random, taken: ReadonlySet<string> = new Set()): (template: string) => string {
  const made = new Map<string, string>()
  const begun = new Set(taken)
  const drawVerb = createChoice(thesaurus().verbs, random, begun)
  const drawPreposition = createChoice(thesaurus().prepositions, random)
  return (template) => {
    const known = made.get(template)
    if (known !== undefined) return known
    const drawn = reword(template, drawVerb, drawPreposition, random)
    made.set(template, drawn)
    return drawn
  }
}

/** The words of a text, in lower case. */
export function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z]+/g) ?? []
}

type Choice = (word: string) => string

/** Draws a synonym of a word, or the word itself; equal words get equal synonyms. */
function createChoice(synonyms: readonly (readonly string[])[], random: Random, begun?: Set<string>): Choice {
  const drawn = new Map<string, string>()
  return (word) => {
    const known = drawn.get(word)
    if (known !== undefined) return known
    const group = synonyms.find((synonym) => synonym.includes(word)) ?? [word]
    const other = random.pick(
      group.filter((replacement) => replacement === word || begun?.has(wordsOf(replacement)[0]!) !== true),
    )
    drawn.set(word, other)
    begun?.add(wordsOf(other)[0]!)
    return other
  }
}

/** If the verb stays the same, so does the form: an environment with a lenient parser would accept both wordings. */
function reword(template: string, drawVerb: Choice, drawPreposition: Choice, random: Random): string {
  const { literals, slots } = parseTemplate(template)
  const start = literals[0] === '' ? 1 : 0
  const verb = replaceVerb(literals[start] ?? '', drawVerb)
  if (verb === literals[start]) return template
  const replaced = literals.map((literal, index) =>
    index === start ? verb : literal.replace(/(?<!\S)[a-z/]+(?!\S)/g, drawPreposition),
  )
  const order = random.next()
  const [head, between] = [replaced[0]!, replaced[1]]
  if (slots.length === 2 && head.trim() !== '' && between!.trim() !== '' && replaced[2] === '') {
    const [first, second] = [`{${slots[0]!}}`, `{${slots[1]!}}`]
    if (order < frontShare) return `${between!.trim()} ${second} ${head.trim()} ${first}`
    if (order < frontShare + aheadShare) return `${head.trim()} ${between!.trim()} ${second} the ${first}`
  }
  return replaced.map((literal, index) => literal + (index < slots.length ? `{${slots[index]!}}` : '')).join('')
}

/** Replaces the verb at the start of a literal and keeps its letter case; `clean` also matches `clean-shot`. */
function replaceVerb(literal: string, drawVerb: Choice): string {
  const start = literal.search(/\S/)
  if (start === -1) return literal
  const text = literal.slice(start)
  const lower = text.toLowerCase()
  const verb = thesaurus()
    .verbs.flat()
    .filter((start) => lower.startsWith(start) && /^(?:$|[\s-])/.test(lower.slice(start.length)))
    .reduce((longest, start) => (start.length > longest.length ? start : longest), '')
  if (verb === '') return literal
  const drawn = drawVerb(verb)
  const written = text[0] === lower[0] ? drawn : drawn[0]!.toUpperCase() + drawn.slice(1)
  return literal.slice(0, start) + written + text.slice(verb.length)
}
