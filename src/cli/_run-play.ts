import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { describeTasks } from '../../reports/index.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { isValid } from '../core/episode.js'
import { isSettled } from '../results/episode-row.js'
import type { Plan } from '../run/plan.js'
import type { QueueConnection } from '../queue/connect.js'
import type { QueuePlayerOptions } from '../queue/coordinator.js'
import { createQueuePlayer } from '../queue/coordinator.js'
import type { Budget, Prices } from '../run/budget.js'
import { cellAt, cells, countBy, countCells, createCellFinder } from '../run/cells.js'
import type { Exchanges } from '../run/exchanges.js'
import type { Experiment } from '../run/experiment.js'
import type { Where } from '../run/experiment-file.js'
import type { Grid } from '../run/grid.js'
import type { ServerLearner } from '../run/learn-servers.js'
import { learnServers } from '../run/learn-servers.js'
import type { MissingModel } from '../run/missing-servers.js'
import { describeMissing, findMissing, refuseOthers } from '../run/missing-servers.js'
import { prepareGrid } from '../run/prepare-grid.js'
import type { Registry } from '../run/registry.js'
import type { RunOptions } from '../run/run-experiment.js'
import type { Selection } from '../run/selection.js'
import { createSelected, indicesOf, limitPlan } from '../run/selection.js'
import type { Shard } from '../run/shard.js'
import { shardCells } from '../run/shard.js'
import { describeGrid, gridJson } from './_describe-grid.js'
import { summariseServer } from './_describe-server.js'
import { complain, number, print, printJson, say } from './_lines.js'
import { findPilot, namesOf, placesIn, storedIn, within } from './_run-cells.js'
import { conclude, exitStopped } from './_run-end.js'
import type { Output } from './_run-session.js'
import { playAll } from './_run-session.js'

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
  /** Folder of the pilot. */
  readonly pilot: string | undefined
  readonly budget: Budget
  readonly maxEpisodes: number | undefined
  readonly prices: Prices | undefined
  readonly exchanges: Exchanges | undefined
  readonly isReplay: boolean
  readonly queue: QueueConnection | undefined
  readonly workers: number | undefined
  /** Whether models whose servers are missing are left out. */
  readonly skipMissing: boolean
  readonly probe: boolean
  readonly acceptsChange: boolean
  /** Whether episodes whose conversation a server refused are played again. */
  readonly retryRefused: boolean
  /** Whether very many episodes on a server are played without asking. */
  readonly isAgreed: boolean
  /** Whether the grid is only described. */
  readonly isDryRun: boolean
  readonly output: Output
}

/** Episodes on a server that are played without asking. */
const maxUnasked = 2000

/** Plays what a command names, as far as its servers are there, and concludes. */
export async function playRun(options: PlayOptions): Promise<void> {
  const { experiment, folder, budget, registry, skipMissing, output } = options
  const wanted = options.models ?? namesOf(experiment.models)
  const watched = wanted.filter(
    (name) => skipMissing || experiment.models.some((one) => one.name === name && one.checkpoint),
  )
  const asksNone = options.isDryRun || options.isReplay
  const missing = asksNone ? [] : await findMissing(experiment, registry, watched)
  if (!skipMissing) refuseOthers(missing)
  const part = await preparePart(options, skipMissing ? missing : [])
  const { grid, absent, chosen, only } = part
  if (options.isDryRun) return describe(options, part)
  const stored = storedIn(folder)
  if (!(await mayPlay(options, part, stored))) return
  const left = absent.length === 0 ? new Map<string, number>() : countLeft(options, part, stored)
  if (left.size > 0) {
    say(`Skipped: ${describeMissing(absent.filter(({ model }) => left.has(model)))}.`)
    if (totalOf(left) === (chosen?.length ?? countCells(grid.plan))) {
      complain(sayLeft(left, absent))
      process.exitCode = exitStopped
      return
    }
  }
  const played = await playAll({ ...sessionOptions(options, part), budget }, output)
  await conclude({ folder }, output, {
    ...played,
    isPart: only !== undefined,
    whole: countCells(grid.plan),
    ...(left.size > 0 && { left: sayLeft(left, absent) }),
  })
}

/** What can be played now. */
interface Part {
  readonly grid: Grid
  readonly learner: ServerLearner
  readonly absent: readonly MissingModel[]
  /** What `--only` selects of the plan. */
  readonly part: Plan
  /** The cells that the command names; absent for all of the grid. */
  readonly chosen: readonly number[] | undefined
  /** Those whose servers are there. */
  readonly only: readonly number[] | undefined
}

