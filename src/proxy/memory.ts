import { createHash } from 'node:crypto'
import type { Call } from './wire.js'
import { readArguments } from './wire.js'

/** What was sent to the harness, and the model's own words there. */
interface Replacement<T> {
  readonly sent: T
  readonly own: T
}

/** The conversation and the turn of a reply. */
export interface Place {
  readonly conversation: string
  /** From 1. */
  readonly turn: number
}

/** A place in the texts of a request: the text before it identifies the reply there. */
export interface Before {
  /** Hash of everything before. */
  readonly all: string
  /** The end of the text just before, for a history without its oldest part. */
  readonly near: string
  /** The reply is a separate message. */
  readonly isMessage?: true
}

/**
 * The translated replies, which a harness sends back with the next request. Bounded: the oldest are dropped, and their
 * actions are then translated again from the harness's wording.
 */
export interface Memory {
  keep(before: Before, replacement: Replacement<string | Call>, place: Place): void
  /** @returns the replacement that was sent as `sent`; undefined if none is known */
  recall<T extends string | Call>(before: Before, sent: T): Replacement<T> | undefined
  /** The conversation and turn of a reply; equal conversations are returned once each. */
  placeOf(before: Before, sent: string | Call): Place | undefined
  keepRefused(token: string, own: string): void
  refused(token: string): string | undefined
}

interface Entry {
  readonly replacement: Replacement<string | Call>
  readonly places: Place[]
  readonly last: Place
}

/** Replaces an action in the old wording: one word that no shipped environment understands. */
export function refusalToken(own: string): string {
  return `unknown-wording-${createHash('sha256').update(own).digest('hex').slice(0, 12)}`
}

/** Matches the results of {@link refusalToken}. */
export const refusalTokens = /unknown-wording-[0-9a-f]{12}/g

const nearLength = 400
const maxTwins = 1000

/** Entries by key, of which the oldest are dropped where they have more characters than the maximum. */
export function createBounded<T>(maxCharacters: number, lengthOf: (entry: T) => number) {
  const entries = new Map<string, T>()
  let characters = 0
  const sizeOf = (entry: T): number => 200 + 2 * lengthOf(entry)
  const remove = (key: string): void => {
    const known = entries.get(key)
    if (known !== undefined) characters -= sizeOf(known)
    entries.delete(key)
  }
  return {
    get: (key: string): T | undefined => entries.get(key),
    set(key: string, entry: T): void {
      remove(key)
      entries.set(key, entry)
      characters += sizeOf(entry)
      for (const oldest of entries.keys()) {
        if (characters <= maxCharacters) break
        remove(oldest)
      }
    },
  }
}

/** @param maxCharacters the maximum number of characters kept */
export function createMemory(maxCharacters = 1 << 26): Memory {
  const entries = createBounded<Entry>(
    maxCharacters,
    ({ replacement }) => lengthOf(replacement.sent) + lengthOf(replacement.own),
  )
  const tokens = createBounded<string>(maxCharacters, (own) => own.length)
  /** Keys from the strictest: the whole conversation before, the text just before, and anywhere for whole messages. */
  const keysOf = ({ all, near, isMessage }: Before, sent: string | Call): readonly string[] => {
    const text = typeof sent === 'string' ? sent.trim() : `\u0000${sent.name}\u0000${tidyArguments(sent.arguments)}`
    const places = [all, `\u0000${near}`, ...(isMessage ? ['\u0000\u0000'] : [])]
    return places.map((place) => hash(`${String(isMessage)}\u0000${place}\u0000${text}`))
  }
  const find = (before: Before, sent: string | Call): Entry | undefined => {
    for (const key of keysOf(before, sent)) {
      const entry = entries.get(key)
      if (entry !== undefined) return entry
    }
    return undefined
  }
  return {
    keep(before, replacement, place) {
      for (const key of keysOf(before, replacement.sent)) {
        const places = [...(entries.get(key)?.places ?? []), place].slice(-maxTwins)
        entries.set(key, { replacement, places, last: place })
      }
    },
    recall: <T extends string | Call>(before: Before, sent: T) =>
      find(before, sent)?.replacement as Replacement<T> | undefined,
    placeOf(before, sent) {
      const entry = find(before, sent)
      return entry && (entry.places.shift() ?? entry.last)
    },
    keepRefused: tokens.set,
    refused: tokens.get,
  }
}

/** A growing text that identifies the place at its end. White space at its end is ignored. */
export interface Trail {
  add(text: string): void
  before(): Before
  /** The place after a further text. */
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
      const extended = createTrail(sum.copy(), blanks, near)
      extended.add(text)
      return extended.before()
    },
  }
  return trail
}

/** The model's own words, in the harness's layout of the replaced text. */
export function restore<T extends string | Call>({ sent, own }: Replacement<T>, here: T): T {
  if (typeof here === 'string') {
    const [lead = ''] = /^\s*/.exec(here) ?? []
    return (lead + (own as string) + here.slice(here.trimEnd().length)) as T
  }
  const call = own as Call
  const isAsSent = here.arguments === (sent as Call).arguments
  return { ...call, arguments: isAsSent ? call.arguments : tidyArguments(call.arguments) } as T
}

/** Arguments as harnesses send them back: JSON without spaces, every value a text. */
function tidyArguments(text: string): string {
  const given = readArguments(text)
  if (given === undefined) return text
  const tidy = Object.entries(given).map(([key, one]) => [key, typeof one === 'string' ? one : JSON.stringify(one)])
  return JSON.stringify(Object.fromEntries(tidy))
}

function lengthOf(sent: string | Call): number {
  return typeof sent === 'string' ? sent.length : sent.name.length + sent.arguments.length
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** The place of a reply that is a message of its own. */
export function whole(before: Before): Before {
  return { ...before, isMessage: true }
}
