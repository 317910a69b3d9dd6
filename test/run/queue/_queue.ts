import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { createRandom } from '../../../src/core/random.js'
import { type Running, partingOf, rowsOf, shaketable, start } from '../../cli/_command.js'
import { freePort } from '../../real-llama.js'

/** Whether Debian's or another redis-server can be started. */
export const hasRedis = ((): boolean => {
  try {
    return execFileSync('redis-server', ['--version'], { encoding: 'utf8' }).includes('v=')
  } catch {
    return false
  }
})()

/** A Redis server of a test. */
export type TestRedis = Awaited<ReturnType<typeof startRedis>>

/** Starts a Redis server with an append-only file on a free loopback port. */
export async function startRedis(folder: string, password?: string) {
  mkdirSync(folder, { recursive: true })
  const port = await freePort()
  const login = password === undefined ? [] : ['--requirepass', password]
  const client = ['-p', String(port), ...(password === undefined ? [] : ['-a', password, '--no-auth-warning'])]
  /** What redis-cli prints. */
  const ask = (...words: string[]): string =>
    execFileSync('redis-cli', [...client, ...words], { encoding: 'utf8', stdio: 'pipe' })
  let child: ChildProcess
  let ended: Promise<unknown>
  const open = async (): Promise<void> => {
    const settings = `--port ${String(port)} --bind 127.0.0.1 --appendonly yes --dir ${folder}`.split(' ')
    child = spawn('redis-server', [...settings, '--save', '', ...login], { stdio: 'ignore' })
    ended = new Promise((resolve) => child.on('exit', resolve))
    await until(() => {
      try {
        return ask('ping').includes('PONG')
      } catch {
        return false
      }
    })
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM')
    await ended
  }
  await open()
  return {
    url: `redis://localhost:${String(port)}`,
    /** Ends it and starts it again from its append-only file. */
    async restart() {
      await stop()
      await setTimeout(500)
      await open()
    },
    ask,
    close: stop,
  }
}

/** Waits until something holds. */
export async function until(holds: () => boolean, seconds = 60): Promise<void> {
  for (let tries = 0; tries < seconds * 20; tries++) {
    if (holds()) return
    await setTimeout(50)
  }
  throw new Error(`it never held: ${holds.toString()}`)
}

/**
 * An environment of rooms whose steps take WAIT_MS each. With POISON, the first step of task `key-2` ends its thread,
 * and that of `key-3` its process. While there is a file `held`, tasks from the number in it on wait.
 */
const rooms = `import { defineEnvironment } from 'shaketable'
import { readFileSync } from 'node:fs'
const rooms = ['hall', 'kitchen', 'study', 'cellar', 'attic']
const wait = Number(process.env.WAIT_MS ?? 0)
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
const isHeld = (task) => {
  try {
    return Number(task.id.slice(4)) >= Number(readFileSync('held', 'utf8') || 0)
  } catch {
    return false
  }
}
export default defineEnvironment({
  name: 'rooms', version: '1', refusal: 'Nothing happens.',
  tasks: Array.from({ length: 500 }, (_, n) => ({ id: 'key-' + n, goal: 'Take the key.', data: rooms[n % 5] })),
  begin(task, random) {
    let here = rooms[random.int(5)]
    let taken = false
    const hasKey = () => here === task.data && !taken
    const admissible = () => [...rooms.filter((room) => room !== here).map((room) => 'go to ' + room), ...(hasKey() ? ['take key'] : []), 'look']
    const look = () => 'You are in the ' + here + '.' + (hasKey() ? ' There is a key.' : '')
    return {
      opening: look() + ' There are rooms: ' + rooms.join(', ') + '.',
      briefing: { forms: { 'go to {room}': 'walk to a room', 'take {item}': 'pick it up', look: 'look around' } },
      names: [...rooms, 'key'],
      async step(action) {
        if (task.id === 'key-2' && process.env.POISON) process.exit(1)
        if (task.id === 'key-3' && process.env.POISON) process.kill(process.pid, 'SIGKILL')
        if (wait > 0) await sleep(wait)
        while (process.env.HELD && isHeld(task)) await sleep(20)
        if (!admissible().includes(action)) return { observation: 'Nothing happens.' }
        if (action === 'take key') taken = true
        else if (action.startsWith('go to ')) here = action.slice(6)
        return { observation: taken ? 'You have the key.' : look(), progress: taken ? 1 : 0, ended: taken && 'success' }
      },
      admissible,
      solve: () => (taken ? [] : [...(here === task.data ? [] : ['go to ' + task.data]), 'take key']),
    }
  },
})
`

