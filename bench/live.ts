import { OpenAI } from 'openai'
import { createEndpoint } from '../src/models/index.js'
import { manyEpisodes } from './_many-episodes.js'
import { startFixedServer } from './_serve-process.js'
import { size } from './_size.js'

const rounds = size(5, 1)
/** Episodes in flight at once. */
const flying = size(1000, 20)

/** Measures the client against the bare `openai` package, in alternating rounds, with a server in another process. */
export async function live(): Promise<void> {
  for (const [latencyMs, inFlight, calls] of [
    [0, 32, size(2000, 64)],
    [500, 256, size(2048, 256)],
  ] as const) {
    const server = await startFixedServer(latencyMs)
    const [ours, bare] = await compare([callOf(server.baseUrl), bareCallOf(server.baseUrl)], calls, inFlight)
    await server.close()
    const ideal = latencyMs === 0 ? undefined : (inFlight * 1000) / latencyMs
    const describe = ({ perSecond, microseconds }: Driven): string =>
      `${perSecond.toFixed(0)} calls/s${ideal === undefined ? '' : ` (${((100 * perSecond) / ideal).toFixed(0)} % of the ideal)`}, ${microseconds.toFixed(0)} µs of processor a call`
    console.log(
      `live: ${String(latencyMs)} ms, ${String(inFlight)} in flight: ${describe(ours!)}; the bare package ${describe(bare!)}`,
    )
  }
  const megabytes = await manyEpisodes(flying)
  const memory = megabytes === undefined ? 'memory unknown here' : `at most ${megabytes.toFixed(0)} MB`
  console.log(`live: ${String(flying)} episodes in flight: ${memory}`)
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

function callOf(baseUrl: string): Call {
  const endpoint = createEndpoint({ model: 'served', baseUrl })
  return async (seed) =>
    (await endpoint.complete(messages, { temperature: 1, seed, maxTokens: 100, stop: ['\n'] })).text
}

function bareCallOf(baseUrl: string): Call {
  const client = new OpenAI({ baseURL: baseUrl, apiKey: 'none', maxRetries: 0 })
  const request = { model: 'served', messages, temperature: 1, max_tokens: 100, stop: ['\n'] }
  return async (seed) => (await client.chat.completions.create({ ...request, seed })).choices[0]?.message.content ?? ''
}

interface Driven {
  readonly perSecond: number
  readonly microseconds: number
}

/** The medians of rounds that alternate, after one of each to warm up. */
async function compare(calls: readonly Call[], count: number, inFlight: number): Promise<readonly Driven[]> {
  const driven: Driven[][] = calls.map(() => [])
  for (let round = -1; round < rounds; round++) {
    for (const [index, call] of calls.entries()) {
      const one = await drive(call, count, inFlight)
      if (round >= 0) driven[index]!.push(one)
    }
  }
  return driven.map((all) => ({
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    microseconds: median(all.map(({ microseconds }) => microseconds)),
  }))
}

async function drive(call: Call, calls: number, inFlight: number): Promise<Driven> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < calls) if ((await call(next++)) === '') throw new Error('expected an answer, got nothing')
  }
  const begun = performance.now()
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, lane))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: calls / ((performance.now() - begun) / 1000), microseconds: (user + system) / calls }
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((left, right) => left - right)[numbers.length >> 1]!
}
