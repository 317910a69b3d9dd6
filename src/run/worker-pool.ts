import { Worker } from 'node:worker_threads'
import { type ErrorCode, ShaketableError } from '../core/errors.js'
import { type Plan, pairsOf } from './plan.js'
import type { Experiment } from './experiment.js'
import type { Player } from './play-cell.js'
import type { KnownServer } from './servers.js'
import type { EpisodeRow } from '../results/episode-row.js'
import type { SealedEpisode, SentEpisode } from './store/record.js'

/** The first message to a worker thread. It creates the same grid from the same plain JSON. */
export interface WorkerStart {
  readonly experiment: Experiment
  readonly plan: Plan
  readonly played?: readonly string[]
  /** Set for a thread on a machine that did not make the plan: what is known of the run's servers. */
  readonly remote?: { readonly servers: readonly KnownServer[] }
}

/** Cells to play, and a number for the reply. */
export interface WorkerOrder {
  readonly order: number
  readonly indices: readonly number[]
}

/** A warning at any time, or the result of an order; an error without a number: the thread could not start. */
export interface WorkerAnswer {
  readonly warning?: string
  readonly order?: number
  readonly episodes?: readonly SentEpisode[]
  readonly error?: { readonly message: string; readonly code?: ErrorCode }
}

/** Cells of one order: enough that threads seldom wait, few enough that a stop takes effect soon. */
const [minBatch, maxTask] = [16, 64]

/** Number of cells in a batch: whole tasks if these have few cells, so that only one thread sets up a task. */
function batchOf(plan: Plan): number {
  const each = plan.conditions.length * pairsOf(plan).length
  return each > maxTask ? minBatch : each * Math.ceil(minBatch / each)
}

/** Plays on several cores. Each thread gets its next batch before it has finished the last. */
export function createWorkerPlayer(start: WorkerStart, threads: number): Player {
  const workers = Array.from({ length: threads }, () => startWorker(start))
  return {
    lanes: threads * 2,
    batch: batchOf(start.plan),
    async play(indices) {
      const idlest = workers.reduce((best, worker) => (worker.waiting() < best.waiting() ? worker : best))
      const episodes = await idlest.play(indices)
      return episodes.map((episode): SealedEpisode => ({ ...episode, row: JSON.parse(episode.rowLine) as EpisodeRow }))
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

interface Waiting {
  readonly resolve: (episodes: readonly SentEpisode[]) => void
  readonly reject: (thrown: unknown) => void
}

/**
 * Starts a thread, which plays its orders one after the other; if it is remote, all of them at once. `warn` is called
 * with the warnings of its models.
 */
export function startWorker(start: WorkerStart, warn: (message: string) => void = () => undefined) {
  const worker = new Worker(new URL('./worker.js', import.meta.url))
  worker.postMessage(start)
  const waiting = new Map<number, Waiting>()
  let broken: { readonly thrown: unknown } | undefined
  let orders = 0

  const breakDown = (thrown: unknown): void => {
    broken ??= { thrown }
    for (const { reject } of waiting.values()) reject(thrown)
    waiting.clear()
  }
  worker.on('error', breakDown)
  worker.on('exit', () => breakDown(new Error('a worker thread ended before its work was done')))
  worker.on('message', ({ warning, order, episodes = [], error }: WorkerAnswer) => {
    if (warning !== undefined) return warn(warning)
    const thrown = error && revive(error)
    if (order === undefined) return breakDown(thrown)
    const waiter = waiting.get(order)
    waiting.delete(order)
    if (thrown === undefined) waiter?.resolve(episodes)
    else waiter?.reject(thrown)
  })
  return {
    waiting: () => waiting.size,
    play(indices: readonly number[]): Promise<readonly SentEpisode[]> {
      if (broken !== undefined) return Promise.reject(broken.thrown as Error)
      const order = orders++
      return new Promise((resolve, reject) => {
        waiting.set(order, { resolve, reject })
        worker.postMessage({ order, indices } satisfies WorkerOrder)
      })
    },
    close: () => worker.terminate(),
  }
}

function revive({ message, code }: { readonly message: string; readonly code?: ErrorCode }): Error {
  return code === undefined ? new Error(message) : new ShaketableError(code, message)
}
