import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { hashOf } from '../../core/episode.js'
import type { ErrorCode } from '../../core/errors.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { countCells } from '../cells.js'
import type { Experiment } from '../experiment.js'
import type { Grid } from '../grid.js'
import type { Player } from '../play-cell.js'
import { withoutSecrets } from '../run-experiment.js'
import { readServers } from '../servers.js'
import { filesOf } from '../store/run-folder.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, goneMs, isReplyError, keys, maxEvents } from './connect.js'
import { openJobs } from './jobs.js'
import type { ListedRun, QueuedRun } from './messages.js'
import { readRefusals, readRuns } from './messages.js'
import { forgetRun, workersOf } from './runs.js'

/** Options of {@link createQueuePlayer}. */
export interface QueuePlayerOptions {
  readonly connection: QueueConnection
  readonly experiment: Experiment
  readonly grid: Grid
  readonly folder: string
  /** Once aborted, no more jobs are handed out; those that workers play are awaited. */
  readonly stop: AbortSignal
  readonly say: (text: string) => void
}

/** Jobs in Redis at most; workers beyond that have nothing to play. */
const lanes = 512
/** Looks after which the lack of workers is said. */
const looksAlone = 3

/**
 * Plays through a queue: each episode is a job, which any worker takes. What a coordinator that was killed left in
 * Redis is removed, and its unfinished episodes are played again.
 *
 * The lock of the run folder makes this process the only coordinator.
 */
export async function createQueuePlayer(options: QueuePlayerOptions): Promise<Player> {
  const { connection, experiment, grid, folder, stop, say } = options
  const { redis } = connection
  const { plan } = grid
  const place = hashOf([hostname(), realpathSync(folder)], 16)
  const id = hashOf([experiment.name, plan, place], 16)
  const ended = new AbortController()
  const closed = new AbortController()
  const told = new Set<string>()
  const tell = (text: string): void => void (told.has(text) || (told.add(text), say(text)))
  const isStopping = (): boolean => stop.aborted || ended.signal.aborted
  const queue = connection.queue(id)
  const jobs = openJobs({ connection, id, queue, grid, isStopping, tell })
  const listed: ListedRun = {
    name: experiment.name.slice(0, 200),
    folder: folder.slice(0, 5000),
    place,
    episodes: countCells(plan),
  }
  const queued: QueuedRun = {
    live: grid.live,
    experiment: withoutSecrets(experiment),
    plan,
    servers: readServers(filesOf(folder).servers),
    ...(grid.played && { played: grid.played }),
  }
  /** Gives a sign of life, and puts in what workers need of the run, again if Redis lost it. */
  const publish = async (): Promise<void> => {
    const sign = { host: hostname().slice(0, 300), pid: process.pid }
    await redis.set(keys.coordinator(id), JSON.stringify(sign), 'PX', goneMs)
    if ((await redis.exists(keys.run(id))) === 0) {
      await redis.set(keys.run(id), JSON.stringify(queued))
      await redis.hset(keys.meta(id), 'opts.maxLenEvents', maxEvents)
    }
    await redis.hset(keys.runs, id, JSON.stringify(listed))
  }
  const end = (code: ErrorCode, why: string): void => ended.abort(new ShaketableError(code, why))
  let [isPaused, looks] = [false, 0]
  /** Says why workers do not play this run, and ends it if none is left that reaches a server. */
  const watchWorkers = async (): Promise<void> => {
    looks = (await workersOf(queue)).length > 0 ? 0 : looks + 1
    const refusals = readRefusals(await redis.hgetall(keys.refused(id)))
    for (const { worker, why } of refusals) tell(`The worker ${showWorker(worker)} does not play this run: ${why}`)
    const lost = refusals.findLast(({ code }) => code === 'model')
    if (looks < looksAlone || isStopping()) return
    if (lost !== undefined) end('model', lost.why)
    else tell(`No worker plays this run. Start one, here or elsewhere: shaketable worker --queue ${connection.shown}`)
  }
  const beat = async (): Promise<void> => {
    await publish()
    if (!isStopping() && (await queue.isPaused()))
      end('queue', 'The queue was drained: episodes that workers played are kept, and no others were begun.')
    if (isStopping() && !isPaused) {
      await queue.pause()
      isPaused = true
    }
    await jobs.look()
    // Last, since a Redis may forbid its clients to be listed.
    await watchWorkers()
  }
  const report = (thrown: unknown): void =>
    tell(`The queue reports an error: ${messageOf(asQueueError(connection, thrown)).replace(/\.$/, '')}.`)
  const beatOn = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await beat().catch(report)
      await setTimeout(beatMs, undefined, { ref: false, signal: closed.signal }).catch(() => undefined)
    }
  }
  const stopNow = (): void => void beat().catch(() => undefined)
  try {
    for (const [other, run] of readRuns(await redis.hgetall(keys.runs))) {
      if (run.place === place) await forgetRun(connection, other)
    }
    await jobs.ready()
    await publish()
  } catch (thrown) {
    await jobs.close()
    throw asQueueError(connection, thrown)
  }
  const beating = beatOn()
  stop.addEventListener('abort', stopNow)
  return {
    lanes,
    sendsElsewhere: true,
    batch: 1,
    ended: ended.signal,
    async play([cell]) {
      const episode = await jobs.play(cell!).catch((thrown: unknown) => {
        throw asQueueError(connection, thrown)
      })
      return episode === undefined ? [] : [episode]
    },
    async close() {
      stop.removeEventListener('abort', stopNow)
      closed.abort()
      try {
        if (redis.status !== 'ready') return
        await beating
        await forgetRun(connection, id)
      } catch (thrown) {
        // What was played is on disk; keys that stay are found by `queue clean`.
        if (!isReplyError(thrown)) throw thrown
        report(thrown)
      } finally {
        await jobs.close()
      }
    },
  }
}

/** `123 on gpu-1` of a worker's name. */
function showWorker(name: string): string {
  const [pid = '', host = ''] = name.slice(0, 400).split('@')
  return `${pid} on ${host}`
}
