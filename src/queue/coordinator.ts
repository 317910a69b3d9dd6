import { realpathSync } from 'node:fs'
import { hostname } from 'node:os'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { hashOf, isValid } from '../core/episode.js'
import type { ErrorCode } from '../core/errors.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { cellAt, countCells } from '../run/cells.js'
import type { Experiment } from '../run/experiment.js'
import type { Grid } from '../run/grid.js'
import type { Player } from '../run/play-cell.js'
import { withoutSecrets } from '../run/run-experiment.js'
import { readServers } from '../run/servers.js'
import { filesOf } from '../run/store/run-folder.js'
import type { Store } from '../run/store/store.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, goneMs, isReplyError, keys, lookMs, maxEvents } from './connect.js'
import { openJobs } from './jobs.js'
import type { ListedRun, QueuedRun } from './messages.js'
import { readRuns } from './messages.js'
import { forgetRun } from './runs.js'
import { watchWorkers } from './watch-workers.js'

/** Options of {@link createQueuePlayer}. */
export interface QueuePlayerOptions {
  readonly connection: QueueConnection
  readonly experiment: Experiment
  readonly grid: Grid
  readonly folder: string
  /** The open run folder. Results are removed from Redis once they are on disk there. */
  readonly store: Store
  /** Once aborted, no more jobs are handed out; those that workers play are awaited. */
  readonly stop: AbortSignal
  readonly say: (text: string) => void
}

/** Episodes at once; workers beyond that have nothing to play. */
const lanes = 512

/**
 * Plays through a queue: each episode is a job, which any worker takes. Results are removed from Redis once they are on
 * disk, so that Redis holds about two jobs for each that is played, whatever the size of the run. What a coordinator
 * that was killed left there is removed, and its unfinished episodes are played again.
 *
 * The lock of the run folder makes this process the only coordinator.
 */
