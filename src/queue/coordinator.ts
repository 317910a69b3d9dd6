import { randomUUID } from 'node:crypto'
import { realpathSync } from 'node:fs'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { JobType, Queue } from 'bullmq'
import { hashOf, parseJson } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { isAlive, thisProcess } from '../files/lock.js'
import { cellAt, countCells } from '../run/cells.js'
import type { Experiment } from '../run/experiment.js'
import type { Grid } from '../run/grid.js'
import type { Player } from '../run/play-cell.js'
import { failCell } from '../run/play-cell.js'
import { withoutSecrets } from '../run/run-experiment.js'
import { readServers } from '../run/servers.js'
import type { SealedEpisode } from '../run/store/record.js'
import { createSealer } from '../run/store/record.js'
import { filesOf } from '../run/store/run-folder.js'
import type { Store } from '../run/store/store.js'
import { batchOf } from '../run/worker-pool.js'
import type { QueueConnection } from './connect.js'
import { beatMs, goneMs, keys } from './connect.js'
import type { ListedRun, QueuedRun } from './messages.js'
import { coordinatorSign, createUnpacker, readCells, readRuns, split } from './messages.js'
import { forgetRun, readWorkers } from './runs.js'

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

/** What became of a job. */
type Outcome =
  | { readonly kind: 'played'; readonly episodes: ReadonlyMap<number, SealedEpisode> }
  | { readonly kind: 'split' | 'withdrawn' }
  /** It failed in all its tries, or what came back are not its episodes. */
  | { readonly kind: 'failed' | 'refused'; readonly reason: string }

/** A job in Redis. */
interface Job {
  readonly id: string
  readonly cells: readonly number[]
  readonly outcome: Promise<Outcome>
  readonly settle: (outcome: Outcome) => void
  isSettled: boolean
  /** Its cells that are wanted and not yet returned to the caller. */
  left: number
}

/** Tries of one cell. */
export const maxTries = 3
/** Batches at once; workers beyond that have nothing to play. */
const lanes = 512
/** Milliseconds between two removals of stored results. */
const tidyMs = 250
/** Signs of life after which the lack of workers is said. */
const patience = 3

const unfinished: readonly JobType[] = ['waiting', 'active', 'delayed', 'prioritized']

/**
 * Plays through a queue: each batch is a job, which any worker takes. Jobs and results of a coordinator that was killed
 * are found again. Results are removed from Redis once they are on disk, so that Redis holds about two jobs for each
 * that is played, whatever the size of the run.
 * @throws ShaketableError `queue` if another coordinator plays this run
 */
