import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** A refusal, in the shape in which OpenAI's clients expect one. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The JSON to answer with. */
  readonly body: ErrorBody
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    details: Partial<Omit<ErrorBody['error'], 'message'>> = {},
    headers = {},
  ) {
    super(message)
    this.status = status
    const { type = 'invalid_request_error', param = null, code = null } = details
    this.body = { error: { message, type, param, code } }
    this.headers = headers
  }
}

/** What stands in the body of a refusal. */
interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | number | null
  }
}

/** A request with more bytes than this is refused: the longest context there is, as JSON, stays below it. */
const maxBodyBytes = 16 * 1024 * 1024

/** The text of a request's body. @throws ApiError 413 where it is too long */
export async function readBody(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // Without destroyOnReturn the socket would be gone before the refusal is written.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The value that a body's JSON says. @throws ApiError 400 where it is no JSON */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.slice(0, 200) : 'unreadable'
    throw new ApiError(400, `The body of the request is no JSON: ${why}.`)
  }
}

function tooLong(maxBytes: number): ApiError {
  return new ApiError(
    413,
    `The body of the request has more than ${String(maxBytes)} bytes.`,
    { code: 'request_too_large' },
    { connection: 'close' },
  )
}

/**
 * Makes what refuses requests without the key. Digests are compared, so that the time it takes says nothing about it.
 */
export function createKeyCheck(apiKey: string | undefined): (request: IncomingMessage) => void {
  if (apiKey === undefined) return () => undefined
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const wanted = digest(`Bearer ${apiKey}`)
  return ({ headers: { authorization = '' } }) => {
    if (timingSafeEqual(digest(authorization), wanted)) return
    const got = authorization === '' ? "You didn't provide an API key." : 'Incorrect API key provided.'
    throw new ApiError(401, `${got} Send it as 'Authorization: Bearer KEY'.`, { code: 'invalid_api_key' })
  }
}
