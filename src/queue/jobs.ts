import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Queue } from 'bullmq'
import { messageOf } from '../core/errors.js'
import { cellAt } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { failCell } from '../run/play-cell.js'
import type { SealedEpisode } from '../run/store/record.js'
import { createSealer } from '../run/store/record.js'
import type { Store } from '../run/store/store.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, isFull, isReplyError, keys } from './connect.js'
import type { Returned } from './messages.js'
import { createUnpacker, readCell, readReturned } from './messages.js'

/** Tries of one episode. */
export const maxTries = 3

/** What became of a job. */
type Outcome =
  | { readonly kind: 'played'; readonly episode: SealedEpisode }
  | { readonly kind: 'withdrawn' }
  | ({ readonly kind: 'returned' } & Returned)
  /** It failed in all its tries, or what came back is not its episode. */
  | { readonly kind: 'failed' | 'refused'; readonly reason: string }

/** A job in Redis without an outcome. */
interface Job {
  readonly id: string
  readonly cell: number
  readonly settle: (outcome: Outcome) => void
  /** How often it was put in again because it was damaged. */
  replaced: number
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
  /** Called for a cell whose worker gave it back. */
  readonly givenBack: (returned: Returned, cell: number) => void
  /** Says something once. */
  readonly tell: (text: string) => void
}

/** The jobs of a run in Redis, one for each episode that is played. */
interface Jobs {
  /** Listens for their ends. */
  ready(): Promise<void>
  /** Plays a cell as a job; undefined if it is withdrawn. */
  play(cell: number): Promise<SealedEpisode | undefined>
  /** Reads the states of jobs without an outcome, since events may be lost. */
  look(): Promise<void>
  /** Removes jobs from Redis whose episodes are on disk. */
  tidy(): Promise<void>
  /** Stops listening. */
  close(): Promise<void>
}

/** Opens the jobs of a run. Nothing is sent yet. */
export function openJobs({ connection, id, queue, grid, store, isStopping, givenBack, tell }: JobsOptions): Jobs {
  const { plan, keyOf } = grid
  const listening = connection.duplicate()
  const events = new connection.bullmq.QueueEvents(id, { connection: listening, prefix: keys.prefix, autorun: false })
  events.on('error', () => undefined)
  const unpack = createUnpacker(grid)
  const seal = createSealer()
  const open = new Map<string, Job>()
  let done: string[] = []

  const settle = (job: Job, outcome: Outcome): void => {
    if (!open.delete(job.id)) return
    if (outcome.kind !== 'withdrawn') done.push(job.id)
    job.settle(outcome)
  }
  const put = async (job: Job): Promise<void> => {
    for (;;) {
      try {
        const options = { jobId: job.id, attempts: maxTries, stackTraceLimit: 0 }
        return void (await queue.add('play', { cell: job.cell }, options))
      } catch (thrown) {
        if (!isFull(thrown)) throw thrown
        if (isStopping()) return settle(job, { kind: 'withdrawn' })
        tell(`${messageOf(asQueueError(connection, thrown))} This run waits for it.`)
        await setTimeout(beatMs)
      }
    }
  }
  /** Puts in again what was changed from outside: BullMQ would hand it out for ever, and fail to read it. */
  const replace = async (job: Job): Promise<void> => {
    const key = keys.job(id, job.id)
    await connection.redis.del(key, `${key}:lock`)
    // A worker may have taken it in between; then it is tried again at the next look.
    if ((await queue.remove(job.id)) !== 1) return
    tell('A job of this run in Redis is damaged: its data were changed from outside. It is put in again.')
    if (++job.replaced < maxTries) await put(job)
    else settle(job, { kind: 'failed', reason: 'its data in Redis were changed from outside' })
  }
  /** A job as Redis has it; undefined if it is not there or cannot be read. */
  const readJob = async (jobId: string) => {
    try {
      return await queue.getJob(jobId)
    } catch (thrown) {
      if (thrown instanceof SyntaxError || thrown instanceof TypeError || isReplyError(thrown)) return undefined
      throw thrown
    }
  }
  const finish = async (job: Job, result: unknown): Promise<void> => {
    const returned = readReturned(result)
    if (returned !== undefined) return settle(job, { kind: 'returned', ...returned })
    try {
      settle(job, { kind: 'played', episode: await unpack(result, job.cell) })
    } catch (thrown) {
      settle(job, { kind: 'refused', reason: messageOf(thrown) })
    }
  }
  const look = async (job: Job): Promise<void> => {
    const state = await queue.getJobState(job.id)
    if (!open.has(job.id)) return
    if (state === 'completed' || state === 'failed' || state === 'active') {
      const found = await readJob(job.id)
      if (!open.has(job.id)) return
      if (found === undefined || readCell(found.data) !== job.cell) await replace(job)
      else if (state === 'completed') await finish(job, found.returnvalue)
      else if (state === 'failed') settle(job, { kind: 'failed', reason: String(found.failedReason) })
    } else if (isStopping()) {
      if (state === 'unknown' || (await queue.remove(job.id)) === 1) settle(job, { kind: 'withdrawn' })
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

  return {
    async ready() {
      void events.run().catch(() => undefined)
      await events.waitUntilReady()
    },
    async play(cell) {
      for (let [round, tries] = [0, 0]; !isStopping(); round++) {
        let resolve!: (outcome: Outcome) => void
        const ended = new Promise<Outcome>((given) => (resolve = given))
        const job = { id: `b${keyOf(cellAt(plan, cell))}-${String(round)}`, cell, settle: resolve, replaced: 0 }
        open.set(job.id, job)
        await put(job)
        const outcome = await ended
        if (outcome.kind === 'played') return outcome.episode
        if (outcome.kind === 'withdrawn') return undefined
        if (outcome.kind === 'returned') {
          givenBack(outcome, cell)
          continue
        }
        tries = outcome.kind === 'failed' ? maxTries : tries + 1
        if (outcome.kind === 'refused') tell(outcome.reason)
        if (tries >= maxTries) return seal(failCell(grid, cellAt(plan, cell), describeFailure(outcome.reason)))
      }
      return undefined
    },
    async look() {
      const looked = await Promise.allSettled([...open.values()].map(look))
      for (const one of looked) if (one.status === 'rejected') throw one.reason
    },
    async tidy() {
      const ids = done
      done = []
      if (ids.length === 0) return
      // What was returned is now appended; then it is on disk, and then it may be removed.
      await setImmediate()
      await store.flush()
      await Promise.all(ids.map((one) => queue.remove(one)))
    },
    async close() {
      await events.close().catch(() => undefined)
      listening.disconnect()
    },
  }
}

function describeFailure(reason: string): string {
  const said = /allowable limit/.test(reason) ? 'its workers ended' : reason.replace(/\.$/, '')
  return `No worker could play this episode in ${String(maxTries)} tries: ${said}.`
}
