import { type AddressInfo, type Socket, createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Random, createRandom, hashOf } from '../src/index.js'

/** The tools with which a kind answers one request. */
export interface Wire {
  readonly socket: Socket
  /** The bytes of a good completion. */
  readonly good: Buffer
  /** The text of that completion. */
  readonly text: string
  /** Does something later, unless the socket is closed by then. */
  after(ms: number, work: () => void): void
}

/** One unusual or wrong behaviour of a server. */
export interface HostileKind {
  readonly name: string
  /**
   * `scored`: parsed as the good reply that it is. `retried`: another attempt follows. `refused`: none follows, and the
   * call is a model-error.
   */
  readonly expected: 'scored' | 'retried' | 'refused'
  send(wire: Wire): void
}

type Headers = Readonly<Record<string, string | number>>
type Expected = HostileKind['expected']
type Bytes = (good: Buffer) => string | Buffer

const head = (status: number | string, headers: Headers = {}): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}\r\n`)
  return `HTTP/1.1 ${String(status)} X\r\n${lines.join('')}\r\n`
}
const joined = (...parts: readonly (string | Buffer)[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part)))
const chunks = (...parts: readonly (string | Buffer)[]): Buffer =>
  joined(...parts.flatMap((part) => [`${Buffer.byteLength(part).toString(16)}\r\n`, part, '\r\n']))
const cut = (bytes: Buffer, size: number): Buffer[] =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) => bytes.subarray(at * size, (at + 1) * size))

/** A complete answer. */
function whole(body: string | Buffer, { status = 200 as number | string, headers = {} as Headers } = {}): Buffer {
  const type = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return joined(head(status, { ...type, ...headers }), body)
}

const chunked = head(200, { 'content-type': 'application/json', 'transfer-encoding': 'chunked' })
const page = '<!DOCTYPE html><html><title>Bad gateway</title><p>Try again.</p></html>'
const deep = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`
const bomb = gzipSync(Buffer.alloc(128 << 20, ' '))

const kind = (expected: Expected, name: string, send: HostileKind['send']): HostileKind => ({ name, expected, send })
/** Bytes that are written; the socket stays open. */
const writes = (expected: Expected, name: string, bytes: Bytes): HostileKind =>
  kind(expected, name, ({ socket, good }) => void socket.write(bytes(good)))
/** Bytes after which the socket is closed. */
const closes = (expected: Expected, name: string, bytes: Bytes): HostileKind =>
  kind(expected, name, ({ socket, good }) => void socket.end(bytes(good)))
const resets = (name: string, bytes: Bytes): HostileKind =>
  kind('retried', name, ({ socket, good }) => void socket.write(bytes(good), () => socket.resetAndDestroy()))
const withLength = (good: Buffer, more: number): Buffer =>
  whole(good, { headers: { 'content-length': good.length + more } })
/** The good answer with other headers. */
const withHeaders = (expected: Expected, name: string, headers: Headers, isClosed = false): HostileKind =>
  (isClosed ? closes : writes)(expected, name, (good) => whole(good, { headers }))
/** A packed answer. */
const packed = (expected: Expected, name: string, bytes: (good: Buffer) => Buffer): HostileKind =>
  writes(expected, name, (good) => whole(bytes(good), { headers: { 'content-encoding': 'gzip' } }))
/** One answer in JSON that is the same for every request. */
const json = (name: string, body: unknown, status = 200): HostileKind =>
  writes('retried', name, () => whole(typeof body === 'string' ? body : JSON.stringify(body), { status }))
/** A completion with another content or other fields. */
const says = (expected: Expected, name: string, change: (text: string) => object): HostileKind =>
  kind(expected, name, ({ socket, text }) => void socket.write(whole(JSON.stringify(change(text)))))
const choice = (content: unknown): object => ({
  ...{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } },
})
/** A refusal with some form of Retry-After. */
const asksToWait = (name: string, headers: Headers, status = 429): HostileKind =>
  writes('retried', `Retry-After ${name}`, () =>
    whole('{"error":{"message":"Rate limit reached"}}', { status, headers }),
  )

