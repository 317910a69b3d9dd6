import { type RequestListener, createServer, request as httpRequest } from 'node:http'
import type { Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

import { createFetch } from '../../src/models/fetch.js'
import { closing, listen } from './loopback.js'

const kept = closing<{ close(): unknown }>()
const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
beforeEach(() => {
  for (const name of names) for (const one of [name, name.toLowerCase()]) vi.stubEnv(one, undefined)
})
afterEach(() => void vi.unstubAllEnvs())

const serve = async (listener: RequestListener): Promise<string> => (await kept(listen(createServer(listener)))).origin
const open = (maxSockets = 4, maxBytes = 1000) => kept(createFetch({ maxSockets, maxBytes }))

describe('the fetch of calls', () => {
  it('keeps its sockets open, and opens no more than the maximum', async () => {
    const sockets = new Set<Socket>()
    const address = await serve((request, response) => {
      sockets.add(request.socket)
      setTimeout(() => response.end('x'), 5)
    })
    const { fetch } = await open(3)
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 9 }, () => fetch(address)))
    expect(sockets.size).toBe(3)
  })

  it('follows the first of answers that arrive at once by their next requests before it reads the last', async () => {
    const held: (() => void)[] = []
    let received = 0
    const address = await serve((_request, response) => {
      held.push(() => response.end('x'))
      if (++received === 64) for (const answer of held) answer()
      if (received > 64) response.end('x')
    })
    const { fetch } = await open(64)
    const receivedAtAnswer: number[] = []
    const ask = async (): Promise<void> => {
      await fetch(address)
      receivedAtAnswer.push(received)
      await fetch(address)
    }
    await Promise.all(Array.from({ length: 64 }, ask))
    expect(receivedAtAnswer[0]).toBe(64)
    expect(receivedAtAnswer.at(-1)).toBeGreaterThan(64)
  })

  it.each([
    ['head', (): undefined => undefined],
    ['body', (write: () => void): void => write()],
  ])('ends in the %s when it is aborted', async (_, begin) => {
    const address = await serve((_request, response) => begin(() => void response.writeHead(200).write('a')))
    const aborting = new AbortController()
    setTimeout(() => aborting.abort(new Error('enough')), 50)
    const { fetch } = await open()
    await expect(fetch(address, { signal: aborting.signal })).rejects.toThrow('enough')
    await expect(fetch(address, { signal: aborting.signal })).rejects.toThrow('enough')
  })

  it.each([
    ['as it comes', {}, Buffer.alloc(2000, 'x')],
    ['unpacked', { 'content-encoding': 'gzip' }, gzipSync(Buffer.alloc(2000, 'x'))],
  ])('refuses a body that is too long %s', async (_, headers, body) => {
    const address = await serve((_request, response) => response.writeHead(200, headers).end(body))
    await expect((await open()).fetch(address)).rejects.toThrow('an answer of more than 1000 bytes')
    expect(await (await (await open(1, 2000)).fetch(address)).text()).toHaveLength(2000)
  })

  it('follows no redirect, so that only the intended server receives a key', async () => {
    const address = await serve((_, response) => {
      response.writeHead(307, { location: 'http://elsewhere.example/' }).end()
    })
    const response = await (await open()).fetch(address)
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://elsewhere.example/'])
  })
})

it('a proxy for plain addresses receives the full URL, with the login for the proxy', async () => {
  const address = await serve((_request, response) => response.end('through'))
  const received: unknown[] = []
  const proxy = await serve((request, response) => {
    received.push([request.url, request.headers['proxy-authorization']])
    httpRequest(request.url!, (inner) => inner.pipe(response)).end()
  })
  vi.stubEnv('http_proxy', proxy.replace('http://', 'http://me:pw@'))
  expect(await (await (await open()).fetch(`${address}/v1/models?a=1`)).text()).toBe('through')
  expect(received).toEqual([[`${address}/v1/models?a=1`, `Basic ${Buffer.from('me:pw').toString('base64')}`]])
})
