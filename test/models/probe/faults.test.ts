import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decidingTraits, plainTraits } from '../../../src/models/traits.js'
import { buildRequest } from '../../../src/models/request.js'
import type { ProbeReport } from '../../../src/models/probe/probe-server.js'
import { meaningOf } from '../../../src/models/probe/findings.js'
import { probeServer } from '../../../src/models/probe/probe-server.js'
import type { Asked, FakeServer, Habits } from './fake-server.js'
import { send, startFakeServer } from './fake-server.js'

const stall = 'no answer in time'

/** Occasional faults of a server, or of something in front of it, for any request. */
const faults: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  '408': (response) => send(response, 408, { error: { message: 'Request timeout' } }),
  '409': (response) => send(response, 409, { error: { message: 'Conflict' } }),
  '425': (response) => send(response, 425, { error: { message: 'Too early' } }),
  '429': (response) => send(response, 429, { error: { message: 'Rate limit reached' } }),
  '500 that names the role': (response) => send(response, 500, { error: { message: 'System role not supported' } }),
  '500 that names everything': (response) =>
    send(response, 500, { error: { message: 'seed, stop, tools, n, logprobs, max_tokens: not supported' } }),
  '502 with a page': (response) => page(response, 502),
  '503': (response) => send(response, 503, { error: { message: 'Service unavailable' } }),
  '599': (response) => response.writeHead(599).end(),
  'a page with 200': (response) => page(response, 200),
  'a page with 404': (response) => page(response, 404),
  'a reset before the head': (response) => response.socket?.resetAndDestroy(),
  'a close before the head': (response) => response.destroy(),
  'a close in the body': (response) => {
    response.writeHead(200, { 'content-length': '99' }).write('{"choices": [', () => response.destroy())
  },
  'an answer that is cut off': (response) => response.end('{"choices": [{"mess'),
  'an empty answer': (response) => response.end(),
  'a 204': (response) => response.writeHead(204).end(),
  'JSON null': (response) => response.end('null'),
  'a JSON list': (response) => response.end('[]'),
  'other JSON': (response) => response.end('{"ok": true}'),
  'no choices': (response) => send(response, 200, { choices: [] }),
  'JSON nested deep': (response) => response.end(`{"detail": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'an error nested deep with 500': (response) =>
    response.writeHead(500).end(`{"detail": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'an overload with 200': (response) => send(response, 200, { error: { message: 'The provider is overloaded' } }),
  'an error with 200': (response) => send(response, 200, { error: { message: 'Provider returned error' } }),
  [stall]: () => undefined,
}

function page(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' }).end('<html><title>Bad gateway</title>')
}

/** Faults that any server may have permanently: the traits that they hide are unknown. */
const lasting = ['503', '500 that names everything', 'a page with 404', 'a reset before the head']

function probe({ baseUrl }: FakeServer, place = '', timeoutMs = 20_000): Promise<ProbeReport> {
  const options = { model: 'tuned', apiKey: '', timeoutMs, logprobs: true, sleep: () => Promise.resolve() }
  return probeServer({ ...options, baseUrl: `${baseUrl}?place=${place}` })
}

/** The use of a report in a run: the settings in its plan, and the form of a request. */
function consequences({ traits }: ProbeReport): unknown {
  const messages = [
    { role: 'system', content: 'You keep house.' },
    { role: 'user', content: 'Be brief.' },
    { role: 'user', content: 'Action: ' },
  ] as const
  const sampling = { temperature: 0, seed: 1, maxTokens: 10, stop: ['\n', 'a', 'b', 'c', 'd'] }
  return { traits, keys: decidingTraits(traits), request: buildRequest('tuned', messages, sampling, traits) }
}

/** A question identified by its content, so that each attempt at it is the same one. */
const questionOf = ({ path, body }: Asked): string => `${path.split('?')[0]!} ${JSON.stringify(body ?? null)}`

const kinds: readonly (readonly [string, Habits])[] = [
  [
    'takes everything',
    {
      models: [{ id: 'tuned', meta: { n_ctx_train: 131_072 } }],
      props: { default_generation_settings: { n_ctx: 4096 } },
    },
  ],
  [
    'refuses all that can be refused',
    {
      models: null,
      system: 'refused',
      consecutive: 'refused',
      seed: 'refused',
      stop: { most: 1 },
      tools: 'refused',
      logprobs: 'refused',
      completions: false,
      maxTokensField: 'max_completion_tokens',
      temperature: 'only 1',
    },
  ],
  ['knows no chat', { chat: 'no path', models: [{ id: 'tuned', max_model_len: 512 }] }],
]

describe.each(kinds)('the probe of a server that %s', (_, habits) => {
  let server: FakeServer
  let calm: ProbeReport
  let questions: readonly string[]
  /** Whether a fault occurs at a question; each probe has its own path, so that many run at once. */
  let strike: (place: number, asked: Asked, response: ServerResponse) => boolean = () => false
  beforeAll(async () => {
    server = await startFakeServer({
      ...habits,
      before: (asked, response) => strike(Number(asked.path.split('place=')[1]), asked, response),
    })
    calm = await probe(server)
    questions = [...new Set(server.asked.map(questionOf))]
  })
  afterAll(() => server.close())

  it.each(Object.keys(faults))('gives the same result with one fault at each of its calls: %s', async (name) => {
    const struck = new Set<string>()
    // A stall takes a second each.
    const targets = new Set(questions.filter((__, place) => name !== stall || place % 5 === 1))
    strike = (__, asked, response) => {
      const question = questionOf(asked)
      if (struck.has(question) || !targets.has(question)) return false
      struck.add(question)
      faults[name]!(response)
      return true
    }
    const report = await probe(server, '', name === stall ? 1000 : undefined)
    expect(struck).toEqual(targets)
    expect(report.findings).toEqual(calm.findings)
    expect(consequences(report)).toEqual(consequences(calm))
    expect(report.calls).toBe(calm.calls + targets.size)
  })

  it.each(lasting)('reports as unknown what a permanently failing question hides: %s', async (name) => {
    strike = (place, asked, response) => questions[place] === questionOf(asked) && (faults[name]!(response), true)
    const probes = await Promise.allSettled(questions.map((__, place) => probe(server, String(place))))
    const reported = probes.flatMap((one, place) => {
      if (one.status === 'fulfilled') return [{ report: one.value, question: questions[place]! }]
      // The plainest question: without it nothing can be played.
      expect(one.reason, questions[place]).toMatchObject({ code: name.startsWith('a page') ? 'usage' : 'model' })
      return []
    })
    expect(reported.length).toBeGreaterThan(questions.length / 3)
    for (const { report, question } of reported) {
      const changed = report.findings.filter(({ name: of, value }) => value !== valueOf(calm, of))
      expect(
        changed.map(({ value }) => value),
        question,
      ).toEqual(changed.map(() => 'unknown'))
      for (const finding of changed) expect(meaningOf(finding)).toMatch(/^Unknown: |^The name cannot|^Runs|^Nothing/)
      for (const [trait, value] of Object.entries(report.traits)) {
        const known = [calm.traits, plainTraits].map((traits) => (traits as unknown as Record<string, unknown>)[trait])
        expect(known, `${trait} after ${question}`).toContainEqual(value)
      }
    }
    const unknown = reported.flatMap(({ report }) => report.findings.filter(({ value }) => value === 'unknown'))
    const asked = calm.findings.filter(
      ({ name: of, value, evidence }) =>
        evidence !== 'there is no chat' && !fromFirstWords.includes(of) && !(of === 'seed' && value === 'refused'),
    )
    expect([...new Set(unknown.map(({ name: of }) => of))]).toEqual(
      expect.arrayContaining(asked.map(({ name: of }) => of)),
    )
  })
})

/** Read from the first reply, which must arrive. */
const fromFirstWords = [
  'endpoint',
  'length limit',
  'usage',
  'reasoning',
  'system role',
  'same role twice',
  'stop strings',
]

function valueOf({ findings }: ProbeReport, name: string): string | number | undefined {
  return findings.find((finding) => finding.name === name)?.value
}
