import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import type { Job, Worker } from 'bullmq'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { packEpisode } from '../store/record.js'
import { startWorker } from '../worker-pool.js'
import { maxTries } from './coordinator.js'
import { type QueueConnection, asQueueError, isReplyError, keys, lookMs, reportOf, sayOnce } from './connect.js'
import { type QueuedRun, readRuns } from './runs.js'

interface QueueWorkerOptions {
  readonly connection: QueueConnection
  /** Episodes at once. Default: 1; for models behind servers as the experiment says. */
  readonly concurrency?: number
  /** The name or the id of the run to play. Default: all. */
  readonly run?: string
  /** After how long without a sign of life a job is taken over by another worker. */
  readonly lockMs: number
  /** Once aborted, running jobs are finished and no more are taken. */
  readonly stop: AbortSignal
  readonly say: (text: string) => void
}

/**
 * Plays jobs of the runs on a queue until it is stopped.
 * @throws ShaketableError if the one run that is wanted cannot be played here
 */
export async function serveQueue(options: QueueWorkerOptions): Promise<void> {
  const { connection, run: wanted, stop, say } = options
  const { redis } = connection
  const me = `${String(process.pid)}@${hostname().replace(/[^\w.-]/g, '-')}`
  const served = new Map<string, Awaited<ReturnType<typeof serveRun>>>()
  const refused = new Set<string>()
  const tell = sayOnce(say)
  /** Leaves a run to other workers, with the reason for its coordinator. */
  const refuse = async (id: string, name: string, code: 'bad-input' | 'model', why: string): Promise<void> => {
    if (refused.has(id)) return
    refused.add(id)
    say(`${name} (${id}) is not played here: ${why}`)
    await redis.hset(keys.refused(id), me, JSON.stringify({ code, why }))
    await served.get(id)?.drain()
    await leave(id)
  }
  /** Closes a run; a thread that is left open would keep the process alive. */
  const leave = async (id: string): Promise<void> => {
    const run = served.get(id)
    served.delete(id)
    await run?.close()
  }
  const startRun = async (id: string, name: string): Promise<void> => {
    const text = await redis.get(keys.run(id))
    if (text === null) return // Redis lost it, and its coordinator puts it in again.
    const lost = (why: string): void => void refuse(id, name, 'model', why).catch(() => undefined)
    try {
      served.set(id, await serveRun(options, JSON.parse(text) as QueuedRun, { me, id, lost }))
      say(`Playing ${name} (${id}).`)
    } catch (error) {
      const thrown = asQueueError(connection, error)
      const why = messageOf(thrown)
      if (wanted !== undefined) throw thrown instanceof ShaketableError ? thrown : new ShaketableError('bad-input', why)
      await refuse(id, name, 'bad-input', why)
    }
  }
  const look = async (): Promise<void> => {
    const runs = await readRuns(connection, wanted)
    for (const [id, { name }] of runs) if (!served.has(id) && !refused.has(id)) await startRun(id, name)
    for (const id of refused) if (!runs.has(id)) refused.delete(id)
    for (const id of served.keys()) if (!runs.has(id)) await leave(id)
  }
  try {
    while (!stop.aborted) {
      // A full Redis, or a foreign key of another type, is waited for like a lost connection.
      await look().catch((thrown: unknown) => {
        if (!isReplyError(thrown)) throw thrown
        tell(reportOf(connection, thrown))
      })
      await setTimeout(lookMs, undefined, { signal: stop }).catch(() => undefined)
    }
    await Promise.all([...served.values()].map((run) => run.drain()))
  } finally {
    await Promise.all([...served.values()].map((run) => run.close()))
  }
}

/**
 * Plays the jobs of a run in a thread: one that ends costs its own jobs alone, and one that is busy does not keep this
 * thread from renewing their locks.
 * @param lost called when a model server is gone from here, with the reason
 * @throws ShaketableError if this machine cannot play the run, with what differs
 */
async function serveRun(
  { connection, concurrency, lockMs, say }: QueueWorkerOptions,
  run: QueuedRun,
  { me, id, lost }: { readonly me: string; readonly id: string; readonly lost: (why: string) => void },
) {
  const { live, servers, ...common } = run
  const start = () => startWorker({ ...common, remote: { servers } }, say)
  let thread: ReturnType<typeof start> | undefined = start()
  // Without cells it answers once its grid is ready.
  await thread.play([]).catch(async (thrown: unknown) => {
    await thread?.close()
    throw thrown
  })
  const perform = async (job: Job<{ readonly cell: number }>, token?: string): Promise<string> => {
    const used = (thread ??= start())
    try {
      const [episode] = await used.play([job.data.cell])
      if (episode === undefined) throw new Error('its worker gave the episode up')
      return await packEpisode(episode)
    } catch (thrown) {
      // Jobs from now on have another thread; others of this one may end well.
      if (thread === used) thread = undefined
      if (used.waiting() === 0) await used.close()
      if (!(thrown instanceof ShaketableError && thrown.code === 'model'))
        throw new Error(messageOf(thrown), { cause: thrown })
      // Others may reach the server.
      lost(thrown.message)
      await job.moveToWait(token)
      throw new connection.bullmq.WaitingError()
    }
  }
  const worker: Worker = new connection.bullmq.Worker(id, perform, {
    name: me,
    connection: connection.redis,
    prefix: keys.prefix,
    concurrency: concurrency ?? (live ? run.experiment.concurrency : 1),
    lockDuration: lockMs,
    stalledInterval: Math.ceil(lockMs / 3),
    maxStalledCount: 1_000_000,
    maxStartedAttempts: maxTries,
    runRetryDelay: 2 * lookMs,
  })
  // A lost connection is said elsewhere; a job whose lock or key is lost is played by another worker, or not wanted.
  worker.on('error', () => undefined)
  return {
    /** Finishes running jobs and takes no more. */
    drain: () => worker.close(),
    async close(): Promise<void> {
      await worker.close(true)
      await thread?.close()
    },
  }
}
