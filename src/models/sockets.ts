import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import * as tls from 'node:tls'
import { proxyAuthorization } from './proxy.js'

/** Sockets of plain connections that are kept open between calls, to a server or to a proxy for plain addresses. */
export function plainAgent(isSecure: boolean, maxSockets: number): http.Agent {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets }
  return isSecure ? new https.Agent(options) : new http.Agent(options)
}

/** Sockets to an https server through a proxy, each in a tunnel of its own. */
export function tunnelAgent(proxy: URL, maxSockets: number): http.Agent {
  const agent = new https.Agent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets })
  const open = (options: https.AgentOptions & { host?: string; port?: number }, done: SocketHandler): undefined => {
    const { host = '', servername } = options
    openTunnel(proxy, `${host.includes(':') ? `[${host}]` : host}:${String(options.port ?? 443)}`).then(
      (socket) => done(null, tls.connect({ socket, ...(servername && { servername }), host })),
      (thrown: Error) => done(thrown),
    )
    return undefined
  }
  return Object.assign(agent, { createConnection: open })
}

/**
 * Watches the connections of an agent.
 * @param reopened called where a connection is opened after the server closed all that it had kept, as in a restart
 * @returns a function to be called for each request that has a connection
 */
export function watchConnections(agent: http.Agent, reopened: () => void): () => void {
  const kept = new Set<Duplex>()
  let hadKept = false
  agent.on('free', (socket: Duplex) => {
    hadKept = true
    if (!kept.has(socket)) kept.add(socket.once('close', () => kept.delete(socket)))
  })
  return () => {
    if (!hadKept || kept.size > 0) return
    hadKept = false
    reopened()
  }
}

type SocketHandler = (error: Error | null, socket?: Duplex) => void

const tunnelMs = 30_000

function openTunnel(proxy: URL, authority: string): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = proxy.protocol === 'https:'
    const connect = (secure ? https : http).request({
      host: proxy.hostname.replace(/^\[|\]$/g, ''),
      port: proxy.port || (secure ? 443 : 80),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...proxyAuthorization(proxy) },
      agent: false,
      timeout: tunnelMs,
    })
    connect.once('connect', (response, socket) => {
      if (response.statusCode === 200) {
        socket.setTimeout(0)
        resolve(socket)
        return
      }
      socket.destroy()
      reject(new Error(`the proxy ${proxy.host} refused a tunnel with status ${String(response.statusCode)}`))
    })
    connect.once('timeout', () => connect.destroy(new Error(`the proxy ${proxy.host} did not answer`)))
    connect.once('error', reject)
    connect.end()
  })
}
