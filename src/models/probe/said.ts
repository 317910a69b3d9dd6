import * as z from 'zod'
import { sayJson } from '../error-body.js'
import type { RawReply } from '../raw-call.js'

const failure = z.object({
  error: z.union([
    z.string(),
    z.object({
      message: z.unknown().optional(),
      type: z.string().nullish().catch(undefined),
      code: z.union([z.string(), z.number()]).nullish().catch(undefined),
    }),
  ]),
})
const otherFailure = z.union([
  z.object({ object: z.literal('error'), message: z.string() }).transform(({ message }) => message),
  z.object({ detail: z.unknown() }).transform(({ detail }) => text(detail)),
  z.object({ message: z.string() }).transform(({ message }) => message),
])

/** Takes secrets out of a text; before it is cut, since half a key is one too. */
type Redact = (text: string) => string

/** A server's own words about what went wrong, and the status that it gives in them. */
interface SaidError {
  readonly said: string
  readonly status?: number
}

/** The error in a body, whatever its status was; undefined where there is none in any of the usual shapes. */
export function readError(json: unknown, redact: Redact): SaidError | undefined {
  const read = failure.safeParse(json)
  if (!read.success) return undefined
  const { error } = read.data
  if (typeof error === 'string') return { said: bound(redact(error)) }
  const { message, type, code } = error
  const words = text(message)
  const parts = words === '' || words === 'null' ? [type, code] : [words]
  const status = Number(code)
  return {
    said: bound(redact(parts.filter((part) => part !== undefined && part !== null).join(', '))),
    ...(status >= 400 && status < 600 && { status }),
  }
}

/** What an answer with an error's status says, in a few words. */
export function sayError(reply: RawReply, redact: Redact): string {
  const error = readError(reply.json, redact)
  if (error !== undefined) return error.said
  const other = otherFailure.safeParse(reply.json)
  return other.success ? bound(redact(other.data)) : describeBody(reply, redact)
}

/** Whether a text is a web page, as a proxy in front of a server sends it. */
export function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html)/i.test(text)
}

/** What a body is that is not of any shape that was asked for. */
export function describeBody({ json, text: raw }: Pick<RawReply, 'json' | 'text'>, redact: Redact): string {
  const body = redact(raw)
  if (body.trim() === '') return 'nothing'
  if (isPage(body)) {
    const title = /<title>([^<]{1,200})<\/title>/i.exec(body)?.[1]?.trim()
    return title === undefined ? 'an HTML page' : `an HTML page ('${bound(title, 80)}')`
  }
  return `${json === undefined ? 'text that is not JSON' : 'other JSON'}: ${bound(body, 120)}`
}

/** A text on one line without a full stop at its end, cut where it is long. */
export function bound(said: string, most = 300): string {
  const spaced = said.replace(/\s+/g, ' ')
  let end = spaced.length
  while (' .'.includes(spaced[end - 1] ?? 'x')) end--
  const line = spaced.slice(0, end).trim()
  return line.length > most ? `${line.slice(0, most)}…` : line
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : sayJson(value)
}
