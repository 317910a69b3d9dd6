import * as z from 'zod'
import type { Target } from './address.js'
import { describeStatus } from './classify.js'
import type { EndpointError } from './endpoint-error.js'

const failure = z.object({
  error: z.union([
    z.string().min(1),
    z.object({
      message: z.unknown().optional(),
      code: z.union([z.string(), z.number()]).nullish().catch(undefined),
      type: z.string().nullish().catch(undefined),
      status: z.number().nullish().catch(undefined),
      n_prompt_tokens: z.number().nullish().catch(undefined),
      n_ctx: z.number().nullish().catch(undefined),
    }),
  ]),
})
const others = [
  z.object({ object: z.literal('error'), message: z.unknown() }).transform((error) => error.message),
  z.object({ detail: z.unknown() }).transform((error) => error.detail),
  z.object({ message: z.unknown() }).transform((error) => error.message),
]

/** An error inside a body that came with status 200, as some gateways send it; undefined where there is none. */
export function readErrorBody(json: unknown, target: Target, requestId?: string): EndpointError | undefined {
  // Making sure of it takes longer than reading the reply.
  if (typeof json !== 'object' || json === null || !('error' in json)) return undefined
  const failed = failure.safeParse(json)
  if (!failed.success) return undefined
  const { error } = failed.data
  const said = sayError(json)
  const { code, status } = typeof error === 'string' ? {} : error
  const number = [status, Number(code ?? Number.NaN)].find((one) => typeof one === 'number' && one >= 400 && one < 600)
  return describeStatus({ status: number ?? guessStatus(said), said, requestId }, target)
}

/** What an error says of itself, whatever the shape: code, type and message. */
export function sayError(json: unknown): string {
  const failed = failure.safeParse(json)
  if (failed.success) {
    const { error } = failed.data
    if (typeof error === 'string') return error
    const { n_prompt_tokens: prompt, n_ctx: context } = error
    const counts = typeof context === 'number' ? `n_prompt_tokens ${String(prompt)}, n_ctx ${String(context)}` : ''
    const parts = [error.code, error.type, counts, wordsOf(error.message)]
    return parts.filter((part) => part !== undefined && part !== null && part !== '').join(', ')
  }
  for (const shape of others) {
    const read = shape.safeParse(json)
    const words = read.success ? wordsOf(read.data) : undefined
    if (words !== undefined) return words
  }
  return ''
}

function wordsOf(value: unknown): string | undefined {
  return value === undefined || value === null || typeof value === 'string' ? (value ?? undefined) : sayJson(value)
}

/** JSON as a text; what is nested too deeply to be written is said to be so. */
export function sayJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return 'JSON that is nested too deeply'
  }
}

/** The status that an error without a number most likely stands for; 200 where its words do not tell. */
export function guessStatus(said: string): number {
  if (/rate.?limit|too many requests|overloaded|unavailable/i.test(said)) return 429
  if (/authenticat|api.?key|permission/i.test(said)) return 401
  if (/model.?not.?found|not_found/i.test(said)) return 404
  return /invalid|unsupported|not supported/i.test(said) ? 400 : 200
}