export async function createQueuePlayer(options: QueuePlayerOptions): Promise<Player> {
  const { connection, experiment, grid, folder, stop, say } = options
  const { redis } = connection
  const { plan, live } = grid
  const place = hashOf([hostname(), realpathSync(folder)], 16)
  const id = hashOf([experiment.name, plan, place], 16)
  const ended = new AbortController()
  const told = new Set<string>()
  const tell = (text: string): void => void (told.has(text) || (told.add(text), say(text)))
  let isPaused = false
  const isStopping = (): boolean => stop.aborted || ended.signal.aborted
  const room = createRoom(isStopping)
  const queue = connection.queue(id)
  const workers = watchWorkers(connection, id, tell)
  const jobs = openJobs({
    ...{ connection, id, queue, grid, store: options.store, isStopping, tell },
    givenBack: ({ worker, why }, cell) => workers.missed(cellAt(plan, cell).model.name, worker, why),
  })
  const publish = createPublisher(options, id, place)
  const end = (code: ErrorCode, why: string): void => ended.abort(new ShaketableError(code, why))

  const beat = async (): Promise<void> => {
    await publish()
    if (!isStopping() && (await queue.isPaused()))
      end('queue', 'The queue was drained: episodes that workers played are kept, and no others were begun.')
    if (isStopping() && !isPaused) {
      await queue.pause()
      isPaused = true
    }
    room.grant()
    await jobs.look()
  }
  const countWorkers = async (): Promise<void> => {
    const { slots, lost } = await workers.read()
    room.resize(Math.min(lanes, live ? Math.ceil(slots * 1.25) + 1 : slots * 2 + 1))
    if (!isStopping() && lost !== undefined) end('model', lost)
    room.grant()
  }
  const refuse = (thrown: unknown): never => {
    throw asQueueError(connection, thrown)
  }
  const report = (thrown: unknown): void =>
    tell(`The queue reports an error: ${messageOf(asQueueError(connection, thrown)).replace(/\.$/, '')}.`)
  const stopNow = (): void => {
    room.grant()
    void beat().catch(() => undefined)
  }
  const loops: Loop[] = []
  try {
    await forgetEarlier(connection, place)
    await jobs.ready()
    await publish()
    loops.push(repeat(beat, beatMs, report), repeat(countWorkers, lookMs, report), repeat(jobs.tidy, lookMs, report))
    stop.addEventListener('abort', stopNow)
  } catch (thrown) {
    await jobs.close()
    return refuse(thrown)
  }
  return {
    lanes,
    sendsElsewhere: true,
    batch: 1,
    ended: ended.signal,
    room: room.wait,
    play: ([cell]) =>
      room.use(async () => {
        const episode = await jobs.play(cell!).catch(refuse)
        if (episode === undefined) return []
        if (isValid(episode.row.outcome)) workers.reached(episode.row.model)
        return [episode]
      }),
    async close() {
      stop.removeEventListener('abort', stopNow)
      await Promise.all(loops.map((loop) => loop.end(redis.status === 'ready')))
      try {
        if (redis.status !== 'ready') return
        await jobs.tidy()
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

/** Limits the episodes that are played at once. After a stop there is no limit, so that nothing waits. */
function createRoom(isStopping: () => boolean) {
  let [used, limit] = [0, 2]
  const waiting: (() => void)[] = []
  const grant = (): void => {
    const free = isStopping() ? Infinity : limit - used
    if (free <= 0 || waiting.length === 0) return
    for (const go of waiting.splice(0, free)) go()
    // Those that found nothing to play leave their place to others.
    void setImmediate().then(grant)
  }
  return {
    grant,
    resize(places: number): void {
      limit = Math.max(2, places)
    },
    wait(): Promise<void> {
      void setImmediate().then(grant)
      return new Promise<void>((resolve) => waiting.push(resolve))
    },
    async use<Result>(work: () => Promise<Result>): Promise<Result> {
      used++
      try {
        return await work()
      } finally {
        used--
        grant()
      }
    },
  }
}

interface Loop {
  /** Begins no more, and with `awaits` waits for what is underway. */
  end(awaits: boolean): Promise<void>
}

/** Does something again and again, and reports its errors. */
function repeat(work: () => Promise<void>, ms: number, failed: (thrown: unknown) => void): Loop {
  const ending = new AbortController()
  const run = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await work().catch((thrown: unknown) => {
        if (!ending.signal.aborted) failed(thrown)
      })
      await setTimeout(ms, undefined, { ref: false, signal: ending.signal }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    async end(awaits) {
      ending.abort()
      if (awaits) await running
    },
  }
}

/** Creates a function that gives a sign of life and puts in what workers need of a run, again if Redis lost it. */
function createPublisher(
  { connection: { redis }, experiment, grid, folder }: QueuePlayerOptions,
  id: string,
  place: string,
): () => Promise<void> {
  const listed: ListedRun = {
    name: experiment.name.slice(0, 200),
    folder: folder.slice(0, 5000),
    place,
    episodes: countCells(grid.plan),
  }
  const queued: QueuedRun = {
    live: grid.live,
    experiment: withoutSecrets(experiment),
    plan: grid.plan,
    servers: readServers(filesOf(folder).servers),
    ...(grid.played && { played: grid.played }),
  }
  return async () => {
    const sign = { host: hostname().slice(0, 300), pid: process.pid }
    await redis.set(keys.coordinator(id), JSON.stringify(sign), 'PX', goneMs)
    if ((await redis.exists(keys.run(id))) === 0) {
      await redis.set(keys.run(id), JSON.stringify(queued))
      await redis.hset(keys.meta(id), 'opts.maxLenEvents', maxEvents)
    }
    await redis.hset(keys.runs, id, JSON.stringify(listed))
  }
}

/** Removes what earlier sessions of this folder left in Redis. */
async function forgetEarlier(connection: QueueConnection, place: string): Promise<void> {
  for (const [id, run] of readRuns(await connection.redis.hgetall(keys.runs))) {
    if (run.place === place) await forgetRun(connection, id)
  }
}
