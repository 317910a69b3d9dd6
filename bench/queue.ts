import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { shaketable } from '../test/cli/_command.js'
import type { Tried } from '../test/queue/_queue.js'
import { Workers, hasRedis, startRedis, tryQueue, writeRooms } from '../test/queue/_queue.js'
import { size } from './_size.js'

/**
 * The queue: 20,000 episodes while processes are killed; its overhead, and its speed beside that of threads on one
 * machine, in turns, since other work on the machine changes both.
 */
export async function queue(): Promise<void> {
  if (!hasRedis) {
    console.log('queue: redis-server is not here')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-queue-'))
  try {
    describeTrial(await tryFully(join(folder, 'trial')))
    await compareSpeed(join(folder, 'speed'))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** 20,000 episodes, 4 workers, 50 workers and 5 coordinators killed, one restart of Redis. */
export function tryFully(folder: string): Promise<Tried> {
  const kills = { workerKills: size(50, 1), coordinatorKills: size(5, 1) }
  const grid = { tasks: size(500, 20), seeds: size(5, 1), workers: size(4, 2) }
  return tryQueue({ folder, ...grid, ...kills, waitMs: 20, pauseMs: size(6000, 100) })
}

function describeTrial({ episodes, rows, different, errors, parting, memory, seconds, ...done }: Tried): void {
  console.log(
    `queue: ${episodes.toLocaleString('en')} episodes in ${seconds.toFixed(0)} s, ${String(done.killedWorkers)} workers and ` +
      `${String(done.killedCoordinators)} coordinators killed, ${String(done.restarts)} restart of Redis: ` +
      `${String(rows)} rows, ${String(different)} different, ${String(errors)} errors, ` +
      `${parting === undefined ? 'reports equal to the byte' : `DIFFERENT: ${parting}`}; Redis at most ${(memory / 1e6).toFixed(1)} MB`,
  )
}

/** Wall time and processor time (user and system, of all processes and threads) in milliseconds. */
interface Taken {
  readonly wall: number
  readonly processor: number
}

/** A round of one run size. */
interface Round {
  readonly threads: Taken
  readonly queued: Taken
}

/** Milliseconds after a run in which its workers load their next thread, which counts as theirs. */
const restMs = size(5000, 100)

/**
 * Four workers of one thread each against two threads, on one machine, in alternating order. Runs of two sizes separate
 * what a run costs at its start from what an episode costs.
 */
export async function compareSpeed(folder: string, rounds = size(5, 1)): Promise<void> {
  const redis = await startRedis(join(folder, 'redis'))
  const workers = new Workers(['--queue', redis.url, '--concurrency', '1'], folder)
  for (let count = 0; count < 4; count++) workers.add()
  const tasks = size(500, 10)
  const play = async (seeds: number, out: string, ...flags: readonly string[]): Promise<Taken> => {
    const args = writeRooms(folder, tasks, seeds)
    const [begun, used] = [performance.now(), processorMs([...workers.pids, redis.pid()])]
    const { code, stderr } = await shaketable([...args, '--out', out, '--quiet', ...flags], folder)
    if (code !== 0) throw new Error(stderr)
    const wall = performance.now() - begun
    await setTimeout(restMs)
    return { wall, processor: processorMs([...workers.pids, redis.pid()]) - used }
  }
  const threads = (seeds: number, round: number): Promise<Taken> =>
    play(seeds, `threads-${String(seeds)}-${String(round)}`, '--workers', '2')
  const queued = (seeds: number, round: number): Promise<Taken> =>
    play(seeds, `queued-${String(seeds)}-${String(round)}`, '--queue', redis.url)
  const sizes = [2, 10].map((seeds) => ({ seeds, episodes: tasks * seeds * 8, all: [] as Round[] }))
  await queued(1, rounds)
  await threads(1, rounds)
  for (let round = 0; round < rounds; round++) {
    for (const { seeds, all } of sizes) {
      const first = round % 2 === 0 ? await threads(seeds, round) : undefined
      const second = await queued(seeds, round)
      all.push({ threads: first ?? (await threads(seeds, round)), queued: second })
    }
  }
  for (const kind of ['wall', 'processor'] as const) {
    const middle = (all: readonly Round[], name: keyof Round): number => median(all.map((one) => one[name][kind]))
    for (const { episodes, all } of sizes) {
      const ratios = all.map((one) => one.queued[kind] / one.threads[kind])
      const seconds = (name: keyof Round): string => (middle(all, name) / 1000).toFixed(1)
      const [told, each] = [episodes.toLocaleString('en'), ratios.map((ratio) => ratio.toFixed(2)).join(', ')]
      console.log(
        `queue: ${told} episodes, ${kind} time: two threads ${seconds('threads')} s, four workers ${seconds('queued')} s, ratio ${median(ratios).toFixed(2)} (${each})`,
      )
    }
    const [small, large] = sizes
    const eachMs = (name: keyof Round): number =>
      (middle(large!.all, name) - middle(small!.all, name)) / (large!.episodes - small!.episodes)
    const [local, remote] = [eachMs('threads'), eachMs('queued')]
    console.log(
      `queue: ${kind} time of a further episode: two threads ${local.toFixed(2)} ms, four workers ${remote.toFixed(2)} ms, ratio ${(remote / local).toFixed(2)}`,
    )
  }
  await workers.stop()
  await redis.close()
}

/** Processor time so far of these processes, of this one, and of those that it started and that have ended (Linux). */
function processorMs(pids: readonly number[]): number {
  const ticks = (path: string, fields: readonly number[]): number => {
    const all = readFileSync(path, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return fields.reduce((sum, field) => sum + Number(all[field]), 0)
  }
  // utime, stime and, of ended children, cutime, cstime; a tick is 10 ms.
  return (
    10 *
    (ticks('/proc/self/stat', [11, 12, 13, 14]) +
      pids.reduce((sum, pid) => sum + ticks(`/proc/${String(pid)}/stat`, [11, 12]), 0))
  )
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
