import { realpathSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { hashOf, isValid } from '../core/episode.js'
import type { ErrorCode } from '../core/errors.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { Budget } from '../run/budget.js'
import { cellAt, countCells } from '../run/cells.js'
import type { Experiment } from '../run/experiment.js'
import type { Grid } from '../run/grid.js'
import type { Player } from '../run/play-cell.js'
import { withoutSecrets } from '../run/run-experiment.js'
import { readServers } from '../run/servers.js'
import { filesOf } from '../run/store/run-folder.js'
import type { Store } from '../run/store/store.js'
import { batchOf } from '../run/worker-pool.js'
import { createBatchSize } from './batch-size.js'
import { offerCalls } from './calls.js'
import type { QueueConnection } from './connect.js'
import { asQueueError, beatMs, isReplyError, keys, lookMs, maxEvents } from './connect.js'
import { holdRun } from './hold.js'
import { openJobs } from './jobs.js'
import type { ListedRun, QueuedRun } from './messages.js'
import { readRuns } from './messages.js'
import { createJobPlayer } from './play-jobs.js'
import { forgetRun } from './runs.js'
import { watchWorkers } from './watch-workers.js'

/** Options of {@link createQueuePlayer}. */
export interface QueuePlayerOptions {
  readonly connection: QueueConnection
  readonly experiment: Experiment
  readonly grid: Grid
  readonly folder: string
  /** Number of cells to play. */
  readonly wanted: number
  /** Its calls are the ceiling of all workers together. */
  readonly budget: Budget
  /** The open run folder. Results are removed from Redis once they are on disk there. */
  readonly store: Store
  /** Once aborted, no more jobs are handed out; those that workers play are awaited. */
  readonly stop: AbortSignal
  readonly say: (text: string) => void
}

/** Batches at once; workers beyond that have nothing to play. */
const lanes = 512

/**
 * Plays through a queue: each batch is a job, which any worker takes. Jobs and results of a coordinator that was killed
 * are found again. Results are removed from Redis once they are on disk, so that Redis holds about two jobs for each
 * that is played, whatever the size of the run.
 * @throws ShaketableError `queue` if another coordinator plays this run
 */
export async function createQueuePlayer(options: QueuePlayerOptions): Promise<Player> {
  const { connection, experiment, grid, folder, budget, stop, say } = options
  const { redis, shown } = connection
  const { plan, live } = grid
  const place = hashOf(realpathSync(folder), 16)
  const id = hashOf([experiment.name, plan, place], 16)
  const hold = await holdRun(options, id).catch((thrown: unknown) => {
    throw asQueueError(connection, thrown)
  })
  const ended = new AbortController()
  const told = new Set<string>()
  const tell = (text: string): void => void (told.has(text) || (told.add(text), say(text)))
  let [isSpent, isLost, isPaused] = [false, false, false]
  const isStopping = (): boolean => stop.aborted || ended.signal.aborted || isSpent
  const room = createRoom(isStopping)
  const size = createBatchSize(batchOf(plan), options.wanted)
  const queue = connection.queue(id)
  const jobs = openJobs({ ...options, id, queue, isStopping, tell })
  const workers = watchWorkers(connection, id, tell)
  const calls = grid.served.size > 0 ? offerCalls(connection, id, budget) : undefined
  const publish = createPublisher(options, id, place)
  const end = (code: ErrorCode, why: string): void => ended.abort(new ShaketableError(code, why))
  const countCalls = async (): Promise<void> => {
    if (calls !== undefined && (await calls.count())) isSpent = true
  }

  const beat = async (): Promise<void> => {
    if (isLost) return
    isLost = !(await hold.renew())
    if (isLost) {
      end('queue', `Another process has taken this run over on the queue at ${shown}.`)
      jobs.abandon()
      return room.grant()
    }
    await publish()
    await countCalls()
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
    size.slots = slots
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
  const close = async (finish: () => Promise<void>): Promise<void> => {
    stop.removeEventListener('abort', stopNow)
    try {
      await Promise.all(loops.map((loop) => loop.end(redis.status === 'ready')))
      if (redis.status === 'ready' && !isLost) await finish()
    } finally {
      await jobs.close()
      if (redis.status === 'ready') await hold.release()
    }
  }
  try {
    await forgetOthers(connection, id, place)
    await jobs.ready()
    const adopted = await jobs.adopt()
    if (adopted.size > 0) {
      const episodes = adopted.size.toLocaleString('en')
      say(`The queue has ${episodes} episodes of an earlier session of this run; they are not played again.`)
    }
    await calls?.offer()
    await publish()
    await queue.resume()
    const play = createJobPlayer({
      ...{ grid, jobs, adopted, isStopping, say },
      played(episodes, milliseconds) {
        size.played(episodes.length, milliseconds)
        for (const { row } of episodes) if (isValid(row.outcome)) workers.reached(row.model)
      },
      async givenBack({ worker, why }, cell) {
        if (why === undefined) await countCalls()
        else workers.missed(cellAt(plan, cell).model.name, worker, why)
      },
    })
    loops.push(repeat(beat, beatMs, report), repeat(countWorkers, lookMs, report), repeat(jobs.tidy, lookMs, report))
    stop.addEventListener('abort', stopNow)
    return {
      lanes,
      sendsElsewhere: true,
      get batch() {
        return live ? 1 : size.next()
      },
      ended: ended.signal,
      room: room.wait,
      play(indices) {
        size.taken(indices.length)
        return room.use(() => play(indices).catch(refuse))
      },
      close: () =>
        close(async () => {
          await jobs.tidy()
          await countCalls()
          if (jobs.hasOpen() || adopted.size > 0)
            say('Finished episodes of this session stay in the queue; the same command stores them.')
          else await forgetRun(connection, id)
        }).catch((thrown: unknown) => {
          // What was played is on disk; keys that stay are found by `queue clean`.
          if (!isReplyError(thrown)) throw thrown
          report(thrown)
        }),
    }
  } catch (thrown) {
    await close(() => Promise.resolve()).catch(() => undefined)
    return refuse(thrown)
  }
}

/** Limits the batches that are played at once. After a stop there is no limit, so that nothing waits. */
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

/** Creates a function that puts in what workers need of a run, again if Redis lost it. */
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
    if ((await redis.exists(keys.run(id))) === 0) {
      await redis.set(keys.run(id), JSON.stringify(queued))
      await redis.hset(keys.meta(id), 'opts.maxLenEvents', maxEvents)
    }
    await redis.hset(keys.runs, id, JSON.stringify(listed))
  }
}

/** Removes what earlier plans of this folder left in Redis: their jobs are of no use. */
async function forgetOthers(connection: QueueConnection, id: string, place: string): Promise<void> {
  const { redis } = connection
  for (const [other, run] of readRuns(await redis.hgetall(keys.runs))) {
    if (other === id || run.place !== place || (await redis.exists(keys.coordinator(other))) === 1) continue
    await forgetRun(connection, other)
  }
}
