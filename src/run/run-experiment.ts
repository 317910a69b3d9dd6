import { availableParallelism } from 'node:os'
import type { EpisodeRow } from '../results/episode-row.js'
import { messageOf } from '../core/errors.js'
import { type Cell, cellAt, cellsByKey, countCells } from './cells.js'
import type { Exchanges } from './exchanges.js'
import { storedAddress } from '../models/address.js'
import { type KnownServer, readServers } from './servers.js'
import type { Budget } from './budget.js'
import type { Experiment } from './experiment.js'
import { type Grid, maxCalls } from './grid.js'
import { type Player, createLocalPlayer } from './play-cell.js'
import { schedule } from './schedule.js'
import { openFileStore } from './store/file-store.js'
import type { Store } from './store/store.js'
import { clearStopped, filesOf, writeStopped } from './store/run-folder.js'
import { type Tally, createTally } from './progress.js'
import { createWorkerPlayer } from './worker-pool.js'

/** Options of {@link runExperiment}. */
export interface RunOptions {
  readonly experiment: Experiment
  readonly grid: Grid
  readonly folder: string
  /** Indices of the cells to play, ascending, in the order of play of the grid's plan. Default: all. */
  readonly only?: readonly number[]
  /** Number of threads that play; 0 for this thread alone. Default: depends on the grid. */
  readonly workers?: number
  /** Creates the player, if others than this process play; called once the run folder is open. */
  readonly createPlayer?: (store: Store, stop: AbortSignal) => Promise<Player>
  /** Records or replays calls; this thread then plays alone. */
  readonly exchanges?: Exchanges
  /** Reports of its servers, stored with a new run. */
  readonly servers?: readonly KnownServer[]
  /** Checks that the models are those of the run's start; called if episodes are left to play. */
  readonly compare?: () => Promise<void>
  readonly budget?: Budget
  /** Once aborted, no more episodes begin. */
  readonly stop: AbortSignal
  /** Called once the run folder is open, with its notes and the running counts. */
  readonly opened: (notes: readonly string[], tally: () => Tally) => void
}

/** With fewer episodes per thread, starting another thread takes longer than playing them. */
const episodesPerWorker = 200

/** The result of a session; its counts are those of the cells that it was to play. */
export interface Ended extends Tally {
  /** Valid episodes of the whole run, whose plan may be larger than that of the session. */
  readonly stored: number
  /** Why it ended early: a server is gone, or its budget is used up. */
  readonly stopped?: string
}

/**
 * Plays the missing episodes of a run and stores them.
 * @throws ShaketableError `store` if episodes cannot be stored
 */
export async function runExperiment(options: RunOptions): Promise<Ended> {
  const { experiment, grid, folder, stop, budget, only, servers, exchanges } = options
  const { gone, plan } = grid
  const files = filesOf(folder)
  let stopped: string | undefined
  const planned = only?.length ?? countCells(plan)
  const tally = createTally(planned, plan)
  const wanted = only ? new Set(only.map((index) => cellAt(plan, index).key)) : cellsByKey(plan)
  const seen = (row: EpisodeRow): void => {
    if (wanted.has(row.key)) tally.seen(row)
  }
  const planFile = { plan, experiment: withoutSecrets(experiment) }
  const store = await openFileStore(folder, planFile, { seen, servers })
  const keepServers = (): void => exchanges?.learn?.(readServers(files.servers))
  const ended = (): Ended => ({ ...tally.now(), stored: store.size + tally.now().played })
  try {
    const { already } = tally.now()
    const missing = planned - already
    if (missing > 0) await options.compare?.()
    options.opened([...store.notes, ...(exchanges?.begin?.(already) ?? [])], tally.now)
    keepServers()
    clearStopped(files.stopped)
    if (missing === 0) return ended()
    const player = (await options.createPlayer?.(store, stop)) ?? choosePlayer(options, missing)
    const leave = (): void => grid.servers?.leave()
    stop.addEventListener('abort', leave)
    try {
      const played = (row: EpisodeRow, attempts: number | undefined): void => {
        tally.played(row)
        const isElsewhere = player.sendsElsewhere === true && grid.served.has(row.model)
        budget?.played(row, isElsewhere ? (attempts ?? row.measures.modelCalls) : undefined)
      }
      const begin = budget && ((index: number) => budget.begin(maxCallsOf(grid, cellAt(plan, index))))
      await schedule({ plan, player, store, played, stop, gone, ...(only && { only }), ...(begin && { begin }) })
      const end = [gone, player.ended].find((signal) => signal?.aborted)
      const now = tally.now()
      if (now.already + now.played < planned) stopped = end ? messageOf(end.reason) : budget?.reached()
      if (stopped !== undefined) writeStopped(files.stopped, stopped)
    } finally {
      stop.removeEventListener('abort', leave)
      await player.close()
    }
  } finally {
    keepServers()
    await store.close()
  }
  return { ...ended(), ...(stopped !== undefined && { stopped }) }
}

function maxCallsOf(grid: Grid, cell: Cell): number {
  const { model, agent } = cell
  return grid.served.has(model.name) ? maxCalls(grid.agents.get(agent.name)!, grid.plan.stepLimit) : 0
}

function choosePlayer(options: RunOptions, missing: number): Player {
  const { experiment, grid, workers, exchanges, stop, budget } = options
  const goOn = (): boolean => (budget?.goOn() ?? true) && !stop.aborted && grid.gone?.aborted !== true
  if (grid.live || exchanges !== undefined) {
    const { stop: signal, settle } = exchanges ?? {}
    const clock = grid.live && { clock: () => performance.now() }
    const more = { ...clock, ...(signal && { signal }), ...(settle && { settle }) }
    return createLocalPlayer(grid, grid.live ? experiment.concurrency : 1, { goOn, ...more })
  }
  // A hook of a plug-in that never ends blocks its thread, which must not be the one that hears Ctrl-C.
  const least = experiment.plugins.length > 0 ? 1 : 0
  const threads = workers ?? Math.max(least, Math.min(availableParallelism(), Math.floor(missing / episodesPerWorker)))
  if (threads === 0 || (threads === 1 && workers === undefined && least === 0))
    return createLocalPlayer(grid, 1, { goOn })
  return createWorkerPlayer({ experiment, plan: grid.plan, ...(grid.played && { played: grid.played }) }, threads)
}

/** An experiment as it may be stored: addresses of servers without passwords and keys. */
export function withoutSecrets(experiment: Experiment): Experiment {
  const stored = <T extends { readonly baseUrl?: string }>(one: T): T =>
    one.baseUrl === undefined ? one : { ...one, baseUrl: storedAddress(one.baseUrl) }
  return {
    ...stored(experiment),
    environments: experiment.environments.map(({ options, ...environment }) => {
      const { url } = options
      return { ...environment, options: typeof url === 'string' ? { ...options, url: storedAddress(url) } : options }
    }),
    models: experiment.models.map(stored),
  }
}
