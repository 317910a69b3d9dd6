import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rowsOf, shaketable } from '../test/cli/_command.js'
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

const rounds = 3

async function compareSpeed(folder: string): Promise<void> {
  const args = writeRooms(folder, 500, 2)
  const redis = await startRedis(join(folder, 'redis'))
  const workers = new Workers(['--queue', redis.url, '--concurrency', '1'], folder)
  for (let count = 0; count < 4; count++) workers.add()
  const play = async (out: string, ...flags: readonly string[]): Promise<number> => {
    const begun = performance.now()
    const { code, stderr } = await shaketable([...args, '--out', out, '--quiet', ...flags], folder)
    if (code !== 0) throw new Error(stderr)
    return performance.now() - begun
  }
  const episodes = 8000
  await play('warm', '--queue', redis.url)
  const ratios: number[] = []
  for (let round = 0; round < rounds; round++) {
    const threads = await play(`threads-${String(round)}`, '--workers', '2')
    const queued = await play(`queued-${String(round)}`, '--queue', redis.url)
    ratios.push(queued / threads)
    console.log(
      `queue: ${episodes.toLocaleString('en')} episodes, two threads ${(threads / 1000).toFixed(1)} s, four workers ${(queued / 1000).toFixed(1)} s ` +
        `(ratio ${(queued / threads).toFixed(2)}, ${((queued - threads) / episodes).toFixed(2)} ms an episode more)`,
    )
  }
  console.log(
    `queue: median ratio ${ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)]!.toFixed(2)}; ${String(rowsOf(join(folder, 'queued-0')).length)} rows`,
  )
  await workers.stop()
  await redis.close()
}
