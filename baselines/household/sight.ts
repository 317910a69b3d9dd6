import { isRefusal, listedCommands } from './prompt.js'
import { type Verb, verbOf } from './words.js'

/** The content of a household observation, in the names that it uses. */
export interface Sight {
  readonly refused: boolean
  /** Places that are mentioned, with their state where it is stated. */
  readonly places: readonly Readonly<SeenPlace>[]
  /** Everything seen in an overview of the room. */
  readonly room: readonly string[]
  /** What was done: `You pick up the apple 1 from the desk 1.` */
  readonly done?: { readonly verb: Verb; readonly thing?: string; readonly place?: string }
  /** What is carried: undefined where it is not stated, `nothing` as an empty string. */
  readonly carrying?: string
  /** Commands that are listed as possible. */
  readonly commands: readonly string[]
  /** Sentences of no known kind. */
  readonly unread: readonly string[]
}

/** The item names in a household observation. */
export function namesIn(observation: string): readonly string[] {
  const { places, room, done } = readSight(observation)
  const things = places.flatMap(({ name, holds }) => [name, ...(holds ?? [])])
  return [...room, ...things, done?.thing ?? [], done?.place ?? []].flat()
}

interface SeenPlace {
  readonly name: string
  shut?: boolean
  holds?: readonly string[]
}
type Draft = { -readonly [Key in keyof Omit<Sight, 'places' | 'unread'>]: Sight[Key] } & {
  readonly places: SeenPlace[]
  readonly unread: string[]
}

/**
 * Reads an observation sentence by sentence. Sentences of another kind stay unread.
 * @param maxThings how many things at a place are read, the first of their list
 */
export function readSight(observation: string, maxThings?: number): Sight {
  const commands = listedCommands(observation)
  const sight: Draft = { refused: isRefusal(observation), places: [], room: [], commands, unread: [] }
  if (sight.refused || commands.length > 0) return sight
  for (const sentence of observation.split(/\.(?:\s+(?=[A-Z])|\s*$)/).map((text) => text.trim())) {
    if (sentence !== '' && !readSentence(sentence, sight, maxThings)) sight.unread.push(sentence)
  }
  return sight
}

/** @returns whether the sentence is of a known kind */
function readSentence(sentence: string, sight: Draft, maxThings?: number): boolean {
  const place = (name: string): SeenPlace => {
    const known = sight.places.find((seenPlace) => seenPlace.name === name)
    if (known !== undefined) return known
    const added = { name }
    sight.places.push(added)
    return added
  }
  const seen = sentence.indexOf('you see ')
  if (seen !== -1) {
    const things = readList(sentence.slice(seen + 8))
    const where = /^(?:On|In) the (.+), $/.exec(sentence.slice(0, seen))?.[1]
    const last = sight.places.at(-1)
    const read = things.slice(0, maxThings)
    if (where !== undefined) place(where).holds = read
    else if (/^(?:In|On) it, $/.test(sentence.slice(0, seen)) && last !== undefined) last.holds = read
    else if (!sentence.startsWith('Next to it')) sight.room = things
    return true
  }
  if (sentence.startsWith('You arrive at ')) {
    place(sentence.slice(14).replace(/^the /, ''))
  } else if (sentence.startsWith('You are carrying: ')) {
    sight.carrying = readList(sentence.slice(18))[0] ?? ''
  } else if (sentence.startsWith('You are not carrying')) {
    sight.carrying = ''
  } else if (sentence.startsWith('The ')) {
    const state = /^The (.+) is (open|closed)$/.exec(sentence)
    if (state === null) return false
    place(state[1]!).shut = state[2] === 'closed'
  } else {
    const done = sentence.startsWith('You ') ? readDone(sentence) : undefined
    if (done === undefined) return false
    sight.done = done
    if (done.verb === 'open' || done.verb === 'close') place(done.place!).shut = done.verb === 'close'
  }
  return true
}

/** `You put the apple 1 in/on the fridge 1`: a verb, a thing after the first `the`, a place after the second. */
function readDone(sentence: string): Sight['done'] {
  const [clause = '', first, ...rest] = sentence.split(' the ')
  if (first === undefined || rest.length > 1) return undefined
  const [second] = rest
  if (second === undefined) {
    const verb = verbOf(clause.slice(4), '?')
    if (verb === undefined) return undefined
    return verb === 'use' ? { verb, thing: first } : { verb, place: first }
  }
  const verb = verbOf(clause.slice(4), 'tp')
  return verb && { verb, thing: first.slice(0, first.lastIndexOf(' ')), place: second }
}

/** `a mug 2, a mug 1, and a pen 1`, or `nothing`. */
function readList(text: string): readonly string[] {
  if (text === 'nothing') return []
  return text.split(/,? and (?=an? )|, (?=an? )/).map((item) => item.replace(/^an? /, '').trim())
}
