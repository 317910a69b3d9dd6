import * as z from 'zod'
import type { OverflowCounts } from '../../core/errors.js'
import type { Attempt, Completion } from '../../core/model.js'
import { logprobsSchema } from '../logprobs.js'
import { boundReply } from '../reply-bounds.js'
import type { Answer, Failure } from './exchange.js'

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

/** A schema for each field, so that one that is new cannot be forgotten. */
type Shape<T> = { readonly [field in keyof Required<T>]: z.ZodType }

const answer = z.union([z.object({ reply }), z.object({ failure })])

/**
 * Reads an answer that may be anything; undefined where it is not one. Fields that are not known are left out. A reply
 * of an older version is cut to the bounds of a reply.
 */
export function readAnswer(value: unknown): Answer | undefined {
  const read = answer.safeParse(value)
  if (!read.success) return undefined
  const known = read.data as Answer
  return 'reply' in known ? { reply: boundReply(known.reply) } : known
}
