import type { EpisodeResult, EpisodeRow, Measures } from '../core/episode.js'
import { canonicalJson, isValid, traceOf } from '../core/episode.js'
import { GivenUp, messageOf } from '../core/errors.js'
import { measure } from '../core/measure.js'
import type { Completion, Model } from '../core/model.js'
import { usedIn } from '../core/perturbation.js'
import type { Played } from '../core/play.js'
import { playTrials } from '../core/play-trials.js'
import type { Random } from '../core/random.js'
import { createRandom } from '../core/random.js'
import type { Cell } from './cells.js'
import type { Grid } from './grid.js'
import { replyTokens } from './model-choice.js'
import { isRow } from './store/row.js'
import { cellAt } from './cells.js'
import type { PlayedCell, SealedEpisode } from './store/record.js'
import { createSealer } from './store/record.js'

/** How cells are played. */
interface PlayCellOptions {
  /** Ends episodes between two steps, with an exception. */
  readonly signal?: AbortSignal
  /** Milliseconds since any fixed moment; without it equal cells give equal bytes. */
  readonly clock?: () => number
  /** Asked between two trials of an episode whether it may go on, with what it used so far. */
  readonly goOn?: (underway: Underway) => boolean
}

/** An episode between two of its trials. */
export interface Underway {
  readonly key: string
  readonly model: string
  readonly measures: Measures
}

/**
 * Plays one cell. Whatever breaks in it becomes the cell's outcome; only an abort is thrown.
 * @throws GivenUp where `goOn` says no, or where a call of it is not sent any more
 */
export async function playCell(grid: Grid, cell: Cell, options: PlayCellOptions = {}): Promise<PlayedCell> {
  let played: Played
  let day: string | undefined
  try {
    played = await begin(grid, cell, options, (reply) => (day = reply.day ?? day))
  } catch (thrown) {
    options.signal?.throwIfAborted()
    if (thrown instanceof GivenUp) throw thrown
    played = broken(messageOf(thrown))
  }
  const { result, trajectory } = played
  const row = rowOf(grid, cell, result, day)
  if (!isRow(row)) return { row: rowOf(grid, cell, broken(describeUnreadable(result)).result, day), trajectory }
  return { row: isValid(row.outcome) ? { ...row, trace: traceOf(trajectory) } : row, trajectory }
}

/** Says what an environment or a perturbation gave that no reader of the row would take. */
function describeUnreadable({ progress, trials, dose, measures }: EpisodeResult): string {
  const got = JSON.stringify({ progress: String(progress), trials, dose, measures })
  return messageOf(`expected a row with progress from 0 to 1 and whole counts from 0, got ${got}`)
}

async function begin(
  grid: Grid,
  cell: Cell,
  { goOn, ...options }: PlayCellOptions,
  hear: (reply: Completion) => void,
): Promise<Played> {
  const environment = grid.environments.get(cell.environment.name)!
  const task = grid.tasks.get(environment.name)!.get(cell.task.id)!
  const perturbed = grid.perturbed.get(environment.name)!.get(cell.column.label)!
  const { normalise } = environment
  return playTrials({
    begin: () => perturbed.begin(task, randomOf(environment.name, task.id, cell.seed)),
    agent: grid.agents.get(cell.agent.name)!,
    model: overheard(grid.models.get(cell.model.name)!, hear),
    ...(normalise && { normalise: (action: string) => normalise.call(environment, action) }),
    temperature: cell.temperature,
    seed: cell.seed,
    stepLimit: grid.plan.stepLimit,
    maxTokens: replyTokens(cell.model.settings, grid.plan.maxTokens),
    episode: placeOf(cell),
    ...numbersOf(cell),
    ...(goOn && { goOn: (measures) => goOn({ key: grid.keyOf(cell), model: cell.model.name, measures }) }),
    ...options,
  })
}

