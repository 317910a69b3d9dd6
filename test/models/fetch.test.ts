import { readFileSync } from 'node:fs'
import { createServer, request as httpRequest } from 'node:http'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FetchOptions, OwnFetch } from '../../src/models/fetch.js'
import { createFetch } from '../../src/models/fetch.js'
import { createEndpoint } from '../../src/models/index.js'
import { proxyFor } from '../../src/models/proxy.js'
import { listen } from './loopback.js'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  await Promise.all(opened.splice(0).map(({ close }) => close()))
})

async function start(server: Server | https.Server): Promise<{ readonly origin: string; readonly port: number }> {
  const started = await listen(server)
  opened.push(started)
  return started
}

async function serve(listener: RequestListener): Promise<string> {
  return (await start(createServer(listener))).origin
}

function open(options: Partial<FetchOptions> = {}): OwnFetch {
  const own = createFetch({ maxSockets: 4, variables: {}, ...options })
  opened.push(own)
  return own
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}

describe('our own fetch', () => {
  it('sends and answers like any other', async () => {
    const address = await serve((request, response) => {
      void textOf(request).then((body) => {
        response.writeHead(201, { 'x-request-id': 'r1', 'content-type': 'application/json' })
        response.end(JSON.stringify({ body, method: request.method, url: request.url, sent: request.headers }))
      })
    })
    const init = { method: 'POST', headers: { Authorization: 'Bearer k' }, body: 'grüß' }
    const response = await open().fetch(`${address}/v1/x?a=1`, init)
    expect(response.status).toBe(201)
    expect(response.headers.get('X-Request-Id')).toBe('r1')
    const said = JSON.parse(await response.text()) as { readonly sent: Record<string, string> }
    expect(said).toMatchObject({ body: 'grüß', method: 'POST', url: '/v1/x?a=1' })
    expect(said.sent).toMatchObject({ authorization: 'Bearer k', 'content-length': '6' })
  })

  it('keeps its sockets open, and opens no more than the maximum', async () => {
    const sockets = new Set<Socket>()
    const address = await serve((request, response) => {
      sockets.add(request.socket)
      setTimeout(() => response.end('x'), 5)
    })
    const { fetch } = open({ maxSockets: 3 })
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

  it('follows no redirect, so that only the intended server receives a key', async () => {
    let asked = 0
    const address = await serve((_request, response) => {
      asked++
      response.writeHead(307, { location: 'http://elsewhere.example/' }).end()
    })
    const response = await open().fetch(address)
    expect(response.status).toBe(307)
    expect(response.headers.get('location')).toBe('http://elsewhere.example/')
    expect(asked).toBe(1)
  })
})

describe('a proxy', () => {
  it('for plain addresses receives the full URL, with the login for the proxy', async () => {
    const address = await serve((_request, response) => response.end('through'))
    const received: unknown[] = []
    const proxy = await serve((request, response) => {
      received.push([request.url, request.headers.host, request.headers['proxy-authorization']])
      httpRequest(request.url!, (inner) => inner.pipe(response)).end()
    })
    const { fetch } = open({ variables: { http_proxy: proxy.replace('http://', 'http://me:pw@') } })
    expect(await (await fetch(`${address}/v1/models?a=1`)).text()).toBe('through')
    const login = `Basic ${Buffer.from('me:pw').toString('base64')}`
    expect(received).toEqual([[`${address}/v1/models?a=1`, address.replace('http://', ''), login]])
  })

  it('that refuses a tunnel is named, without its login', async () => {
    const refusing = createServer().on('connect', (_request: IncomingMessage, socket: Socket) => {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    })
    const { origin: proxy } = await start(refusing)
    const { fetch } = open({ variables: { HTTPS_PROXY: proxy.replace('http://', 'http://me:s3cret@') } })
    const thrown: unknown = await fetch('https://models.example/v1').catch((error: unknown) => error)
    expect(String(thrown)).toContain(`the proxy ${proxy.replace('http://', '')} refused a tunnel with status 407`)
    expect(String(thrown)).not.toContain('s3cret')
  })

  it.each([
    ['http://a.example/v1', { HTTP_PROXY: 'http://p:1' }, 'p:1'],
    ['http://a.example/v1', { HTTPS_PROXY: 'http://p:1' }, undefined],
    ['https://a.example/v1', { HTTPS_PROXY: 'p:1' }, 'p:1'],
    ['http://a.example/v1', { HTTP_PROXY: 'http://p:1', http_proxy: 'http://q:2' }, 'q:2'],
    ['http://a.example/v1', { HTTP_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
    ['http://a.example/v1', { HTTP_PROXY: 'http://p:1', NO_PROXY: '.example' }, undefined],
    ['http://aexample/v1', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'example' }, 'p:1'],
    ['http://a.example:8001/v1', { HTTP_PROXY: 'http://p:1', no_proxy: 'a.example:8000' }, 'p:1'],
    ['http://127.0.0.1:8000/v1', { HTTP_PROXY: 'http://p:1', NO_PROXY: 'localhost,127.0.0.1' }, undefined],
    ['http://a.example/v1', { HTTP_PROXY: '' }, undefined],
  ])('for %s with %j is %s', (address, variables, host) => {
    expect(proxyFor(new URL(address), variables)?.host).toBe(host)
  })
})

describe('a proxy that cannot be used', () => {
  it.each([
    ['http://me:s3cret@pro xy:1', 'http://…@pro xy:1'],
    ['socks5://me:s3cret@host:1080', 'socks5://…@host:1080'],
  ])('%j is refused, without its login', (value, shown) => {
    for (const name of ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY']) {
      expect(() => proxyFor(new URL('http://a.example/v1'), { [name]: value })).toThrow(
        `${name}: expected the address of a proxy such as http://proxy:3128 or https://proxy:3128, got '${shown}'. ` +
          'Correct or unset it, or name a.example in NO_PROXY.',
      )
    }
    const exempt = { HTTP_PROXY: value, NO_PROXY: 'a.example' }
    expect(proxyFor(new URL('http://a.example/v1'), exempt)).toBeUndefined()
  })

  it('is refused before the first request', () => {
    vi.stubEnv('http_proxy', 'http://me:s3cret')
    expect(() => createEndpoint({ model: 'm', baseUrl: 'http://a.example/v1' })).toThrow(/^http_proxy: expected/)
  })
})

/** A self-signed certificate, for localhost only; its key has no other use. */
const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/tls/${name}`, import.meta.url))

async function secureServer(): Promise<number> {
  const options = { key: readFileSync(fixture('key.pem')), cert: readFileSync(fixture('certificate.pem')) }
  const server = https.createServer(options, (request, response) => response.end(`secure ${request.url ?? ''}`))
  return (await start(server)).port
}

/** A proxy that opens tunnels to this machine and counts them. */
async function tunnellingProxy(): Promise<{ readonly port: number; readonly tunnels: string[] }> {
  const tunnels: string[] = []
  const proxy = createServer((_, response) => response.writeHead(405).end())
  proxy.on('connect', (request, socket) => {
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
    const { fetch } = open()
    await expect(fetch(`https://127.0.0.1:${String(port)}/`)).rejects.toThrow(/self-signed certificate/)
  })

  it('go through a tunnel if a proxy is configured, with its login, and keep it open', async () => {
    const port = await secureServer()
    const proxy = await tunnellingProxy()
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
    const variables = { HTTPS_PROXY: `http://me:pw@127.0.0.1:${String(proxy.port)}` }
    const { fetch } = open({ variables })
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
    const { fetch } = open({
      variables: { HTTPS_PROXY: `http://127.0.0.1:${String(proxy.port)}`, NO_PROXY: '127.0.0.1' },
    })
    expect(await (await fetch(`https://127.0.0.1:${String(port)}/c`)).text()).toBe('secure /c')
    expect(proxy.tunnels).toEqual([])
  })
})
