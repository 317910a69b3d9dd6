import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/episode.js'
import type { OverflowCounts } from '../../core/errors.js'
import { CallError, ShaketableError } from '../../core/errors.js'
import type { Attempt, Completion, Message, Sampling } from '../../core/model.js'

/** A call as it is known by: what was asked, with how it was to be drawn, and which call of which episode it is. */
export interface Question {
  readonly model: string
  /** Messages and tools as one canonical text; see {@link readPrompt}. */
  readonly prompt: string
  readonly messagesHash: string
  readonly toolsHash: string
  readonly temperature: number
  readonly seed: number
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** Empty where a caller says nothing of episodes. */
  readonly episode: string
  readonly number: number
  /** Hash of all this: 20 hex digits. */
  readonly id: string
}

/** A reply, or the failure that came instead of one. */
export type Answer = { readonly reply: Completion } | { readonly failure: Failure }

/** A call that gave no reply. */
export interface Failure {
  readonly code: 'model' | 'context-overflow'
  readonly message: string
  /** Absent where they are not known. */
  readonly attempts?: readonly Attempt[]
  readonly overflow?: OverflowCounts
}

/** What was thrown by a call, if that says something of the model; undefined for anything else. */
export function failureOf(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof ShaketableError)) return undefined
  const { code, message } = thrown
  if (code !== 'model' && code !== 'context-overflow') return undefined
  if (!(thrown instanceof CallError)) return { code, message }
  const { attempts, overflow } = thrown
  return { code, message, attempts, ...(overflow && { overflow }) }
}

/** The error that a failure was made from. */
export function errorOf({ code, message, attempts, overflow }: Failure): ShaketableError {
  return attempts === undefined
    ? new ShaketableError(code, message)
    : new CallError(code, message, attempts, overflow && { overflow })
}

/** A call and what came of it. */
export interface Exchange {
  readonly question: Question
  readonly answer: Answer
}

/** Makes a function that names the calls to one model. */
export function createAsker(model: string): (messages: readonly Message[], sampling: Sampling) => Question {
  const repeats = new Map<string, number>()
  return (messages, { temperature, seed, maxTokens, stop, tools = [], call }) => {
    const [toolsText, messagesText] = [canonicalJson(tools), canonicalJson(messages.map(withoutReasoning))]
    const prompt = `[${toolsText},${messagesText}]`
    const [messagesHash, toolsHash] = [shortHash(messagesText), shortHash(toolsText)]
    const asked = { model, messagesHash, toolsHash, temperature, seed, maxTokens, stop }
    let place = call
    if (place === undefined) {
      const request = shortHash(canonicalJson(asked))
      place = { episode: '', number: repeats.get(request) ?? 0 }
      repeats.set(request, place.number + 1)
    }
    const { episode, number } = place
    return { ...asked, prompt, episode, number, id: identify({ ...asked, episode, number }) }
  }
}

/** What is asked; reasoning that goes back with it follows from earlier replies. */
function withoutReasoning({ reasoning, ...message }: Message): Message {
  void reasoning
  return message
}

/** The hash by which an exchange is found: of the rendered request, its seed, and its place. */
export function identify(question: Omit<Question, 'id' | 'prompt'>): string {
  const { model, messagesHash, toolsHash, temperature, seed, maxTokens, stop, episode, number } = question
  return shortHash(
    JSON.stringify([model, messagesHash, toolsHash, temperature, seed, maxTokens, stop, episode, number]),
  )
}

/** Messages and tools out of a question's prompt; undefined where the text is damaged. */
export function readPrompt(prompt: string): { readonly messages: unknown; readonly tools: unknown } | undefined {
  try {
    const value = JSON.parse(prompt) as unknown
    return Array.isArray(value) && value.length === 2 ? { tools: value[0], messages: value[1] } : undefined
  } catch {
    return undefined
  }
}

/** 20 hex digits of SHA-256. */
export function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}
