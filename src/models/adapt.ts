import type { Message } from '../core/model.js'
import type { Failure } from './call-error.js'
import type { ServerTraits } from './traits.js'

type Trait = 'maxTokensField' | 'seed' | 'stop' | 'systemRole' | 'consecutiveRoles' | 'reasoning' | 'sendsReasoning'

/** What a refusal teaches, for a run and for the probe before it. */
export interface Adaptation {
  readonly trait: Trait
  readonly change: Partial<ServerTraits>
  /** What the server does, and what follows. */
  readonly sentence: string
}

/** A refused request. */
interface Refused {
  readonly messages: readonly Message[]
  readonly stop: readonly string[]
}

/**
 * A point in which servers differ, with how a refusal of it is told, in lower case.
 * @returns what is learned from the refusal; undefined where it is about something else
 */
type Point = (words: string, traits: ServerTraits, request: Refused) => Omit<Adaptation, 'trait'> | false

const refusal =
  /unsupported|not (?:supported|allowed|permitted|a valid)|does(?:n't| not) support|unrecognized|unknown|unexpected|extra (?:input|field)s?|invalid|use '?max_|too (?:many|long)|at most|up to|maximum/
const ofRoles = /alternat|consecutive|same role/
const ofSystem = /system (?:role|message|prompt)|role:? '?"?system|only user and assistant/
const ofReasoning = /reasoning_content|\bthinking\b.{0,40}passed back/

/** In the order in which a message is compared with them. */
const points: readonly (readonly [Trait, Point])[] = [
  [
    'consecutiveRoles',
    (words, { consecutiveRoles }, { messages }) =>
      ofRoles.test(words) &&
      consecutiveRoles === 'accepted' &&
      messages.some(({ role }, index) => role === messages[index + 1]?.role) && {
        change: { consecutiveRoles: 'merge' },
        sentence: 'refuses messages of one role in a row; they are merged',
      },
  ],
  [
    // A template with alternating roles mostly has no system role either, with the same error for both.
    'systemRole',
    (words, { systemRole }, { messages }) =>
      (ofRoles.test(words) || ofSystem.test(words)) &&
      systemRole === 'accepted' &&
      messages.some(({ role }) => role === 'system') && {
        change: { systemRole: 'fold' },
        sentence: 'refuses the system role; its text goes into the first user message',
      },
  ],
  [
    'sendsReasoning',
    (words, _, { messages }) =>
      ofReasoning.test(words) &&
      messages.some(({ toolCalls }) => toolCalls !== undefined) && {
        change: { reasoning: 'sent back' },
        sentence: 'requires the reasoning of function calls; it is sent',
      },
  ],
  [
    'maxTokensField',
    (words, { maxTokensField: field }) => {
      const other = field === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
      const isRefused = refusal.test(words) && new RegExp(`\\b${field}\\b`).test(words)
      const isAbout = words.includes(other) || !/maximum|at most|up to|too/.test(words)
      return (
        isRefused && isAbout && { change: { maxTokensField: other }, sentence: `takes ${other} instead of ${field}` }
      )
    },
  ],
  [
    'seed',
    (words, { seed }) =>
      refusal.test(words) &&
      seed === 'sent' &&
      /\bseed\b/.test(words) && { change: { seed: 'refused' }, sentence: 'refuses a seed; no more seeds are sent' },
  ],
  [
    'stop',
    (words, traits, { stop }) => {
      if (!refusal.test(words) || traits.stop === 0 || stop.length === 0 || !/\bstop\b/.test(words)) return false
      const most = /(?:maximum|max|at most|up to|no more than|<=)\D{0,20}(\d{1,3})/.exec(words)?.[1]
      const count = most === undefined ? 0 : Math.min(Number(most), traits.stop - 1)
      return {
        change: { stop: count },
        sentence: `takes ${String(count)} stop strings; the client enforces the others`,
      }
    },
  ],
]

const withoutStops: Adaptation = {
  trait: 'reasoning',
  change: { stop: 0 },
  sentence: 'reasons before it answers, and stop strings cut the reasoning off; only the client cuts replies',
}

/**
 * Keeps the traits of a server, one keeper for each model in a process, and changes each at most once.
 * @param learned called for every change, with what was learned
 */
export function keepTraits(
  initial: ServerTraits,
  learned: (traits: ServerTraits, adaptation: Adaptation, failure: Failure) => void,
) {
  let traits = initial
  const changed = new Set<Trait>()
  const read = (words: string, request: Refused): Adaptation | undefined => {
    const message = words.toLowerCase()
    for (const [trait, learn] of points) {
      const adaptation = !changed.has(trait) && learn(message, traits, request)
      if (adaptation) return { trait, ...adaptation }
    }
    return undefined
  }
  return {
    now: (): ServerTraits => traits,
    /**
     * Learns from a refusal of a request that was built for `used`.
     * @returns whether another attempt would differ
     */
    learn(used: ServerTraits, failure: Failure, request: Refused): boolean {
      const { outcome, isAboutRequest, cutReasoning } = failure
      if (outcome !== 'refused' && !isAboutRequest && !cutReasoning) return false
      if (used !== traits) return true
      const adaptation = cutReasoning ? withoutStops : read(failure.said ?? '', request)
      if (adaptation === undefined || changed.has(adaptation.trait)) return false
      changed.add(adaptation.trait)
      traits = { ...traits, ...adaptation.change }
      learned(traits, adaptation, failure)
      return true
    },
  }
}
