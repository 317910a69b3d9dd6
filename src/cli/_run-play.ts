import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { describeTasks } from '../../reports/index.js'
import { isValid } from '../core/episode.js'
import type { QueueConnection } from '../queue/connect.js'
import { createQueuePlayer } from '../queue/coordinator.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { isSettled } from '../results/episode-row.js'
import type { Budget, Prices } from '../run/budget.js'
import { cellAt, cells, countCells, createCellFinder, rowOf } from '../run/cells.js'
import type { Exchanges } from '../run/exchanges.js'
import type { Where } from '../run/experiment-file.js'
import type { Experiment } from '../run/experiment.js'
import type { Grid } from '../run/grid.js'
import type { ServerLearner } from '../run/learn-servers.js'
import type { MissingModel } from '../run/missing-servers.js'
import { describeMissing, findMissing, refuseOthers } from '../run/missing-servers.js'
import type { Plan } from '../run/plan.js'
import { prepareGrid } from '../run/prepare-grid.js'
import type { Registry } from '../run/registry.js'
import type { Selection } from '../run/selection.js'
import { indicesOf, limitPlan } from '../run/selection.js'
import type { Shard } from '../run/shard.js'
import { shardCells } from '../run/shard.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { describeGrid, gridJson } from './_describe-grid.js'
import { learnFor } from './_describe-server.js'
import { complain, number, print, printDocument, say } from './_lines.js'
import { conclude } from './_run-end.js'
import type { Output } from './_run-session.js'
import { playAll } from './_run-session.js'
import { exits } from './_signals.js'

/** The flags of `run` that say how it plays. */
interface PlayFlags {
  readonly dryRun?: true
  readonly yes?: true
  readonly probe: boolean
  readonly acceptChangedModel?: true
  readonly skipMissing?: true
  readonly retryRefused?: true
  readonly pilot?: string
  readonly replay?: string
  readonly workers?: number
}

/** What a command plays, and how. */
interface PlayOptions {
  readonly experiment: Experiment
  readonly where: Where
  readonly registry: Registry
  readonly folder: string
  /** What `--only` selects; empty for everything. */
  readonly selection: Selection
  /** The label of a condition as it is written. */
  readonly labelOf: (text: string) => string
  /** Names of the selected models; absent for all. */
  readonly models: readonly string[] | undefined
  readonly shard: Shard | undefined
  readonly budget: Budget
  readonly maxEpisodes: number | undefined
  readonly prices: Prices | undefined
  readonly exchanges: Exchanges | undefined
  readonly queue: QueueConnection | undefined
  readonly flags: PlayFlags
  readonly output: Output
}

/** Episodes on a server that are played without asking. */
const maxUnasked = 2000

/** Plays what a command names, as far as its servers are there, and concludes. */
export async function playRun(options: PlayOptions): Promise<void> {
  const { experiment, folder, budget, registry, flags, output, prices, exchanges, queue } = options
  const { skipMissing = false, dryRun, replay, retryRefused = false, workers } = flags
  const wanted = options.models ?? experiment.models.map(({ name }) => name)
  const watched = wanted.filter(
    (name) => skipMissing || experiment.models.some((one) => one.name === name && one.checkpoint),
  )
  const found = dryRun || replay !== undefined ? [] : await findMissing(experiment, registry, watched)
  if (!skipMissing) refuseOthers(found)
  const missing = skipMissing ? found : []
  const part = await preparePart(options, missing)
  const { grid, learner, only, chosen } = part
  if (dryRun) return describe(options, part)
  const isAsked = grid.live && !flags.yes && isatty(0) && isatty(1)
  const stored = only || missing.length > 0 || isAsked ? [...(readStored(folder)?.rows ?? [])] : []
  const unplayed = unplayedIn(part, stored, retryRefused)
  const modelAt = (index: number): string => cellAt(grid.plan, index).model.name
  const left = unplayed.filter((index) => missing.some(({ model }) => model === modelAt(index)))
  const episodes = Math.min(unplayed.length - left.length, options.maxEpisodes ?? Infinity)
  if (isAsked && episodes > maxUnasked && !(await confirm(episodes))) return
  const absent = describeMissing(missing.filter(({ model }) => left.some((index) => modelAt(index) === model)))
  const sentence = `${number(left.length)} episodes stay planned, since no server has their models now: ${absent}. Serve them and run the same command again.`
  if (left.length > 0) say(`Skipped: ${absent}.`)
  if (left.length > 0 && left.length === (chosen?.length ?? countCells(grid.plan))) {
    complain(sentence)
    process.exitCode = exits.stopped
    return
  }
  const notes = (text: string): void => output.voice.say(text)
  const played = await playAll(
    {
      ...{ experiment, grid, folder, budget, retryRefused },
      servers: learner.learned(),
      compare: () => learner.compare(),
      ...(prices && { prices }),
      ...(only && { only }),
      ...(workers !== undefined && { workers }),
      ...(queue && {
        createPlayer: (_, stop) => createQueuePlayer({ experiment, grid, folder, say: notes, connection: queue, stop }),
      }),
      ...(exchanges && { exchanges }),
    },
    output,
  )
  const session = { ...played, isPart: only !== undefined, whole: countCells(grid.plan) }
  await conclude(folder, output, { ...session, ...(left.length > 0 && { left: sentence }) })
}

