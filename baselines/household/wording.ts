import { printForm, readForm } from '../../src/define.js'
import type { Prompt } from './prompt.js'
import { type Sight, readSight } from './sight.js'
import { type Intent, type Verb, literalWords, readSlots, verbOf } from './words.js'

/** An action form whose meaning is known, with the slots `{t}` for a thing and `{p}` for a place. */
export interface Form {
  readonly verb: Verb
  readonly template: string
}

/** What the history has taught about wordings, by template. */
export interface FormHistory {
  readonly learned: readonly Form[]
  readonly accepted: readonly string[]
  /** Refused, and never accepted. */
  readonly refused: readonly string[]
}

/** An action that was recognised: its form and its meaning. */
export interface Understood {
  readonly form: Form
  readonly intent: Intent
}

/** Adds a wording that was understood. */
export function accept(formHistory: FormHistory, template: string): FormHistory {
  if (formHistory.accepted.includes(template)) return formHistory
  const refused = formHistory.refused.filter((refusedTemplate) => refusedTemplate !== template)
  return { ...formHistory, accepted: [...formHistory.accepted, template], refused }
}

/** Adds a wording that was refused. */
export function refuse(formHistory: FormHistory, template: string): FormHistory {
  if (formHistory.refused.includes(template)) return formHistory
  return { ...formHistory, refused: [...formHistory.refused, template] }
}

/** The index of a name in a text where it ends there too: `drawer 1` is not in `drawer 10`. -1 where there is none. */
export function findWhole(text: string, name: string): number {
  const at = text.indexOf(name)
  return at === -1 || /^[a-z0-9]/i.test(text.slice(at + name.length, at + name.length + 1)) ? -1 : at
}

/** Words for an intent in every form that is known for it. */
export function wordings(intent: Intent, forms: readonly Form[], { learned }: FormHistory) {
  const fits = ({ verb, template }: Form): boolean =>
    verb === intent.verb && (intent.thing !== undefined || !template.includes('{t}'))
  return [...learned, ...forms].filter(fits).map((form) => ({ form, text: say(form.template, intent) }))
}

/** An intent in one form. */
export function say(template: string, { thing = '', place = '' }: Intent): string {
  return printForm(template, { t: thing, p: place })
}

/** The meaning of an action by the first form that matches; `nameOf` gives the known name that a text stands for. */
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

/** The form of an action whose intent is known; undefined where a name of the intent does not occur in the action. */
function formOf(action: string, { verb, thing, place }: Intent): Form | undefined {
  let template = action
  for (const [slot, name] of Object.entries({ t: thing, p: place })) {
    if (name === undefined) continue
    const at = findWhole(template, name)
    if (at === -1) return undefined
    template = `${template.slice(0, at)}{${slot}}${template.slice(at + name.length)}`
  }
  return template.includes('{') ? { verb, template } : undefined
}

/** The form of an action as its observation shows it; undefined where the observation does not show it. */
export function formByOutcome(action: string, { done, places, refused }: Sight): Form | undefined {
  if (refused) return undefined
  if (done !== undefined) return formOf(action, done)
  const place = places[0]?.name
  if (place === undefined) return undefined
  const form = formOf(action, { verb: 'go', place })
  return form && verbOf(literalWords(form.template), '?') === 'examine' ? { ...form, verb: 'examine' } : form
}

/**
 * The wordings that a prompt shows, the most reliable first: those of the worked examples (recognised by their
 * observations), then those of the instruction (recognised by their explanation, or by their own words), then the
 * helping commands.
 */
export function formsOf(prompt: Prompt): readonly Form[] {
  const shown = prompt.examples.flatMap(
    ({ action, observation }) => formByOutcome(action, readSight(observation)) ?? [],
  )
  const helping = prompt.help.map((template) => ({ template, meaning: '' }))
  const advertised = [...prompt.forms, ...helping].flatMap(({ template, meaning }): Form[] => {
    const slots = readSlots(template)
    if (slots === undefined) return []
    const example = shown.find((form) => form.template === slots.template)
    const verb = example?.verb ?? verbOf(meaning, slots.about) ?? verbOf(literalWords(template), slots.about)
    // A slot of unknown kind takes what its verb is about.
    return verb === undefined ? [] : [{ verb, template: slots.template.replace('{x}', verb === 'use' ? '{t}' : '{p}') }]
  })
  return [...new Map([...shown, ...advertised].map((form) => [`${form.verb} ${form.template}`, form])).values()]
}

/** The names that an action can mention. */
interface KnownNames {
  readonly places: readonly string[]
  readonly things: readonly string[]
  nameOf(text: string): string | undefined
}

/**
 * Learns the wordings of a list of possible actions: a form in the list counts as not refused, and a command of unknown
 * form is recognised by the names and words in it. Commands that cannot be recognised are returned as `unexplained`.
 */
export function learn(
  commands: readonly string[],
  forms: readonly Form[],
  formHistory: FormHistory,
  known: KnownNames,
): { readonly formHistory: FormHistory; readonly unexplained: readonly string[] } {
  const learned = [...formHistory.learned]
  const listed = new Set<string>()
  const unexplained: string[] = []
  for (const command of commands) {
    const meant = understand(command, [...learned, ...forms], known.nameOf)
    const form = meant?.form ?? unknownForm(command, known)
    if (form === undefined) {
      unexplained.push(command)
      continue
    }
    listed.add(form.template)
    if (meant === undefined) learned.push(form)
  }
  const refused = formHistory.refused.filter((template) => !listed.has(template))
  return { formHistory: { ...formHistory, learned, refused }, unexplained }
}

function unknownForm(command: string, { places, things }: KnownNames): Form | undefined {
  const place = longestIn(command, places)
  const thing = longestIn(place === undefined ? command : command.replace(place, ''), things)
  const form = formOf(command, { verb: 'look', ...(thing && { thing }), ...(place && { place }) })
  const verb = form && verbOf(literalWords(form.template), `${thing ? 't' : ''}${place ? 'p' : ''}`)
  return form && verb && { ...form, verb }
}

function longestIn(text: string, names: readonly string[]): string | undefined {
  return names
    .filter((name) => name !== '' && findWhole(text, name) !== -1)
    .reduce<string | undefined>((longest = '', name) => (name.length > longest.length ? name : longest), undefined)
}
