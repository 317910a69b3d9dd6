import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OwnFetch } from '../../src/models/fetch.js'
import { createFetch } from '../../src/models/fetch.js'
import { listen } from './loopback.js'

const opened: { close(): unknown }[] = []
const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
beforeEach(() => {
  for (const name of names) for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined)
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(opened.splice(0).map(({ close }) => close()))
})

async function start(server: Server | https.Server): Promise<{ readonly origin: string; readonly port: number }> {
  const started = await listen(server)
  opened.push(started)
  return started
}

const serve = async (listener: RequestListener): Promise<string> => (await start(createServer(listener))).origin

function open(maxSockets = 4, maxBytes = 1000): OwnFetch {
  const own = createFetch({ maxSockets, maxBytes })
  opened.unshift(own)
  return own
}

describe('the fetch of calls', () => {
  it('keeps its sockets open, and opens no more than the maximum', async () => {
    const sockets = new Set<Socket>()
    const address = await serve((request, response) => {
      sockets.add(request.socket)
      setTimeout(() => response.end('x'), 5)
    })
    const { fetch } = open(3)
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 9 }, () => fetch(address)))
    expect(sockets.size).toBe(3)
  })

  it.each([
    ['head', (): undefined => undefined],
    ['body', (write: () => void): void => write()],
  ])('ends in the %s when it is aborted', async (_, begin) => {
    const address = await serve((_request, response) => {
      begin(() => {
        response.writeHead(200).write('a')
      })
    })
    const aborting = new AbortController()
    setTimeout(() => {
      aborting.abort(new Error('enough'))
    }, 50)
    const { fetch } = open()
    await expect(fetch(address, { signal: aborting.signal })).rejects.toThrow('enough')
    await expect(fetch(address, { signal: aborting.signal })).rejects.toThrow('enough')
  })

  it.each([
    ['as it comes', {}, Buffer.alloc(2000, 'x')],
    ['unpacked', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(2000, 'x'))],
  ])('refuses a body that is too long %s', async (_, headers, body) => {
    const address = await serve((_request, response) => response.writeHead(200, headers).end(body))
    await expect(open().fetch(address)).rejects.toThrow('an answer of more than 1000 bytes')
    expect(await (await open(1, 2000).fetch(address)).text()).toHaveLength(2000)
  })

  it('follows no redirect, so that only the intended server receives a key', async () => {
    const address = await serve((_, response) => {
      response.writeHead(307, { location: 'http://elsewhere.example/' }).end()
    })
    const response = await open().fetch(address)
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://elsewhere.example/'])
  })
})

describe('a proxy', () => {
  it('for plain addresses receives the full URL, with the login for the proxy', async () => {
    const address = await serve((_request, response) => response.end('through'))
    const received: unknown[] = []
    const proxy = await serve((request, response) => {
      received.push([request.url, request.headers['proxy-authorization']])
      httpRequest(request.url!, (inner) => inner.pipe(response)).end()
    })
    vi.stubEnv('http_proxy', proxy.replace('http://', 'http://me:pw@'))
    expect(await (await open().fetch(`${address}/v1/models?a=1`)).text()).toBe('through')
    expect(received).toEqual([[`${address}/v1/models?a=1`, `Basic ${Buffer.from('me:pw').toString('base64')}`]])
  })
})

/** A self-signed certificate, for localhost only; its key has no other use. */
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

async function secureServer(): Promise<number> {
  const options = { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('certificate.pem')) }
  const server = https.createServer(options, (request, response) => response.end(`secure ${request.url ?? ''}`))
  return (await start(server)).port
}

/** A proxy that opens tunnels to this machine and keeps who asked for them. */
async function tunnellingProxy(): Promise<{ readonly port: number; readonly tunnels: string[] }> {
  const tunnels: string[] = []
  const proxy = createServer((_, response) => response.writeHead(405).end())
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(`${request.url!} ${String(request.headers['proxy-authorization'])}`)
    const peer = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      peer.pipe(socket)
      socket.pipe(peer)
    })
    for (const one of [peer, socket]) one.on('error', () => undefined)
  })
  return { port: (await start(proxy)).port, tunnels }
}

describe('secure connections', () => {
  it('refuse an untrusted certificate', async () => {
    const port = await secureServer()
    await expect(open().fetch(`https://127.0.0.1:${String(port)}/`)).rejects.toThrow(/self-signed certificate/)
  })

  it('go through a tunnel of the proxy, with its login, but not to hosts in NO_PROXY', async () => {
    const port = await secureServer()
    const proxy = await tunnellingProxy()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    vi.stubEnv('HTTPS_PROXY', `http://me:pw@127.0.0.1:${String(proxy.port)}`)
    vi.stubEnv('NO_PROXY', '127.0.0.1')
    const { fetch } = open()
    for (const host of ['localhost', '127.0.0.1']) {
      expect(await (await fetch(`https://${host}:${String(port)}/a`)).text()).toBe('secure /a')
    }
    const login = `Basic ${Buffer.from('me:pw').toString('base64')}`
    expect(proxy.tunnels).toEqual([`localhost:${String(port)} ${login}`])
  })
})