/** The same model, with a listener to its replies. */
function overheard(model: Model, hear: (reply: Completion) => void): Model {
  return {
    ...model,
    ...(model.sighted && { sighted: (world, phrase) => overheard(model.sighted!(world, phrase), hear) }),
    complete(messages, sampling) {
      const reply = model.complete(messages, sampling)
      if (!(reply instanceof Promise)) {
        hear(reply)
        return reply
      }
      return reply.then((heard) => {
        hear(heard)
        return heard
      })
    },
  }
}

/**
 * Names a cell's episode for its calls. Settings and versions are not in it: they show in what is asked, and where they
 * do not, the reply is as good as it was. A column is: a perturbed episode that asks the same as its clean twin has to
 * get an answer of its own.
 */
function placeOf({ environment, task, column, agent }: Cell): string {
  return [environment.name, task.id, column.label, agent.name].join(' · ')
}

/**
 * Names the random numbers of a cell's episode on its server, of models that were given a pairing. Models and agents
 * are not in it: what is compared is played with the same numbers. A column that promises to change nothing measures
 * noise, and has numbers of its own.
 */
function numbersOf({ environment, task, column, model, temperature }: Cell): { readonly numbers?: string } {
  const { pairing } = model.settings
  if (pairing === undefined) return {}
  const used = usedIn(column.perturbations, environment.name)
  const isNoise = used.length > 0 && used.every(({ promise }) => promise === 'identity')
  const name = pairing === 'common' && !isNoise ? 'none' : column.label
  return { numbers: canonicalJson([environment.name, task.id, temperature, name]) }
}

/** Decided by task and seed alone, so that a perturbed episode begins exactly as its clean twin does. */
export function randomOf(environment: string, task: string, seed: number): Random {
  return createRandom(canonicalJson([environment, task, seed]))
}

function rowOf(grid: Grid, cell: Cell, result: EpisodeResult, date: string | undefined): EpisodeRow {
  return {
    key: grid.keyOf(cell),
    environment: cell.environment.name,
    task: cell.task.id,
    column: cell.column.label,
    model: cell.model.name,
    agent: cell.agent.name,
    temperature: cell.temperature,
    seed: cell.seed,
    ...(date !== undefined && { date }),
    ...result,
  }
}

function broken(error: string): Played {
  return {
    result: { outcome: 'environment-error', progress: 0, measures: measure([]), error },
    trajectory: { prompt: [], opening: { observation: '' }, steps: [] },
  }
}

/** Something that plays cells: this thread, or several. */
export interface Player {
  /** How many batches it works on at once. */
  readonly lanes: number
  /** How many cells it likes to be handed at once. */
  readonly batch: number
  /** Plays the cells at these places in the order of play; one that is given up between two trials is left out. */
  play(indices: readonly number[]): Promise<readonly SealedEpisode[]>
  close(): Promise<void>
}

/** Milliseconds after which a thread that only computes lets timers and signals through. */
const breathMs = 20

/** Plays in this thread; `lanes` episodes at once are of use only where models wait for a server. */
export function createLocalPlayer(grid: Grid, lanes: number, options: PlayCellOptions = {}): Player {
  const seal = createSealer()
  let breathed = performance.now()
  return {
    lanes,
    batch: 1,
    async play(indices) {
      const episodes: SealedEpisode[] = []
      for (const index of indices) {
        const played = await unlessGivenUp(playCell(grid, cellAt(grid.plan, index), options))
        if (played !== undefined) episodes.push(seal(played))
        if (performance.now() - breathed > breathMs) {
          await new Promise((resolve) => setImmediate(resolve))
          breathed = performance.now()
        }
      }
      return episodes
    },
    close: () => Promise.resolve(),
  }
}

async function unlessGivenUp<Played>(playing: Promise<Played>): Promise<Played | undefined> {
  try {
    return await playing
  } catch (thrown) {
    if (thrown instanceof GivenUp) return undefined
    throw thrown
  }
}
