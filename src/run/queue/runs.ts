import type { Queue } from 'bullmq'
import { parseJson } from '../../files/json.js'
import type { QueueConnection } from './connect.js'
import { keys } from './connect.js'
import type { ListedRun } from './messages.js'
import { coordinatorSign, readRuns } from './messages.js'

/** A run on a queue, as `shaketable queue status` shows it. */
export interface RunStatus extends Omit<ListedRun, 'place'> {
  readonly id: string
  /** The process that coordinates it; absent if there is none. */
  readonly coordinator?: { readonly host: string; readonly pid: number }
  /** Whether it is drained: no job is handed out. */
  readonly drained: boolean
  /** Number of jobs by state; a job is an episode. */
  readonly jobs: {
    readonly waiting: number
    readonly active: number
    readonly finished: number
    readonly failed: number
  }
  /** Number of workers that play it. */
  readonly workers: number
}

/** The runs on a queue; `wanted` is the name or the id of one. */
export async function readStatus(connection: QueueConnection, wanted?: string): Promise<readonly RunStatus[]> {
  const { redis } = connection
  const found: RunStatus[] = []
  for (const [id, run] of readRuns(await redis.hgetall(keys.runs))) {
    if (!isWanted(id, run, wanted)) continue
    const { name, folder, episodes } = run
    const queue = connection.queue(id)
    const coordinator = coordinatorSign.safeParse(parseJson((await redis.get(keys.coordinator(id))) ?? '')).data
    const counts = await queue.getJobCounts()
    const total = (...states: readonly string[]): number => states.reduce((sum, one) => sum + (counts[one] ?? 0), 0)
    found.push({
      ...{ id, name, folder, episodes },
      ...(coordinator && { coordinator }),
      drained: await queue.isPaused(),
      jobs: {
        waiting: total('waiting', 'delayed', 'prioritized'),
        active: total('active'),
        finished: total('completed'),
        failed: total('failed'),
      },
      workers: (await workersOf(queue)).length,
    })
  }
  return found.sort((one, other) => (one.name + one.id < other.name + other.id ? -1 : 1))
}

/** Whether a run is meant by a name or an id; without one, every run is. */
export function isWanted(id: string, { name }: { readonly name: string }, wanted: string | undefined): boolean {
  return wanted === undefined || id === wanted || name === wanted
}

/** The names of the workers that are connected to a queue. */
export async function workersOf(queue: Queue): Promise<readonly string[]> {
  return (await queue.getWorkers()).map(({ rawname = '' }) => rawname.slice(rawname.lastIndexOf(':') + 1))
}

/** Removes everything of a run from Redis. Workers then leave it. */
export async function forgetRun(connection: QueueConnection, id: string): Promise<void> {
  const { redis } = connection
  await redis.hdel(keys.runs, id)
  await redis.del(keys.run(id), keys.coordinator(id), keys.refused(id))
  await connection.queue(id).obliterate({ force: true })
}
