import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import { messageOf } from '../core/errors.js'
import { type Json, isObject, parseJson } from '../files/json.js'
import { createRedactor, secretsOfLogin } from '../files/redactor.js'
import { secretsOfAddress } from '../models/address.js'
import { gather } from '../models/fetch.js'
import { isSecretHeader } from '../models/request-settings.js'
import type { TranslatedReply } from './answers.js'
import type { Conversations, Reworded } from './conversation.js'
import { type RecorderOptions, createRecorder } from './log.js'
import { translateReply, translateStream } from './replies.js'
import { type Handle, ApiError, readBody } from './server.js'
import type { Endpoint } from './wire.js'

interface ProxyOptions extends RecorderOptions {
  /** Such as `http://127.0.0.1:8000/v1`. */
  readonly upstream: URL
  readonly conversations: Conversations
}

/** A longer reply is aborted. */
const maxReplyBytes = 64 << 20
/** The interval of comments to the client while a streamed reply is gathered. */
const keepAliveMs = 10_000

/** Headers of one connection, and headers that are computed again. */
const ownHeaders = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  ),
)

/** The paths of the interfaces that are translated, also behind others, as Azure has them. */
const endpoints: readonly (readonly [path: RegExp, endpoint: Endpoint])[] = [
  [/\/chat\/completions\/*$/, 'chat'],
  [/\/completions\/*$/, 'completions'],
  [/\/responses\/*$/, 'responses'],
]

/** A part of a path that is `.` or `..`, also encoded, several times over, or with parameters behind it. */
const leadsOut = /(?:[/\\]|%(?:25)*(?:2f|5c))(?:[\s\0]|\.|%(?:25)*(?:2e|20|0\d)){1,8}(?:$|[/\\;]|%(?:25)*(?:2f|5c|3b))/i

/**
 * Answers the requests of harnesses: chats, completions and responses are perturbed. Everything else is passed through,
 * and counted if it has a prompt.
 */
export function createProxyHandler(options: ProxyOptions): Handle {
  const { upstream, conversations } = options
  const base = upstream.pathname.replace(/\/$/, '')
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  let opening: Promise<Dispatcher> | undefined
  const open = async (): Promise<Dispatcher> => new (await import('undici')).Agent(limits)
  const recorder = createRecorder(options)

  /** A path at the upstream. @throws ApiError 400 for a path that leads out of its base path */
  const placeOf = (path: string): string => {
    const [name = '', query] = path.split(/\?(.*)/s)
    if (name.startsWith('/') && !leadsOut.test(name)) {
      return base + name + (query === undefined ? upstream.search : `?${query}`)
    }
    throw new ApiError(400, `Expected a path below the base path of the upstream server, got '${path.slice(0, 200)}'.`)
  }

  /** Forwards a request with the client's headers. It is aborted if the client disconnects. */
  const ask = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    body: string | IncomingMessage | null,
  ): Promise<Dispatcher.ResponseData> => {
    const left = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) left.abort(new Error('the client left'))
    })
    const isText = typeof body === 'string'
    const headers = { ...passedHeaders(request.headers), ...(isText && { 'accept-encoding': 'identity' }) }
    const method = request.method as Dispatcher.HttpMethod
    for (let tries = 1; ; tries++) {
      try {
        const dispatcher = await (opening ??= open())
        const sent = { origin: upstream.origin, path, method, headers, body, signal: left.signal }
        return (await dispatcher.request(sent)) as Dispatcher.ResponseData
      } catch (thrown) {
        const { code = '' } = thrown as NodeJS.ErrnoException
        // The server may close a socket that is kept just when it is used again; then the request is sent once more.
        if (tries === 1 && isText && /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code) && !response.destroyed) continue
        const message = `${upstream.origin} does not answer: ${messageOf(thrown)}.`
        throw new ApiError(502, message, { type: 'server_error', code: 'upstream_unreachable' })
      }
    }
  }

  /** The request reworded, or why it is passed on as it is; neither where it has no prompt. */
  const read = (endpoint: Endpoint | undefined, name: string, body: unknown): Reworded | NotRead => {
    if (endpoint !== undefined) {
      return body === undefined ? { unread: 'its body is not JSON' } : conversations.read(endpoint, body)
    }
    if (!hasSentence(body)) return {}
    return { unread: `a request to ${name.slice(0, 100)} has a text, and that interface is not translated` }
  }

  return async (request, response) => {
    const url = (request.url ?? '/').replace(/^\/v1(?=[/?]|$)/, '')
    const path = placeOf(url)
    const name = url.split('?')[0]!
    const endpoint = endpoints.find(([pattern]) => pattern.test(name))?.[1]
    const { 'content-type': type = 'json', 'content-encoding': encoding = 'identity' } = request.headers
    const isPost = request.method === 'POST'
    if (!isPost || encoding !== 'identity' || (endpoint === undefined && !/json|text/i.test(type))) {
      if (isPost && encoding !== 'identity') recorder('').unread('its body is compressed')
      const hasBody = !['GET', 'HEAD'].includes(request.method ?? '')
      return pass(await ask(request, response, path, hasBody ? request : null), response)
    }
    const text = await readBody(request)
    const body = parseJson(text)
    const record = recorder(String(isObject(body) ? body.model : ''), createRedactor(secretsOf(request, upstream)))
    const reworded = read(endpoint, name, body)
    const isCounted = endpoint !== undefined || reworded.unread !== undefined
    if (reworded.unread !== undefined) record.unread(reworded.unread)
    try {
      const answer = await ask(request, response, path, reworded.body ? JSON.stringify(reworded.body) : text)
      const { statusCode } = answer
      if (statusCode >= 400 && isCounted) record.failed(`status ${String(statusCode)}`)
      if (reworded.body === undefined || statusCode !== 200) return await pass(answer, response)
      const { conversation, turn, dose } = reworded
      for (const reply of await passTranslated(answer, response, reworded, body as Json)) {
        if (reply.unread !== undefined) record.unread(reply.unread)
        record.turn({ ...reply, conversation, turn, dose })
      }
    } catch (thrown) {
      if (isCounted) record.failed(response.destroyed ? 'the client left' : messageOf(thrown))
      if (thrown instanceof ApiError) throw thrown
      response.destroy()
    }
  }
}