/**
 * Writes the environment into a folder.
 * @returns the arguments of a run; by default with 4 episodes for each task, seed and model, so a batch has 4 tasks
 */
export function writeRooms(
  folder: string,
  tasks: number,
  seeds: number,
  models = 'oracle,random',
  perturbations = 'placebo,item-style,letter-case',
): readonly string[] {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'rooms.mjs'), rooms)
  const grid = ['--env', 'rooms', '--tasks', String(tasks), '--seeds', String(seeds), '--steps', '6']
  const conditions = ['--perturb', perturbations, '--model', models, '--temperatures', '0']
  return ['run', '--plugin', './rooms.mjs', ...grid, ...conditions]
}

/** Holds the tasks from a number on in a folder whose workers have HELD. */
export function hold(folder: string, from: number): void {
  writeFileSync(join(folder, 'held'), String(from))
}

/** Workers that are started again when they end, until they are stopped. */
export class Workers {
  readonly said: string[] = []
  readonly #running = new Map<number, Running>()
  readonly #start: () => Running
  #isOpen = true

  constructor(args: readonly string[], folder: string, variables: Readonly<Record<string, string>> = {}) {
    this.#start = () => start(['worker', ...args], folder, variables)
  }

  /** Starts one more. */
  add(): void {
    const running = this.#start()
    const { pid = 0 } = running.child
    this.#running.set(pid, running)
    running.child.stderr!.on('data', (text: string) => this.said.push(text))
    void running.ended.then(() => {
      this.#running.delete(pid)
      if (this.#isOpen) this.add()
    })
  }

  /** Kills one at once, if any runs; another is started. */
  kill(place: number): boolean {
    const all = [...this.#running.values()]
    return all[place % all.length]?.child.kill('SIGKILL') === true
  }

  /** Stops all in order. @returns their exit codes */
  async stop(): Promise<readonly (number | null)[]> {
    this.#isOpen = false
    const all = [...this.#running.values()]
    for (const { child } of all) child.kill('SIGTERM')
    return (await Promise.all(all.map(({ ended }) => ended))).map(({ code }) => code)
  }
}

/** The number of rows in a run folder, which may not be there yet. */
export function countRows(folder: string): number {
  const path = join(folder, 'outcomes.jsonl')
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0
}

/**
 * Plays a run of 320 episodes through a queue while three workers and the coordinator are killed (`kill -9`) and Redis
 * is restarted, at random moments, and compares it with a quiet run.
 */
export async function tryQueue(folder: string) {
  const args = writeRooms(folder, 40, 1)
  const quiet = await shaketable([...args, '--out', 'quiet', '--quiet'], folder)
  if (quiet.code !== 0) throw new Error(quiet.stderr)
  const redis = await startRedis(join(folder, 'redis'))
  const queue = ['--queue', redis.url]
  const workers = new Workers([...queue, '--lock-seconds', '2'], folder, { WAIT_MS: '10' })
  workers.add()
  workers.add()
  const stored = (): number => countRows(join(folder, 'queued'))
  let [killedWorkers, restarts, isOver] = [0, 0, false]
  const random = createRandom('trial')
  const disturb = async (): Promise<void> => {
    await until(() => stored() > 0, 600)
    while (!isOver && (killedWorkers < 3 || restarts === 0)) {
      await setTimeout(random.int(800))
      if (restarts === 0 && stored() > 160) {
        await redis.restart()
        restarts++
      } else if (killedWorkers < 3 && workers.kill(random.int(1000))) killedWorkers++
    }
  }
  const disturbing = disturb()
  const coordinate = () => start([...args, '--out', 'queued', ...queue], folder)
  const killed = coordinate()
  await until(() => stored() >= 107, 600)
  killed.child.kill('SIGKILL')
  const said = (await killed.ended).stderr + (await coordinate().ended).stderr
  isOver = true
  await disturbing
  await workers.stop()
  await redis.close()
  const rows = rowsOf(join(folder, 'queued'))
  return {
    ...{ rows: rows.length, different: new Set(rows.map(({ key }) => key)).size },
    errors: rows.filter(({ outcome }) => outcome.endsWith('-error')).length,
    /**
     * Undefined if rows, trajectories and reports equal those of one machine to the byte; else the first difference.
     */
    parting: partingOf(join(folder, 'quiet'), join(folder, 'queued')),
    ...{ killedWorkers, restarts, said },
  }
}
