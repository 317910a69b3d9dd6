import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { ShaketableError } from '../../../src/core/errors.js'
import { probeServer } from '../../../src/models/probe/probe-server.js'
import { oneLine } from '../../../src/models/ask.js'
import type { FakeServer, Habits } from './fake-server.js'
import { send, startFakeServer } from './fake-server.js'

const key = 'very-secret-key-0123'
const servers: FakeServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function start(habits: Habits): Promise<FakeServer> {
  const server = await startFakeServer(habits)
  servers.push(server)
  return server
}

const options = { model: 'tuned', apiKey: key, timeoutMs: 300, sleep: () => Promise.resolve() }

async function failure(
  habits: Habits,
  more: Partial<Parameters<typeof probeServer>[0]> = {},
): Promise<ShaketableError> {
  const { baseUrl } = await start(habits)
  const thrown: unknown = await probeServer({ ...options, baseUrl, ...more }).catch((error: unknown) => error)
  expect(thrown).toBeInstanceOf(ShaketableError)
  return thrown as ShaketableError
}

function html(response: ServerResponse, status: number): true {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Welcome</title><p>Hello.')
  return true
}

describe('the texts of a server', () => {
  it('are bounded in time linear in their length', () => {
    const started = performance.now()
    expect(oneLine(`${'. '.repeat(200_000)}x. . `)).toMatch(/^(?:\. ){150}…$/)
    expect(performance.now() - started).toBeLessThan(2000)
    expect(oneLine(' It is  full. .\n')).toBe('It is full')
  })
})

