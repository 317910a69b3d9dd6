import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { median } from '../src/statistics/index.js'
import { shaketable } from '../test/cli/_command.js'
import type { Tried } from '../test/queue/_queue.js'
import { Workers, hasRedis, startRedis, tryQueue, writeRooms } from '../test/queue/_queue.js'
import { size } from './_size.js'
import { timeText } from './_speed.js'

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
function tryFully(folder: string): Promise<Tried> {
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

/**
 * Prints the wall time of four workers of one thread each beside that of two threads, in alternating order. Runs of two
 * sizes separate what a run costs at its start from what an episode costs.
 */
async function compareSpeed(folder: string): Promise<void> {
  const rounds = size(5, 1)
  const redis = await startRedis(join(folder, 'redis'))
  const workers = new Workers(['--queue', redis.url, '--concurrency', '1'], folder)
  for (let count = 0; count < 4; count++) workers.add()
  const tasks = size(500, 10)
  const ways = { threads: ['--workers', '2'], queued: ['--queue', redis.url] } as const
  const play = async (way: keyof typeof ways, seeds: number, round: number): Promise<number> => {
    const args = writeRooms(folder, tasks, seeds)
    const out = `${way}-${String(seeds)}-${String(round)}`
    const begun = performance.now()
    const { code, stderr } = await shaketable([...args, '--out', out, '--quiet', ...ways[way]], folder)
    if (code !== 0) throw new Error(stderr)
    const wall = performance.now() - begun
    // Afterwards the workers load their next thread.
    await setTimeout(size(5000, 100))
    return wall
  }
  const sizes = [2, 10].map((seeds) => ({ seeds, threads: [] as number[], queued: [] as number[] }))
  for (let round = -1; round < rounds; round++)
    for (const one of sizes)
      for (const way of round % 2 === 0 ? (['threads', 'queued'] as const) : (['queued', 'threads'] as const)) {
        const wall = await play(way, one.seeds, round)
        if (round >= 0) one[way].push(wall)
      }
  const [small, large] = sizes
  for (const way of ['threads', 'queued'] as const) {
    const [first, second] = [median(small![way])!, median(large![way])!]
    const each = (second - first) / (tasks * 8 * (large!.seeds - small!.seeds))
    console.log(`queue: ${way}: ${timeText(first)} and ${timeText(second)}, ${timeText(each)} for a further episode`)
  }
  await workers.stop()
  await redis.close()
}
