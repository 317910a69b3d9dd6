import { availableParallelism } from 'node:os'
import type { EpisodeRow } from '../core/episode.js'
import { hashOf } from '../core/episode.js'
import { messageOf } from '../core/errors.js'
import { cellsPerTask, countCells } from './cells.js'
import type { Exchanges } from './exchanges.js'
import { withExchanges } from './exchanges.js'
import { storedAddress } from '../models/address.js'
import type { KnownServer } from './servers.js'
import type { Budget, Prices } from './budget.js'
import type { Experiment } from './experiment.js'
import type { Grid } from './grid.js'
import type { Player, Underway } from './play-cell.js'
import { createLocalPlayer } from './play-cell.js'
import { schedule } from './schedule.js'
import { FileStore } from './store/file-store.js'
import { asStoreError, clearStopped, filesOf, writePrices, writeStopped } from './store/run-folder.js'
import type { Tally } from './progress.js'
import { createTally } from './progress.js'
import { createWorkerPlayer } from './worker-pool.js'

/** Options of {@link runExperiment}. */
export interface RunOptions {
  readonly experiment: Experiment
  readonly grid: Grid
  readonly folder: string
  /** Number of threads that play; 0 for this thread alone. Default: depends on the grid. */
  readonly workers?: number
  /** Records, replays or caches calls; this thread then plays alone. */
  readonly exchanges?: Exchanges
  /** Reports of its servers, stored with a new run. */
  readonly servers?: readonly KnownServer[]
  /** Checks that the models are those of the run's start; called if episodes are left to play. */
  readonly compare?: () => Promise<void>
  /** Prices of its models, kept with the run. */
  readonly prices?: Prices
  /** Limits of this session. */
  readonly budget?: Budget
  /** Once aborted, no more episodes begin. */
  readonly stop: AbortSignal
  /** Called with warnings about hooks of plug-ins. */
  readonly warn?: (message: string) => void
  /** Called once the run folder is open, with its notes and the running counts. */
  readonly opened: (notes: readonly string[], tally: () => Tally) => void
}

/** With fewer episodes per thread, starting another thread takes longer than playing them. */
const episodesPerWorker = 200

/** The result of a session. */
export interface Ended extends Tally {
  /** Why it ended early: a server is gone, or its budget is used up. */
  readonly stopped?: string
}

/**
 * Plays the missing episodes of a run and stores them.
 * @throws ShaketableError `store` if episodes cannot be stored
 */
export async function runExperiment(options: RunOptions): Promise<Ended> {
  const { experiment, grid, folder, stop, budget } = options
  const { gone } = grid
  const { stopped: mark } = filesOf(folder)
  let stopped: string | undefined
  const { plan } = grid
  const planned = countCells(plan)
  const tally = createTally(planned, plan)
  const planFile = { plan, experiment: withoutSecrets(experiment) }
  const store = await FileStore.open(folder, planFile, tally.seen, options.servers)
  try {
    const { already } = tally.now()
    if (already < planned) await options.compare?.()
    options.opened([...store.notes, ...(options.exchanges?.begin(already) ?? [])], tally.now)
    clearStopped(mark)
    if (options.prices !== undefined && options.prices.size > 0) writePrices(filesOf(folder).prices, options.prices)
    const missing = planned - tally.now().already
    if (missing === 0) return tally.now()
    const player = choosePlayer(options, missing)
    const leave = (): void => grid.servers?.leave()
    stop.addEventListener('abort', leave)
    try {
      const played = (row: EpisodeRow, attempts: number | undefined): void => {
        tally.played(row)
        budget?.played(row, attempts)
      }
      await schedule({ plan, player, store, played, stop, gone, ...(budget && { begin: budget.begin }) })
      stopped = gone?.aborted ? messageOf(gone.reason) : budget?.reached()
      try {
        if (stopped !== undefined) writeStopped(mark, stopped)
      } catch (thrown) {
        throw asStoreError(thrown, mark)
      }
    } finally {
      stop.removeEventListener('abort', leave)
      await player.close()
    }
  } finally {
    await store.close()
  }
  return { ...tally.now(), ...(stopped !== undefined && { stopped }) }
}

/** Episodes of models behind servers are timed. */
const clocks = { clock: () => performance.now() }

function choosePlayer(options: RunOptions, missing: number): Player {
  const { experiment, grid, workers, exchanges, stop, budget } = options
  const goOn = (underway: Underway): boolean =>
    (budget?.goOn(underway) ?? true) && !stop.aborted && grid.gone?.aborted !== true
  if (exchanges !== undefined) {
    const { stop: signal } = exchanges
    const clock = grid.live ? clocks : {}
    return withExchanges(
      createLocalPlayer(grid, grid.live ? experiment.concurrency : 1, { ...(signal && { signal }), ...clock, goOn }),
      exchanges,
    )
  }
  if (grid.live) return createLocalPlayer(grid, experiment.concurrency, { ...clocks, goOn })
  const threads = workers ?? Math.min(availableParallelism(), Math.floor(missing / episodesPerWorker))
  if (threads === 0 || (threads === 1 && workers === undefined)) return createLocalPlayer(grid, 1, { goOn })
  return createWorkerPlayer({ experiment, plan: hashOf(grid.plan) }, threads, cellsPerTask(grid.plan), options.warn)
}

/** An experiment as it may be stored: addresses of servers without passwords and keys. */
export function withoutSecrets(experiment: Experiment): Experiment {
  const { baseUrl, models, environments } = experiment
  return {
    ...experiment,
    environments: environments.map((environment) => {
      const { url } = environment.options
      return typeof url === 'string'
        ? { ...environment, options: { ...environment.options, url: storedAddress(url) } }
        : environment
    }),
    ...(baseUrl !== undefined && { baseUrl: storedAddress(baseUrl) }),
    models: models.map((model) =>
      model.baseUrl === undefined ? model : { ...model, baseUrl: storedAddress(model.baseUrl) },
    ),
  }
}