interface NotRead {
  readonly unread?: string
  readonly body?: undefined
}

/** The secrets in a request's headers and query, and those of the upstream's address. */
function secretsOf({ headers, url = '' }: IncomingMessage, upstream: URL): readonly string[] {
  const values = Object.entries(headers).flatMap(([name, value = '']) => (isSecretHeader(name) ? [value].flat() : []))
  const parts = values.flatMap((value) => value.split(/[\s;,="]+/).filter((part) => part.length >= 8))
  const basic = /^Basic\s+(\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  const [user = '', password = ''] = Buffer.from(basic, 'base64').toString('utf8').split(/:(.*)/s)
  const login = basic === '' ? [] : secretsOfLogin(user, password)
  const query = new URLSearchParams(url.split(/\?(.*)/s)[1] ?? '').values()
  return [...values, ...parts, ...login, ...query, ...secretsOfAddress(upstream.href)]
}

/** Whether there is a text of three words or more in a value, however deeply it is nested. */
function hasSentence(value: unknown): boolean {
  const left: unknown[] = [value]
  while (left.length > 0) {
    const value = left.pop()
    if (typeof value === 'string' && /\S\s+\S+\s+\S/.test(value)) return true
    if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) left.push(inner)
  }
  return false
}

function passedHeaders(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const isPassed = (name: string): boolean => !ownHeaders.has(name) && !named.includes(name)
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value !== undefined && isPassed(name) ? [[name, value]] : [])),
  )
}

/** Forwards a response unchanged. If it is aborted, the client's is too. */
async function pass({ statusCode, headers, body }: Dispatcher.ResponseData, response: ServerResponse): Promise<void> {
  const length = headers['content-length']
  response.writeHead(statusCode, {
    ...passedHeaders(headers),
    ...(typeof length === 'string' && { 'content-length': length }),
  })
  response.flushHeaders()
  await pipeline(body, response)
}

/**
 * Forwards a reply translated. A stream is gathered until the reply is complete, since the translated action can change
 * its first word.
 */
async function passTranslated(
  answer: Dispatcher.ResponseData,
  response: ServerResponse,
  read: Reworded,
  given: Json,
): Promise<readonly TranslatedReply[]> {
  const { 'content-encoding': encoding, ...headers } = passedHeaders(answer.headers) as Record<string, string>
  const whole = async (): Promise<string> => {
    try {
      return await gather(answer.body, encoding, maxReplyBytes)
    } catch (thrown) {
      throw new Error(`the reply broke off: ${messageOf(thrown)}`, { cause: thrown })
    }
  }
  if (!/event-stream/i.test(String(headers['content-type']))) {
    const text = await whole()
    const body = parseJson(text)
    const translated = isObject(body) ? translateReply(body, read.answer, given) : undefined
    const sent = translated?.isChanged === true ? JSON.stringify(translated.body) : text
    response.writeHead(200, { ...headers, 'content-length': Buffer.byteLength(sent) }).end(sent)
    return translated?.replies ?? []
  }
  response.writeHead(200, headers)
  response.flushHeaders()
  const timer = setInterval(() => response.write(': the reply is gathered\n\n'), keepAliveMs)
  try {
    const { stream, replies } = translateStream(await whole(), read.answer, given)
    response.end(stream)
    return replies
  } finally {
    clearInterval(timer)
  }
}
