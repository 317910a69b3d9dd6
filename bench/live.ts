import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createEndpoint } from '../src/models/index.js'
import { median } from '../src/statistics/index.js'
import { size } from './_size.js'

/** Files of the build, beside the built benches. */
const built = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Measures the client with a server in another process, and the memory of a run with 1,000 episodes in flight. */
export async function live(): Promise<void> {
  for (const [latencyMs, inFlight, calls] of [
    [0, 32, size(2000, 64)],
    [500, 256, size(2048, 256)],
  ] as const) {
    await withServer([built('_fixed-server.js'), String(latencyMs)], async (baseUrl) => {
      const rounds: { readonly perSecond: number; readonly microseconds: number }[] = []
      for (let round = 0; round <= size(5, 1); round++) rounds.push(await drive(baseUrl, calls, inFlight))
      const ofRounds = (part: 'perSecond' | 'microseconds'): string =>
        median(rounds.slice(1).map((one) => one[part]))!.toFixed(0)
      console.log(
        `live: ${String(latencyMs)} ms, ${String(inFlight)} in flight: ${ofRounds('perSecond')} calls/s, ${ofRounds('microseconds')} µs of processor a call`,
      )
    })
  }
  // Answers take a second, so that all episodes are in flight together.
  const server = [built('../bundle/main.js'), 'serve', 'served=reader', '--latency', '1000']
  await withServer(server, (baseUrl) => runMany(baseUrl, size(1000, 20)))
}

async function withServer(args: readonly string[], use: (baseUrl: string) => Promise<void>): Promise<void> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    const baseUrl = await new Promise<string>((resolve, reject) => {
      child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
      child.once('exit', (code) => reject(new Error(`the server ended with exit code ${String(code)}`)))
    })
    await use(baseUrl)
  } finally {
    child.kill('SIGINT')
    await exited
  }
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

/** Prints the peak of the resident memory of `shaketable run` with this many episodes in flight (Linux). */
async function runMany(baseUrl: string, episodes: number): Promise<void> {
  if (!existsSync('/proc/self/status')) return
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  try {
    const seeds = String(Math.ceil(episodes / 20))
    const grid = ['--tasks', '20', '--seeds', seeds, '--temperatures', '1', '--perturb', 'none', '--steps', '5']
    const flags = ['--model', 'served', '--base-url', baseUrl, '--concurrency', String(episodes)]
    const args = [built('../bundle/main.js'), 'run', ...grid, ...flags, '--out', join(folder, 'run')]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] })
    let kilobytes = 0
    const timer = setInterval(() => {
      // VmHWM is the peak since the process began.
      const status = readFileSync(`/proc/${String(child.pid)}/status`, 'utf8')
      kilobytes = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? kilobytes)
    }, 50)
    const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
    clearInterval(timer)
    if (code !== 0) throw new Error(`the run of many episodes ended with exit code ${String(code)}`)
    console.log(`live: ${String(episodes)} episodes in flight: at most ${(kilobytes / 1024).toFixed(0)} MB`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}
