import { OpenAI } from 'openai'
import type { Model } from '../src/core/model.js'
import { createEndpoint } from '../src/models/index.js'
import { startFixedServer } from './_serve-process.js'
import { manyEpisodes } from './_many-episodes.js'
import { size } from './_size.js'

/**
 * Cost of calls to a server on loopback. The server and the client that is measured have one core each if the machine
 * has two free.
 */
export interface LiveFigures {
  /** Share of the ideal rate: that of 128 concurrent calls of 50 ms each without any overhead. */
  readonly idealPercent: number
  /**
   * Rate of calls that are answered at once: ours against the bare SDK over global fetch, medians of alternating
   * rounds.
   */
  readonly callsPerSecond: number
  readonly bareCallsPerSecond: number
  /** Processor time of the client. */
  readonly microsecondsPerCall: number
  readonly bareMicrosecondsPerCall: number
  /** Peak memory of `shaketable run` with ${count(flying)} episodes in flight; undefined without /proc. */
  readonly manyEpisodesMegabytes: number | undefined
}

const inFlight = 128
const serviceMs = 50
const rounds = size(5, 1)
const callsPerRound = size(4000, 256)

/** Episodes in flight at once. */
const flying = size(1000, 20)

/** Measures the client against a server process. */
export async function live(): Promise<LiveFigures> {
  const speed = await withServer(0, compare)
  const idealPercent = await withServer(serviceMs, async (baseUrl) => {
    const call = ours(baseUrl)
    await drive(call, callsPerRound)
    const driven: Driven[] = []
    for (let round = 0; round < rounds; round++) driven.push(await drive(call, callsPerRound))
    return (100 * median(driven.map(({ perSecond }) => perSecond))) / ((inFlight * 1000) / serviceMs)
  })
  const figures = { idealPercent, ...speed, manyEpisodesMegabytes: await manyEpisodes(flying) }
  const { callsPerSecond, bareCallsPerSecond, microsecondsPerCall, bareMicrosecondsPerCall } = speed
  const memory = figures.manyEpisodesMegabytes
  console.log(
    `live: ${idealPercent.toFixed(0)} % of the ideal rate at ${String(serviceMs)} ms and ${String(inFlight)} in flight; ` +
      `${count(callsPerSecond)} calls/s, the bare SDK ${count(bareCallsPerSecond)} (× ${(callsPerSecond / bareCallsPerSecond).toFixed(2)}); ` +
      `${count(microsecondsPerCall)} µs of processor a call, the bare SDK ${count(bareMicrosecondsPerCall)}; ` +
      `resident ${count(process.memoryUsage().rss / 2 ** 20)} MB; ` +
      `${count(flying)} episodes in flight: ${memory === undefined ? 'memory unknown here' : `at most ${count(memory)} MB`}`,
  )
  return figures
}

async function withServer<T>(latencyMs: number, work: (baseUrl: string) => Promise<T>): Promise<T> {
  const server = await startFixedServer(latencyMs)
  try {
    return await work(server.baseUrl)
  } finally {
    await server.close()
  }
}

async function compare(baseUrl: string) {
  const clients = [ours(baseUrl), bare(baseUrl)]
  for (const call of clients) await drive(call, callsPerRound)
  const measured: Driven[][] = [[], []]
  for (let round = 0; round < rounds; round++) {
    for (const [index, call] of clients.entries()) measured[index]!.push(await drive(call, callsPerRound))
  }
  const [our, their] = measured.map((driven) => ({
    perSecond: median(driven.map(({ perSecond }) => perSecond)),
    microseconds: median(driven.map(({ microsecondsPerCall }) => microsecondsPerCall)),
  }))
  return {
    callsPerSecond: our!.perSecond,
    bareCallsPerSecond: their!.perSecond,
    microsecondsPerCall: our!.microseconds,
    bareMicrosecondsPerCall: their!.microseconds,
  }
}

type Call = (seed: number) => Promise<string>

/** About 5 KB, the size of a prompt in the middle of an episode. */
const messages = [
  { role: 'system' as const, content: 'You keep house. Answer with an action. '.repeat(60) },
  {
    role: 'user' as const,
    content: `Your task is to: put a mug in desk.\n${'You see nothing special here.\n'.repeat(90)}Action: `,
  },
]

function ours(baseUrl: string): Call {
  const endpoint: Model = createEndpoint({ model: 'served', baseUrl })
  return async (seed) =>
    (await endpoint.complete(messages, { temperature: 1, seed, maxTokens: 100, stop: ['\n'] })).text
}

function bare(baseUrl: string): Call {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 })
  const request = { model: 'served', messages, temperature: 1, max_tokens: 100, stop: ['\n'] }
  return async (seed) => (await client.chat.completions.create({ ...request, seed })).choices[0]?.message.content ?? ''
}

interface Driven {
  readonly perSecond: number
  readonly microsecondsPerCall: number
}

async function drive(call: Call, calls: number): Promise<Driven> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < calls) if ((await call(next++)) === '') throw new Error('expected an answer, got nothing')
  }
  const begun = performance.now()
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, lane))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: calls / ((performance.now() - begun) / 1000), microsecondsPerCall: (user + system) / calls }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[numbers.length >> 1]!
}

function count(number: number): string {
  return Math.round(number).toLocaleString('en')
}
