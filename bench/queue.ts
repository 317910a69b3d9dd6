import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Tried } from '../test/run/queue/_queue.js'
import { hasRedis, tryQueue } from '../test/run/queue/_queue.js'
import { size } from './_size.js'

/** The queue: 20,000 episodes while processes are killed. */
export async function queue(): Promise<void> {
  if (!hasRedis) {
    console.log('queue: redis-server is not here')
    return
  }
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-queue-'))
  try {
    describeTrial(await tryFully(folder))
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
