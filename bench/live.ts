import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createEndpoint } from '../src/models/index.js'
import { median } from '../src/statistics/index.js'
import { size } from './_measure.js'

/** Measures the client with a server in another process. */
export async function live(): Promise<void> {
  for (const [latencyMs, inFlight, calls] of [
    [0, 32, size(2000, 64)],
    [500, 256, size(8192, 256)],
  ] as const) {
    await withServer(latencyMs, async (baseUrl) => {
      const rounds: { readonly perSecond: number; readonly microseconds: number }[] = []
      for (let round = 0; round <= size(3, 1); round++) rounds.push(await drive(baseUrl, calls, inFlight))
      const ofRounds = (part: 'perSecond' | 'microseconds'): string =>
        median(rounds.slice(1).map((round) => round[part]))!.toFixed(0)
      console.log(
        `live: ${String(latencyMs)} ms, ${String(inFlight)} in flight: ${ofRounds('perSecond')} calls/s, ${ofRounds('microseconds')} µs of processor a call`,
      )
    })
  }
}

async function withServer(latencyMs: number, use: (baseUrl: string) => Promise<void>): Promise<void> {
  const server = fileURLToPath(new URL('_fixed-server.js', import.meta.url))
  const child = spawn(process.execPath, [server, String(latencyMs)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [address] = (await once(child.stdout, 'data')) as [Buffer]
  await use(address.toString().trim()).finally(() => child.kill())
}

/** About 5 KB, the size of a prompt in the middle of an episode. */
const messages = [
  { role: 'system' as const, content: 'You keep house. Answer with an action. '.repeat(60) },
  {
    role: 'user' as const,
    content: `Your task is to: put a mug in desk.\n${'You see nothing special here.\n'.repeat(90)}Action: `,
  },
]

async function drive(baseUrl: string, calls: number, inFlight: number) {
  const endpoint = createEndpoint({ model: 'served', baseUrl })
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < calls) {
      const { text } = await endpoint.complete(messages, { temperature: 1, seed: next++, maxTokens: 100, stop: ['\n'] })
      if (text === '') throw new Error('expected an answer, got nothing')
    }
  }
  const begun = performance.now()
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: inFlight }, lane))
  const { user, system } = process.cpuUsage(before)
  return { perSecond: calls / ((performance.now() - begun) / 1000), microseconds: (user + system) / calls }
}
