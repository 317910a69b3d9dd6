import { createHash } from 'node:crypto'
import * as z from 'zod'
import { canonicalJson } from '../../core/episode.js'
import type { OverflowCounts } from '../call-error.js'
import { ShaketableError } from '../../core/errors.js'
import { CallError } from '../call-error.js'
import type { Attempt, Completion, Message, Sampling } from '../../core/model.js'
import { logprobsSchema } from '../logprobs.js'
import { boundReply } from '../reply-bounds.js'

/** The identity of a call: its request, its sampling, and its position in an episode. */
export const storedQuestion = z.object({
  model: z.string(),
  messagesHash: z.string(),
  toolsHash: z.string(),
  temperature: z.number(),
  seed: z.number(),
  maxTokens: z.number(),
  stop: z.array(z.string()),
  /** Empty if the caller names no episode. */
  episode: z.string(),
  number: z.number(),
  /** Hash of all other fields: 20 hex digits. */
  id: z.string(),
})

/** See {@link storedQuestion}. */
export type Question = z.infer<typeof storedQuestion>

/** Creates a function that identifies the calls to a model. Repeated requests without a given position are numbered. */
export function createAsker(model: string): (messages: readonly Message[], sampling: Sampling) => Question {
  const repeats = new Map<string, number>()
  return (messages, { temperature, seed, maxTokens, stop, tools = [], call }) => {
    const messagesHash = shortHash(canonicalJson(messages.map(withoutReasoning)))
    const toolsHash = shortHash(canonicalJson(tools))
    const request = { model, messagesHash, toolsHash, temperature, seed, maxTokens, stop: [...stop] }
    const fields = Object.values(request)
    let place = call
    if (place === undefined) {
      const hash = shortHash(JSON.stringify(fields))
      place = { episode: '', number: repeats.get(hash) ?? 0 }
      repeats.set(hash, place.number + 1)
    }
    const { episode, number } = place
    const id = shortHash(JSON.stringify([...fields, episode, number]))
    return { ...request, episode, number, id }
  }
}

/** A message as part of a question. Reasoning that is sent back is left out, since it follows from earlier replies. */
function withoutReasoning({ reasoning, ...message }: Message): Message {
  void reasoning
  return message
}

/** 20 hex digits of SHA-256. */
function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 20)
}

/** A call without a reply. The attempts are absent if unknown. */
interface Failure extends Partial<Pick<CallError, 'attempts' | 'mayBeOverflow'>> {
  readonly code: 'model' | 'context-overflow'
  readonly message: string
  readonly overflow?: OverflowCounts
}

/** A reply, or the failure in place of one. */
export type Answer = { readonly reply: Completion } | { readonly failure: Failure }

/** The failure of a model call from its exception; undefined for any other exception. */
export function failureOf(thrown: unknown): Failure | undefined {
  if (!(thrown instanceof ShaketableError)) return undefined
  const { code, message } = thrown
  if (code !== 'model' && code !== 'context-overflow') return undefined
  if (!(thrown instanceof CallError)) return { code, message }
  const { attempts, overflow, mayBeOverflow } = thrown
  return { code, message, attempts, ...(overflow && { overflow }), ...(mayBeOverflow && { mayBeOverflow }) }
}

/** Recreates the error of a failure. */
export function errorOf({ code, message, attempts, ...known }: Failure): ShaketableError {
  return attempts === undefined ? new ShaketableError(code, message) : new CallError(code, message, attempts, known)
}

/** A schema for each field, so that none can be forgotten. */
type Shape<T> = { readonly [field in keyof Required<T>]: z.ZodType }

const count = z.number().int().nonnegative()
const tokens = { promptTokens: count.optional(), completionTokens: count.optional() }

// The fields stand in the order in which a live call has them, so that a replayed row is equal to the byte.
const attempts = z.array(
  z.object({
    outcome: z.enum([
      ...(['ok', 'rate-limit', 'server-error', 'timeout'] as const),
      ...(['connection', 'bad-reply', 'refused', 'overflow'] as const),
    ]),
    status: z.number().int().optional(),
    waitMs: z.number().nonnegative(),
    milliseconds: z.number().nonnegative(),
    ...tokens,
    requestId: z.string().optional(),
  } satisfies Shape<Attempt>),
)

const reply = z.object({
  text: z.string(),
  finish: z.enum(['stop', 'length', 'tool', 'other']).optional(),
  finishReason: z.string().optional(),
  reasoning: z.string().optional(),
  unparsed: z.string().optional(),
  unclosed: z.literal(true).optional(),
  tooLong: z.literal(true).optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.string() })).optional(),
  logprobs: logprobsSchema.optional(),
  ...tokens,
  attempts: attempts.optional(),
  servedBy: z.string().optional(),
  day: z.iso.date().optional(),
} satisfies Shape<Completion>)

const failure = z.object({
  code: z.enum(['model', 'context-overflow']),
  message: z.string(),
  attempts: attempts.optional(),
  overflow: z
    .object({
      promptTokens: count.optional(),
      contextTokens: count.optional(),
      maxPromptTokens: count.optional(),
    } satisfies Shape<OverflowCounts>)
    .optional(),
  mayBeOverflow: z.literal(true).optional(),
} satisfies Shape<Failure>)

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
