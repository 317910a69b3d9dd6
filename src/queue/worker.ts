import { randomUUID } from 'node:crypto'
import { availableParallelism, hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Job, Worker } from 'bullmq'
import { ShaketableError, messageOf } from '../core/errors.js'
import { countCells } from '../run/cells.js'
import type { SentEpisode } from '../run/store/record.js'
import type { Thread } from '../run/worker-pool.js'
import { startWorker } from '../run/worker-pool.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, isFull, isReplyError, keys, lookMs } from './connect.js'
import { maxTries } from './jobs.js'
import type { ListedRun, QueuedRun } from './messages.js'
import { giveBack, packEpisode, readCell, readQueuedRun, readRuns } from './messages.js'
import { isWanted } from './runs.js'

interface QueueWorkerOptions {
  readonly connection: QueueConnection
  /** Episodes at once. Default: the cores of this machine; for models behind servers as the experiment says. */
  readonly concurrency?: number
  /** The name or the id of the run to play. Default: all. */
  readonly run?: string
  /** After how long without a sign of life a job is taken over by another worker. */
  readonly lockMs: number
  /** Once aborted, running jobs are finished and no more are taken. */
  readonly stop: AbortSignal
  readonly say: (text: string) => void
}

/** Milliseconds for which a run waits after its model server was not reached. */
const serverPauseMs = 30_000

/**
 * Plays jobs of the runs on a queue until it is stopped. Episodes are played in threads: one that ends or hangs in a
 * hook costs its own job alone, and does not keep this thread from renewing the locks of jobs.
 * @throws ShaketableError if the one run that is wanted cannot be played here
 */
export async function serveQueue(options: QueueWorkerOptions): Promise<void> {
  const { connection, run: wanted, stop, say } = options
  const { redis } = connection
  const host = hostname().replace(/[^\w.-]/g, '-')
  const me = [process.pid, host.slice(0, 300), randomUUID().slice(0, 8)].join('@')
  const served = new Map<string, Awaited<ReturnType<typeof serveRun>>>()
  const refused = new Set<string>()
  const told = new Set<string>()
  const tell = (text: string): void => void (told.has(text) || (told.add(text), say(text)))
  const startRun = async (id: string, listed: ListedRun): Promise<void> => {
    try {
      const text = await redis.get(keys.run(id))
      // Its coordinator puts it in again if Redis lost it.
      if (text === null) return
      const queued = readQueuedRun(text)
      served.set(id, await serveRun({ ...options, me, id, run: queued, runs: () => served.size }))
      say(`Playing ${listed.name} (${id}).`)
    } catch (error) {
      if (isFull(error)) throw error
      const thrown = asQueueError(connection, error)
      const why = messageOf(thrown)
      if (wanted !== undefined) throw thrown instanceof ShaketableError ? thrown : new ShaketableError('bad-input', why)
      refused.add(id)
      await redis.hset(keys.refused(id), me, why.slice(0, 5000))
      say(`${listed.name} (${id}) is not played here: ${why}`)
    }
  }
  try {
    const look = async (): Promise<void> => {
      const runs = readRuns(await redis.hgetall(keys.runs))
      for (const [id, run] of runs) {
        if (!served.has(id) && !refused.has(id) && isWanted(id, run, wanted)) await startRun(id, run)
      }
      for (const id of refused) if (!runs.has(id)) refused.delete(id)
      for (const [id, run] of served) {
        if (runs.has(id)) run.share()
        else {
          served.delete(id)
          await run.close()
        }
      }
    }
    while (!stop.aborted) {
      await look().catch((thrown: unknown) => {
        // A full Redis, or a foreign key of another type, is waited for like a lost connection.
        if (!isReplyError(thrown)) throw thrown
        tell(`The queue reports an error: ${messageOf(asQueueError(connection, thrown)).replace(/\.$/, '')}.`)
      })
      await setTimeout(lookMs, undefined, { signal: stop }).catch(() => undefined)
    }
    await Promise.all([...served.values()].map((run) => run.drain()))
  } finally {
    await Promise.all([...served.values()].map((run) => run.close()))
  }
}

interface ServeOptions extends Omit<QueueWorkerOptions, 'run' | 'stop'> {
  /** Name of this worker. */
  readonly me: string
  readonly id: string
  readonly run: QueuedRun
  /** Number of runs that this worker plays. */
  readonly runs: () => number
}