export async function createQueuePlayer(options: QueuePlayerOptions): Promise<Player> {
  const { connection, experiment, grid, folder, store, stop, say } = options
  const { redis, bullmq, shown } = connection
  const { plan, live } = grid
  const count = countCells(plan)
  const place = hashOf(realpathSync(folder), 16)
  const id = hashOf([experiment.name, plan, place], 16)
  const token = await takeRun(options, id)
  const listed: ListedRun = {
    name: experiment.name.slice(0, 200),
    folder: folder.slice(0, 5000),
    place,
    episodes: count,
  }
  const queued: QueuedRun = {
    live,
    experiment: withoutSecrets(experiment),
    plan,
    servers: readServers(filesOf(folder).servers, () => undefined),
    ...(grid.played && { played: grid.played }),
  }
  const publish = async (): Promise<void> => {
    if ((await redis.exists(keys.run(id))) === 0) await redis.set(keys.run(id), JSON.stringify(queued))
    await redis.hset(keys.runs, id, JSON.stringify(listed))
  }
  await forgetOthers(connection, id, place)
  const queue = connection.queue(id)
  const events = new bullmq.QueueEvents(id, { connection: connection.duplicate(), prefix: keys.prefix })
  const ended = new AbortController()
  const isStopping = (): boolean => stop.aborted || ended.signal.aborted
  const unpack = createUnpacker(grid)
  const seal = createSealer()
  const keyAt = (index: number): string => grid.keyOf(cellAt(plan, index))

  /** Jobs without an outcome, and those of an earlier coordinator by the cells that are wanted of them. */
  const open = new Map<string, Job>()
  const adopted = new Map<number, Job>()

  const createJob = (jobId: string, cells: readonly number[], left: number): Job => {
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
  const add = async ({ id: jobId, cells }: Job): Promise<void> => {
    await queue.add('play', { cells }, { jobId, attempts: maxTries, stackTraceLimit: 0 })
  }
  const finish = async (job: Job, result: unknown): Promise<void> => {
    if (result === split) return job.settle({ kind: 'split' })
    try {
      const episodes = await unpack(result)
      if (!job.isSettled) job.settle({ kind: 'played', episodes })
    } catch (thrown) {
      if (!job.isSettled) job.settle({ kind: 'refused', reason: messageOf(thrown) })
    }
  }
  /** Reads the state of a job, since events may be lost. Waiting jobs are withdrawn after a stop. */
  const look = async (job: Job): Promise<void> => {
    const state = await queue.getJobState(job.id)
    if (job.isSettled) return
    if (state === 'completed' || state === 'failed') {
      const found = await queue.getJob(job.id)
      if (job.isSettled || found === undefined) return
      if (state === 'completed') await finish(job, found.returnvalue)
      else job.settle({ kind: 'failed', reason: found.failedReason })
    } else if (state === 'active') {
      return
    } else if (isStopping()) {
      if (state === 'unknown' || (await queue.remove(job.id)) === 1) job.settle({ kind: 'withdrawn' })
    } else if (state === 'unknown') {
      // Redis lost it, for example in a restart without its append-only file.
      await add(job)
    }
  }

  let [used, limit] = [0, 2]
  const waiting: (() => void)[] = []
  const grant = (): void => {
    const free = isStopping() ? Infinity : limit - used
    if (free <= 0 || waiting.length === 0) return
    for (const go of waiting.splice(0, free)) go()
    // Those that found nothing to play leave their place to others.
    void setImmediate().then(grant)
  }

  /** Plays cells as one job, and what is left of them as others. `uses` are the jobs that must stay until the return. */
  const perform = async (
    cells: readonly number[],
    round: number,
    uses: Map<Job, number>,
    refused = 0,
  ): Promise<SealedEpisode[]> => {
    if (isStopping()) return []
    const job = createJob(`b${hashOf([cells.map(keyAt), round], 23)}`, cells, cells.length)
    uses.set(job, cells.length)
    await add(job)
    return follow(job, cells, round, uses, refused)
  }
  const follow = async (
    job: Job,
    cells: readonly number[],
    round: number,
    uses: Map<Job, number>,
    refused = 0,
  ): Promise<SealedEpisode[]> => {
    const outcome = await job.outcome
    if (outcome.kind === 'withdrawn') return []
    if (outcome.kind === 'played') {
      const missing = cells.filter((cell) => !outcome.episodes.has(cell))
      const found = cells.flatMap((cell) => outcome.episodes.get(cell) ?? [])
      return missing.length === 0 ? found : [...found, ...(await perform(missing, round + 1, uses))]
    }
    if (outcome.kind === 'refused') say(outcome.reason)
    if (job.cells.length > 1) {
      const singles = await Promise.all(cells.map((cell) => perform([cell], round + 1, uses)))
      return singles.flat()
    }
    const tries = outcome.kind === 'refused' ? refused + 1 : maxTries
    if (!('reason' in outcome) || tries < maxTries) return perform(cells, round + 1, uses, tries)
    const reason = /allowable limit/.test(outcome.reason) ? 'its workers ended' : messageOf(outcome.reason)
    const message = `No worker could play this episode in ${String(maxTries)} tries: ${reason.replace(/\.$/, '')}.`
    return cells.map((cell) => seal(failCell(grid, cellAt(plan, cell), message)))
  }

  /** Finds the jobs of an earlier coordinator of this run. */
  const adopt = async (): Promise<void> => {
    const jobs = new Map<
      string,
      { readonly state: 'open' | 'completed' | 'failed'; readonly job: Awaited<ReturnType<Queue['getJob']>> }
    >()
    // A job that ends meanwhile is in both lists, the second time as ended.
    for (const [state, types] of [
      ['open', unfinished],
      ['failed', ['failed']],
      ['completed', ['completed']],
    ] as const) {
      for (const job of await queue.getJobs([...types])) if (job?.id !== undefined) jobs.set(job.id, { state, job })
    }
    for (const one of ['completed', 'failed', 'open'] as const) {
      for (const [jobId, { state, job: found }] of jobs) {
        if (state !== one || found === undefined) continue
        const cells = readCells(found.data, count) ?? []
        const wanted = cells.filter((cell) => !adopted.has(cell) && !store.has(keyAt(cell)))
        const job = createJob(jobId, cells, 0)
        if (state === 'completed') await finish(job, found.returnvalue)
        if (state === 'failed') job.settle({ kind: 'failed', reason: String(found.failedReason) })
        const outcome = job.isSettled ? await job.outcome : undefined
        const kept = outcome?.kind === 'played' ? wanted.filter((cell) => outcome.episodes.has(cell)) : wanted
        const isUseful = kept.length > 0 && outcome?.kind !== 'split' && outcome?.kind !== 'refused'
        if (isUseful) {
          job.left = kept.length
          for (const cell of kept) adopted.set(cell, job)
        } else {
          open.delete(jobId)
          await queue.remove(jobId)
        }
      }
    }
    if (adopted.size > 0)
      say(
        `The queue has ${adopted.size.toLocaleString('en')} episodes of an earlier session of this run; they are not played again.`,
      )
  }

  const done: string[] = []
  const tidy = async (): Promise<void> => {
    const ids = done.splice(0)
    if (ids.length === 0) return
    // What was returned is now appended; then it is on disk, and then it may be removed.
    await setImmediate()
    await store.flush()
    await Promise.all(ids.map((one) => queue.remove(one)))
  }

  const told = new Set<string>()
  let [withoutWorkers, isPaused] = [0, false]
  let isLost = false
  const beat = async (): Promise<void> => {
    if (isLost) return
    if (!(await holdRun(connection, id, token))) {
      isLost = true
      ended.abort(new ShaketableError('queue', `Another process has taken this run over on the queue at ${shown}.`))
      for (const job of open.values()) job.settle({ kind: 'withdrawn' })
      grant()
      return
    }
    await publish()
    let slots = 0
    for (const { host, pid, slots: own, refused } of await readWorkers(connection)) {
      slots += own[id] ?? 0
      const why = refused[id]
      const sentence = `The worker ${String(pid)} on ${host} does not play this run: ${why ?? ''}`
      if (why === undefined || told.has(sentence)) continue
      told.add(sentence)
      say(sentence)
    }
    limit = Math.min(lanes, Math.max(2, live ? Math.ceil(slots * 1.25) + 1 : slots * 2 + 1))
    withoutWorkers = slots > 0 ? 0 : withoutWorkers + 1
    if (withoutWorkers === patience && !isStopping())
      say(`No worker plays this run. Start one, here or elsewhere: shaketable worker --queue ${shown}`)
    if (!isStopping() && (await queue.isPaused())) {
      ended.abort(
        new ShaketableError(
          'queue',
          'The queue was drained: episodes that workers played are kept, and no others were begun.',
        ),
      )
    }
    if (isStopping() && !isPaused) {
      await queue.pause()
      isPaused = true
    }
    grant()
    await Promise.all([...open.values()].map(look))
  }

  let isClosed = false
  const repeat = async (work: () => Promise<void>, ms: number): Promise<void> => {
    while (!isClosed) {
      await work().catch((thrown: unknown) => {
        const sentence = `The queue at ${shown} reports an error: ${messageOf(thrown)}.`
        if (isClosed || told.has(sentence)) return
        told.add(sentence)
        say(sentence)
      })
      await setTimeout(ms, undefined, { ref: false })
    }
  }
  const stopNow = (): void => {
    grant()
    void beat().catch(() => undefined)
  }

  events.on('error', () => undefined)
  events.on('completed', ({ jobId, returnvalue }) => {
    const job = open.get(jobId)
    if (job !== undefined) void finish(job, returnvalue)
  })
  events.on('failed', ({ jobId }) => {
    const job = open.get(jobId)
    if (job !== undefined) void look(job).catch(() => undefined)
  })
  await events.waitUntilReady()
  await adopt()
  await publish()
  await queue.resume()
  void repeat(beat, beatMs)
  void repeat(tidy, tidyMs)
  stop.addEventListener('abort', stopNow)

  return {
    lanes,
    sendsElsewhere: true,
    batch: live ? 1 : batchOf(plan),
    ended: ended.signal,
    room() {
      void setImmediate().then(grant)
      return new Promise<void>((resolve) => waiting.push(resolve))
    },
    async play(indices) {
      used++
      try {
        const uses = new Map<Job, number>()
        const claims = new Map<Job, number[]>()
        const rest: number[] = []
        for (const index of indices) {
          const job = adopted.get(index)
          adopted.delete(index)
          if (job === undefined) rest.push(index)
          else claims.set(job, [...(claims.get(job) ?? []), index])
        }
        for (const [job, cells] of claims) uses.set(job, cells.length)
        const parts = await Promise.all([
          ...[...claims].map(([job, cells]) => follow(job, cells, 0, uses)),
          ...(rest.length > 0 ? [perform(rest, 0, uses)] : []),
        ])
        for (const [job, used] of uses) {
          job.left -= used
          if (job.left === 0) done.push(job.id)
        }
        return parts.flat()
      } finally {
        used--
        grant()
      }
    },
    async close() {
      isClosed = true
      stop.removeEventListener('abort', stopNow)
      await events.close().catch(() => undefined)
      if (redis.status !== 'ready' || isLost) return
      await tidy()
      if (open.size === 0 && adopted.size === 0) await forgetRun(connection, id)
      else say('Finished episodes of this session stay in the queue; the same command stores them.')
      await compare(connection, id, token, "redis.call('del', KEYS[1])")
    },
  }
}

/**
 * Makes this process the coordinator of a run. One that was killed on this machine is replaced at once, one on another
 * machine when it has given no sign of life for some time.
 */
async function takeRun({ connection, stop, say }: QueuePlayerOptions, id: string): Promise<string> {
  const { redis, shown } = connection
  const key = keys.coordinator(id)
  const text = JSON.stringify({ ...thisProcess(), token: randomUUID() })
  for (let waited = 0; ; waited += beatMs) {
    if ((await redis.set(key, text, 'PX', goneMs, 'NX')) === 'OK') return text
    const found = (await redis.get(key)) ?? ''
    const holder = coordinatorSign.safeParse(parseJson(found)).data
    if (holder !== undefined && !isAlive(holder)) {
      await compare(connection, id, found, "redis.call('del', KEYS[1])")
      continue
    }
    if (waited > goneMs + beatMs || stop.aborted) {
      const who = holder === undefined ? 'another process' : `process ${String(holder.pid)} on ${holder.host}`
      throw new ShaketableError('queue', `This run is played by ${who} on the queue at ${shown}. Wait for it to end.`)
    }
    if (waited === 0) say(`Waiting for the coordinator that had this run on the queue at ${shown} before.`)
    await setTimeout(beatMs)
  }
}

/** Renews this process's hold on a run; takes it again if Redis lost it. @returns false if another process has it */
async function holdRun(connection: QueueConnection, id: string, token: string): Promise<boolean> {
  if (await compare(connection, id, token, `redis.call('pexpire', KEYS[1], ${String(goneMs)})`)) return true
  return (await connection.redis.set(keys.coordinator(id), token, 'PX', goneMs, 'NX')) === 'OK'
}

/** Runs a command if the coordinator of a run is the given one. */
async function compare({ redis }: QueueConnection, id: string, token: string, command: string): Promise<boolean> {
  const script = `if redis.call('get', KEYS[1]) == ARGV[1] then return ${command} else return 0 end`
  return (await redis.eval(script, 1, keys.coordinator(id), token)) === 1
}

/** Removes what earlier plans of this folder left in Redis: their jobs are of no use. */
async function forgetOthers(connection: QueueConnection, id: string, place: string): Promise<void> {
  const { redis } = connection
  for (const [other, run] of readRuns(await redis.hgetall(keys.runs))) {
    if (other === id || run.place !== place || (await redis.exists(keys.coordinator(other))) === 1) continue
    await forgetRun(connection, other)
  }
}
