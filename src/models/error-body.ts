import type { Target } from './address.js'
import type { Json } from './frames.js'
import { isObject, readFrames } from './frames.js'
import { describeBadReply, describeStatus, isWithheld, speaksOfFilter } from './refusals.js'

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
function failureIn(json: unknown): BodyFailure | undefined {
  if (!isObject(json)) return undefined
  const { error, choices } = json
  if (isTold(error)) {
    const said = errorText({ error })
    return { said, status: statusIn(error) ?? guessStatus(said) }
  }
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  if (!isObject(choice)) return undefined
  const { error: own, finish_reason: reason, message, text } = choice
  if (isWithheld(reason) && isEmpty(isObject(message) ? message : { content: text })) {
    return { said: `an empty reply with the finish reason '${reason.slice(0, 60)}'`, status: filterStatus }
  }
  const inner = own ?? (isObject(message) ? message.error : undefined)
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
function isEmpty({ content, refusal, tool_calls: calls }: Json): boolean {
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
  const { code, status } = isObject(error) ? error : {}
  return [status, typeof code === 'string' ? Number(code) : code].find(
    (one): one is number => typeof one === 'number' && one >= 400 && one < 600,
  )
}

/**
 * The JSON of an answer with a status of success, whatever frame it came in.
 * @throws EndpointError for a failure in it, and where there is no JSON
 */
export function readJson(body: string, target: Target, requestId?: string): unknown {
  const json = readFrames(body)
  if (json === undefined) throw describeBadReply(describeBody(target.redact(body)), target, requestId)
  const failure = failureIn(json)
  if (failure !== undefined) throw describeStatus({ ...failure, requestId }, target)
  return json
}

/** Code, type and message of an error, in whatever form it came; empty where there is none. */
export function errorText(json: unknown): string {
  if (!isObject(json)) return ''
  const { error, object, detail, message } = json
  if (isObject(error)) {
    const { code, type, n_prompt_tokens: prompt, n_ctx: context } = error
    const counts = typeof context === 'number' ? `n_prompt_tokens ${String(prompt)}, n_ctx ${String(context)}` : ''
    const parts = [code, type].map((part) => (typeof part === 'string' || typeof part === 'number' ? String(part) : ''))
    return [...parts, counts, textOf(error.message) ?? ''].filter((part) => part !== '').join(', ')
  }
  if (typeof error === 'string' && error !== '') return error
  return (object === 'error' ? textOf(message) : undefined) ?? textOf(detail) ?? textOf(message) ?? textOf(error) ?? ''
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null || typeof value === 'string' ? (value ?? undefined) : writeJson(value)
}

/** A body that is not what was expected, for messages. */
function describeBody(body: string): string {
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
function writeJson(value: unknown): string {
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
