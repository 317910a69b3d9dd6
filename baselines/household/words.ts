import { parseTemplate } from 'shaketable'
import { isInflected, wordsIn } from '../_words.js'

/** The kinds of action that a housekeeper knows. */
export type Verb =
  | 'go'
  | 'open'
  | 'close'
  | 'take'
  | 'put'
  | 'clean'
  | 'heat'
  | 'cool'
  | 'use'
  | 'slice'
  | 'examine'
  | 'inventory'
  | 'look'
  | 'list'

/** Something to be done: with a thing, at a place. */
export interface Intent {
  readonly verb: Verb
  readonly thing?: string
  readonly place?: string
}

interface Sense {
  readonly verb: Verb
  /** `t` for a thing, `p` for a place: what the action is about. */
  readonly about: '' | 't' | 'p' | 'tp'
  readonly words: readonly string[]
}

/** What people call these actions: enough of a thesaurus to recognise an action that is worded in another way. */
const senses: readonly Sense[] = [
  {
    verb: 'go',
    about: 'p',
    words: [
      'go',
      'goes',
      'goto',
      'move',
      'walk',
      'travel',
      'head',
      'visit',
      'approach',
      'navigate',
      'proceed',
      'step',
      'run',
    ],
  },
  { verb: 'open', about: 'p', words: ['open', 'unlatch'] },
  { verb: 'close', about: 'p', words: ['close', 'shut'] },
  {
    verb: 'take',
    about: 'tp',
    words: ['take', 'pick', 'grab', 'get', 'fetch', 'collect', 'lift', 'remove', 'retrieve', 'obtain'],
  },
  {
    verb: 'put',
    about: 'tp',
    words: ['put', 'place', 'lay', 'drop', 'set', 'move', 'leave', 'deposit', 'store', 'insert', 'stow', 'release'],
  },
  { verb: 'clean', about: 'tp', words: ['clean', 'wash', 'rinse', 'scrub'] },
  { verb: 'heat', about: 'tp', words: ['heat', 'warm', 'hot', 'cook'] },
  { verb: 'cool', about: 'tp', words: ['cool', 'chill', 'cold', 'refrigerate'] },
  { verb: 'slice', about: 'tp', words: ['slice', 'cut', 'chop', 'carve'] },
  { verb: 'use', about: 't', words: ['use', 'toggle', 'turn', 'switch', 'activate', 'operate'] },
  { verb: 'examine', about: 'p', words: ['examine', 'inspect', 'look', 'check', 'study'] },
  { verb: 'inventory', about: '', words: ['inventory', 'carry', 'hold'] },
  { verb: 'list', about: '', words: ['valid', 'actions', 'possible', 'commands', 'available'] },
  { verb: 'look', about: '', words: ['look', 'observe', 'around', 'saw', 'see'] },
]

/**
 * The verb that a phrase speaks of first. Verbs that are about as much as `about` says come first; an action with one
 * slot may also be a short form of one with two (`pick up {obj}`).
 */
export function verbOf(phrase: string, about: string): Verb | undefined {
  const words = wordsIn(phrase)
  for (const wanted of about.length === 1 ? [about, 't', 'p', 'tp'] : [about]) {
    for (const word of words) {
      const sense = senses.find((one) => one.about === wanted && one.words.some((known) => isInflected(word, known)))
      if (sense !== undefined) return sense.verb
    }
  }
  return undefined
}

/** A form with its slots called `t` and `p`, and what it is about; undefined for one that is about more. */
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
