import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** An error answer in OpenAI's format. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly status: number
  /** The JSON of the answer. */
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

/** The body of an error answer. */
interface ErrorBody {
  readonly error: {
    readonly message: string
    readonly type: string
    readonly param: string | null
    readonly code: string | number | null
  }
}

/** Whether an address is of this machine alone. */
export function isLoopback(address: string): boolean {
  return address === 'localhost' || address === '::1' || (isIP(address) === 4 && address.startsWith('127.'))
}

/**
 * Refuses what a web page of another site can make a browser send to a server of this machine: requests under a name
 * that was rebound to it, from another origin, or of a content type that needs no permission.
 * @throws ApiError 403 or 415
 */
export function checkSender({ headers, method = '' }: IncomingMessage): void {
  const { host = '', origin } = headers
  const name = URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '') : ''
  if (!isLoopback(name)) {
    throw new ApiError(
      403,
      `Expected a request to 127.0.0.1 or localhost, got one to '${host.slice(0, 100)}'. Use that address, or listen on another one with --host.`,
    )
  }
  const site = String(headers['sec-fetch-site'] ?? 'none')
  const isOpened = ['GET', 'HEAD'].includes(method) && headers['sec-fetch-dest'] === 'document'
  const isForeign = (origin !== undefined && origin !== `http://${host}`) || !['none', 'same-origin'].includes(site)
  if (isForeign && !isOpened)
    throw new ApiError(403, 'Expected a request of a program of this machine, got one of a web page.')
  const type = headers['content-type'] ?? ''
  if (method === 'POST' && /^\s*(?:text\/plain|application\/x-www-form-urlencoded)/i.test(type)) {
    throw new ApiError(
      415,
      `Expected the content type application/json, got '${type.slice(0, 100)}'. Send that header.`,
    )
  }
}

/** The byte limit of a request; the longest contexts, as JSON, stay below it. */
const maxBodyBytes = 16 * 1024 * 1024

/** The text of a request's body. @throws ApiError 413 for more than `maxBytes` */
export async function readBody(request: IncomingMessage, maxBytes = maxBodyBytes): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  // With destroyOnReturn the socket would be closed before the error is written.
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** The value of a JSON body. @throws ApiError 400 for invalid JSON */
export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message.slice(0, 200) : 'unreadable'
    throw new ApiError(400, `The body of the request is not JSON: ${why}.`)
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

/** Makes a check that throws ApiError 401 for requests without the key. It compares digests, in constant time. */
export function createKeyCheck(apiKey: string | undefined): (request: IncomingMessage) => void {
  if (apiKey === undefined) return () => undefined
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digest(`Bearer ${apiKey}`)
  return ({ headers: { authorization = '' } }) => {
    if (timingSafeEqual(digest(authorization), expected)) return
    const got = authorization === '' ? "You didn't provide an API key." : 'Incorrect API key provided.'
    throw new ApiError(401, `${got} Send it as 'Authorization: Bearer KEY'.`, { code: 'invalid_api_key' })
  }
}
