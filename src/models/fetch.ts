import { promisify } from 'node:util'
import * as zlib from 'node:zlib'

/** Options of the network access. */
interface FetchOptions {
  /** Maximum number of sockets per server. */
  readonly maxSockets: number
  /**
   * Maximum size of a body, both as received and unpacked; a longer one is an error. Default: 8 MB, as a reply of
   * 100,000 tokens has at most 2 MB.
   */
  readonly maxBytes?: number
}

/** The used part of `fetch`. */
export type Fetch = (
  url: string,
  init?: {
    readonly method?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<Response>

/**
 * A `fetch` over undici with a bounded number of kept-alive sockets and no time limit. It honours HTTP_PROXY,
 * HTTPS_PROXY and NO_PROXY. It follows no redirects, since a key is meant for one server only. Aborting the
 * signal ends the request at once, also while the body is received. Bodies are unpacked UTF-8 text without a byte order
 * mark. The promise resolves after the last byte; of answers that arrive at once, the last wait for the first to be
 * followed by their next requests.
 */
export function createFetch({ maxSockets, maxBytes = 8 << 20 }: FetchOptions) {
  const open = async () => {
    const { EnvHttpProxyAgent, request } = await import('undici')
    const limits = { connections: maxSockets, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 30_000 } }
    return { request, dispatcher: new EnvHttpProxyAgent({ ...limits, proxyTunnel: false }) }
  }
  let opening: ReturnType<typeof open> | undefined
  const arrived = createTurns(16)
  const fetch: Fetch = async (url, { method = 'GET', signal, ...init } = {}) => {
    signal?.throwIfAborted()
    const { request, dispatcher } = await (opening ??= open())
    try {
      const answer = await request(url, { ...init, method: method as 'GET', signal, dispatcher })
      const { statusCode: status } = answer
      const headers = new Headers()
      for (const [name, value = []] of Object.entries(answer.headers)) {
        for (const part of [value].flat()) headers.append(name, part)
      }
      const text = await gather(answer.body, headers.get('content-encoding'), maxBytes)
      await arrived()
      return new Response([204, 205, 304].includes(status) ? null : text.replace(/^\ufeff/, ''), { status, headers })
    } catch (thrown) {
      signal?.throwIfAborted()
      throw thrown
    }
  }
  const close = (): void => void opening?.then(({ dispatcher }) => dispatcher.destroy()).catch(() => undefined)
  return { fetch, close }
}

/**
 * Lets a number of callers on in each turn of the event loop, first come first served. undici sends on a used socket
 * one turn after it is asked to: of 256 answers in one turn, none would be followed by a request before all are read.
 */
function createTurns(calls: number): () => Promise<void> {
  let waiting: (() => void)[] = []
  const next = (): void => {
    const turn = waiting.slice(0, calls)
    waiting = waiting.slice(calls)
    for (const goOn of turn) goOn()
    if (waiting.length > 0) setImmediate(next)
  }
  return () =>
    new Promise((resolve) => {
      if (waiting.push(resolve) === 1) setImmediate(next)
    })
}

type Unpacker = typeof zlib.gunzip

/** Compression is never requested, but some proxies compress anyway. Node has zstd since 22.15. */
const unpackers: Readonly<Record<string, Unpacker | undefined>> = {
  gzip: zlib.gunzip,
  'x-gzip': zlib.gunzip,
  deflate: zlib.inflate,
  br: zlib.brotliDecompress,
  zstd: (zlib as { readonly zstdDecompress?: Unpacker }).zstdDecompress,
}

/** The text of a body, with the encoding in its header undone. @throws Error where it is too long */
export async function gather(
  body: AsyncIterable<Buffer>,
  encoding: string | null | undefined,
  maxBytes: number,
): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > maxBytes) throw tooLong(maxBytes)
    chunks.push(chunk)
  }
  const packed = Buffer.concat(chunks)
  const name = (encoding ?? '').trim().toLowerCase()
  if (name === '' || name === 'identity' || bytes === 0) return packed.toString('utf8')
  const unpacker = Object.hasOwn(unpackers, name) ? unpackers[name] : undefined
  if (unpacker === undefined) throw new Error(`an answer packed as '${name.slice(0, 40)}', which is not known here`)
  try {
    return (await promisify(unpacker)(packed, { maxOutputLength: maxBytes })).toString('utf8')
  } catch (thrown) {
    const { code, message } = thrown as NodeJS.ErrnoException
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(maxBytes)
    throw new Error(`an answer packed as '${name}' that cannot be unpacked (${message})`, { cause: thrown })
  }
}

function tooLong(maxBytes: number): Error {
  return new Error(`an answer of more than ${String(maxBytes)} bytes`)
}
