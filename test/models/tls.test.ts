import { readFileSync } from 'node:fs'
import * as http from 'node:http'
import * as https from 'node:https'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { OwnFetch } from '../../src/models/fetch.js'
import { createFetch } from '../../src/models/fetch.js'
import { listen } from './loopback.js'

/** A self-signed certificate, for localhost only; its key has no other use. */
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))
const certificate = fixture('certificate.pem')

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function start(server: http.Server | https.Server): Promise<number> {
  const { port, close } = await listen(server)
  closing.push(() => void close())
  return port
}

function secureServer(): Promise<number> {
  const options = { key: readFileSync(fixture('key.pem')), cert: readFileSync(certificate) }
  return start(https.createServer(options, (request, response) => response.end(`secure ${request.url ?? ''}`)))
}

/** A proxy that opens tunnels to this machine and counts them. */
async function tunnellingProxy(): Promise<{ readonly port: number; readonly tunnels: string[] }> {
  const tunnels: string[] = []
  const proxy = http.createServer((_, response) => response.writeHead(405).end())
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '')
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

  it('trust the certificates in SSL_CERT_FILE', async () => {
    const port = await secureServer()
    const { fetch } = fetchWith({ SSL_CERT_FILE: certificate })
    const response = await fetch(`https://127.0.0.1:${String(port)}/v1`)
    expect(await response.text()).toBe('secure /v1')
  })

  it('go through a tunnel if a proxy is configured, with the same trust, and keep it open', async () => {
    const port = await secureServer()
    const proxy = await tunnellingProxy()
    const variables = { SSL_CERT_FILE: certificate, HTTPS_PROXY: `http://127.0.0.1:${String(proxy.port)}` }
    const { fetch } = fetchWith(variables)
    for (const path of ['/a', '/b']) {
      const response = await fetch(`https://localhost:${String(port)}${path}`)
      expect(await response.text()).toBe(`secure ${path}`)
    }
    expect(proxy.tunnels).toEqual([`localhost:${String(port)}`])
  })

  it('bypass the proxy for hosts in NO_PROXY', async () => {
    const port = await secureServer()
    const proxy = await tunnellingProxy()
    const { fetch } = fetchWith({
      SSL_CERT_FILE: certificate,
      HTTPS_PROXY: `http://127.0.0.1:${String(proxy.port)}`,
      NO_PROXY: '127.0.0.1',
    })
    expect(await (await fetch(`https://127.0.0.1:${String(port)}/c`)).text()).toBe('secure /c')
    expect(proxy.tunnels).toEqual([])
  })
})
