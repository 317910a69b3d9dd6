import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hasRedis, tryQueue } from '../test/run/queue/_queue.js'
import { size, thousands } from './_measure.js'

/** The queue: 20,000 episodes, 4 workers, 50 workers and 5 coordinators killed, one restart of Redis. */
export async function queue(): Promise<void> {
  if (!hasRedis) {
    console.log('queue: redis-server is not here')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-queue-'))
  const kills = { workerKills: size(50, 1), coordinatorKills: size(5, 1) }
  const grid = { tasks: size(500, 20), seeds: size(5, 1), workers: size(4, 2) }
  try {
    const done = await tryQueue({ folder, ...grid, ...kills, waitMs: 20, pauseMs: size(6000, 100) })
    const { episodes, rows, different, errors, parting = 'reports equal to the byte', memory, seconds } = done
    console.log(
      `queue: ${thousands(episodes)} episodes in ${seconds.toFixed(0)} s, ${String(done.killedWorkers)} workers and ` +
        `${String(done.killedCoordinators)} coordinators killed, ${String(done.restarts)} restart of Redis: ` +
        `${String(rows)} rows, ${String(different)} different, ${String(errors)} errors, ` +
        `${parting}; Redis at most ${(memory / 1e6).toFixed(1)} MB`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
