import { parseTemplate, printForm, readForm } from 'shaketable'
import type { Form as AnyForm } from '../_lessons.js'
import { readKind } from './thing.js'

/** The kinds of action that a wayfarer knows. */
export type Verb = 'go' | 'take' | 'through' | 'unlock' | 'left' | 'right' | 'forward' | 'drop' | 'toggle' | 'list'

/** Something to be done, to a thing of this name. */
export interface Intent {
  readonly verb: Verb
  readonly name?: string
}

/** An action form whose meaning is known, with the slot `{t}` for a thing. */
export type Form = AnyForm<Verb>

interface Sense {
  readonly verb: Verb
  readonly words: RegExp
}

/** What people call actions upon a thing, the more special first: who walks up to a thing and picks it up does not just walk. */
const withThing: readonly Sense[] = [
  { verb: 'take', words: /\b(?:pick(?:s|ed|ing)?|pickup|take|grab|lift|collect|fetch|obtain|seize)\b/ },
  { verb: 'unlock', words: /\b(?:toggle|unlock|unlatch|closed|locked|shut)\b/ },
  { verb: 'through', words: /\b(?:through|enter|pass|cross|onto|into)\b/ },
  {
    verb: 'go',
    words: /\b(?:go|goto|move|walk|travel|head|approach|navigate|proceed|step|run|reach|visit)\b/,
  },
]
const alone: readonly Sense[] = [
  { verb: 'list', words: /\b(?:actions?|commands?|check|possible|valid|available|options)\b/ },
  { verb: 'toggle', words: /\b(?:toggle|open|unlock|unlatch|switch)\b/ },
  { verb: 'drop', words: /\b(?:drop|put|release|lay|leave|deposit|discard)\b/ },
  { verb: 'left', words: /\bleft\b|\bleftwards?\b|\bcounter-?clockwise\b|\banticlockwise\b/ },
  { verb: 'right', words: /\bright\b|\brightwards?\b|\bclockwise\b/ },
  { verb: 'forward', words: /\b(?:forwards?|ahead|onward|advance|straight|step|walk|move)\b/ },
]

/** The verb that a phrase speaks of. */
export function verbOf(phrase: string, isAboutThing: boolean): Verb | undefined {
  const words = phrase.toLowerCase()
  return (isAboutThing ? withThing : alone).find((sense) => sense.words.test(words))?.verb
}

/** A form with its slot called `t`; undefined for one that is about more than one thing. */
export function readTemplate(
  template: string,
): { readonly template: string; readonly isAboutThing: boolean } | undefined {
  const { literals, slots } = parseTemplate(template)
  if (slots.length > 1) return undefined
  return { template: literals.join('{t}'), isAboutThing: slots.length === 1 }
}

/** Words without what fills the slot. */
export const literalWords = (template: string): string => parseTemplate(template).literals.join(' ')

/** An intent in one form. */
export const say = (template: string, { name = '' }: Intent): string => printForm(template, { t: name })

/** What an action means, and the form that it is of; the form with most words that fits. */
export function findIntent(action: string, forms: readonly Form[]): (Intent & { readonly form: Form }) | undefined {
  let found: (Intent & { readonly form: Form }) | undefined
  let most = 0
  for (const form of forms) {
    const { literals } = parseTemplate(form.template)
    const length = literals.join('').length
    if (length <= most) continue
    const filling = readForm(form.template, action, isName)
    if (filling === undefined) continue
    most = length
    found = { verb: form.verb, form, ...(filling.t !== undefined && { name: filling.t }) }
  }
  return found
}

const isName = (text: string): boolean => readKind(text).type !== ''
