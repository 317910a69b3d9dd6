import * as z from 'zod'
import type { Target } from './address.js'
import { describeStatus } from './classify.js'
import { isWithheld, speaksOfFilter } from './content-filter.js'
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

/** Finish reasons of a provider that broke off: OpenRouter, DeepSeek, Zhipu, vLLM, SGLang, TensorRT-LLM. */
const brokenOff =
  /error|fail|abort|cancel|timed?.?out|interrupt|disconnect|unavailable|overload|insufficient|network|rate.?limit/i

/** A failure in a body that came with status 200, with the status that it stands for. */
interface BodyFailure {
  readonly said: string
  readonly status: number
}

/**
 * A failure inside a body that came with status 200, as gateways send it: an error of the body or of its first choice,
 * or a finish reason of a provider that broke off in the middle of its reply. Undefined where there is none.
 */
export function failureIn(json: unknown): BodyFailure | undefined {
  if (typeof json !== 'object' || json === null) return undefined
  const { error, choices } = json as { readonly error?: unknown; readonly choices?: unknown }
  if (isTold(error)) {
    const said = errorText({ error })
    return { said, status: statusIn(error) ?? guessStatus(said) }
  }
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  if (typeof choice !== 'object' || choice === null) return undefined
  const { error: own, finish_reason: reason, message, text } = choice as Readonly<Record<string, unknown>>
  if (isWithheld(reason) && isEmpty(message ?? { content: text })) {
    return { said: `an empty reply with the finish reason '${reason.slice(0, 60)}'`, status: filterStatus }
  }
  const inner = own ?? (message as { readonly error?: unknown } | null | undefined)?.error
  const isBroken = typeof reason === 'string' && brokenOff.test(reason)
  if (!isTold(inner) && !isBroken) return undefined
  const told = isTold(inner) ? errorText({ error: inner }) : ''
  const finish = isBroken ? `the reply broke off with the finish reason '${reason.slice(0, 60)}'` : ''
  // A reply was begun, so that the request is not what failed.
  const status = isTold(inner) ? (statusIn(inner) ?? 0) : 0
  return {
    said: [told, finish].filter((part) => part !== '').join('; '),
    status: status === 429 || status >= 500 ? status : speaksOfFilter(told) ? filterStatus : 502,
  }
}

/** The status that stands for a conversation that a content filter has refused. */
const filterStatus = 451

/** Whether a message says nothing and calls nothing. */
function isEmpty(message: unknown): boolean {
  const { content, refusal, tool_calls: calls } = message as Readonly<Record<string, unknown>>
  const texts = [
    refusal,
    ...(Array.isArray(content) ? content.map((part: { text?: unknown } | null) => part?.text) : [content]),
  ]
  const isBlank = texts.every((text) => typeof text !== 'string' || text.trim() === '')
  return isBlank && !(Array.isArray(calls) && calls.length > 0)
}

function isTold(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false
}

/** The status in an error, as its status or its code. */
function statusIn(error: unknown): number | undefined {
  const { code, status } =
    (errorSchema.safeParse({ error }).data?.error as { code?: unknown; status?: unknown } | undefined) ?? {}
  return [status, Number(code ?? Number.NaN)].find(
    (one): one is number => typeof one === 'number' && one >= 400 && one < 600,
  )
}

/** The error for a failure inside a body that came with status 200. */
export function readErrorBody(json: unknown, target: Target, requestId?: string): EndpointError | undefined {
  const failure = failureIn(json)
  return failure && describeStatus({ ...failure, requestId }, target)
}

/** Code, type and message of an error, in whatever form it came; empty where there is none. */
export function errorText(json: unknown): string {
  const failed = errorSchema.safeParse(json)
  if (!failed.success) return otherErrorText(json) ?? textOf((json as { readonly error?: unknown } | null)?.error) ?? ''
  if (failed.data.error === '') return otherErrorText(json) ?? ''
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

/** A body that is not what was expected, for messages. */
export function describeBody(body: string): string {
  if (body.trim() === '') return 'nothing at all'
  return describePage(body) ?? `text that is not JSON: '${body.slice(0, 200)}'`
}

/** A web page by its title, as a proxy in front of a server sends it; undefined for any other text. */
export function describePage(body: string): string | undefined {
  if (!/^\s*<(?:!doctype|html)/i.test(body)) return undefined
  const title = /<title>([^<]{1,200})<\/title>/i.exec(body)?.[1]?.trim()
  return title === undefined ? 'an HTML page' : `an HTML page ('${title.slice(0, 80)}')`
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
function guessStatus(said: string): number {
  if (speaksOfFilter(said)) return filterStatus
  if (/rate.?limit|too many requests|overloaded|unavailable/i.test(said)) return 429
  if (/authenticat|api.?key|permission/i.test(said)) return 401
  if (/model.?not.?found|not_found/i.test(said)) return 404
  return /invalid|unsupported|not supported/i.test(said) ? 400 : 200
}
