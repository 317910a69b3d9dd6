import { afterEach, describe, expect, it } from 'vitest'
import type { Serving } from '../../src/proxy/server.js'
import { createFaultPlan, faults, readFaults } from './_faults.js'
import type { ReaderOptions } from './_serving.js'
import { always, question, serveReader } from './_serving.js'

const json = { 'content-type': 'application/json' }

let serving: Serving | undefined
afterEach(async () => {
  await serving?.close()
  serving = undefined
})

const body = JSON.stringify({ model: 'reader', messages: question })

async function post(text = body, signal?: AbortSignal) {
  const path = `${serving!.baseUrl}/chat/completions`
  const response = await fetch(path, { method: 'POST', headers: json, body: text, ...(signal && { signal }) })
  return { status: response.status, headers: response.headers, read: () => response.text() }
}

/** The answer of a server with a fault in every answer. */
async function spoilt(fault: string, options: ReaderOptions = {}, text?: string, signal?: AbortSignal) {
  serving = await serveReader({ faults: always(fault), ...options })
  return post(text, signal)
}

/** The answer without a fault. */
async function whole(text = body): Promise<string> {
  const good = await serveReader()
  try {
    return await (await fetch(`${good.baseUrl}/chat/completions`, { method: 'POST', headers: json, body: text })).text()
  } finally {
    await good.close()
  }
}

describe('a faulty answer', () => {
  it('is a rate limit with the time to wait', async () => {
    const answer = await spoilt('rate-limit', { retryAfterSeconds: 7 })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '7'])
    expect(JSON.parse(await answer.read())).toMatchObject({ error: { code: 'rate_limit_exceeded' } })
  })

  it('is an error of the server, in its own words or those of a proxy', async () => {
    serving = await serveReader({ faults: always('server-error') })
    const seen = new Set<string>()
    for (let count = 0; count < 30; count++) {
      const { status, headers, read } = await post()
      seen.add(`${String(status)} ${String(headers.get('content-type'))} ${(await read()).slice(0, 8)}`)
    }
    expect(seen).toEqual(new Set(['500 application/json {"error"', '502 text/html <html><h', '503 text/html <html><h']))
  })

  it('stalls in the head', async () => {
    await expect(spoilt('stall-head', {}, body, AbortSignal.timeout(200))).rejects.toThrow(/timeout/)
  })

  it('stalls in the body', async () => {
    const { status, read } = await spoilt('stall-body', {}, body, AbortSignal.timeout(200))
    expect(status).toBe(200)
    await expect(read()).rejects.toThrow(/timeout/)
  })

  it('is reset before the head, or in the body', async () => {
    serving = await serveReader({ faults: always('reset') })
    const seen = new Set<string>()
    for (let count = 0; count < 20; count++) {
      const answer = await post().catch(() => 'no head')
      if (answer === 'no head') seen.add(answer)
      else if (typeof answer === 'object') seen.add(await answer.read().catch(() => 'no body'))
    }
    expect(seen).toEqual(new Set(['no head', 'no body']))
  })

  it('is the first half, as if it were complete', async () => {
    const { status, read } = await spoilt('truncate')
    const text = await read()
    const all = await whole()
    expect([status, text]).toEqual([200, all.slice(0, all.length >> 1)])
  })

  it('is an error with status 200', async () => {
    const { status, read } = await spoilt('error-200')
    expect(status).toBe(200)
    expect(JSON.parse(await read())).toMatchObject({ error: { message: 'The provider is overloaded.', code: 503 } })
  })

  it('is right but slow', async () => {
    const started = performance.now()
    const { read } = await spoilt('slow', { slowMs: 20 })
    expect(await read()).toBe(await whole())
    expect(performance.now() - started).toBeGreaterThan(150)
  })

  it('is a stream that is slow, event by event', async () => {
    const streamed = JSON.stringify({ model: 'reader', messages: question, stream: true })
    const { read, headers } = await spoilt('slow', { slowMs: 10 }, streamed)
    expect(headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(await read()).toBe(await whole(streamed))
  })

  it('is garbage, the same for the same seed', async () => {
    const { status, read } = await spoilt('garbage')
    const text = await read()
    expect(status).toBe(200)
    expect(() => JSON.parse(text) as unknown).toThrow()
    await serving!.close()
    expect(await (await spoilt('garbage')).read()).toBe(text)
  })

  it('is never given to an invalid request, a list of models, or a health check', async () => {
    expect((await spoilt('garbage', {}, '{')).status).toBe(400)
    expect((await fetch(`${serving!.baseUrl}/models`)).status).toBe(200)
  })
})

describe('the draw of faults', () => {
  const names = (draw: ReturnType<typeof createFaultPlan>, bodies: readonly string[]) =>
    bodies.map((text) => draw(text).fault?.name)
  const bodies = Array.from({ length: 4000 }, (_, index) => `request ${String(index)}`)
  const shares = readFaults('rate-limit=0.1, reset=.05,slow=0')

  it('has the given shares', () => {
    const drawn = names(createFaultPlan(shares, 'a'), bodies)
    const percent = (name: string | undefined) => (100 * drawn.filter((one) => one === name).length) / drawn.length
    expect(Math.abs(percent('rate-limit') - 10)).toBeLessThan(1.5)
    expect(Math.abs(percent('reset') - 5)).toBeLessThan(1.5)
    expect(percent('slow')).toBe(0)
    expect(Math.abs(percent(undefined) - 85)).toBeLessThan(2)
  })

  it('depends on the seed, the request and its number, not on the order of requests', () => {
    const forward = names(createFaultPlan(shares, 'a'), bodies)
    const backward = names(createFaultPlan(shares, 'a'), [...bodies].reverse()).reverse()
    expect(backward).toEqual(forward)
    expect(names(createFaultPlan(shares, 'b'), bodies)).not.toEqual(forward)
    const draw = createFaultPlan(shares, 'a')
    expect(names(draw, bodies)).toEqual(forward)
    expect(names(draw, bodies)).not.toEqual(forward)
  })

  it.each([
    ['resets=0.1', "Unknown fault 'resets'. Did you mean 'reset'?"],
    ['reset', "The fault 'reset' needs its share of the answers, a number from 0 to 1, got ''."],
    ['reset=1.1', "got '1.1'. Write reset=0.1."],
    ['reset=-1', "got '-1'."],
    ['reset=0.6,slow=0.6', 'Expected faults with shares of at most 1 together, got 1.2. Give smaller shares.'],
    ['__proto__=1', "Unknown fault '__proto__'."],
  ])('refuses %j', (text, message) => {
    expect(() => readFaults(text)).toThrow(message)
  })

  it('has a distinct name for each fault', () => {
    expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length)
  })
})