/** Writes without end while the client reads. */
function pour(socket: Socket, piece: string): void {
  const bytes = Buffer.from(piece)
  const more = (): void => {
    while (socket.writable && socket.write(bytes));
    if (socket.writable) socket.once('drain', more)
  }
  more()
}

/** Writes piece by piece. */
function drip(wire: Wire, [first, ...rest]: readonly Buffer[], ms: number): void {
  if (first === undefined) return
  wire.socket.write(first)
  wire.after(ms, () => drip(wire, rest, ms))
}

const statuses = [408, 409, 425, 429, 500, 502, 503, 504, 599]

/** Every kind. A good answer has the text of {@link replyTo}. */
export const hostileKinds: readonly HostileKind[] = [
  kind('retried', 'a reset before the head', ({ socket }) => void socket.resetAndDestroy()),
  closes('retried', 'a close before the head', () => ''),
  resets('a reset in the head', () => 'HTTP/1.1 200 OK\r\ncontent-'),
  closes('retried', 'a close in the head', () => 'HTTP/1.1 200 OK\r\ncontent-'),
  resets('a reset in the body', (good) => whole(good).subarray(0, -20)),
  closes('retried', 'a close in the body', (good) => whole(good).subarray(0, -20)),
  withHeaders('scored', 'a close after the body, against what the head says', { connection: 'keep-alive' }, true),
  kind('scored', 'a reset some time after the body', ({ socket, good, after }) => {
    socket.write(whole(good))
    after(15, () => socket.resetAndDestroy())
  }),
  kind('scored', 'a 408 on an idle socket', ({ socket, good, after }) => {
    socket.write(whole(good))
    after(15, () => socket.end(whole('', { status: 408 })))
  }),

  closes('retried', 'a length that is too long, then a close', (good) => withLength(good, 9)),
  writes('retried', 'a length that is too long, left open', (good) => withLength(good, 9)),
  writes('retried', 'a length that is too short', (good) => withLength(good, -9)),
  withHeaders('retried', 'a length of 0', { 'content-length': 0 }),
  withHeaders('retried', 'an enormous length', { 'content-length': '9'.repeat(40) }, true),
  closes('scored', 'no length, closed', (good) => joined(head(200), good)),
  writes('retried', 'no length, left open', (good) => joined(head(200), good)),

  writes('scored', 'one chunk', (good) => joined(chunked, chunks(good, ''))),
  writes('scored', 'chunks of seven bytes', (good) => joined(chunked, chunks(...cut(good, 7), ''))),
  writes(
    'scored',
    'chunks with an extension and a trailer',
    (good) => `${chunked}${good.length.toString(16)};a=b\r\n${good.toString()}\r\n0\r\nx: y\r\n\r\n`,
  ),
  writes('retried', 'a chunk without a size', (good) => `${chunked}zz\r\n${good.toString()}\r\n0\r\n\r\n`),
  writes('retried', 'a chunk with a wrong size', (good) => `${chunked}5\r\n${good.toString()}\r\n0\r\n\r\n`),
  closes('retried', 'chunks without the last, closed', (good) => joined(chunked, chunks(good))),
  writes('retried', 'chunks without the last, left open', (good) => joined(chunked, chunks(good))),

  closes('retried', 'HTTP 0.9', (good) => good),
  closes('retried', 'a status line without a status', (good) => whole(good, { status: 'OK' })),
  ...['000', '099', '101', '204', '304', '600', '999', '1000'].map((status) =>
    writes('retried', `status ${status}`, (good) => whole(good, { status })),
  ),
  ...statuses.map((status) => json(`status ${String(status)}`, { error: { message: 'Not now' } }, status)),
  writes('scored', 'status 201', (good) => whole(good, { status: 201 })),
  writes(
    'scored',
    'hints before the answer',
    (good) => `${head(102)}${head(103, { link: '</x>' })}${whole(good).toString()}`,
  ),
  writes('refused', 'status 302', () => whole('', { status: 302, headers: { location: 'http://127.0.0.1:1/' } })),
  writes('refused', 'status 400', () => whole('{"error":{"message":"Bad request"}}', { status: 400 })),

  writes('retried', 'a page with 200', () => whole(page, { headers: { 'content-type': 'text/html' } })),
  writes('retried', 'a page with 502', () => whole(page, { status: 502, headers: { 'content-type': 'text/html' } })),
  json('an empty answer', ''),
  json('an error with 200', { error: { message: 'Provider returned error', code: 502 } }),
  json('an error without a code with 200', { error: { message: 'Something went wrong' } }),
  json('an overload with 200', { error: 'The model is overloaded' }),
  kind('scored', 'an unasked stream of events', ({ socket, text }) => {
    const event = JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })
    socket.write(whole(`data: ${event}\n\ndata: [DONE]\n\n`, { headers: { 'content-type': 'text/event-stream' } }))
  }),

  packed('scored', 'gzip', (good) => gzipSync(good)),
  writes('scored', 'gzip in chunks', (good) => {
    const encoded = head(200, { 'transfer-encoding': 'chunked', 'Content-Encoding': 'GZIP' })
    return joined(encoded, chunks(...cut(gzipSync(good), 11), ''))
  }),
  packed('retried', 'gzip that is broken', (good) => gzipSync(good).fill(0xff, 20, 40)),
  packed('retried', 'gzip that is cut off', (good) => gzipSync(good).subarray(0, -12)),
  withHeaders('retried', 'gzip that is not', { 'content-encoding': 'gzip' }),
  packed('retried', 'gzip of 128 MB', () => bomb),
  withHeaders('retried', 'an unknown encoding', { 'content-encoding': 'rot13' }),

  kind('retried', 'a body without end', ({ socket }) => {
    socket.write(head(200))
    pour(socket, 'x'.repeat(60_000))
  }),
  kind('retried', 'chunks without end', ({ socket }) => {
    socket.write(chunked)
    pour(socket, chunks(' '.repeat(60_000)).toString())
  }),
  kind('retried', 'a head without end', ({ socket }) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    pour(socket, 'x: y\r\n'.repeat(1000))
  }),
  kind('retried', 'hints without end', ({ socket }) => pour(socket, head(103).repeat(100))),
  kind('retried', 'no answer', () => undefined),
  kind('scored', 'a slow body', (wire) => drip(wire, cut(whole(wire.good), 40), 2)),
  kind('retried', 'a body that is too slow', (wire) => drip(wire, cut(whole(wire.good), 1), 100)),
  kind('retried', 'a head that is too slow', (wire) => drip(wire, cut(Buffer.from(head(200)), 1), 100)),

  withHeaders('retried', 'a huge header', { x: 'y'.repeat(100_000) }),
  withHeaders(
    'scored',
    'many headers',
    Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x-${String(at)}`, at])),
  ),
  withHeaders('scored', 'a header that is not ASCII', { x: 'grüß' }),

  writes('scored', 'a byte order mark', (good) => whole(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), good]))),
  writes('scored', 'an id of invalid UTF-8', (good) =>
    whole(Buffer.from(good).fill(0xff, good.indexOf('id-'), good.indexOf('id-') + 3)),
  ),
  writes('retried', 'UTF-16', (good) => whole(Buffer.from(`\ufeff${good.toString()}`, 'utf16le'))),
  kind('scored', 'an id split within a character', (wire) => {
    const bytes = whole(wire.good)
    const at = bytes.indexOf('ü') + 1
    drip(wire, [bytes.subarray(0, at), bytes.subarray(at)], 10)
  }),

  json('JSON null', 'null'),
  json('a JSON list', '[]'),
  json('an empty object', {}),
  json('JSON that is cut off', '{"choices": [{"mess'),
  json('JSON nested deep', deep(100_000)),
  json('content nested deep', `{"choices": [{"message": {"content": ${deep(100_000)}}}]}`),
  json('an error nested deep with 500', `{"detail": ${deep(100_000)}}`, 500),
  json(
    'arguments nested deep',
    `{"choices": [{"message": {"tool_calls": [{"function": {"name": "x", "arguments": {"a": ${deep(100_000)}}}}]}}]}`,
  ),
  json('choices that are null', { choices: null }),
  json('a choice that is null', { choices: [null] }),
  json('a choice without a message', { choices: [{ index: 0, finish_reason: 'stop' }] }),
  says('scored', 'choices by the hundred', (text) => ({ choices: Array.from({ length: 500 }, () => choice(text)) })),
  says('scored', 'a second choice that is none', (text) => ({ choices: [choice(text), null] })),
  says('scored', 'usage that is none', (text) => ({
    choices: [choice(text)],
    usage: { prompt_tokens: -1, completion_tokens: 'many' },
  })),
  says('scored', 'content in many parts', (text) => ({
    choices: [choice([...text].map((letter) => ({ type: 'text', text: letter })))],
  })),
  says('retried', 'content that is a number', () => ({ choices: [choice(7)] })),
  says('retried', 'parts that are texts', (text) => ({ choices: [choice([text])] })),
  says('retried', 'tool calls that are none', (text) => ({
    choices: [{ message: { content: text, tool_calls: [{}] } }],
  })),

  asksToWait('negative', { 'retry-after': -5 }),
  asksToWait('0', { 'retry-after': 0 }),
  asksToWait('in milliseconds', { 'retry-after-ms': 50 }),
  asksToWait('as a date', { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2026 07:28:01 GMT' }),
  asksToWait('as a date without a clock', { 'retry-after': 'Wed, 21 Oct 2099 07:28:01 GMT' }),
  asksToWait(
    'in the past',
    { date: 'Wed, 21 Oct 2026 07:28:00 GMT', 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' },
    503,
  ),
  asksToWait('infinite', { 'retry-after': 'Infinity' }),
  asksToWait('of years', { 'retry-after': 999_999_999 }),
  asksToWait('of years by a limit', { 'x-ratelimit-remaining-requests': 0, 'x-ratelimit-reset-requests': '99999h' }),
]

/** The text of a good answer: a hash of the request, so that no answer fits another request. */
export function replyTo(body: string): string {
  return `go to desk ${String(Number.parseInt(hashOf(body, 8), 16))}`
}

/** Chooses the behaviour for a request; undefined for a good answer. */
export type Choose = (exchange: number) => HostileKind | undefined

/** A share of the answers from the table, drawn by a seed; the others are good. */
export function mixOf(seed: string, share = 0.5): Choose {
  const random: Random = createRandom(seed)
  return () => (random.next() < share ? random.pick(hostileKinds) : undefined)
}

/** Starts a server that writes HTTP itself, so that it can violate any of its rules. */
export async function startHostileServer(choose: Choose, port = 0) {
  const sockets = new Set<Socket>()
  const sent = new Map<string, number>()
  const asked: number[] = []
  const answer = (socket: Socket, body: string): void => {
    const chosen = choose(asked.length)
    asked.push(performance.now())
    const text = replyTo(body)
    const good = Buffer.from(JSON.stringify({ id: 'id-ü', object: 'chat.completion', choices: [choice(text)] }))
    if (chosen === undefined) {
      socket.write(whole(good))
      return
    }
    sent.set(chosen.name, (sent.get(chosen.name) ?? 0) + 1)
    chosen.send({
      socket,
      good,
      text,
      after: (ms, work) => {
        setTimeout(() => {
          if (socket.writable) work()
        }, ms)
      },
    })
  }
  const server = createServer((socket) => {
    sockets.add(socket)
    let received = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes])
      for (;;) {
        const end = received.indexOf('\r\n\r\n')
        if (end === -1) return
        const length = Number(/content-length: (\d+)/i.exec(received.toString('latin1', 0, end))?.[1] ?? 0)
        if (received.length < end + 4 + length) return
        const body = received.toString('utf8', end + 4, end + 4 + length)
        received = received.subarray(end + 4 + length)
        answer(socket, body)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/v1`,
    /** Requests so far. */
    exchanges: () => asked.length,
    /** How often each kind was sent. */
    sent: sent as ReadonlyMap<string, number>,
    /** Times of the requests, in milliseconds. */
    asked: asked as readonly number[],
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
