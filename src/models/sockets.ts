import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import type { Duplex } from 'node:stream'
import * as tls from 'node:tls'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { NetworkVariables } from './proxy.js'
import { proxyAuthorization } from './proxy.js'

/** Sockets that are kept open between calls. */
export interface Sockets {
  readonly agent: http.Agent
  close(): void
}

/** Sockets of a plain connection, to a server or to a proxy for plain addresses. */
export function plainSockets(secure: boolean, maxSockets: number, ca: readonly string[] | undefined): Sockets {
  const options = { keepAlive: true, maxSockets, maxFreeSockets: maxSockets }
  const agent = secure ? new https.Agent({ ...options, ...(ca && { ca: [...ca] }) }) : new http.Agent(options)
  return { agent, close: () => agent.destroy() }
}

/** Sockets to an https server through a proxy, each in a tunnel of its own. */
export function tunnelledSockets(proxy: URL, maxSockets: number, ca: readonly string[] | undefined): Sockets {
  const agent = new https.Agent({ keepAlive: true, maxSockets, maxFreeSockets: maxSockets })
  const open = (options: https.AgentOptions & { host?: string; port?: number }, done: SocketHandler): undefined => {
    const name = options.host ?? ''
    openTunnel(proxy, `${name.includes(':') ? `[${name}]` : name}:${String(options.port ?? 443)}`, ca).then(
      (socket) => {
        const secured = tls.connect({
          socket,
          ...(options.servername !== undefined && options.servername !== '' && { servername: options.servername }),
          host: name,
          ...(ca && { ca: [...ca] }),
        })
        done(null, secured)
      },
      (thrown: Error) => {
        done(thrown)
      },
    )
    return undefined
  }
  return { agent: Object.assign(agent, { createConnection: open }), close: () => agent.destroy() }
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

function openTunnel(proxy: URL, authority: string, ca: readonly string[] | undefined): Promise<Duplex> {
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
      ...(ca && { ca: [...ca] }),
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

/**
 * Certificates from SSL_CERT_FILE and those that Node trusts. As a list replaces Node's own, NODE_EXTRA_CA_CERTS is
 * added again.
 * @throws ShaketableError `bad-input` where the file cannot be read
 */
export function readCertificates(variables: NetworkVariables): readonly string[] | undefined {
  const { SSL_CERT_FILE: file, NODE_EXTRA_CA_CERTS: extra } = variables
  if (!file) return undefined
  let own: string
  try {
    own = readFileSync(file, 'utf8')
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `Expected a file of certificates in SSL_CERT_FILE, but it cannot be read: ${messageOf(thrown)}. Correct the variable or unset it.`,
    )
  }
  const more = extra ? [readOptional(extra)] : []
  return [...tls.rootCertificates, own, ...more]
}

/** Node itself only warns about this file. */
function readOptional(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
