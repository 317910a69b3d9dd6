import type { House } from './house.js'
import type { Prompt } from './prompt.js'
import { type Form, type FormHistory, findWhole, formsOf, say, wordings } from './wording.js'
import type { Intent } from './words.js'

/** How a housekeeper words what it means to do. */
export interface Speaker {
  forms(prompt: Prompt): readonly Form[]
  /** What it knows beforehand. */
  readonly formHistory: FormHistory
  /** The words for an intent; undefined where every wording of it was refused. */
  speak(intent: Intent, forms: readonly Form[], house: House): string | undefined
}

/**
 * Uses the wording of the prompt, never repeats a wording that was just refused, and asks for the possible actions when
 * it has no other.
 */
export const readingSpeaker: Speaker = {
  forms: formsOf,
  formHistory: { learned: [], accepted: [], refused: [] },
  speak(intent, forms, house) {
    const { refused, formHistory, asked, unexplained } = house
    const options = wordings(intent, forms, formHistory).filter(({ text }) => !refused.includes(text))
    const accepted = options.find(({ form }) => formHistory.accepted.includes(form.template))
    const notRefused = accepted ?? options.find(({ form }) => !formHistory.refused.includes(form.template))
    if (notRefused !== undefined) return notRefused.text
    const idle = intent.verb === 'look' || intent.verb === 'inventory'
    if (!asked && !idle) {
      const list = forms.find(({ verb, template }) => verb === 'list' && !refused.includes(template))
      if (list !== undefined) return list.template
    }
    return unexplained.find((text) => !refused.includes(text) && mentions(text, intent)) ?? options[0]?.text
  },
}

/**
 * As {@link readingSpeaker}, but before it acts on a thing it looks the action up in a list of possible actions, as in
 * a dictionary: it stops at the first command whose first word comes later in the alphabet, and takes what it did not
 * find for impossible.
 */
export const skimmingSpeaker: Speaker = {
  ...readingSpeaker,
  speak(intent, forms, house) {
    const wanted = readingSpeaker.speak(intent, forms, house)
    if (intent.thing === undefined || wanted === undefined) return wanted
    const { listed } = house
    if (listed === undefined) return forms.find(({ verb }) => verb === 'list')?.template
    const end = listed.findIndex((command) => firstWord(command) > firstWord(wanted))
    return listed.slice(0, end === -1 ? undefined : end).includes(wanted) ? wanted : undefined
  },
}

const firstWord = (command: string): string => command.split(' ', 1)[0]!

function mentions(text: string, { thing, place }: Intent): boolean {
  const names = [thing, place].filter((name) => name !== undefined)
  return names.length > 0 && names.every((name) => findWhole(text, name) !== -1)
}

/** Uses one of ALFWorld's two wordings, and its spelling of items, whatever the prompt says. */
export function memorisedSpeaker(generation: 'old' | 'new'): Speaker {
  const known: readonly Form[] = [
    { verb: 'go', template: 'go to {p}' },
    { verb: 'open', template: 'open {p}' },
    { verb: 'close', template: 'close {p}' },
    { verb: 'take', template: 'take {t} from {p}' },
    { verb: 'put', template: generation === 'old' ? 'put {t} in/on {p}' : 'move {t} to {p}' },
    { verb: 'clean', template: 'clean {t} with {p}' },
    { verb: 'heat', template: 'heat {t} with {p}' },
    { verb: 'cool', template: 'cool {t} with {p}' },
    { verb: 'use', template: 'use {t}' },
    { verb: 'examine', template: 'examine {p}' },
    { verb: 'look', template: 'look' },
    { verb: 'inventory', template: 'inventory' },
  ]
  return {
    forms: () => known,
    formHistory: { learned: [], accepted: known.map(({ template }) => template), refused: [] },
    speak({ verb, thing = '', place = '' }, forms, house) {
      const form = forms.find((known) => known.verb === verb)
      const text = form && say(form.template, { verb, thing: spell(thing), place: spell(place) })
      return text !== undefined && house.refused.includes(text) ? undefined : text
    },
  }
}

/** A name in the memorised spelling: a class, a blank, a number. */
function spell(name: string): string {
  const parts = /^(.*?)[^a-z0-9]*(\d+)$/i.exec(name)
  return parts === null ? name : `${parts[1]!} ${parts[2]!}`
}
