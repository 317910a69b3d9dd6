import { createHash } from 'node:crypto'
import * as z from 'zod'
import { canonicalJson, parseJson } from '../../core/episode.js'
import type { OverflowCounts } from '../../core/errors.js'
import { CallError, ShaketableError } from '../../core/errors.js'
import type { Attempt, Completion, Message, Sampling } from '../../core/model.js'
import { logprobsSchema } from '../logprobs.js'
import { boundReply } from '../reply-bounds.js'

/** The identity of a call: its request, its sampling, and its position in an episode. */
export interface Question {
  readonly model: string
  /** Messages and tools as one canonical JSON text; see {@link readPrompt}. */
  readonly prompt: string
  readonly messagesHash: string
  readonly toolsHash: string
  readonly temperature: number
  readonly seed: number
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** Empty if the caller names no episode. */
  readonly episode: string
  readonly number: number
  /** Hash of all other fields: 20 hex digits. */
  readonly id: string
}

/** A reply, or the failure in place of one. */
export type Answer = { readonly reply: Completion } | { readonly failure: Failure }

/** A call without a reply. */
interface Failure {
  readonly code: 'model' | 'context-overflow'
  readonly message: string
  /** Absent if unknown. */
  readonly attempts?: readonly Attempt[]
  readonly overflow?: OverflowCounts
}

/** The failure of a model call from its exception; undefined for any other exception. */
export function failureOf(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof ShaketableError)) return undefined
  const { code, message } = thrown
  if (code !== 'model' && code !== 'context-overflow') return undefined
  if (!(thrown instanceof CallError)) return { code, message }
  const { attempts, overflow } = thrown
  return { code, message, attempts, ...(overflow && { overflow }) }
}

/** Recreates the error of a failure. */
export function errorOf({ code, message, attempts, overflow }: Failure): ShaketableError {
  return attempts === undefined
    ? new ShaketableError(code, message)
    : new CallError(code, message, attempts, overflow && { overflow })
}

/** A call and its answer. */
export interface Exchange {
  readonly question: Question
  readonly answer: Answer
}

/** Creates a function that identifies the calls to a model. Repeated requests without a given position are numbered. */
export function createAsker(model: string): (messages: readonly Message[], sampling: Sampling) => Question {
  const repeats = new Map<string, number>()
  return (messages, { temperature, seed, maxTokens, stop, tools = [], call }) => {
    const [toolsText, messagesText] = [canonicalJson(tools), canonicalJson(messages.map(withoutReasoning))]
    const prompt = `[${toolsText},${messagesText}]`
    const [messagesHash, toolsHash] = [shortHash(messagesText), shortHash(toolsText)]
    const request = { model, messagesHash, toolsHash, temperature, seed, maxTokens, stop }
    let place = call
    if (place === undefined) {
      const hash = shortHash(canonicalJson(request))
      place = { episode: '', number: repeats.get(hash) ?? 0 }
      repeats.set(hash, place.number + 1)
    }
    const { episode, number } = place
    return { ...request, prompt, episode, number, id: identify({ ...request, episode, number }) }
  }
}

/** A message as part of a question. Reasoning that is sent back is left out, since it follows from earlier replies. */
function withoutReasoning({ reasoning, ...message }: Message): Message {
  void reasoning
  return message
}

/** The hash of a question: its rendered request, seed and position. */
export function identify(question: Omit<Question, 'id' | 'prompt'>): string {
  const { model, messagesHash, toolsHash, temperature, seed, maxTokens, stop, episode, number } = question
  return shortHash(
    JSON.stringify([model, messagesHash, toolsHash, temperature, seed, maxTokens, stop, episode, number]),
  )
}

/** Parses messages and tools from a question's prompt; undefined if the text is damaged. */
export function readPrompt(prompt: string): { readonly messages: unknown; readonly tools: unknown } | undefined {
  const value = parseJson(prompt)
  return Array.isArray(value) && value.length === 2 ? { tools: value[0], messages: value[1] } : undefined
}

/** 20 hex digits of SHA-256. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}

const count = z.number().int().nonnegative()
const milliseconds = z.number().nonnegative()

const outcomes = {
  ok: 'ok',
  'rate-limit': 'rate-limit',
  'server-error': 'server-error',
  timeout: 'timeout',
  connection: 'connection',
  'bad-reply': 'bad-reply',
  refused: 'refused',
  overflow: 'overflow',
} as const satisfies { readonly [outcome in Attempt['outcome']]: outcome }

const attempt = z.object({
  outcome: z.enum(outcomes),
  status: z.number().int().optional(),
  waitMs: milliseconds,
  milliseconds,
  promptTokens: count.optional(),
  completionTokens: count.optional(),
  requestId: z.string().optional(),
} satisfies Shape<Attempt>)

const reply = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'tool', 'other']).optional(),
  reasoning: z.string().optional(),
  unparsed: z.string().optional(),
  unclosed: z.literal(true).optional(),
  tooLong: z.literal(true).optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.string() })).optional(),
  logprobs: logprobsSchema.optional(),
  promptTokens: count.optional(),
  completionTokens: count.optional(),
  attempts: z.array(attempt).optional(),
  servedBy: z.string().optional(),
  day: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/)
    .optional(),
} satisfies Shape<Completion>)

const failure = z.object({
  code: z.enum(['model', 'context-overflow']),
  message: z.string(),
  attempts: z.array(attempt).optional(),
  overflow: z
    .object({
      promptTokens: count.optional(),
      contextTokens: count.optional(),
      maxPromptTokens: count.optional(),
    } satisfies Shape<OverflowCounts>)
    .optional(),
} satisfies Shape<Failure>)

/** A schema for each field, so that none can be forgotten. */
type Shape<T> = { readonly [field in keyof Required<T>]: z.ZodType }

const answer = z.union([z.object({ reply }), z.object({ failure })])

/**
 * Parses an answer from untrusted data; undefined if it is not valid. Unknown fields are dropped. A reply of an older
 * version is cut to the current bounds.
 */
export function readAnswer(value: unknown): Answer | undefined {
  const read = answer.safeParse(value)
  if (!read.success) return undefined
  const known = read.data as Answer
  return 'reply' in known ? { reply: boundReply(known.reply) } : known
}
