import { setImmediate, setTimeout } from 'node:timers/promises'
import type { JobType, Queue } from 'bullmq'
import { canonicalJson, hashOf } from '../core/episode.js'
import { messageOf } from '../core/errors.js'
import { cellAt, countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import type { Store } from '../run/store/store.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, isFull, isReplyError, keys } from './connect.js'
import type { PlayedJob, Returned } from './messages.js'
import { createUnpacker, readCells, readReturned, split } from './messages.js'

/** Tries of one cell. */
export const maxTries = 3

/** What became of a job. */
export type Outcome =
  | ({ readonly kind: 'played' } & PlayedJob)
  | { readonly kind: 'split' | 'withdrawn' }
  | ({ readonly kind: 'returned' } & Returned)
  /** It failed in all its tries, or what came back are not its episodes. */
  | { readonly kind: 'failed' | 'refused'; readonly reason: string }

/** A job in Redis. */
export interface Job {
  readonly id: string
  readonly cells: readonly number[]
  readonly outcome: Promise<Outcome>
  readonly settle: (outcome: Outcome) => void
  isSettled: boolean
  /** Its cells that are wanted and not yet returned to the caller. */
  left: number
}

/** Options of {@link openJobs}. */
interface JobsOptions {
  readonly connection: QueueConnection
  /** Id of the run, and its queue. */
  readonly id: string
  readonly queue: Queue
  readonly grid: Grid
  /** The open run folder. Results are removed from Redis once they are on disk there. */
  readonly store: Store
  /** Whether waiting jobs are withdrawn. */
  readonly isStopping: () => boolean
  /** Says something once. */
  readonly tell: (text: string) => void
}

/** The jobs of a run in Redis. */
export interface Jobs {
  /** Listens for their ends. */
  ready(): Promise<void>
  /** Puts cells in as a job. Another round of the same cells is another job. */
  add(cells: readonly number[], round: number): Promise<Job>
  /**
   * Finds the jobs of an earlier coordinator of this run.
   * @returns those of use, by the cells that are wanted of them
   */
  adopt(): Promise<Map<number, Job>>
  /** Reads the states of jobs without an outcome, since events may be lost. */
  look(): Promise<void>
  /** Gives every job without an outcome the outcome `withdrawn`. */
  abandon(): void
  /** Some wanted cells of a job are returned to the caller. */
  returned(job: Job, count: number): void
  /** Removes jobs from Redis whose cells are all returned and on disk. */
  tidy(): Promise<void>
  /** Whether any job has no outcome yet. */
  hasOpen(): boolean
  /** Stops listening. The jobs stay in Redis. */
  close(): Promise<void>
}

const unfinished: readonly JobType[] = ['waiting', 'active', 'delayed', 'prioritized']

/** Opens the jobs of a run. Nothing is sent yet. */
export function openJobs({ connection, id, queue, grid, store, isStopping, tell }: JobsOptions): Jobs {
  const { plan } = grid
  const count = countCells(plan)
  const listening = connection.duplicate()
  const events = new connection.bullmq.QueueEvents(id, { connection: listening, prefix: keys.prefix, autorun: false })
  events.on('error', () => undefined)
  const unpack = createUnpacker(grid)
  const keyAt = (index: number): string => grid.keyOf(cellAt(plan, index))
  /** Jobs without an outcome. */
  const open = new Map<string, Job>()
  const done: string[] = []

  const create = (jobId: string, cells: readonly number[], left: number): Job => {
    let resolve: (outcome: Outcome) => void
    const outcome = new Promise<Outcome>((given) => (resolve = given))
    const job: Job = {
      id: jobId,
      cells,
      outcome,
      isSettled: false,
      left,
      settle(outcome) {
        job.isSettled = true
        open.delete(jobId)
        resolve(outcome)
      },
    }
    open.set(jobId, job)
    return job
  }
  const put = async (job: Job): Promise<void> => {
    const { id: jobId, cells } = job
    for (;;) {
      try {
        return void (await queue.add('play', { cells }, { jobId, attempts: maxTries, stackTraceLimit: 0 }))
      } catch (thrown) {
        if (!isFull(thrown)) throw thrown
        if (isStopping()) return job.settle({ kind: 'withdrawn' })
        tell(`${messageOf(asQueueError(connection, thrown))} This run waits for it.`)
        await setTimeout(beatMs)
      }
    }
  }
  /** How often jobs were put in again because they were damaged. */
  const replaced = new Map<string, number>()
  /** Puts in again what was changed from outside: BullMQ would hand it out for ever, and fail to read it. */
  const replace = async (job: Job): Promise<void> => {
    // A worker may have taken it in between; then it is tried again at the next look.
    if (!(await discard(job.id))) return
    const times = (replaced.get(job.id) ?? 0) + 1
    replaced.set(job.id, times)
    tell('A job of this run in Redis is damaged: its data were changed from outside. It is put in again.')
    if (times < maxTries) await put(job)
    else job.settle({ kind: 'failed', reason: 'its data in Redis were changed from outside' })
  }
  const discard = async (jobId: string): Promise<boolean> => {
    const key = keys.job(id, jobId)
    await connection.redis.del(key, `${key}:lock`)
    return (await queue.remove(jobId)) === 1
  }
  /** A job as Redis has it; undefined if it is not there or cannot be read. */
  const readJob = async (jobId: string): Promise<Found | undefined> => {
    try {
      return await queue.getJob(jobId)
    } catch (thrown) {
      if (thrown instanceof SyntaxError || thrown instanceof TypeError || isReplyError(thrown)) return undefined
      throw thrown
    }
  }
  const read = async (result: unknown): Promise<Outcome> => {
    if (result === split) return { kind: 'split' }
    const returned = readReturned(result)
    if (returned !== undefined) return { kind: 'returned', ...returned }
    try {
      return { kind: 'played', ...(await unpack(result)) }
    } catch (thrown) {
      return { kind: 'refused', reason: messageOf(thrown) }
    }
  }
  const finish = async (job: Job, result: unknown): Promise<void> => {
    const outcome = await read(result)
    if (!job.isSettled) job.settle(outcome)
  }
  const look = async (job: Job): Promise<void> => {
    const state = await queue.getJobState(job.id)
    if (job.isSettled) return
    if (state === 'completed' || state === 'failed') {
      const found = await readJob(job.id)
      if (job.isSettled) return
      if (found === undefined) await replace(job)
      else if (state === 'completed') await finish(job, found.returnvalue)
      else job.settle({ kind: 'failed', reason: String(found.failedReason) })
    } else if (state === 'active') {
      const cells = readCells((await readJob(job.id))?.data, count)
      if (!job.isSettled && canonicalJson(cells ?? null) !== canonicalJson(job.cells)) await replace(job)
    } else if (isStopping()) {
      if (state === 'unknown' || (await queue.remove(job.id)) === 1) job.settle({ kind: 'withdrawn' })
    } else if (state === 'unknown') {
      // Redis lost it, for example in a restart without its append-only file.
      await put(job)
    }
  }
  events.on('completed', ({ jobId, returnvalue }) => {
    const job = open.get(jobId)
    if (job !== undefined) void finish(job, returnvalue)
  })
  events.on('failed', ({ jobId }) => {
    const job = open.get(jobId)
    if (job !== undefined) void look(job).catch(() => undefined)
  })

  /** The jobs in Redis by what can be of use of them: those with episodes first. */
  const findAll = async () => {
    const found = new Map<
      string,
      { readonly state: 'open' | 'completed' | 'failed'; readonly job: Found | undefined }
    >()
    // A job that ends meanwhile is in both lists, the second time as ended.
    for (const [state, types] of [
      ['open', unfinished],
      ['failed', ['failed']],
      ['completed', ['completed']],
    ] as const) {
      const ids = await queue.getRanges([...types], 0, -1)
      const read = await Promise.all(ids.map(readJob))
      for (const [place, jobId] of ids.entries()) found.set(jobId, { state, job: read[place] })
    }
    const inOrder = ['completed', 'failed', 'open']
    return [...found].sort(([, a], [, b]) => inOrder.indexOf(a.state) - inOrder.indexOf(b.state))
  }
  type Found = NonNullable<Awaited<ReturnType<typeof queue.getJob>>>

  return {
    async ready() {
      void events.run().catch(() => undefined)
      await events.waitUntilReady()
    },
    async add(cells, round) {
      const job = create(`b${hashOf([cells.map(keyAt), round], 23)}`, cells, cells.length)
      await put(job)
      return job
    },
    async adopt() {
      const adopted = new Map<number, Job>()
      for (const [jobId, { state, job: found }] of await findAll()) {
        if (found === undefined) {
          await discard(jobId)
          continue
        }
        const cells = readCells(found.data, count) ?? []
        const wanted = cells.filter((cell) => !adopted.has(cell) && !store.has(keyAt(cell)))
        const job = create(jobId, cells, 0)
        if (state === 'completed') await finish(job, found.returnvalue)
        if (state === 'failed') job.settle({ kind: 'failed', reason: String(found.failedReason) })
        const outcome = job.isSettled ? await job.outcome : undefined
        const kept = outcome?.kind === 'played' ? wanted.filter((cell) => outcome.episodes.has(cell)) : wanted
        const isUseful = outcome === undefined || outcome.kind === 'played' || outcome.kind === 'failed'
        if (isUseful && kept.length > 0) {
          job.left = kept.length
          for (const cell of kept) adopted.set(cell, job)
        } else {
          open.delete(jobId)
          await queue.remove(jobId)
        }
      }
      return adopted
    },
    async look() {
      const looked = await Promise.allSettled([...open.values()].map(look))
      for (const one of looked) if (one.status === 'rejected') throw one.reason
    },
    abandon() {
      for (const job of open.values()) job.settle({ kind: 'withdrawn' })
    },
    returned(job, returned) {
      job.left -= returned
      if (job.left === 0) done.push(job.id)
    },
    async tidy() {
      const ids = done.splice(0)
      if (ids.length === 0) return
      // What was returned is now appended; then it is on disk, and then it may be removed.
      await setImmediate()
      await store.flush()
      await Promise.all(ids.map((one) => queue.remove(one)))
    },
    hasOpen: () => open.size > 0,
    async close() {
      await events.close().catch(() => undefined)
      listening.disconnect()
    },
  }
}
