import { parseJson } from '../files/json.js'
import { messageOf } from '../core/errors.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, isReplyError, keys } from './connect.js'
import type { ListedRun, WorkerSign } from './messages.js'
import { coordinatorSign, readRuns, readWorkerSign } from './messages.js'

/** A run on a queue, as `shaketable queue status` shows it. */
export interface RunStatus extends Omit<ListedRun, 'place'> {
  readonly id: string
  /** The process that coordinates it; absent if there is none. */
  readonly coordinator?: { readonly host: string; readonly pid: number }
  /** Whether it is drained: no job is handed out. */
  readonly drained: boolean
  /** What is wrong with its keys in Redis, if they cannot be read. */
  readonly problem?: string
  /** Number of jobs by state; a job is an episode. */
  readonly jobs: {
    readonly waiting: number
    readonly active: number
    readonly finished: number
    readonly failed: number
  }
  /** Workers that play it, and their episodes at once. */
  readonly workers: number
  readonly slots: number
}

/** The workers that give signs of life, by id. */
export async function readWorkers({ redis }: QueueConnection): Promise<ReadonlyMap<string, WorkerSign>> {
  const ids = await redis.smembers(keys.workers)
  if (ids.length === 0) return new Map()
  const texts = await redis.mget(ids.map(keys.worker))
  const gone = ids.filter((_, index) => texts[index] === null)
  if (gone.length > 0) await redis.srem(keys.workers, ...gone)
  return new Map(
    ids.flatMap((id, index): [string, WorkerSign][] => {
      const sign = readWorkerSign(texts[index] ?? null)
      return sign === undefined ? [] : [[id, sign]]
    }),
  )
}

/** The runs on a queue; `wanted` is the name or the id of one. */
export async function readStatus(connection: QueueConnection, wanted?: string): Promise<readonly RunStatus[]> {
  const { redis } = connection
  const workers = [...(await readWorkers(connection)).values()]
  const runs = [...readRuns(await redis.hgetall(keys.runs))].filter(([id, run]) => isWanted(id, run, wanted))
  const found: RunStatus[] = []
  for (const [id, { name, folder, episodes }] of runs) {
    const playing = workers.filter(({ slots }) => (slots[id] ?? 0) > 0)
    const { counts, coordinator, drained, problem } = await readState(connection, id)
    found.push({
      id,
      name,
      folder,
      episodes,
      ...(coordinator && { coordinator: { host: coordinator.host, pid: coordinator.pid } }),
      drained,
      ...(problem !== undefined && { problem }),
      jobs: {
        waiting: ['waiting', 'delayed', 'prioritized'].reduce((sum, state) => sum + (counts[state] ?? 0), 0),
        active: counts['active'] ?? 0,
        finished: counts['completed'] ?? 0,
        failed: counts['failed'] ?? 0,
      },
      workers: playing.length,
      slots: playing.reduce((sum, { slots }) => sum + slots[id]!, 0),
    })
  }
  return found.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
}

async function readState(
  connection: QueueConnection,
  id: string,
): Promise<Pick<RunStatus, 'coordinator' | 'drained' | 'problem'> & { readonly counts: Record<string, number> }> {
  const queue = connection.queue(id)
  try {
    const sign = await connection.redis.get(keys.coordinator(id))
    const coordinator = coordinatorSign.safeParse(parseJson(sign ?? '')).data
    return { counts: await queue.getJobCounts(), ...(coordinator && { coordinator }), drained: await queue.isPaused() }
  } catch (thrown) {
    if (!isReplyError(thrown)) throw thrown
    return { counts: {}, drained: false, problem: messageOf(asQueueError(connection, thrown)) }
  }
}

/** Whether a run is meant by a name or an id; without one, every run is. */
export function isWanted(id: string, { name }: { readonly name: string }, wanted: string | undefined): boolean {
  return wanted === undefined || id === wanted || name === wanted
}

/** Removes everything of a run from Redis. Workers then leave it. */
export async function forgetRun(connection: QueueConnection, id: string): Promise<void> {
  const { redis } = connection
  await redis.hdel(keys.runs, id)
  await redis.del(keys.run(id), keys.coordinator(id))
  await connection.queue(id).obliterate({ force: true })
}
