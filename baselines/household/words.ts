import { parseTemplate } from '../../src/define.js'

/** The kinds of action. */
export type Verb = keyof typeof senses

/** An action: on a thing, at a place. */
export interface Intent {
  readonly verb: Verb
  readonly thing?: string
  readonly place?: string
}

/**
 * What an action is about (`t` a thing, `p` a place), and words for it: enough of a thesaurus to recognise an action
 * that is worded in another way.
 */
const senses = {
  go: ['p', 'go goes goto move walk travel head visit approach navigate proceed step run'],
  open: ['p', 'open unlatch'],
  close: ['p', 'close shut'],
  take: ['tp', 'take pick grab get fetch collect lift remove retrieve obtain'],
  put: ['tp', 'put place lay drop set move leave deposit store insert stow release'],
  clean: ['tp', 'clean wash rinse scrub'],
  heat: ['tp', 'heat warm hot cook'],
  cool: ['tp', 'cool chill cold refrigerate'],
  slice: ['tp', 'slice cut chop carve'],
  use: ['t', 'use toggle turn switch activate operate'],
  examine: ['p', 'examine inspect look check study'],
  inventory: ['', 'inventory carry hold'],
  list: ['', 'valid actions possible commands available'],
  look: ['', 'look observe around saw see'],
} as const
const senseList = Object.entries(senses).map(([verb, [about, words]]) => ({
  verb: verb as Verb,
  about: about as string,
  words: words.split(' '),
}))

/**
 * The verb of the first known word in a phrase. Verbs with the slots of `about` come first; an action with one slot may
 * also be a short form of one with two (`pick up {obj}`).
 */
export function verbOf(phrase: string, about: string): Verb | undefined {
  const words: readonly string[] = phrase.toLowerCase().match(/[a-z]+/g) ?? []
  for (const wanted of about.length === 1 ? [about, 't', 'p', 'tp'] : [about]) {
    for (const word of words) {
      const sense = senseList.find((row) => row.about === wanted && row.words.some((known) => isInflected(word, known)))
      if (sense !== undefined) return sense.verb
    }
  }
  return undefined
}

/** Whether a word is a known one or an inflected form of it. */
function isInflected(word: string, known: string): boolean {
  return word.startsWith(known) && ['', 's', 'es', 'ed', 'd', 'ing', 'up', 'on'].includes(word.slice(known.length))
}

/** The words of a template without its slots: `clean {t} with {p}` gives `clean with`. */
export function literalWords(template: string): string {
  return parseTemplate(template).literals.join(' ')
}

/**
 * A form with its slots called `t` (thing), `p` (place) or `x` (unknown), and `about`, their kinds; undefined for a
 * form with more than two slots.
 */
export function readSlots(template: string): { readonly template: string; readonly about: string } | undefined {
  const { literals, slots } = parseTemplate(template)
  const kinds = slots.map((slot, index) => kindOf(slot, literals[index]!))
  if (kinds.length > 2) return undefined
  if (kinds.length === 2 && kinds[0] === kinds[1]) kinds.splice(0, 2, 't', 'p')
  if (kinds.length === 2 && kinds.includes('?')) kinds[kinds.indexOf('?')] = kinds.includes('t') ? 'p' : 't'
  const about = [...kinds].sort().reverse().join('')
  const names = kinds.map((kind) => (kind === '?' ? 'x' : kind))
  return {
    template: literals.map((literal, index) => literal + (names[index] ? `{${names[index]}}` : '')).join(''),
    about,
  }
}

function kindOf(slot: string, before: string): 't' | 'p' | '?' {
  if (slot.includes('/')) return '?'
  if (/^(?:obj|thing|lamp|food)/.test(slot)) return 't'
  if (/^(?:rec|place|loc|cont|tool|furn|where|target)/.test(slot)) return 'p'
  return /\b(?:from|to|in|on|into|onto|with|using|at)\s$/.test(before) ? 'p' : '?'
}
