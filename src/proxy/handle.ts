import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Agent, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { parseJson } from '../files/json.js'
import { messageOf } from '../core/errors.js'
import { createRedactor, secretsOfLogin } from '../files/redactor.js'
import { secretsOfAddress } from '../models/address.js'
import { isSecretHeader } from '../models/request-settings.js'
import { unpack } from '../models/fetch.js'
import type { Json } from '../models/frames.js'
import { isObject } from '../models/frames.js'
import type { TranslatedReply } from './answers.js'
import type { Conversations, Reworded } from './conversation.js'
import type { RecorderOptions } from './log.js'
import { createRecorder } from './log.js'
import { translateReply, translateStream } from './replies.js'
import type { Handle } from './server.js'
import { ApiError, readBody } from './server.js'
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
  const isSafe = upstream.protocol === 'https:'
  // The server may close a socket that is kept just when it is used again; then the request is sent once more.
  const agent = isSafe ? new HttpsAgent({ keepAlive: true }) : new Agent({ keepAlive: true })
  const recorder = createRecorder(options)

  /** The address of a request at the upstream. @throws ApiError 400 for a path that leads out of its base path */
  const addressOf = (path: string): URL => {
    const [name = '', query] = path.split(/\?(.*)/s)
    const url = new URL(upstream)
    url.pathname = upstream.pathname.replace(/\/$/, '') + name
    url.search = query === undefined ? upstream.search : `?${query}`
    if (name.startsWith('/') && !leadsOut.test(name)) return url
    throw new ApiError(400, `Expected a path below the base path of the upstream server, got '${path.slice(0, 200)}'.`)
  }

  /** Forwards a request with the client's headers. It is aborted if the client disconnects. */
  const ask = (
    request: IncomingMessage,
    response: ServerResponse,
    url: URL,
    body: string | IncomingMessage,
    isAgain = false,
  ): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const isText = typeof body === 'string'
      const sent: ClientRequest = (isSafe ? requestHttps : requestHttp)(url, {
        method: request.method,
        agent: isText && !isAgain ? agent : false,
        headers: {
          ...passedHeaders(request.headers),
          ...(isText && { 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) }),
        },
      })
      response.once('close', () => {
        if (!response.writableFinished) sent.destroy(new Error('the client left'))
      })
      sent.once('error', (error: NodeJS.ErrnoException) => {
        const isStale = sent.reusedSocket && ['ECONNRESET', 'EPIPE'].includes(error.code ?? '') && !response.destroyed
        if (isStale && isText) {
          ask(request, response, url, body, true).then(resolve, reject)
          return
        }
        const message = `${upstream.protocol}//${upstream.host} does not answer: ${messageOf(error)}.`
        reject(new ApiError(502, message, { type: 'server_error', code: 'upstream_unreachable' }))
      })
      sent.once('response', resolve)
      if (isText) sent.end(body)
      else pipeline(body, sent).catch(() => sent.destroy())
    })

  /** The request reworded, or why it is passed on as it is; neither where it has no prompt. */
  const read = (endpoint: Endpoint | undefined, url: URL, body: unknown): Reworded | NotRead => {
    if (endpoint !== undefined) {
      return body === undefined ? { unread: 'its body is not JSON' } : conversations.read(endpoint, body)
    }
    if (!hasSentence(body)) return {}
    const place = url.pathname.slice(upstream.pathname.replace(/\/$/, '').length, 100)
    return { unread: `a request to ${place} has a text, and that interface is not translated` }
  }

  const complete = async (
    endpoint: Endpoint | undefined,
    url: URL,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> => {
    const text = await readBody(request)
    const body = parseJson(text)
    const record = recorder(String(isObject(body) ? body.model : ''), createRedactor(secretsOf(request, upstream)))
    const reworded = read(endpoint, url, body)
    const isCounted = endpoint !== undefined || reworded.unread !== undefined
    if (reworded.unread !== undefined) record.unread(reworded.unread)
    try {
      const sent = reworded.body === undefined ? text : JSON.stringify(reworded.body)
      const answer = await ask(request, response, url, sent)
      const { statusCode = 502 } = answer
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

  return async (request, response) => {
    const path = (request.url ?? '/').replace(/^\/v1(?=[/?]|$)/, '')
    const url = addressOf(path)
    const endpoint = endpoints.find(([pattern]) => pattern.test(path.split('?')[0]!))?.[1]
    const { 'content-type': type = 'json', 'content-encoding': encoding = 'identity' } = request.headers
    if (request.method === 'POST' && encoding === 'identity' && (endpoint !== undefined || /json|text/i.test(type))) {
      return complete(endpoint, url, request, response)
    }
    if (request.method === 'POST' && encoding !== 'identity') {
      recorder('').unread('its body is compressed')
    }
    await pass(await ask(request, response, url, request), response)
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
    const one = left.pop()
    if (typeof one === 'string' && /\S\s+\S+\s+\S/.test(one)) return true
    if (typeof one === 'object' && one !== null) for (const inner of Object.values(one)) left.push(inner)
  }
  return false
}

function passedHeaders(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase())
  const isPassed = (name: string): boolean => !ownHeaders.has(name) && !named.includes(name)
  return Object.fromEntries(Object.entries(headers).filter(([name, value]) => value !== undefined && isPassed(name)))
}

/** Forwards a response unchanged. If it is aborted, the client's is too. */
async function pass(answer: IncomingMessage, response: ServerResponse): Promise<void> {
  const length = answer.headers['content-length']
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', {
    ...passedHeaders(answer.headers),
    ...(length !== undefined && { 'content-length': length }),
  })
  response.flushHeaders()
  await pipeline(answer, response)
}

/**
 * Forwards a reply translated. A stream is gathered until the reply is complete, since the translated action can change
 * its first word.
 */
async function passTranslated(
  answer: IncomingMessage,
  response: ServerResponse,
  read: Reworded,
  given: Json,
): Promise<readonly TranslatedReply[]> {
  const headers = passedHeaders({ ...answer.headers, 'content-encoding': undefined })
  if (!/event-stream/i.test(answer.headers['content-type'] ?? '')) {
    const text = await gather(answer)
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
    const { stream, replies } = translateStream(await gather(answer), read.answer, given)
    response.end(stream)
    return replies
  } finally {
    clearInterval(timer)
  }
}

/** The text of a response. @throws Error where it is aborted or too long */
async function gather(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > maxReplyBytes) throw new Error(`the reply has more than ${String(maxReplyBytes)} bytes`)
      chunks.push(chunk)
    }
    const whole = await unpack(Buffer.concat(chunks), answer.headers['content-encoding'], maxReplyBytes)
    return whole.toString('utf8')
  } catch (thrown) {
    throw new Error(`the reply broke off: ${messageOf(thrown)}`, { cause: thrown })
  }
}
