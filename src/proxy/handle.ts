import type { ClientRequest, IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { parseJson } from '../core/episode.js'
import { messageOf } from '../core/errors.js'
import { createRedactor } from '../core/redactor.js'
import { ApiError, readBody } from '../serve/api-error.js'
import type { Handle } from '../serve/handle.js'
import type { Conversations, Reworded, TranslatedReply } from './conversation.js'
import type { ProxyLog } from './log.js'
import { readEvents, translateEvents, translateReply } from './replies.js'
import { isObject } from './tools.js'

interface ProxyOptions {
  /** Such as `http://127.0.0.1:8000/v1`. */
  readonly upstream: URL
  readonly conversations: Conversations
  readonly condition: string
  readonly log: Pick<ProxyLog, 'write'>
  /** The current time in milliseconds. */
  readonly now: () => number
}

/** A longer reply is aborted. */
const maxReplyBytes = 64 << 20
/** The interval of comments to the client while a streamed reply is gathered. */
const keepAliveMs = 10_000
const maxLogged = 300

/** Headers of one connection, and headers that are computed again. */
const ownHeaders = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade host content-length expect'.split(
    ' ',
  ),
)

/** Answers the requests of harnesses: chats and completions are perturbed, everything else is passed through. */
export function createProxyHandler(options: ProxyOptions): Handle {
  return async (request, response) => {
    const path = (request.url ?? '/').replace(/^\/v1(?=[/?]|$)/, '')
    const [name = ''] = path.split('?')
    if (request.method === 'POST' && name === '/chat/completions')
      await complete('chat', path, request, response, options)
    else if (request.method === 'POST' && name === '/completions') {
      await complete('completions', path, request, response, options)
    } else {
      const answer = await ask(request, response, path, options, request)
      await pass(answer, response)
    }
  }
}

async function complete(
  endpoint: 'chat' | 'completions',
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  const text = await readBody(request)
  const body = parseJson(text)
  const { condition, log, now } = options
  const redact = createRedactor([request.headers.authorization?.replace(/^Bearer\s+/i, ''), ...keysOf(request.headers)])
  const clean = (text: string): string => redact(text.slice(0, maxLogged))
  const of = { condition, model: clean(String(isObject(body) ? body.model : '')), at: new Date(now()).toISOString() }
  const read = body === undefined ? { unread: 'its body is not JSON' } : options.conversations.read(endpoint, body)
  if ('unread' in read) log.write({ kind: 'unread', ...of, why: clean(read.unread) })
  const writeTurns = (replies: readonly TranslatedReply[]): void => {
    if ('unread' in read) return
    const { conversation, turn, dose } = read
    for (const { action, sent, refused, memorised, unread } of replies) {
      if (unread !== undefined) log.write({ kind: 'unread', ...of, why: clean(unread) })
      log.write({
        kind: 'turn',
        ...of,
        conversation,
        turn,
        action: clean(action),
        ...(sent !== action && { sent: clean(sent) }),
        ...(refused && { refused }),
        ...(memorised && { memorised }),
        dose: { ...dose, commandsSaid: !refused && sent !== action ? 1 : 0 },
      })
    }
  }
  try {
    const sent = 'unread' in read ? text : JSON.stringify(read.body)
    const answer = await ask(request, response, path, options, sent)
    const { statusCode = 502 } = answer
    if (statusCode >= 400) log.write({ kind: 'failed', ...of, why: `status ${String(statusCode)}` })
    if ('unread' in read || statusCode !== 200) await pass(answer, response)
    else if (/event-stream/i.test(answer.headers['content-type'] ?? ''))
      writeTurns(await passStream(answer, response, read))
    else writeTurns(await passReply(answer, response, read))
  } catch (thrown) {
    log.write({ kind: 'failed', ...of, why: response.destroyed ? 'the client left' : clean(messageOf(thrown)) })
    if (thrown instanceof ApiError) throw thrown
    response.destroy()
  }
}

/** Forwards a request with the client's headers. It is aborted if the client disconnects. */
function ask(
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  path: string,
  { upstream }: ProxyOptions,
  body: string | IncomingMessage,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const url = new URL(upstream)
    const [name, query] = path.split(/\?(.*)/s)
    url.pathname = upstream.pathname.replace(/\/$/, '') + name!
    url.search = query === undefined ? upstream.search : `?${query}`
    const isText = typeof body === 'string'
    const sent: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      // The server may close a kept-alive socket just when it is used again.
      agent: false,
      headers: {
        ...passedHeaders(headers),
        ...(isText && { 'accept-encoding': 'identity', 'content-length': Buffer.byteLength(body) }),
      },
    })
    response.once('close', () => {
      if (!response.writableFinished) sent.destroy(new Error('the client left'))
    })
    sent.once('error', (error: Error) => {
      const where = `${upstream.protocol}//${upstream.host}`
      reject(
        new ApiError(502, `${where} does not answer: ${messageOf(error)}.`, {
          type: 'server_error',
          code: 'upstream_unreachable',
        }),
      )
    })
    sent.once('response', resolve)
    if (isText) sent.end(body)
    else pipeline(body, sent).catch(() => sent.destroy())
  })
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

async function passReply(
  answer: IncomingMessage,
  response: ServerResponse,
  read: Reworded,
): Promise<readonly TranslatedReply[]> {
  const text = await gather(answer)
  const body = parseJson(text)
  const translated = isObject(body) ? translateReply(body, read.answer) : undefined
  const sent = translated?.isChanged === true ? JSON.stringify(translated.body) : text
  response.writeHead(200, { ...unpacked(answer.headers), 'content-length': Buffer.byteLength(sent) }).end(sent)
  return translated?.replies ?? []
}

/** Gathers a stream until the reply is complete, since the translated action can change its first word. */
async function passStream(
  answer: IncomingMessage,
  response: ServerResponse,
  read: Reworded,
): Promise<readonly TranslatedReply[]> {
  response.writeHead(200, unpacked(answer.headers))
  response.flushHeaders()
  const timer = setInterval(() => response.write(': the reply is gathered\n\n'), keepAliveMs)
  try {
    const text = await gather(answer)
    const { stream, replies } = translateEvents(readEvents(text), read.answer)
    response.end(stream)
    return replies
  } finally {
    clearInterval(timer)
  }
}

const unpackers = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress }

/** The text of a response. @throws Error where it is aborted or too long */
async function gather(answer: IncomingMessage): Promise<string> {
  const packed = (answer.headers['content-encoding'] ?? 'identity').toLowerCase()
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    const unpacker = packed in unpackers ? unpackers[packed as keyof typeof unpackers]() : undefined
    const read = async (source: AsyncIterable<Buffer>): Promise<void> => {
      for await (const chunk of source) {
        bytes += chunk.length
        if (bytes > maxReplyBytes) throw new Error(`the reply has more than ${String(maxReplyBytes)} bytes`)
        chunks.push(chunk)
      }
    }
    await (unpacker === undefined ? pipeline(answer, read) : pipeline(answer, unpacker, read))
    return Buffer.concat(chunks).toString('utf8')
  } catch (thrown) {
    throw new Error(`the reply broke off: ${messageOf(thrown)}`, { cause: thrown })
  }
}

function unpacked(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return passedHeaders({ ...headers, 'content-encoding': undefined })
}

function keysOf(headers: IncomingHttpHeaders): readonly string[] {
  return ['api-key', 'x-api-key'].flatMap((name) => headers[name] ?? [])
}
