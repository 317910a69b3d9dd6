import * as z from 'zod'
import type { Target } from './address.js'
import { describeStatus } from './classify.js'
import type { EndpointError } from './endpoint-error.js'

/** The usual form of an error in a body. */
export const errorSchema = z.object({
  error: z.union([
    z.string(),
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
const otherForms = [
  z.object({ object: z.literal('error'), message: z.unknown() }).transform((error) => error.message),
  z.object({ detail: z.unknown() }).transform((error) => error.detail),
  z.object({ message: z.unknown() }).transform((error) => error.message),
]

/** An error inside a body that came with status 200, as some gateways send it; undefined where there is none. */
export function readErrorBody(json: unknown, target: Target, requestId?: string): EndpointError | undefined {
  // The schema takes longer than reading the reply.
  if (typeof json !== 'object' || json === null || !('error' in json) || json.error === '') return undefined
  const failed = errorSchema.safeParse(json)
  if (!failed.success) return undefined
  const { error } = failed.data
  const said = errorText(json)
  const { code, status } = typeof error === 'string' ? {} : error
  const number = [status, Number(code ?? Number.NaN)].find((one) => typeof one === 'number' && one >= 400 && one < 600)
  return describeStatus({ status: number ?? guessStatus(said), said, requestId }, target)
}

/** Code, type and message of an error, in whatever form it came; empty where there is none. */
export function errorText(json: unknown): string {
  const failed = errorSchema.safeParse(json)
  if (!failed.success || failed.data.error === '') return otherErrorText(json) ?? ''
  const { error } = failed.data
  if (typeof error === 'string') return error
  const { n_prompt_tokens: prompt, n_ctx: context } = error
  const counts = typeof context === 'number' ? `n_prompt_tokens ${String(prompt)}, n_ctx ${String(context)}` : ''
  const parts = [error.code, error.type, counts, textOf(error.message)]
  return parts.filter((part) => part !== undefined && part !== null && part !== '').join(', ')
}

/** The message of an error that is not of the form `{ error }`. */
export function otherErrorText(json: unknown): string | undefined {
  for (const form of otherForms) {
    const text = textOf(form.safeParse(json).data)
    if (text !== undefined) return text
  }
  return undefined
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || typeof value === 'string' ? (value ?? undefined) : writeJson(value)
}

/** A value as JSON, or a note that it is nested too deeply for that. */
export function writeJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return 'JSON that is nested too deeply'
  }
}

/** The status that an error without a number most likely stands for; 200 where its message does not say. */
export function guessStatus(said: string): number {
  if (/rate.?limit|too many requests|overloaded|unavailable/i.test(said)) return 429
  if (/authenticat|api.?key|permission/i.test(said)) return 401
  if (/model.?not.?found|not_found/i.test(said)) return 404
  return /invalid|unsupported|not supported/i.test(said) ? 400 : 200
}
