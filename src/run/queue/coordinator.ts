import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { hashOf } from '../../core/episode.js'
import { type ErrorCode, ShaketableError, messageOf } from '../../core/errors.js'
import { parseJson } from '../../files/json.js'
import { cellAt, countCells } from '../cells.js'
import { type Player, failCell } from '../play-cell.js'
import { type RunOptions, withoutSecrets } from '../run-experiment.js'
import { readServers } from '../servers.js'
import { type SealedEpisode, sealEpisode, unpackEpisode } from '../store/record.js'
import { filesOf } from '../store/run-folder.js'
import { type QueueConnection, asQueueError, isReplyError, keys, lookMs, reportOf, sayOnce } from './connect.js'
import { type ListedRun, type QueuedRun, forgetRun, readRuns } from './runs.js'

/** Once stopped, no more jobs are handed out; those that workers play are awaited. */
interface QueuePlayerOptions extends Pick<RunOptions, 'experiment' | 'grid' | 'folder' | 'stop'> {
  readonly connection: QueueConnection
  readonly say: (text: string) => void
}

/** Tries of one episode. */
export const maxTries = 3
/** How many finished jobs BullMQ keeps, and for how many seconds. One that is gone is played again. */
const kept = { count: 1000, age: 3600 }
const finished = { removeOnComplete: kept, removeOnFail: kept }

/**
 * Plays through a queue: each episode is a job, which any worker takes. What a coordinator that was killed left in
 * Redis is removed, and its unfinished episodes are played again. Each look reads the state of all open jobs, so that
 * nothing depends on events, which a restart of Redis would lose. The lock of the run folder makes this process the
 * only coordinator.
 */
export async function createQueuePlayer(options: QueuePlayerOptions): Promise<Player> {
  const { connection, experiment, grid, folder, stop } = options
  const { redis } = connection
  const { plan } = grid
  const place = hashOf([hostname(), realpathSync(folder)], 16)
  const id = hashOf([experiment.name, plan, place], 16)
  const queue = connection.queue(id)
  const [ended, closed] = [new AbortController(), new AbortController()]
  const tell = sayOnce(options.say)
  const isStopping = (): boolean => stop.aborted || ended.signal.aborted
  /** Jobs without an end: what is done with an episode, or with none if its job was withdrawn. */
  const open = new Map<string, { readonly cell: number; readonly settle: (episode?: SealedEpisode) => void }>()
  const listed: ListedRun = { name: experiment.name, folder, place, episodes: countCells(plan) }
  const queued: QueuedRun = {
    live: grid.live,
    experiment: withoutSecrets(experiment),
    plan,
    servers: readServers(filesOf(folder).servers),
    ...(grid.played && { played: grid.played }),
  }
  /** Gives a sign of life for 15 seconds, and puts in what workers need of the run, again if Redis lost it. */
  const publish = async (): Promise<void> => {
    await redis.set(keys.coordinator(id), JSON.stringify({ host: hostname(), pid: process.pid }), 'PX', 15_000)
    if ((await redis.exists(keys.run(id))) === 0) {
      await redis.set(keys.run(id), JSON.stringify(queued))
      // Events hold the results of jobs, and nobody listens to them.
      await redis.hset(`${keys.prefix}:${id}:meta`, 'opts.maxLenEvents', 10)
    }
    await redis.hset(keys.runs, id, JSON.stringify(listed))
  }
  const put = async (jobId: string, cell: number): Promise<void> =>
    void (await queue.add('play', { cell }, { jobId, attempts: maxTries, stackTraceLimit: 0, ...finished }))
  const fail = (cell: number, reason: string): SealedEpisode => {
    const why = /allowable limit/.test(reason) ? 'its workers ended' : reason.replace(/\.$/, '')
    const message = `No worker could play this episode in ${String(maxTries)} tries: ${why}.`
    return sealEpisode(failCell(cellAt(plan, cell), message))
  }
  const look = async (jobId: string): Promise<void> => {
    const { cell, settle } = open.get(jobId)!
    const state = await queue.getJobState(jobId)
    const job = state === 'completed' || state === 'failed' ? await queue.getJob(jobId) : undefined
    if (job !== undefined) {
      if (state === 'failed') return settle(fail(cell, job.failedReason))
      const unpacked = unpackEpisode(job.returnvalue, cellAt(plan, cell).key)
      settle(await unpacked.catch((thrown: unknown) => fail(cell, messageOf(thrown))))
    } else if (state === 'unknown') await (isStopping() ? settle() : put(jobId, cell))
    else if (state !== 'active' && isStopping() && (await queue.remove(jobId)) === 1) settle()
  }
  const end = (code: ErrorCode, why: string): void => ended.abort(new ShaketableError(code, why))
  let looksAlone = 0
  /** Says why workers do not play this run, and ends it if none is left that reaches a server. */
  const watchWorkers = async (): Promise<void> => {
    looksAlone = (await queue.getWorkers()).length > 0 ? 0 : looksAlone + 1
    const refusals = Object.entries(await redis.hgetall(keys.refused(id))).map(([worker, text]) => ({
      worker: worker.replace('@', ' on '),
      ...(parseJson(text) as { readonly code: ErrorCode; readonly why: string }),
    }))
    for (const { worker, why } of refusals) tell(`The worker ${worker} does not play this run: ${why}`)
    const lost = refusals.findLast(({ code }) => code === 'model')
    if (looksAlone < 6 || isStopping()) return
    if (lost !== undefined) end('model', lost.why)
    else tell(`No worker plays this run. Start one, here or elsewhere: shaketable worker --queue ${connection.shown}`)
  }
  const beat = async (): Promise<void> => {
    await publish()
    if (!isStopping() && (await queue.isPaused()))
      end('queue', 'The queue was drained: episodes that workers played are kept, and no others were begun.')
    if (isStopping()) await queue.pause()
    await Promise.all([...open.keys()].map(look))
    // Last, since a Redis may forbid its clients to be listed.
    await watchWorkers()
  }
  const report = (thrown: unknown): void => tell(reportOf(connection, thrown))
  const beatOn = async (): Promise<void> => {
    for (; !closed.signal.aborted; await setTimeout(lookMs, undefined, { ref: false })) await beat().catch(report)
  }
  try {
    for (const [other, run] of await readRuns(connection)) if (run.place === place) await forgetRun(connection, other)
    await publish()
  } catch (thrown) {
    throw asQueueError(connection, thrown)
  }
  const beating = beatOn()
  return {
    // Workers beyond that have nothing to play.
    lanes: 512,
    sendsElsewhere: true,
    batch: 1,
    ended: ended.signal,
    async play([cell = 0]) {
      if (isStopping()) return []
      const jobId = `b${cellAt(plan, cell).key}`
      const playing = new Promise<SealedEpisode | undefined>((settle) => open.set(jobId, { cell, settle }))
      // A job that is not there, as while Redis is full, is put in again at the next look.
      await put(jobId, cell).catch(report)
      const episode = await playing
      open.delete(jobId)
      return episode === undefined ? [] : [episode]
    },
    async close() {
      closed.abort()
      if (redis.status !== 'ready') return
      try {
        await beating
        await forgetRun(connection, id)
      } catch (thrown) {
        // What was played is on disk; keys that stay are found by `queue clean`.
        if (!isReplyError(thrown)) throw thrown
        report(thrown)
      }
    },
  }
}
