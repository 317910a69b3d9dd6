import { promisify } from 'node:util'
import { deflateRaw, inflateRaw } from 'node:zlib'
import type { Queue } from 'bullmq'
import * as z from 'zod'
import type { Message } from '../../core/model.js'
import { parseJson } from '../../files/json.js'
import { cellAt, rowOf } from '../cells.js'
import type { Experiment } from '../experiment.js'
import type { Grid } from '../grid.js'
import type { Plan } from '../plan.js'
import type { KnownServer } from '../servers.js'
import type { SealedEpisode, SentEpisode, StoredTrajectory } from '../store/record.js'
import { sealEpisode, unseal } from '../store/record.js'
import { readRow } from '../store/row.js'
import type { QueueConnection } from './connect.js'
import { keys } from './connect.js'

/** What workers need to play a run. They run what they find in a queue, plug-ins included. */
export interface QueuedRun {
  /** Whether any of its models waits for a server. */
  readonly live: boolean
  readonly experiment: Experiment
  readonly plan: Plan
  readonly servers: readonly KnownServer[]
  /** See {@link Grid.played}. */
  readonly played?: readonly string[]
}

const listedRun = z.object({
  name: z.string(),
  /** As the user wrote it, for people. */
  folder: z.string(),
  /** Identifies the folder, whatever its plan. */
  place: z.string(),
  episodes: z.int(),
})
/** A run in the list of runs. */
export type ListedRun = z.infer<typeof listedRun>

/** The runs on a queue by id, without what is not one. */
export async function readRuns({ redis }: QueueConnection): Promise<ReadonlyMap<string, ListedRun>> {
  const found = Object.entries(await redis.hgetall(keys.runs))
  return new Map(
    found.flatMap(([id, text]) => {
      const { data } = listedRun.safeParse(parseJson(text))
      return data === undefined ? [] : [[id, data] as const]
    }),
  )
}

/** Whether a run is meant by a name or an id; without one, every run is. */
export function isWanted(id: string, { name }: { readonly name: string }, wanted: string | undefined): boolean {
  return wanted === undefined || id === wanted || name === wanted
}

/** The process that coordinates a run. */
const coordinatorSign = z.object({ host: z.string(), pid: z.int() })

/** The runs on a queue, as `shaketable queue status` shows them; `wanted` is the name or the id of one. */
export async function readStatus(connection: QueueConnection, wanted?: string) {
  const { redis } = connection
  const runs = [...(await readRuns(connection))].filter(([id, run]) => isWanted(id, run, wanted))
  const found = await Promise.all(
    runs.map(async ([id, { name, folder, episodes }]) => {
      const queue = connection.queue(id)
      const { completed = 0, failed = 0, ...counts } = await queue.getJobCounts()
      const { waiting = 0, delayed = 0, active = 0 } = counts
      return {
        ...{ id, name, folder, episodes },
        coordinator: coordinatorSign.safeParse(parseJson((await redis.get(keys.coordinator(id))) ?? '')).data,
        drained: await queue.isPaused(),
        /** Number of jobs by state; a job is an episode. */
        jobs: { waiting: waiting + delayed, active, finished: completed + failed },
        workers: (await workersOf(queue)).length,
      }
    }),
  )
  return found.sort((one, other) => (one.name + one.id < other.name + other.id ? -1 : 1))
}

/** A run on a queue. */
export type RunStatus = Awaited<ReturnType<typeof readStatus>>[number]

/** The names of the workers that are connected to a queue. */
export async function workersOf(queue: Queue): Promise<readonly string[]> {
  return (await queue.getWorkers()).map(({ rawname = '' }) => rawname.slice(rawname.lastIndexOf(':') + 1))
}

/** Removes everything of a run from Redis. Workers then leave it. */
export async function forgetRun(connection: QueueConnection, id: string): Promise<void> {
  await connection.redis.hdel(keys.runs, id)
  await connection.redis.del(keys.run(id), keys.coordinator(id), keys.refused(id))
  await connection.queue(id).obliterate({ force: true })
}

/** Packs an episode into a text. */
export async function packEpisode(episode: SentEpisode): Promise<string> {
  return (await promisify(deflateRaw)(JSON.stringify(episode), { level: 1 })).toString('base64')
}

/** Bytes of an episode, before they are compressed. */
const maxOutputLength = 256 * 1024 * 1024

/** Unpacks the episode of a cell, sealed anew. @throws Error for anything that is not the episode of this cell */
export async function unpackEpisode({ plan, keyOf }: Grid, cell: number, result: unknown): Promise<SealedEpisode> {
  const bytes = await promisify(inflateRaw)(Buffer.from(String(result), 'base64'), { maxOutputLength })
  const { rowLine, trajectoryLine, prompts, attempts } = JSON.parse(bytes.toString('utf8')) as SentEpisode
  const [row, planned] = [readRow(rowLine), cellAt(plan, cell)]
  if (row?.key !== keyOf(planned)) throw new Error('a worker sent another episode')
  const messages = new Map(prompts.map(({ hash, line }) => [hash, JSON.parse(line) as Message]))
  const measures = { ...row.measures, ...(attempts !== undefined && { attempts }) }
  return sealEpisode({
    row: { ...row, ...rowOf(planned), measures },
    trajectory: unseal(JSON.parse(trajectoryLine) as StoredTrajectory, (hash) => messages.get(hash)),
  })
}
