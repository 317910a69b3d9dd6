import { printForm, readForm } from 'shaketable'
import type { Form as AnyForm, Lessons as AnyLessons } from '../_lessons.js'
import { findWhole } from '../_lessons.js'
import type { Intent, Verb } from './words.js'
import { literalWords } from '../_words.js'
import { verbOf } from './words.js'

/** An action form whose meaning is known, with the slots `{t}` for a thing and `{p}` for a place. */
export type Form = AnyForm<Verb>

/** What the history has taught about wordings, by template. */
export type Lessons = AnyLessons<Verb>

/** An action in words, and the form it was made from. */
export interface Spoken {
  readonly form: Form
  readonly text: string
}

/** What an action means. */
export interface Understood {
  readonly form: Form
  readonly intent: Intent
}

/** Words for an intent in every form that is known for it. */
export function wordings(intent: Intent, forms: readonly Form[], { learned }: Lessons): readonly Spoken[] {
  const spoken: Spoken[] = []
  for (const list of [learned, forms]) {
    for (const form of list) {
      if (form.verb !== intent.verb || (intent.thing === undefined && form.template.includes('{t}'))) continue
      spoken.push({ form, text: say(form.template, intent) })
    }
  }
  return spoken
}

/** An intent in one form. */
export function say(template: string, { thing = '', place = '' }: Intent): string {
  return printForm(template, { t: thing, p: place })
}

/** What an action means, read by the first form that fits; `nameOf` gives the known name that a text stands for. */
export function understand(
  action: string,
  forms: readonly Form[],
  nameOf: (text: string) => string | undefined,
): Understood | undefined {
  for (const form of forms) {
    const filling = readForm(form.template, action, (value) => nameOf(value) !== undefined)
    if (filling === undefined) continue
    const thing = filling.t === undefined ? undefined : nameOf(filling.t)
    const place = filling.p === undefined ? undefined : nameOf(filling.p)
    return { form, intent: { verb: form.verb, ...(thing && { thing }), ...(place && { place }) } }
  }
  return undefined
}

/** The form behind an action that is known to have meant this; undefined where a name does not occur in it. */
export function formOf(action: string, { verb, thing, place }: Intent): Form | undefined {
  let template = action
  for (const [slot, name] of Object.entries({ t: thing, p: place })) {
    if (name === undefined) continue
    const at = findWhole(template, name)
    if (at === -1) return undefined
    template = `${template.slice(0, at)}{${slot}}${template.slice(at + name.length)}`
  }
  return template.includes('{') ? { verb, template } : undefined
}

/** What is known by name. */
export interface Known {
  readonly places: readonly string[]
  readonly things: readonly string[]
  nameOf(text: string): string | undefined
}

/**
 * Takes the wordings of a list of possible actions to heart: a refused form that is in the list is right after all, and
 * what fits no form is understood by the names and the words in it. Commands that make no sense that way are given back
 * as `strange`.
 */
export function learn(
  commands: readonly string[],
  forms: readonly Form[],
  lessons: Lessons,
  known: Known,
): { readonly lessons: Lessons; readonly strange: readonly string[] } {
  const learned = [...lessons.learned]
  const listed = new Set<string>()
  const strange: string[] = []
  for (const command of commands) {
    const meant = understand(command, [...learned, ...forms], (text) => known.nameOf(text))
    const form = meant?.form ?? unknownForm(command, known)
    if (form === undefined) {
      strange.push(command)
      continue
    }
    listed.add(form.template)
    if (meant === undefined) learned.push(form)
  }
  const refused = lessons.refused.filter((template) => !listed.has(template))
  return { lessons: { ...lessons, learned, refused }, strange }
}

function unknownForm(command: string, { places, things }: Known): Form | undefined {
  const place = longestIn(command, places)
  const thing = longestIn(place === undefined ? command : command.replace(place, ''), things)
  const form = formOf(command, { verb: 'look', ...(thing && { thing }), ...(place && { place }) })
  const verb = form && verbOf(literalWords(form.template), `${thing ? 't' : ''}${place ? 'p' : ''}`)
  return form && verb && { ...form, verb }
}

function longestIn(text: string, names: readonly string[]): string | undefined {
  let longest: string | undefined
  for (const name of names) {
    if (name.length > (longest?.length ?? 0) && findWhole(text, name) !== -1) longest = name
  }
  return longest
}