/** @throws ShaketableError if this machine cannot play the run, with what differs */
async function serveRun({ connection, concurrency, lockMs, say, me, id, run, runs }: ServeOptions) {
  const { live, experiment, plan } = run
  const all = concurrency ?? (live ? experiment.concurrency : availableParallelism())
  const count = countCells(plan)
  const closing = new AbortController()
  const threads = await startThreads({ ...run, experiment: { ...experiment, concurrency: all } }, say)
  let resuming: Promise<void> | undefined

  const perform = async (job: Job): Promise<string> => {
    const cell = readCell(job.data)
    if (cell === undefined || cell >= count) throw new Error('a job without a cell of its run')
    try {
      return await packEpisode(await threads.play(cell))
    } catch (thrown) {
      if (thrown instanceof ShaketableError && thrown.code === 'model') {
        pauseFor(thrown.message)
        return giveBack(me, thrown.message)
      }
      throw new Error(messageOf(thrown), { cause: thrown })
    }
  }
  const worker: Worker = new connection.bullmq.Worker(id, perform, {
    name: me,
    connection: connection.redis,
    prefix: keys.prefix,
    concurrency: all,
    lockDuration: lockMs,
    stalledInterval: Math.ceil(lockMs / 3),
    maxStalledCount: 1_000_000,
    maxStartedAttempts: maxTries,
    runRetryDelay: beatMs,
  })
  const told = new Set<string>()
  worker.on('error', (error) => {
    const text = messageOf(error)
    // A lost connection is said elsewhere; a job whose lock or key is lost is played by another worker, or not wanted.
    if (/lock|Missing key|ECONN|closed|LOADING/i.test(text) || told.has(text)) return
    told.add(text)
    say(`The queue at ${connection.shown} reports an error: ${text}.`)
  })
  /** A server that is gone may be gone for this machine alone: others play on. */
  const pauseFor = (why: string): void => {
    resuming ??= (async () => {
      const seconds = String(serverPauseMs / 1000)
      say(
        `${why.replace(', so the run was stopped', '')} This worker waits ${seconds} seconds before it plays ${experiment.name} again.`,
      )
      await worker.pause(true)
      await setTimeout(serverPauseMs, undefined, { ref: false, signal: closing.signal })
      resuming = undefined
      await worker.resume()
    })().catch(() => undefined)
  }
  return {
    /** Gives this run its share of the worker's episodes at once. */
    share(): void {
      worker.concurrency = Math.max(1, Math.floor(all / runs()))
    },
    /** Finishes running jobs and takes no more. */
    drain: () => worker.close(),
    async close(): Promise<void> {
      closing.abort()
      await worker.close(true)
      await threads.close()
    },
  }
}

/**
 * Starts the threads in which a worker plays the jobs of a run, the first at once. Models behind servers share one
 * thread, and so the limits of their servers; others have one for each job.
 * @throws ShaketableError if this machine cannot play the run, with what differs
 */
async function startThreads({ live, experiment, plan, servers, played }: QueuedRun, say: (text: string) => void) {
  const threads = new Set<Thread>()
  const start = (): Thread => {
    const thread = startWorker({ experiment, plan, remote: { servers }, ...(played && { played }) }, say)
    threads.add(thread)
    return thread
  }
  const drop = async (thread: Thread): Promise<void> => {
    threads.delete(thread)
    await thread.close()
  }
  const first = start()
  try {
    // Without cells it answers once its grid is ready.
    await first.play([])
  } catch (thrown) {
    await drop(first)
    throw thrown
  }
  /** Threads without a job. */
  const idle = live ? [] : [first]
  let shared: Thread | undefined = live ? first : undefined
  return {
    async play(cell: number): Promise<SentEpisode> {
      const thread = live ? (shared ??= start()) : (idle.pop() ?? start())
      try {
        const [episode] = await thread.play([cell])
        if (episode === undefined) throw new Error('its worker gave the episode up')
        if (!live) idle.push(thread)
        return episode
      } catch (thrown) {
        // Other jobs of a shared one may end well; jobs from now on have another thread.
        if (shared === thread) shared = undefined
        if (thread.waiting() === 0) await drop(thread)
        throw thrown
      }
    },
    async close(): Promise<void> {
      await Promise.all([...threads].map((thread) => thread.close()))
    },
  }
}
