import { setTimeout } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { messageOf } from '../../core/errors.js'
import { cellAt } from '../cells.js'
import type { Grid } from '../grid.js'
import { failCell } from '../play-cell.js'
import type { SealedEpisode } from '../store/record.js'
import { sealEpisode } from '../store/record.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, isFull, keys } from './connect.js'
import { createUnpacker } from './messages.js'

/** Tries of one episode. */
export const maxTries = 3

/**
 * How many finished jobs BullMQ keeps, and for how many seconds. The result of one that is gone before it was read is
 * lost, and the episode is played again.
 */
const kept = { count: 1000, age: 3600 }

/** How a job ended: with a result, or with the reason why it failed in all its tries. */
interface End {
  readonly result?: unknown
  readonly failed?: string
}

interface JobsOptions {
  readonly connection: QueueConnection
  /** Id of the run, and its queue. */
  readonly id: string
  readonly queue: Queue
  readonly grid: Grid
  /** Whether waiting jobs are withdrawn. */
  readonly isStopping: () => boolean
  /** Says something once. */
  readonly tell: (text: string) => void
}

/** Opens the jobs of a run in Redis, one for each episode that is played. Nothing is sent yet. */
export function openJobs({ connection, id, queue, grid, isStopping, tell }: JobsOptions) {
  const { plan, keyOf } = grid
  const listening = connection.duplicate()
  const events = new connection.bullmq.QueueEvents(id, { connection: listening, prefix: keys.prefix, autorun: false })
  events.on('error', () => undefined)
  const unpack = createUnpacker(grid)
  /** Jobs without an end: what is done with it, or with none if the job was withdrawn. */
  const open = new Map<string, { readonly cell: number; readonly settle: (end?: End) => void }>()

  const fail = (cell: number, reason: string): SealedEpisode =>
    sealEpisode(failCell(grid, cellAt(plan, cell), describeFailure(reason)))
  const settle = (jobId: string, end?: End): void => {
    open.get(jobId)?.settle(end)
    open.delete(jobId)
  }
  const put = async (jobId: string, cell: number): Promise<void> => {
    const options = { jobId, attempts: maxTries, stackTraceLimit: 0, removeOnComplete: kept, removeOnFail: kept }
    while (!isStopping()) {
      try {
        return void (await queue.add('play', { cell }, options))
      } catch (thrown) {
        if (!isFull(thrown)) throw thrown
        tell(`${messageOf(asQueueError(connection, thrown))} This run waits for it.`)
        await setTimeout(beatMs)
      }
    }
    settle(jobId)
  }
  const look = async (jobId: string): Promise<void> => {
    const state = await queue.getJobState(jobId)
    const job = open.get(jobId)
    if (job === undefined || state === 'active') return
    if (state === 'completed' || state === 'failed') {
      const ended = await queue.getJob(jobId)
      if (ended === undefined) return
      settle(jobId, state === 'failed' ? { failed: ended.failedReason } : { result: ended.returnvalue as unknown })
    } else if (!isStopping()) {
      // Redis lost it, for example in a restart without its append-only file.
      if (state === 'unknown') await put(jobId, job.cell)
    } else if (state === 'unknown' || (await queue.remove(jobId)) === 1) settle(jobId)
  }
  const hear = ({ jobId }: { readonly jobId: string }): void => {
    if (open.has(jobId)) void look(jobId).catch(() => undefined)
  }
  events.on('completed', hear)
  events.on('failed', hear)

  return {
    /** Listens for the ends of jobs. */
    async ready(): Promise<void> {
      void events.run().catch(() => undefined)
      await events.waitUntilReady()
    },
    /** Plays a cell as a job; undefined if it is withdrawn. */
    async play(cell: number): Promise<SealedEpisode | undefined> {
      const jobId = `b${keyOf(cellAt(plan, cell))}`
      const ended = new Promise<End | undefined>((resolve) => open.set(jobId, { cell, settle: resolve }))
      await put(jobId, cell)
      const end = await ended
      if (end === undefined) return undefined
      if (end.failed !== undefined) return fail(cell, end.failed)
      return unpack(end.result, cell).catch((thrown: unknown) => fail(cell, messageOf(thrown)))
    },
    /** Reads the states of jobs without an end, since events may be lost. */
    async look(): Promise<void> {
      await Promise.all([...open.keys()].map(look))
    },
    /** Stops listening. */
    async close(): Promise<void> {
      await events.close().catch(() => undefined)
      listening.disconnect()
    },
  }
}

function describeFailure(reason: string): string {
  const said = /allowable limit/.test(reason) ? 'its workers ended' : reason.replace(/\.$/, '')
  return `No worker could play this episode in ${String(maxTries)} tries: ${said}.`
}