/** What can be played now. */
interface Part {
  readonly grid: Grid
  readonly learner: ServerLearner
  /** What `--only` selects of the plan. */
  readonly part: Plan
  /** The cells that the command names; absent for all of the grid. */
  readonly chosen: readonly number[] | undefined
  /** Those whose servers are there. */
  readonly only: readonly number[] | undefined
}

async function preparePart(options: PlayOptions, absent: readonly MissingModel[]): Promise<Part> {
  const { experiment, where, exchanges, registry, budget, selection, shard, models, flags, folder } = options
  const isThere = (name: string): boolean => !absent.some(({ model }) => model === name)
  const acceptsChange = flags.acceptChangedModel === true
  const learner = learnFor(experiment, { folder, recorded: exchanges?.servers, probe: flags.probe, acceptsChange })
  const { grid, notes } = await prepareGrid(experiment, {
    ...{ where, exchanges, registry, budget },
    warn: (text) => options.output.voice.say(text),
    learner: flags.dryRun ? undefined : learner,
    played: absent.length === 0 ? models : (models ?? experiment.models.map(({ name }) => name)).filter(isThere),
  })
  budget.probed(learner.requests())
  for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
  if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
  const part = selection.size === 0 ? grid.plan : limitPlan(grid.plan, selection, options.labelOf)
  const share = shard && new Set(shardCells(grid.plan, shard))
  const ofPart = (plan: Plan): readonly number[] | undefined => {
    if (plan === grid.plan) return share && [...share]
    return indicesOf(grid.plan, plan).filter((index) => share?.has(index) ?? true)
  }
  const chosen = ofPart(part)
  const present = { ...part, models: part.models.filter(({ name }) => isThere(name)) }
  return { grid, learner, part, chosen, only: absent.length === 0 ? chosen : ofPart(present) }
}

/** Reads the run of a folder, if it has episodes; a damaged one is reported when it is opened. */
function readStored(folder: string): ReadRun | undefined {
  try {
    const run = readRun(folder)
    return run.stored === 0 ? undefined : run
  } catch {
    return undefined
  }
}

async function describe(
  { experiment, folder, flags, prices, shard, selection, output }: PlayOptions,
  { grid, part, chosen }: Part,
): Promise<void> {
  const { requestsPerMinute } = experiment
  const find = createCellFinder(part)
  const shown = {
    ...{ prices, shard, requestsPerMinute },
    pilot: flags.pilot === undefined ? readStored(folder) : readRun(flags.pilot),
    ...(shard && { only: chosen!.map((index) => find(rowOf(cellAt(grid.plan, index)))!) }),
  }
  const selected = { ...grid, plan: part }
  if (output.json) await printDocument(gridJson(selected, folder, shown))
  else if (!output.quiet) await print(describeGrid(selected, folder, shown))
  if (selection.size > 0) say(`--only selects ${number(chosen!.length)} of ${number(countCells(grid.plan))} episodes.`)
}

/** The cells that the command names whose episodes are not stored, or are played again. */
function unplayedIn(
  { grid: { plan }, chosen }: Part,
  stored: readonly EpisodeRow[],
  retryRefused: boolean,
): readonly number[] {
  const isDone = (row: EpisodeRow): boolean => (retryRefused ? isValid(row.outcome) : isSettled(row))
  // By place and not by key: without its server the plan does not have the settings of a model that were probed.
  const done = new Set(stored.filter(isDone).map(createCellFinder(plan)))
  return (chosen ?? cells(plan).map((_, index) => index)).filter((index) => !done.has(index))
}

/** Asks for confirmation of very many episodes on a server. @returns false for anything but yes */
async function confirm(episodes: number): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(
      `${number(episodes)} episodes will be played on a server (--dry-run shows the number of calls, --tasks and --seeds reduce it, --yes skips this question). Play them? [y/N] `,
    )
    if (/^y(es)?$/i.test(answer.trim())) return true
  } finally {
    terminal.close()
  }
  say('Nothing was played.')
  return false
}
