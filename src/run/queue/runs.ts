import type { Experiment } from '../experiment.js'
import type { Plan } from '../plan.js'
import type { KnownServer } from '../servers.js'
import { type QueueConnection, keys } from './connect.js'

/** What workers need to play a run. They run what they find in a queue, plug-ins included. */
export interface QueuedRun {
  /** Whether any of its models waits for a server. */
  readonly live: boolean
  readonly experiment: Experiment
  readonly plan: Plan
  readonly servers: readonly KnownServer[]
  readonly played?: readonly string[]
}

/** A run in the list of runs. */
export interface ListedRun {
  readonly name: string
  /** As the user wrote it, for people. */
  readonly folder: string
  /** Identifies the folder, whatever its plan. */
  readonly place: string
  readonly episodes: number
}

/** The runs on a queue by id; `wanted` is the name or the id of one. */
export async function readRuns({ redis }: QueueConnection, wanted?: string): Promise<ReadonlyMap<string, ListedRun>> {
  const entries = Object.entries(await redis.hgetall(keys.runs))
  const runs = entries.map(([id, text]) => [id, JSON.parse(text) as ListedRun] as const)
  return new Map(wanted === undefined ? runs : runs.filter(([id, { name }]) => wanted === id || wanted === name))
}

/** The runs on a queue, as `shaketable queue status` shows them; `wanted` is the name or the id of one. */
export async function readStatus(connection: QueueConnection, wanted?: string) {
  const runs = await Promise.all(
    Array.from(await readRuns(connection, wanted), async ([id, { name, folder, episodes }]) => {
      const queue = connection.queue(id)
      const { completed = 0, failed = 0, waiting = 0, delayed = 0, active = 0 } = await queue.getJobCounts()
      const sign = await connection.redis.get(keys.coordinator(id))
      return {
        ...{ id, name, folder, episodes },
        /** The process that coordinates it. */
        coordinator: sign === null ? undefined : (JSON.parse(sign) as { readonly host: string; readonly pid: number }),
        drained: await queue.isPaused(),
        /** Number of jobs by state; a job is an episode. */
        jobs: { waiting: waiting + delayed, active, finished: completed + failed },
        workers: (await queue.getWorkers()).length,
      }
    }),
  )
  return runs.sort((one, other) => (one.name + one.id < other.name + other.id ? -1 : 1))
}

/** A run on a queue. */
export type RunStatus = Awaited<ReturnType<typeof readStatus>>[number]

/** Removes everything of a run from Redis. Workers then leave it. */
export async function forgetRun(connection: QueueConnection, id: string): Promise<void> {
  await connection.redis.hdel(keys.runs, id)
  await connection.redis.del(keys.run(id), keys.coordinator(id), keys.refused(id))
  await connection.queue(id).obliterate({ force: true })
}
