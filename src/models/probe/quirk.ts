import type { ServerTraits } from '../traits.js'
import type { FirstWords } from './first-words.js'
import { refuses } from './first-words.js'
import type { ModelList } from './identity.js'
import type { Failed, Session } from './session.js'
import { sayFailed } from './session.js'
import type { Heard, Words } from './speak.js'

/** What a quirk may look at and ask. */
export interface Probed {
  readonly model: string
  readonly list: ModelList
  readonly words: FirstWords
  readonly session: Session
  /** The value of a quirk that was looked at before this one. */
  readonly found: (name: string) => Found['value'] | undefined
  /** Asks the model to speak in the manner that was found. */
  speak(words?: Words): Promise<Heard>
}

/** What was found out about one quirk. */
export interface Found {
  /** A word of the quirk's own, or a number; `unknown` where nothing could be learned. */
  readonly value: string | number
  /** What it is concluded from, in a sentence without a full stop. */
  readonly evidence: string
  /** What follows for the client. */
  readonly traits?: Partial<ServerTraits>
}

/** One way in which servers differ. */
export interface Quirk {
  readonly name: string
  /** Nothing where it does not apply to this kind of server. */
  find(probed: Probed): Found | undefined | Promise<Found | undefined>
  /** What a value means for a run, in a sentence. */
  means(value: Found['value']): string
}

/** What a failed question says about a quirk: that it is refused, where a refusal names it, and otherwise nothing. */
export function fromFailure(
  heard: Failed,
  thing: RegExp,
  refused: Pick<Found, 'value' | 'traits'>,
  isPath = false,
): Found {
  return { ...(refuses(heard, thing, isPath) ? refused : { value: 'unknown' }), evidence: sayFailed(heard) }
}

/** What holds of a conversation and cannot be asked of plain text. */
export const noChat: Found = { value: 'no chat', evidence: 'there is no chat' }

/** Looks a value's sentence up. */
export function sentence(sentences: Readonly<Record<string, string>>, value: Found['value']): string {
  const word = String(value)
  return Object.hasOwn(sentences, word)
    ? sentences[word]!
    : word === 'unknown'
      ? 'It could not be told: the default is played.'
      : 'It does not apply.'
}
