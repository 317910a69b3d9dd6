import { createHash } from 'node:crypto'

/** A function call as chat completions writes it. */
export interface Call {
  readonly name: string
  /** JSON text, as it came. */
  readonly arguments: string
}

/** What a harness was told, and what the model had really said there. */
export interface Told<T> {
  readonly said: T
  readonly own: T
}

/** Where a conversation stands after a reply. */
export interface Place {
  readonly conversation: string
  /** From 1. */
  readonly turn: number
}

/** A place in the texts of a request: what is before it decides which reply stood there. */
export interface Before {
  /** Hash of everything before. */
  readonly all: string
  /** The end of the text just before, for a history whose oldest part a harness left out. */
  readonly near: string
  /** What is said there is a message of its own. */
  readonly isMessage?: true
}

/**
 * The replies that were changed on their way out, as a harness sends them back with the next request. Bounded: the
 * oldest are forgotten, and their actions are then translated again from the harness's wording.
 */
export interface Memory {
  keep(before: Before, told: Told<string | Call>, place: Place): void
  /** @returns what the model said where the harness has `said`; undefined where that is not known */
  recall<T extends string | Call>(before: Before, said: T): Told<T> | undefined
  /** Where the conversation stood in which this was said; each twin of equal conversations is given once. */
  placeOf(before: Before, said: string | Call): Place | undefined
  keepRefused(token: string, own: string): void
  refused(token: string): string | undefined
}

interface Entry {
  readonly told: Told<string | Call>
  readonly places: Place[]
  last: Place
}

/**
 * Stands in for an action in the old wording: one word that names nothing and that no shipped environment understands.
 */
export function refusalToken(own: string): string {
  return `unknown-wording-${createHash('sha256').update(own).digest('hex').slice(0, 12)}`
}

/** Finds what {@link refusalToken} makes. */
export const refusalTokens = /unknown-wording-[0-9a-f]{12}/g

const nearLength = 400
const maxTwins = 1000

/** @param maxCharacters of all that is kept */
export function createMemory(maxCharacters = 1 << 26): Memory {
  const entries = new Map<string, Entry>()
  const tokens = new Map<string, string>()
  let characters = 0
  const sizeOf = ({ told }: Entry): number => 200 + 2 * (lengthOf(told.said) + lengthOf(told.own))
  const put = (key: string, told: Told<string | Call>, place: Place): void => {
    const known = entries.get(key)
    const places = known === undefined ? [place] : [...known.places, place].slice(-maxTwins)
    if (known !== undefined) characters -= sizeOf(known)
    const entry = { told, places, last: place }
    entries.delete(key)
    entries.set(key, entry)
    characters += sizeOf(entry)
    for (const [old, { ...oldest }] of entries) {
      if (characters <= maxCharacters) break
      entries.delete(old)
      characters -= sizeOf(oldest)
    }
  }
  /**
   * From the strictest: after the whole conversation, after what stood just before, and for whole messages anywhere.
   */
  const keysOf = ({ all, near, isMessage }: Before, said: string | Call): readonly string[] => {
    const text = typeof said === 'string' ? said.trim() : `\u0000${said.name}\u0000${tidyArguments(said.arguments)}`
    const places = [all, `\u0000${near}`, ...(isMessage ? ['\u0000\u0000'] : [])]
    return places.map((place) => hash(`${String(isMessage)}\u0000${place}\u0000${text}`))
  }
  const find = (before: Before, said: string | Call): Entry | undefined => {
    const key = keysOf(before, said).find((one) => entries.has(one))
    return key === undefined ? undefined : entries.get(key)
  }
  return {
    keep(before, told, place) {
      for (const key of keysOf(before, told.said)) put(key, told, place)
    },
    recall: <T extends string | Call>(before: Before, said: T) => find(before, said)?.told as Told<T> | undefined,
    placeOf(before, said) {
      const entry = find(before, said)
      return entry && (entry.places.shift() ?? entry.last)
    },
    keepRefused(token, own) {
      tokens.delete(token)
      tokens.set(token, own)
      if (tokens.size > 100_000) tokens.delete(tokens.keys().next().value!)
    },
    refused: (token) => tokens.get(token),
  }
}

/** A growing text, of which is told what lies before a place. White space at its end does not count. */
export interface Trail {
  add(text: string): void
  before(): Before
  /** What lies before a place so much further on. */
  after(text: string): Before
}

/** Begins an empty text. */
export function createTrail(sum = createHash('sha256'), blanks = '', near = ''): Trail {
  const trail: Trail = {
    add(text) {
      near = (near + text).slice(-2 * nearLength)
      const end = text.trimEnd().length
      if (end > 0) sum.update(blanks + text.slice(0, end))
      blanks = end > 0 ? text.slice(end) : blanks + text
    },
    before: () => ({ all: sum.copy().digest('hex'), near: near.trimEnd().slice(-nearLength) }),
    after(text) {
      const further = createTrail(sum.copy(), blanks, near)
      further.add(text)
      return further.before()
    },
  }
  return trail
}

/** The model's own words where a harness has what it was told, in the harness's layout. */
export function resay<T extends string | Call>({ said, own }: Told<T>, here: T): T {
  if (typeof here === 'string') {
    const [lead = ''] = /^\s*/.exec(here) ?? []
    return (lead + (own as string) + here.slice(here.trimEnd().length)) as T
  }
  const call = own as Call
  const isAsSaid = here.arguments === (said as Call).arguments
  return { ...call, arguments: isAsSaid ? call.arguments : tidyArguments(call.arguments) } as T
}

/** Arguments as harnesses send them back: JSON without spaces, every value a text. */
function tidyArguments(text: string): string {
  const given = readArguments(text)
  if (given === undefined) return text
  const tidy = Object.entries(given).map(([key, one]) => [key, typeof one === 'string' ? one : JSON.stringify(one)])
  return JSON.stringify(Object.fromEntries(tidy))
}

/** The arguments of a call; undefined where they are not the JSON of an object. */
export function readArguments(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value = (text.trim() === '' ? {} : JSON.parse(text)) as unknown
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined
    return value as Record<string, unknown>
  } catch {
    return undefined
  }
}

function lengthOf(said: string | Call): number {
  return typeof said === 'string' ? said.length : said.name.length + said.arguments.length
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}
