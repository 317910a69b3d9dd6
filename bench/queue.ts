import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shaketable } from '../test/cli/_command.js'
import type { Tried } from '../test/queue/_queue.js'
import { Workers, hasRedis, startRedis, tryQueue, writeRooms } from '../test/queue/_queue.js'

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
  const kills = { workerKills: 50, coordinatorKills: 5 }
  return tryQueue({ folder, tasks: 500, seeds: 5, workers: 4, ...kills, waitMs: 20, pauseMs: 6000 })
}

function describeTrial({ episodes, rows, different, errors, parting, memory, seconds, ...done }: Tried): void {
  console.log(
    `queue: ${episodes.toLocaleString('en')} episodes in ${seconds.toFixed(0)} s, ${String(done.killedWorkers)} workers and ` +
      `${String(done.killedCoordinators)} coordinators killed, ${String(done.restarts)} restart of Redis: ` +
      `${String(rows)} rows, ${String(different)} different, ${String(errors)} errors, ` +
      `${parting === undefined ? 'reports equal to the byte' : `DIFFERENT: ${parting}`}; Redis at most ${(memory / 1e6).toFixed(1)} MB`,
  )
}

const rounds = 5

/** Wall time and processor time (user and system, of all processes and threads) in milliseconds. */
interface Taken {
  readonly wall: number
  readonly processor: number
}

/** Four workers of one thread each against two threads, on one machine, in alternating order. */
export async function compareSpeed(folder: string): Promise<void> {
  const [tasks, seeds] = [500, 2]
  const episodes = tasks * seeds * 8
  const args = writeRooms(folder, tasks, seeds)
  const redis = await startRedis(join(folder, 'redis'))
  const workers = new Workers(['--queue', redis.url, '--concurrency', '1'], folder)
  for (let count = 0; count < 4; count++) workers.add()
  const play = async (out: string, ...flags: readonly string[]): Promise<Taken> => {
    const [begun, used] = [performance.now(), processorMs([...workers.pids, redis.pid()])]
    const { code, stderr } = await shaketable([...args, '--out', out, '--quiet', ...flags], folder)
    if (code !== 0) throw new Error(stderr)
    return { wall: performance.now() - begun, processor: processorMs([...workers.pids, redis.pid()]) - used }
  }
  const threads = (round: number): Promise<Taken> => play(`threads-${String(round)}`, '--workers', '2')
  const queued = (round: number): Promise<Taken> => play(`queued-${String(round)}`, '--queue', redis.url)
  await queued(rounds)
  await threads(rounds)
  const all: { readonly threads: Taken; readonly queued: Taken }[] = []
  for (let round = 0; round < rounds; round++) {
    const first = round % 2 === 0 ? await threads(round) : undefined
    const second = await queued(round)
    all.push({ threads: first ?? (await threads(round)), queued: second })
  }
  const show = (kind: keyof Taken): string => {
    const ratios = all.map((one) => one.queued[kind] / one.threads[kind])
    const more = all.map((one) => (one.queued[kind] - one.threads[kind]) / episodes)
    const seconds = (name: 'threads' | 'queued'): string =>
      (median(all.map((one) => one[name][kind])) / 1000).toFixed(1)
    return (
      `${kind} time: two threads ${seconds('threads')} s, four workers ${seconds('queued')} s, ratio ${median(ratios).toFixed(2)} ` +
      `(${ratios.map((ratio) => ratio.toFixed(2)).join(', ')}), ${median(more).toFixed(2)} ms an episode more`
    )
  }
  const [episodesTold, roundsTold] = [episodes.toLocaleString('en'), String(rounds)]
  console.log(`queue: ${episodesTold} episodes, medians of ${roundsTold} rounds; ${show('wall')}; ${show('processor')}`)
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
