import { createHash } from 'node:crypto'
import { type Call, readArguments } from './wire.js'

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

/** Where a reply stands. */
export interface Before {
  /** Hash of all text before it. */
  readonly all: string
  /** The reply is a message of its own, which is also found where the texts before it are others. */
  readonly isMessage?: true
}

/** See {@link createMemory}. */
export type Memory = ReturnType<typeof createMemory>

interface Entry {
  readonly replacement: Replacement<string | Call>
  readonly places: Place[]
  readonly last: Place
}

/** Replaces an action in the old wording: one word that no shipped environment understands. */
export function refusalToken(own: string): string {
  return `unknown-wording-${hash(own, 'hex').slice(0, 12)}`
}

/** Matches the results of {@link refusalToken}; a text is split by it into others and them. */
export const refusalTokens = /(unknown-wording-[0-9a-f]{12})/

const maxTwins = 1000

/** Entries by key, of which the oldest are dropped where they have more characters than the maximum. */
function createBounded<T>(maxCharacters: number, lengthOf: (entry: T) => number) {
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

/**
 * The translated replies, which a harness sends back with the next request. Bounded: the oldest are dropped, and their
 * actions are then translated again from the harness's wording.
 * @param maxCharacters the maximum number of characters kept
 */
export function createMemory(maxCharacters = 1 << 26) {
  const lengthOf = (sent: string | Call): number =>
    typeof sent === 'string' ? sent.length : sent.name.length + sent.arguments.length
  const entries = createBounded<Entry>(
    maxCharacters,
    ({ replacement: { sent, own } }) => lengthOf(sent) + lengthOf(own),
  )
  const tokens = createBounded<string>(maxCharacters, (own) => own.length)
  /** Keys from the strictest: the whole text before, and anywhere for whole messages. */
  const keysOf = ({ all, isMessage }: Before, sent: string | Call): readonly string[] => {
    const text = typeof sent === 'string' ? sent.trim() : `\u0000${sent.name}\u0000${tidyArguments(sent.arguments)}`
    return [all, ...(isMessage ? [''] : [])].map((place) => hash(`${String(isMessage)}\u0000${place}\u0000${text}`))
  }
  const find = (before: Before, sent: string | Call): Entry | undefined =>
    keysOf(before, sent)
      .map((key) => entries.get(key))
      .find((entry) => entry !== undefined)
  return {
    keep(before: Before, replacement: Replacement<string | Call>, place: Place): void {
      for (const key of keysOf(before, replacement.sent)) {
        const places = [...(entries.get(key)?.places ?? []), place].slice(-maxTwins)
        entries.set(key, { replacement, places, last: place })
      }
    },
    /** @returns the model's own words for what was sent, in the harness's layout; undefined if none are known */
    recall<T extends string | Call>(before: Before, here: T): T | undefined {
      const { sent, own } = find(before, here)?.replacement ?? {}
      if (own === undefined) return undefined
      if (typeof here === 'string') {
        return ((/^\s*/.exec(here)?.[0] ?? '') + (own as string) + here.slice(here.trimEnd().length)) as T
      }
      const call = own as Call
      const isAsSent = here.arguments === (sent as Call).arguments
      return { ...call, arguments: isAsSent ? call.arguments : tidyArguments(call.arguments) } as T
    },
    /** The conversation and turn of a reply; equal conversations are returned once each. */
    placeOf(before: Before, sent: string | Call): Place | undefined {
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
export function createTrail(sum = createHash('sha256'), blanks = ''): Trail {
  const trail: Trail = {
    add(text) {
      const end = text.trimEnd().length
      if (end > 0) sum.update(blanks + text.slice(0, end))
      blanks = end > 0 ? text.slice(end) : blanks + text
    },
    before: () => ({ all: sum.copy().digest('hex') }),
    after(text) {
      const extended = createTrail(sum.copy(), blanks)
      extended.add(text)
      return extended.before()
    },
  }
  return trail
}

/** Arguments as harnesses send them back: JSON without spaces, every value a text. */
function tidyArguments(text: string): string {
  const args = readArguments(text)
  if (args === undefined) return text
  const tidy = Object.entries(args).map(([key, value]) => [
    key,
    typeof value === 'string' ? value : JSON.stringify(value),
  ])
  return JSON.stringify(Object.fromEntries(tidy))
}

function hash(text: string, form: 'hex' | 'base64' = 'base64'): string {
  return createHash('sha256').update(text).digest(form)
}

/** The place of a reply that is a message of its own. */
export function whole(before: Before): Before {
  return { ...before, isMessage: true }
}
