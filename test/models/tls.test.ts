import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { OwnFetch } from '../../src/models/fetch.js'
import { createFetch } from '../../src/models/fetch.js'
import { listen } from './loopback.js'

/** A self-signed certificate, for localhost only; its key has no other use. */
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

const closing: (() => void)[] = []
afterEach(() => {
  vi.unstubAllEnvs()
  for (const close of closing.splice(0)) close()
})

async function start(server: http.Server | https.Server): Promise<number> {
  const { port, close } = await listen(server)
  closing.push(() => void close())
  return port
}

function secureServer(): Promise<number> {
  const options = { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('certificate.pem')) }
  return start(https.createServer(options, (request, response) => response.end(`secure ${request.url ?? ''}`)))
}

/** A proxy that opens tunnels to this machine and counts them. */
async function tunnellingProxy(): Promise<{ readonly port: number; readonly tunnels: string[] }> {
  const tunnels: string[] = []
  const proxy = http.createServer((_, response) => response.writeHead(405).end())
  proxy.on('connect', (request, socket) => {
    tunnels.push(`${request.url!} ${String(request.headers['proxy-authorization'])}`)
    const peer = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      peer.pipe(socket)
      socket.pipe(peer)
    })
    for (const one of [peer, socket]) one.on('error', () => undefined)
  })
  return { port: await start(proxy), tunnels }
}

function fetchWith(variables: Readonly<Record<string, string>>): OwnFetch {
  const own = createFetch({ maxSockets: 4, variables })
  closing.push(own.close)
  return own
}

describe('secure connections', () => {
  it('refuse an untrusted certificate', async () => {
    const port = await secureServer()
    const { fetch } = fetchWith({})
    await expect(fetch(`https://127.0.0.1:${String(port)}/`)).rejects.toThrow(/self-signed certificate/)
  })

  it('go through a tunnel if a proxy is configured, with its login, and keep it open', async () => {
    const port = await secureServer()
    const proxy = await tunnellingProxy()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const variables = { HTTPS_PROXY: `http://me:pw@127.0.0.1:${String(proxy.port)}` }
    const { fetch } = fetchWith(variables)
    for (const path of ['/a', '/b']) {
      const response = await fetch(`https://localhost:${String(port)}${path}`)
      expect(await response.text()).toBe(`secure ${path}`)
    }
    const login = `Basic ${Buffer.from('me:pw').toString('base64')}`
    expect(proxy.tunnels).toEqual([`localhost:${String(port)} ${login}`])
  })

  it('bypass the proxy for hosts in NO_PROXY', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const port = await secureServer()
    const proxy = await tunnellingProxy()
    const { fetch } = fetchWith({
      HTTPS_PROXY: `http://127.0.0.1:${String(proxy.port)}`,
      NO_PROXY: '127.0.0.1',
    })
    expect(await (await fetch(`https://127.0.0.1:${String(port)}/c`)).text()).toBe('secure /c')
    expect(proxy.tunnels).toEqual([])
  })
})