async function preparePart(options: PlayOptions, absent: readonly MissingModel[]): Promise<Part> {
  const { experiment, where, exchanges, registry, budget, selection, shard, models } = options
  const { timeoutSeconds } = experiment
  const isThere = (name: string): boolean => !absent.some(({ model }) => model === name)
  const learner = learnServers({
    folder: options.folder,
    recorded: exchanges?.servers,
    probe: options.probe,
    acceptsChange: options.acceptsChange,
    logprobs: experiment.logprobs === true,
    tell: (report) => summariseServer(report).forEach(say),
    warn: say,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
  })
  const { grid, notes } = await prepareGrid(experiment, {
    where,
    exchanges,
    registry,
    budget,
    warn: (text) => options.output.voice.say(text),
    learner: options.isDryRun ? undefined : learner,
    played: absent.length === 0 ? models : (models ?? namesOf(experiment.models)).filter(isThere),
  })
  budget.probed(learner.requests())
  for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
  if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
  const part = selection.size === 0 ? grid.plan : limitPlan(grid.plan, selection, options.labelOf)
  const share = shard && shardCells(grid.plan, shard)
  const ofPart = (plan: Plan): readonly number[] | undefined =>
    plan === grid.plan ? share : within(indicesOf(grid.plan, plan), share)
  const chosen = ofPart(part)
  const present = { ...part, models: part.models.filter(({ name }) => isThere(name)) }
  return { grid, learner, absent, part, chosen, only: absent.length === 0 ? chosen : ofPart(present) }
}

function sessionOptions(options: PlayOptions, { grid, only, learner }: Part) {
  const { experiment, folder, prices, workers, queue, exchanges, output } = options
  const { voice } = output
  return {
    experiment,
    grid,
    folder,
    servers: learner.learned(),
    retryRefused: options.retryRefused,
    compare: () => learner.compare(),
    ...(prices && { prices }),
    ...(only && { only }),
    ...(workers !== undefined && { workers }),
    ...(queue && { createPlayer: playOn(queue, { experiment, grid, folder, say: (text) => voice.say(text) }) }),
    ...(exchanges && { exchanges }),
  }
}

function playOn(
  connection: QueueConnection,
  run: Pick<QueuePlayerOptions, 'experiment' | 'grid' | 'folder' | 'say'>,
): NonNullable<RunOptions['createPlayer']> {
  return (_, stop) => createQueuePlayer({ ...run, connection, stop })
}

async function describe(
  { experiment, folder, pilot, prices, shard, selection, output }: PlayOptions,
  { grid, part, chosen: only }: Part,
): Promise<void> {
  const { requestsPerMinute, tokensPerMinute } = experiment
  const shown = {
    pilot: findPilot(pilot, folder),
    prices,
    shard,
    ...(shard && { only: part === grid.plan ? only : placesIn(part, grid.plan, only!) }),
    requestsPerMinute,
    tokensPerMinute,
  }
  const selected = { ...grid, plan: part }
  if (output.json) await printJson(JSON.stringify(gridJson(selected, folder, shown), undefined, 2))
  else if (!output.quiet) await print(describeGrid(selected, folder, shown))
  if (selection.size > 0) say(`--only selects ${number(only!.length)} of ${number(countCells(grid.plan))} episodes.`)
}

/** On a terminal, asks for confirmation of very many episodes on a server. @returns false for anything but yes */
async function mayPlay(
  { maxEpisodes = Infinity, isAgreed, retryRefused }: PlayOptions,
  { grid, only }: Part,
  stored: Iterable<EpisodeRow>,
): Promise<boolean> {
  if (!grid.live || isAgreed || !isatty(0) || !isatty(1)) return true
  const isSelected = createSelected(grid.plan, only)
  let missing = only?.length ?? countCells(grid.plan)
  for (const row of stored) if (isDone(retryRefused)(row) && isSelected(row)) missing--
  const episodes = Math.min(missing, maxEpisodes)
  if (episodes <= maxUnasked) return true
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

/** For each absent model the number of episodes that the command names and that are not stored, if there are any. */
function countLeft(
  { retryRefused }: PlayOptions,
  part: Part,
  stored: Iterable<EpisodeRow>,
): ReadonlyMap<string, number> {
  return new Map(
    [...countUnplayed(stored, part, isDone(retryRefused))].filter(([name]) =>
      part.absent.some(({ model }) => model === name),
    ),
  )
}

/** Whether a row is one of an episode that is not played again. */
function isDone(retryRefused: boolean): (row: EpisodeRow) => boolean {
  return (row) => (retryRefused ? isValid(row.outcome) : isSettled(row))
}

/** The number of episodes that the command names and that have no stored row of a kind, by model. */
function countUnplayed(
  stored: Iterable<EpisodeRow>,
  { grid: { plan }, chosen }: Part,
  isCounted: (row: EpisodeRow) => boolean,
): ReadonlyMap<string, number> {
  // By place and not by key: without its server the plan does not have the settings of a model that were probed.
  const find = createCellFinder(plan)
  const played = new Set([...stored].filter(isCounted).map(find))
  const named = chosen ?? cells(plan).map((_, index) => index)
  const unplayed = named.filter((index) => !played.has(index)).map((index) => cellAt(plan, index))
  return countBy(unplayed, ({ model }) => model.name)
}

function totalOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, count) => sum + count, 0)
}

function sayLeft(left: ReadonlyMap<string, number>, absent: readonly MissingModel[]): string {
  const missing = describeMissing(absent.filter(({ model }) => left.has(model)))
  return `${number(totalOf(left))} episodes stay planned, since no server has their models now: ${missing}. Serve them and run the same command again.`
}
