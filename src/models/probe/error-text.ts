import { errorSchema, otherErrorText, writeJson } from '../error-body.js'
import type { RawReply } from '../raw-call.js'

/** Removes secrets from a text; called before the text is cut, since half a key is a secret too. */
type Redact = (text: string) => string

/** The message of the error in a body, whatever its status was; undefined where it has none in the form `{ error }`. */
export function readError(json: unknown, redact: Redact): string | undefined {
  const read = errorSchema.safeParse(json)
  if (!read.success) return undefined
  const { error } = read.data
  if (typeof error === 'string') return oneLine(redact(error))
  const { type, code } = error
  const message = typeof error.message === 'string' ? error.message : writeJson(error.message)
  const parts = message === '' || message === 'null' ? [type, code] : [message]
  return oneLine(redact(parts.filter((part) => part !== undefined && part !== null).join(', ')))
}

/** The message of an answer whose status is an error. */
export function errorTextOf(reply: RawReply, redact: Redact): string {
  const error = readError(reply.json, redact)
  if (error !== undefined) return error
  const other = otherErrorText(reply.json)
  return other === undefined ? describeBody(reply, redact) : oneLine(redact(other))
}

/** Whether a text is a web page, as a proxy in front of a server sends it. */
export function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html)/i.test(text)
}

/** Describes a body of an unexpected form. */
export function describeBody({ json, text: raw }: Pick<RawReply, 'json' | 'text'>, redact: Redact): string {
  const body = redact(raw)
  if (body.trim() === '') return 'nothing'
  if (isPage(body)) {
    const title = /<title>([^<]{1,200})<\/title>/i.exec(body)?.[1]?.trim()
    return title === undefined ? 'an HTML page' : `an HTML page ('${oneLine(title, 80)}')`
  }
  return `${json === undefined ? 'text that is not JSON' : 'other JSON'}: ${oneLine(body, 120)}`
}

/** A text on one line without a full stop at its end, cut to `max` characters and `…`. */
export function oneLine(text: string, max = 300): string {
  const spaced = text.replace(/\s+/g, ' ')
  let end = spaced.length
  while (' .'.includes(spaced[end - 1] ?? 'x')) end--
  const line = spaced.slice(0, end).trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}
