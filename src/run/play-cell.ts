import type { EpisodeResult, EpisodeRow } from '../results/episode-row.js'
import { canonicalJson, isValid, seedOf } from '../core/episode.js'
import { actionsOf, openingOf, traceOf } from '../play/fingerprints.js'
import { GivenUp, messageOf } from '../core/errors.js'
import type { Completion, Model } from '../core/model.js'
import { usedIn } from '../core/perturbation.js'
import type { Played } from '../play/play.js'
import { playTrials } from '../play/play-trials.js'
import { type Random, createRandom } from '../core/random.js'
import { isFiltered } from '../models/refusals.js'
import { type Cell, cellAt, rowOf as namesOf } from './cells.js'
import type { Grid } from './grid.js'
import { replyTokens } from './model-choice.js'
import { isRow } from './store/rows.js'
import { type PlayedCell, type SealedEpisode, broken, sealEpisode } from './store/record.js'

/** Options of {@link playCell}. */
export interface PlayCellOptions {
  /** Ends an episode between two steps, with an exception. */
  readonly signal?: AbortSignal
  /** Milliseconds since any fixed moment. Without a clock equal cells give equal bytes. */
  readonly clock?: () => number
  /** Called between two trials of an episode. @returns whether it may go on */
  readonly goOn?: () => boolean
}

/**
 * Plays one cell. Any failure becomes the cell's outcome, except an abort.
 * @throws GivenUp if `goOn` returns false, or if one of its calls is no longer sent
 */
export async function playCell(grid: Grid, cell: Cell, options: PlayCellOptions = {}): Promise<PlayedCell> {
  let played: Played
  let day: string | undefined
  const servedBy = new Set<string>()
  try {
    played = await begin(grid, cell, options, (reply) => {
      day = reply.day ?? day
      if (reply.servedBy !== undefined && servedBy.size < maxNames) servedBy.add(reply.servedBy)
    })
  } catch (thrown) {
    options.signal?.throwIfAborted()
    if (thrown instanceof GivenUp) throw thrown
    played = broken(messageOf(thrown))
  }
  const { result, trajectory } = played
  const row = { ...rowOf(cell, result, day), ...(servedBy.size > 0 && { servedBy: [...servedBy] }) }
  if (!isRow(row)) return { row: rowOf(cell, broken(describeUnreadable(result)).result, day), trajectory }
  if (isValid(row.outcome)) {
    const printed = { trace: traceOf(trajectory), opening: openingOf(trajectory), actions: actionsOf(trajectory) }
    return { row: { ...row, ...printed }, trajectory }
  }
  const { outcome, status } = trajectory.failedCall?.at(-1) ?? {}
  const isRefused = row.outcome === 'model-error' && outcome === 'refused' && isFiltered(status, row.error)
  return { row: isRefused ? { ...row, refused: true } : row, trajectory }
}

/** Names of models that are kept of the replies of an episode. */
const maxNames = 8

/** Describes values of an environment or a perturbation that make an invalid row. */
function describeUnreadable({ progress, trials, dose, measures }: EpisodeResult): string {
  const got = JSON.stringify({ progress: String(progress), trials, dose, measures })
  return messageOf(`expected a row with progress from 0 to 1 and whole counts from 0, got ${got}`)
}

async function begin(
  grid: Grid,
  cell: Cell,
  options: PlayCellOptions,
  listen: (reply: Completion) => void,
): Promise<Played> {
  const environment = grid.environments.get(cell.environment.name)!
  const task = grid.tasks.get(environment.name)!.get(cell.task.id)!
  const perturbed = grid.perturbed.get(environment.name)!.get(cell.condition.label)!
  const { normalise } = environment
  return playTrials({
    begin: () => perturbed.begin(task, randomOf(environment.name, task.id, cell.seed), cell.seed),
    agent: grid.agents.get(cell.agent.name)!,
    model: withListener(grid.models.get(cell.model.name)!, listen),
    ...(normalise && { normalise: (action: string) => normalise.call(environment, action) }),
    temperature: cell.temperature,
    seed: modelSeedOf(cell),
    stepLimit: grid.plan.stepLimit,
    maxTokens: replyTokens(cell.model.settings, grid.plan.maxTokens),
    episode: placeOf(cell),
    ...numbersOf(cell),
    ...options,
  })
}

/** The same model, which passes each reply to a listener. */
function withListener(model: Model, listen: (reply: Completion) => void): Model {
  const pass = (reply: Completion): Completion => {
    listen(reply)
    return reply
  }
  return {
    ...model,
    ...(model.withWorld && { withWorld: (world, phrase) => withListener(model.withWorld!(world, phrase), listen) }),
    complete(messages, sampling) {
      const reply = model.complete(messages, sampling)
      return reply instanceof Promise ? reply.then(pass) : pass(reply)
    },
  }
}

