import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ShaketableError } from '../core/errors.js'
import { end as endChild, startMarked } from '../environments/process/child.js'
import { isObject, parseJson } from '../files/json.js'
import type { Relay } from './mcp.js'
import { type Handle, ApiError, readBody } from './server.js'

/** A longer message ends its connection. */
const maxMessageBytes = 16 << 20
/** The time for a server to exit once its standard input is closed. */
const graceMs = 1000
const maxSessions = 100

/** @throws ShaketableError `usage` where the package is not installed */
export async function loadSdk() {
  try {
    const [stdio, client, server] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      import('@modelcontextprotocol/sdk/server/streamableHttp.js'),
    ])
    return { ...stdio, ...client, ...server }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown
    throw new ShaketableError(
      'usage',
      '--mcp needs the package @modelcontextprotocol/sdk, which is not installed. Install it: npm install @modelcontextprotocol/sdk',
    )
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** The agent at this process's own standard input and output. */
export function connectStdio({ StdioServerTransport }: Sdk): Transport {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: maxMessageBytes })
  process.stdin.once('close', () => void transport.close())
  process.stdin.once('end', () => void transport.close())
  return transport
}

/**
 * Starts a server as a child process. Its standard error is passed on; it ends with its connection, and with this
 * process however that ends.
 * @param argv the program and its arguments
 * @throws ShaketableError `usage` where it cannot be started
 */
export async function startServer(
  { StdioServerTransport }: Sdk,
  argv: readonly [string, ...string[]],
): Promise<Transport> {
  const server = await startMarked(argv, '--mcp')
  const { process: child } = server
  const gone = once(child, 'exit')
  child.stderr.pipe(process.stderr, { end: false })
  const transport = new StdioServerTransport(child.stdout, child.stdin, { maxBufferSize: maxMessageBytes })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    const timer = setTimeout(() => endChild(server), graceMs)
    child.stdin.end()
    await gone
    clearTimeout(timer)
    endChild(server)
    await close()
  }
  // Processes that the server started can keep its output open.
  child.once('close', () => void close())
  child.once('exit', () => setTimeout(() => void close(), graceMs).unref())
  return transport
}

/** A server at an address. */
export function connectHttp(
  { StreamableHTTPClientTransport }: Pick<Sdk, 'StreamableHTTPClientTransport'>,
  url: URL,
  headers: Record<string, string>,
): Transport {
  const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers }, fetch: fetchBounded })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    await transport.terminateSession().catch(() => undefined)
    await close()
  }
  return transport
}

/** `fetch` with a limit for each line of a reply: a message is one line. */
const fetchBounded: FetchLike = async (url, init) => {
  const response = await fetch(url, init)
  let bytes = 0
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const at = chunk.lastIndexOf(10)
      bytes = at === -1 ? bytes + chunk.length : chunk.length - at
      if (bytes > maxMessageBytes) controller.error(new Error('a message of the MCP server is too long'))
      else controller.enqueue(chunk)
    },
  })
  return response.body === null ? response : new Response(response.body.pipeThrough(counting), response)
}

/**
 * Answers agents over Streamable HTTP: each session has a relay of its own. Of too many sessions the oldest ends.
 * @param open begins a session; it gets the headers of the agent that are meant for the server
 */
export function createMcpHandler(
  { StreamableHTTPServerTransport }: Sdk,
  open: (agent: Transport, headers: Record<string, string>) => Promise<Relay>,
): { readonly handle: Handle; close(): Promise<void> } {
  type Session = InstanceType<typeof StreamableHTTPServerTransport>
  const sessions = new Map<string, { readonly transport: Session; readonly relay: Relay }>()
  const end = async (id: string): Promise<void> => {
    const session = sessions.get(id)
    sessions.delete(id)
    await session?.transport.close()
    await session?.relay.gone
  }
  const begin = async (headers: Record<string, string>): Promise<Session> => {
    const id = randomUUID()
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id })
    const relay = await open(transport as Transport, headers)
    sessions.set(id, { transport, relay })
    void relay.gone.then(() => sessions.delete(id))
    const [oldest] = sessions.keys()
    if (sessions.size > maxSessions) void end(oldest!)
    return transport
  }
  return {
    async handle(request, response) {
      const { 'mcp-session-id': id, authorization } = request.headers
      if (!/^\/mcp\/?(?:\?|$)/.test(request.url ?? '')) throw new ApiError(404, 'There is nothing here but /mcp.')
      const isPost = request.method === 'POST'
      const body = isPost ? parseJson(await readBody(request, maxMessageBytes)) : undefined
      if (isPost && body === undefined) throw new ApiError(400, 'The body of the request is not JSON.')
      const known = sessions.get(String(id))?.transport
      const isBeginning = id === undefined && isObject(body) && body.method === 'initialize'
      if (known === undefined && !isBeginning) throw new ApiError(404, 'There is no such session.')
      const transport = known ?? (await begin(authorization === undefined ? {} : { authorization }))
      await transport.handleRequest(request, response, body)
    },
    async close() {
      await Promise.allSettled([...sessions.keys()].map(end))
    },
  }
}
