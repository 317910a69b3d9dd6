import type { Message } from '../core/model.js'
import type { Failure } from './call-error.js'
import type { ServerTraits } from './traits.js'

type Trait = 'maxTokensField' | 'seed' | 'stop' | 'systemRole' | 'consecutiveRoles' | 'reasoning' | 'sendsReasoning'

/** What a refusal teaches, for a run and for the probe before it. */
export interface Lesson {
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

/** A point in which servers differ: how a refusal of it is told, and what is learned from it. */
interface Point {
  readonly trait: Trait
  /** @param said the message of the refusal, in lower case */
  isRefused(said: string, traits: ServerTraits, request: Refused): boolean
  learn(said: string, traits: ServerTraits): Omit<Lesson, 'trait'>
}

const refusal =
  /unsupported|not (?:supported|allowed|permitted|a valid)|does(?:n't| not) support|unrecognized|unknown|unexpected|extra (?:input|field)s?|invalid|use '?max_|too (?:many|long)|at most|up to|maximum/
const ofRoles = /alternat|consecutive|same role/
const ofSystem = /system (?:role|message|prompt)|role:? '?"?system|only user and assistant/

function otherField({ maxTokensField }: ServerTraits): ServerTraits['maxTokensField'] {
  return maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
}

/** What is learned from refusals, in the order in which a message is compared with it. */
const points: readonly Point[] = [
  {
    trait: 'consecutiveRoles',
    isRefused: (said, { consecutiveRoles }, { messages }) =>
      ofRoles.test(said) &&
      consecutiveRoles === 'accepted' &&
      messages.some(({ role }, index) => role === messages[index + 1]?.role),
    learn: () => ({
      change: { consecutiveRoles: 'merge' },
      sentence: 'refuses messages of one role in a row; they are merged',
    }),
  },
  {
    // A template with alternating roles mostly has no system role either, with the same error for both.
    trait: 'systemRole',
    isRefused: (said, { systemRole }, { messages }) =>
      (ofRoles.test(said) || ofSystem.test(said)) &&
      systemRole === 'accepted' &&
      messages.some(({ role }) => role === 'system'),
    learn: () => ({
      change: { systemRole: 'fold' },
      sentence: 'refuses the system role; its text goes into the first user message',
    }),
  },
  {
    trait: 'sendsReasoning',
    isRefused: (said, _, { messages }) =>
      /reasoning_content|\bthinking\b.{0,40}passed back/.test(said) &&
      messages.some(({ toolCalls }) => toolCalls !== undefined),
    learn: () => ({
      change: { reasoning: 'sent back' },
      sentence: 'requires the reasoning of function calls; it is sent',
    }),
  },
  {
    trait: 'maxTokensField',
    isRefused: (said, traits) =>
      refusal.test(said) &&
      new RegExp(`\\b${traits.maxTokensField}\\b`).test(said) &&
      (said.includes(otherField(traits)) || !/maximum|at most|up to|too/.test(said)),
    learn: (_, traits) => ({
      change: { maxTokensField: otherField(traits) },
      sentence: `takes ${otherField(traits)} instead of ${traits.maxTokensField}`,
    }),
  },
  {
    trait: 'seed',
    isRefused: (said, { seed }) => refusal.test(said) && seed === 'sent' && /\bseed\b/.test(said),
    learn: () => ({ change: { seed: 'refused' }, sentence: 'refuses a seed; no more seeds are sent' }),
  },
  {
    trait: 'stop',
    isRefused: (said, traits, { stop }) =>
      refusal.test(said) && traits.stop > 0 && stop.length > 0 && /\bstop\b/.test(said),
    learn: (said, traits) => {
      const most = /(?:maximum|max|at most|up to|no more than|<=)\D{0,20}(\d{1,3})/.exec(said)?.[1]
      const stop = most === undefined ? 0 : Math.min(Number(most), traits.stop - 1)
      return { change: { stop }, sentence: `takes ${String(stop)} stop strings; the client enforces the others` }
    },
  },
]

const withoutStops: Lesson = {
  trait: 'reasoning',
  change: { stop: 0 },
  sentence: 'reasons before it answers, and stop strings cut the reasoning off; only the client cuts replies',
}

/** The current traits of a server; one for each model in a process. */
interface TraitsKeeper {
  now(): ServerTraits
  /**
   * Learns from a refusal of a request that was built for `used`.
   * @returns whether another attempt would differ
   */
  learn(used: ServerTraits, failure: Failure, request: Refused): boolean
}

/** Keeps traits and changes each at most once; `learned` is called for every change, with what was learned. */
export function keepTraits(
  initial: ServerTraits,
  learned: (traits: ServerTraits, lesson: Lesson, failure: Failure) => void = () => undefined,
): TraitsKeeper {
  let traits = initial
  const changed = new Set<Trait>()
  const read = (words: string, request: Refused): Lesson | undefined => {
    const said = words.toLowerCase()
    const point = points.find(({ trait, isRefused }) => !changed.has(trait) && isRefused(said, traits, request))
    return point && { trait: point.trait, ...point.learn(said, traits) }
  }
  return {
    now: () => traits,
    learn(used, failure, request) {
      const { outcome, isAboutRequest, cutReasoning } = failure
      if (outcome !== 'refused' && !isAboutRequest && !cutReasoning) return false
      if (used !== traits) return true
      const lesson = cutReasoning ? withoutStops : read(failure.said ?? '', request)
      if (lesson === undefined || changed.has(lesson.trait)) return false
      changed.add(lesson.trait)
      traits = { ...traits, ...lesson.change }
      learned(traits, lesson, failure)
      return true
    },
  }
}