/**
 * Identifies a cell's episode in recorded calls. Settings and versions are not part of it: if they change a prompt, the
 * request differs, and if not, the recorded reply is still valid. The condition is part of it: a perturbed episode
 * needs its own reply even to the same prompt as its clean twin.
 */
function placeOf({ environment, task, condition, agent }: Cell): string {
  return [environment.name, task.id, condition.label, agent.name].join(' · ')
}

/**
 * Identifies the random numbers of a cell's episode on its server, for models with a pairing. Models and agents are not
 * part of it, so compared episodes share their numbers.
 */
function numbersOf({ environment, task, condition, model, temperature }: Cell): { readonly numbers?: string } {
  if (model.settings['pairing'] === undefined) return {}
  const name = commonNumbers(condition, environment.name)
  return { numbers: canonicalJson([environment.name, task.id, temperature, name]) }
}

/**
 * The condition with which a condition has its random numbers in common: `none` for a perturbation, so that differences
 * from the clean twin have less noise. A condition that promises to change nothing measures noise, and has its own.
 * Draws beyond the first have those of the clean repeat of that number: draws with common numbers would all fail on the
 * same episodes, and the worst of them would be better than the worst of the repeats.
 */
function commonNumbers({ label, perturbations }: Cell['condition'], environment: string): string {
  const used = usedIn(perturbations, environment)
  if (used.length > 0 && used.every(({ promise }) => promise === 'identity')) return label
  const draws = new Set(used.flatMap(({ draw, numbers }) => (numbers === 'own' ? [draw] : [])))
  const [draw] = draws
  return draws.size === 0 ? 'none' : draws.size === 1 ? `clean-repeats:draw=${String(draw)}` : label
}

/**
 * The seed of a cell's model. Where it is sent as it is, as with control models, conditions with numbers of their own
 * have another seed; of those that promise to change nothing only from the second draw on (`clean-repeats:draw=2`): the
 * first is the clean twin again.
 */
function modelSeedOf({ environment, condition, model, seed }: Cell): number {
  if (model.settings['pairing'] !== undefined) return seed
  const name = commonNumbers(condition, environment.name)
  const isFirst = usedIn(condition.perturbations, environment.name).every(({ draw }) => draw === undefined)
  return name === 'none' || isFirst ? seed : seedOf(['repeat', name, seed])
}

/** Depends on task and seed alone, so that a perturbed episode begins exactly like its clean twin. */
export function randomOf(environment: string, task: string, seed: number): Random {
  return createRandom(canonicalJson([environment, task, seed]))
}

function rowOf(cell: Cell, result: EpisodeResult, date: string | undefined): EpisodeRow {
  return { ...namesOf(cell), ...(date !== undefined && { date }), ...result }
}

/** The outcome of a cell that cannot be played to an end: an environment error with this message. */
export function failCell(cell: Cell, error: string): PlayedCell {
  const { result, trajectory } = broken(messageOf(error))
  return { row: rowOf(cell, result, undefined), trajectory }
}

/** Plays cells in this thread or in several. */
export interface Player {
  readonly lanes: number
  readonly batch: number
  /** Whether other processes send the calls, so that their use is known from finished episodes alone. */
  readonly sendsElsewhere?: boolean
  /** Aborted, with an error as the reason, once it takes no more cells. */
  readonly ended?: AbortSignal
  /** Plays the cells at these indices in the order of play. A cell that is abandoned between two trials is left out. */
  play(indices: readonly number[]): Promise<readonly SealedEpisode[]>
  close(): Promise<void>
}

/** Milliseconds after which a thread that only computes yields to timers and signals. */
const yieldMs = 20

/**
 * Plays in this thread. More than one lane helps only if models wait for a server.
 * @param settle waited for before episodes are returned
 */
export function createLocalPlayer(
  grid: Grid,
  lanes: number,
  { settle, ...options }: PlayCellOptions & { readonly settle?: () => Promise<void> } = {},
): Player {
  let yielded = performance.now()
  return {
    lanes,
    batch: 1,
    async play(indices) {
      const episodes: SealedEpisode[] = []
      for (const index of indices) {
        try {
          episodes.push(sealEpisode(await playCell(grid, cellAt(grid.plan, index), options)))
        } catch (thrown) {
          if (!(thrown instanceof GivenUp)) throw thrown
        }
        if (performance.now() - yielded > yieldMs) {
          await new Promise((resolve) => setImmediate(resolve))
          yielded = performance.now()
        }
      }
      await settle?.()
      return episodes
    },
    close: () => Promise.resolve(),
  }
}
