import type { Target } from './address.js'
import { isObject } from '../files/json.js'
import { readFrames } from './frames.js'
import { describeBadReply, describeStatus, filterStatus, speaksOfFilter } from './refusals.js'

/**
 * The JSON of an answer with a status of success, whatever frame it came in.
 * @throws CallError for a failure in it, as gateways send them with status 200, and where there is no JSON
 */
export function readJson(body: string, target: Target, requestId?: string): unknown {
  const json = readFrames(body)
  if (json === undefined) throw describeBadReply(describeBody(target.redact(body)), target, requestId)
  const { error, choices } = isObject(json) ? json : {}
  if (isTold(error)) {
    const message = errorText({ error })
    throw describeStatus({ said: message, status: statusIn(error) ?? guessStatus(message), requestId }, target)
  }
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined
  const { error: choiceError, message } = isObject(choice) ? choice : {}
  const inner = choiceError ?? (isObject(message) ? message.error : undefined)
  if (!isTold(inner)) return json
  const choiceMessage = errorText({ error: inner })
  const known = statusIn(inner) ?? 0
  // A reply was begun, so that the request is not what failed.
  const status = known === 429 || known >= 500 ? known : speaksOfFilter(choiceMessage) ? filterStatus : 502
  throw describeStatus({ said: choiceMessage, status, requestId }, target)
}

function isTold(error: unknown): boolean {
  return error !== undefined && error !== null && error !== '' && error !== false
}

/** The status in an error, as its status or its code. */
function statusIn(error: unknown): number | undefined {
  const { code, status } = isObject(error) ? error : {}
  return [status, code].map(Number).find((code) => code >= 400 && code < 600)
}

/** The status that an error without a number most likely stands for; 200 where its message does not say. */
function guessStatus(message: string): number {
  if (speaksOfFilter(message)) return filterStatus
  if (/rate.?limit|too many requests|overloaded|unavailable/i.test(message)) return 429
  if (/authenticat|api.?key|permission/i.test(message)) return 401
  if (/model.?not.?found|not_found/i.test(message)) return 404
  return /invalid|unsupported|not supported/i.test(message) ? 400 : 200
}

/** Code, type and message of an error, in whatever form it came; empty where there is none. */
export function errorText(json: unknown): string {
  if (!isObject(json)) return ''
  const { error, detail, message } = json
  if (!isObject(error)) return [error, detail, message].map(textOf).find((text) => text !== '') ?? ''
  const { code, type, n_prompt_tokens: prompt, n_ctx: context } = error
  const counts = typeof context === 'number' ? `n_prompt_tokens ${String(prompt)}, n_ctx ${String(context)}` : ''
  return [textOf(code), textOf(type), counts, textOf(error.message)].filter((part) => part !== '').join(', ')
}

/** A value as text, or a note that it is nested too deeply for that. */
function textOf(value: unknown): string {
  if (typeof value === 'string' || value === undefined || value === null) return value ?? ''
  try {
    return JSON.stringify(value)
  } catch {
    return 'JSON that is nested too deeply'
  }
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