describe('the probe of a faulty server', () => {
  it.each([
    ['before the head', () => true],
    [
      'in the body',
      (response: ServerResponse) => {
        response.writeHead(200, { 'content-type': 'application/json' }).write('{"choices": [')
        return true
      },
    ],
  ])('gives up on one that stalls %s', async (_, stall) => {
    const { code, message } = await failure({ before: (__, response) => stall(response) })
    expect(code).toBe('model')
    expect(message).toMatch(/No whole answer from 'tuned' within 300 ms/)
    expect(servers[0]!.asked.length).toBe(4)
  })

  it('asks on beside questions that stall, and keeps its findings', async () => {
    const { baseUrl, asked } = await start({ before: ({ body }) => body !== undefined && 'tools' in body })
    const { findings, traits } = await probeServer({ ...options, baseUrl })
    const values = Object.fromEntries(findings.map(({ name, value }) => [name, value]))
    expect(values).toMatchObject({ tools: 'unknown', seed: 'honoured', 'temperature 0': 'same', samplers: 'accepted' })
    expect(traits).toMatchObject({ seed: 'sent', tools: 'unknown' })
    expect(asked.filter(({ body }) => body !== undefined && 'tools' in body).length).toBeLessThanOrEqual(4)
  })

  it.each([
    ['garbage instead of JSON', "with text that is not JSON: '<<<'", (response: ServerResponse) => response.end('<<<')],
    ['a number', 'with JSON that is not a completion', (response: ServerResponse) => response.end('7')],
    ['other JSON', 'with JSON that is not a completion', (response: ServerResponse) => response.end('{"hello":1}')],
    ['nothing', 'with nothing', (response: ServerResponse) => response.end()],
    ['no choices', 'with JSON that is not a completion', (response: ServerResponse) => response.end('{"choices":[]}')],
  ])('reports %s as not an OpenAI-compatible server', async (_, said, answer) => {
    const { code, message } = await failure({ before: (__, response) => (answer(response), true) })
    expect(code).toBe('usage')
    expect(message).toContain('Expected an OpenAI-compatible server at http')
    expect(message).toContain(said)
  })

  it.each([200, 404, 405])('reports a web page with status %i as not an OpenAI-compatible server', async (status) => {
    const { code, message } = await failure({ before: (_, response) => html(response, status) })
    expect(code).toBe('usage')
    expect(message).toMatch(/Expected an OpenAI-compatible server at .* an HTML page \('Welcome'\)/)
  })

  it('reports a web page with status 502 as a server error, after six tries', async () => {
    const { code, message } = await failure({
      before: ({ body }, response) => body !== undefined && html(response, 502),
    })
    expect(code).toBe('model')
    expect(message).toMatch(/answered 502: an HTML page/)
    expect(servers[0]!.asked.length).toBe(7)
  })

  it('does not follow a redirect with the key', async () => {
    const other = await start({})
    const { code, message } = await failure({
      before: (_, response) => (response.writeHead(307, { location: `${other.baseUrl}/chat/completions` }).end(), true),
    })
    expect(code).toBe('usage')
    expect(message).toContain(`the server has moved to ${other.baseUrl}/chat/completions`)
    expect(other.asked).toEqual([])
  })

  it('reads no more of a body than the maximum size of an answer', async () => {
    let written = 0
    const chunk = 'x'.repeat(1 << 20)
    const { code, message } = await failure(
      {
        before: (_, response) => {
          const pour = (): void => {
            while (written < 400 && response.writable) {
              written++
              if (!response.write(chunk)) return void response.once('drain', pour)
            }
          }
          pour()
          return true
        },
      },
      { timeoutMs: 20_000 },
    )
    expect(code).toBe('model')
    expect(message).toMatch(/broke off: an answer of more than 4194304 bytes/)
    expect(message.length).toBeLessThan(600)
    expect(written).toBeLessThan(100)
  })

  it.each([
    [{ error: { message: 'bad key', code: 401 } }, 'usage', /The key was refused.*bad key/],
    [{ error: 'Rate limit reached' }, 'model', /Rate limit reached/],
    [{ error: { message: { deep: true } } }, 'model', /answered 200: \{"deep":true\}/],
    [{ error: { type: 'odd', code: 'strange' } }, 'model', /answered 200: strange, odd/],
  ])('treats an error with status 200 as an error: %j', async (body, code, said) => {
    const thrown = await failure({ before: (_, response) => (send(response, 200, body), true) })
    expect(thrown.code).toBe(code)
    expect(thrown.message).toMatch(said)
  })

  it('names the key as the problem, and never prints it', async () => {
    const { code, message } = await failure({
      key: 'another',
      before: ({ authorization }, response) => (
        send(response, 401, { error: { message: `no: ${authorization!}` } }),
        true
      ),
    })
    expect(code).toBe('usage')
    expect(message).toMatch(/The key was refused\. .* answered 401: no: Bearer … Check OPENAI_API_KEY/)
    expect(message).not.toContain(key)
  })

  it('keeps passwords of the address, and text of the server about the key, out of what is stored', async () => {
    const { baseUrl, asked } = await start({
      before: ({ body, authorization }, response) =>
        body !== undefined && 'seed' in body && (send(response, 400, { error: { message: authorization } }), true),
    })
    const address = `${baseUrl.replace('//', '//me:hunter22@')}?token=hunter33`
    const report = await probeServer({ ...options, baseUrl: address })
    expect(JSON.stringify(report)).not.toMatch(/hunter|very-secret/)
    expect(JSON.stringify(report)).not.toContain(Buffer.from('me:hunter22').toString('base64'))
    expect(asked[1]).toMatchObject({ path: '/v1/chat/completions?token=hunter33' })
    expect(asked[1]!.authorization).toBe(`Basic ${Buffer.from('me:hunter22').toString('base64')}`)
  })

  it.each([
    [
      'with a list',
      { models: [{ id: 'tuned-7b' }, { id: 'other' }], answersTo: ['tuned-7b'] },
      /does not exist\. Did you mean 'tuned-7b'\? It has: tuned-7b, other\./,
    ],
    ['without a list', { models: null, answersTo: ['tuned-7b'] }, /The model 'tuned' does not exist.*Check the name/],
  ])('suggests the nearest name for an unknown model, %s', async (_, habits, said) => {
    const { code, message } = await failure(habits)
    expect(code).toBe('usage')
    expect(message).toMatch(/has no model 'tuned'/)
    expect(message).toMatch(said)
  })

  it('gives the same result with a server on which every third exchange fails', async () => {
    const calm = await start({ seed: 'refused', system: 'refused', stop: { most: 4 } })
    const wild = await start({
      seed: 'refused',
      system: 'refused',
      stop: { most: 4 },
      before(_, response, count) {
        if (count % 3 !== 1) return false
        if (count % 2 === 0) response.destroy()
        else if (count % 9 === 7) response.end('{"choices": [{"mess')
        else send(response, count % 9 === 1 ? 429 : 503, { error: { message: 'later' } })
        return true
      },
    })
    const wanted = await probeServer({ ...options, baseUrl: calm.baseUrl })
    const got = await probeServer({ ...options, baseUrl: wild.baseUrl })
    expect(got.traits).toEqual(wanted.traits)
    expect(got.findings).toEqual(wanted.findings)
    expect(got.calls).toBeGreaterThan(wanted.calls)
  })

  it('stops at once on request', async () => {
    const stop = new AbortController()
    const { baseUrl } = await start({ before: () => (stop.abort(new Error('enough')), true) })
    await expect(probeServer({ ...options, baseUrl, timeoutMs: 60_000, signal: stop.signal })).rejects.toThrow('enough')
  })
})
