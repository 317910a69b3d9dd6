import type { Attempt, Message, Model } from '../core/model.js'
import type { Failure } from './endpoint-error.js'
import { EndpointError } from './endpoint-error.js'
import type { ServerTraits } from './traits.js'

/** The current traits of a server; one for each model in a process. */
interface TraitsKeeper {
  now(): ServerTraits
  /**
   * Learns from a refusal of a request that was built for `used`.
   * @returns whether another attempt would differ
   */
  learn(used: ServerTraits, failure: Failure, request: Refused): boolean
}

/** The refused request. */
export interface Refused {
  readonly messages: readonly Message[]
  readonly stop: readonly string[]
}

type Trait = 'maxTokensField' | 'seed' | 'stop' | 'systemRole' | 'consecutiveRoles' | 'reasoning' | 'sendsReasoning'

/** Keeps traits and changes each at most once; `learned` is called for every change, with what was learned. */
export function keepTraits(
  initial: ServerTraits,
  learned: (traits: ServerTraits, lesson: Lesson, failure: Failure) => void = () => undefined,
): TraitsKeeper {
  let traits = initial
  const changed = new Set<Trait>()
  return {
    now: () => traits,
    learn(used, failure, request) {
      if (used !== traits) return true
      const lesson = failure.cutReasoning ? withoutStops : readRefusal(failure.said ?? '', traits, request)
      if (lesson === undefined || changed.has(lesson.trait)) return false
      changed.add(lesson.trait)
      traits = { ...traits, ...lesson.change }
      learned(traits, lesson, failure)
      return true
    },
  }
}

/** A model that changes a refused request and sends it again, once for each thing that a server may refuse. */
export function withAdaptation(model: Model, keeper: TraitsKeeper): Model {
  return {
    ...model,
    async complete(messages, sampling) {
      const before: Attempt[] = []
      for (;;) {
        const used = keeper.now()
        try {
          const completion = await model.complete(messages, sampling)
          return before.length === 0
            ? completion
            : { ...completion, attempts: [...before, ...(completion.attempts ?? [])] }
        } catch (thrown) {
          if (!(thrown instanceof EndpointError)) throw thrown
          before.push(...thrown.attempts)
          const { stop } = sampling
          if (!isTelling(thrown.failure) || !keeper.learn(used, thrown.failure, { messages, stop }))
            throw thrown.after(before)
        }
      }
    },
  }
}

function isTelling({ outcome, isAboutRequest, cutReasoning }: Failure): boolean {
  return outcome === 'refused' || cutReasoning === true || isAboutRequest === true
}

/** What a refusal teaches. */
export interface Lesson {
  readonly trait: Trait
  readonly change: Partial<ServerTraits>
  readonly sentence: string
}

const withoutStops: Lesson = {
  trait: 'reasoning',
  change: { stop: 0 },
  sentence: 'reasons before it answers, and stop strings cut the reasoning off; only the client cuts replies',
}

const withReasoning: Lesson = {
  trait: 'sendsReasoning',
  change: { reasoning: 'sent back' },
  sentence: 'requires the reasoning of function calls; it is sent',
}

const refusal =
  /unsupported|not (?:supported|allowed|permitted|a valid)|does(?:n't| not) support|unrecognized|unknown|unexpected|extra (?:input|field)s?|invalid|use '?max_|too (?:many|long)|at most|up to|maximum/

function readRefusal(words: string, traits: ServerTraits, { stop, messages }: Refused): Lesson | undefined {
  const said = words.toLowerCase()
  if (
    /alternat|consecutive|same role/.test(said) ||
    /system (?:role|message|prompt)|role:? '?"?system|only user and assistant/.test(said)
  ) {
    return readRoles(said, traits, messages)
  }
  if (/reasoning_content|\bthinking\b.{0,40}passed back/.test(said)) {
    return messages.some(({ toolCalls }) => toolCalls !== undefined) ? withReasoning : undefined
  }
  if (!refusal.test(said)) return undefined
  const { maxTokensField } = traits
  const other = maxTokensField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens'
  if (
    new RegExp(`\\b${maxTokensField}\\b`).test(said) &&
    (said.includes(other) || !/maximum|at most|up to|too/.test(said))
  ) {
    return {
      trait: 'maxTokensField',
      change: { maxTokensField: other },
      sentence: `takes ${other} instead of ${maxTokensField}`,
    }
  }
  if (traits.seed === 'sent' && /\bseed\b/.test(said)) {
    return { trait: 'seed', change: { seed: 'refused' }, sentence: 'refuses a seed; no more seeds are sent' }
  }
  if (traits.stop > 0 && stop.length > 0 && /\bstop\b/.test(said)) {
    const most = /(?:maximum|max|at most|up to|no more than|<=)\D{0,20}(\d{1,3})/.exec(said)?.[1]
    const taken = most === undefined ? 0 : Math.min(Number(most), traits.stop - 1)
    return {
      trait: 'stop',
      change: { stop: taken },
      sentence: `takes ${String(taken)} stop strings; the client enforces the others`,
    }
  }
  return undefined
}

/** A template with alternating roles mostly has no system role either, with the same error for both. */
function readRoles(said: string, traits: ServerTraits, messages: readonly Message[]): Lesson | undefined {
  const inRow = messages.some(({ role }, index) => role === messages[index + 1]?.role)
  const merge = {
    trait: 'consecutiveRoles',
    change: { consecutiveRoles: 'merge' },
    sentence: 'refuses messages of one role in a row; they are merged',
  } as const
  if (inRow && traits.consecutiveRoles === 'accepted' && /alternat|consecutive|same role/.test(said)) return merge
  const hasSystem = messages.some(({ role }) => role === 'system')
  if (!hasSystem || traits.systemRole === 'fold') return undefined
  return {
    trait: 'systemRole',
    change: { systemRole: 'fold' },
    sentence: 'refuses the system role; its text goes into the first user message',
  }
}
