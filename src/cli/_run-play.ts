import { join } from 'node:path'
import { describeTasks } from '../../reports/index.js'
import { aggregateOf } from '../../reports/tables/define-report.js'
import { formatDuration } from '../models/retry-after.js'
import type { QueueConnection } from '../run/queue/connect.js'
import { createQueuePlayer } from '../run/queue/coordinator.js'
import type { Budget } from '../run/budget.js'
import { cellAt, countCells, placesOf } from '../run/cells.js'
import { checkCheckpoints } from '../run/check-checkpoints.js'
import type { Exchanges } from '../run/exchanges.js'
import type { Where } from '../run/experiment-file.js'
import type { Experiment } from '../run/experiment.js'
import type { Grid } from '../run/grid.js'
import type { Plan } from '../run/plan.js'
import { prepareGrid } from '../run/prepare-grid.js'
import type { Progress, Tally } from '../run/progress.js'
import { showProgress } from '../run/progress.js'
import type { Registry } from '../run/registry.js'
import type { Ended } from '../run/run-experiment.js'
import { runExperiment } from '../run/run-experiment.js'
import type { Selection } from '../run/selection.js'
import { indicesOf, limitPlan } from '../run/selection.js'
import type { Shard } from '../run/shard.js'
import { shardCells } from '../run/shard.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { coloursOf } from '../tables/colours.js'
import { count as counted } from '../tables/words.js'
import { describeGrid } from './_describe-grid.js'
import { learnFor } from './_describe-server.js'
import { complain, escapeLog, number, print, printDocument, say } from './_lines.js'
import { exits, stopSignal } from './_signals.js'
import { describeSummary, summaryJson } from './_summary.js'
import { openPage } from './_open-page.js'
import { pageOf, writeOwnReports } from './report.js'

/** The flags of `run` that say how it plays, and what it prints. */
interface PlayFlags {
  readonly dryRun?: true
  readonly probe: boolean
  readonly acceptChangedModel?: true
  readonly retryRefused?: true
  readonly replay?: string
  readonly workers?: number
  readonly quiet?: true
  readonly json?: true
  readonly open?: true
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
  readonly exchanges: Exchanges | undefined
  readonly queue: QueueConnection | undefined
  readonly flags: PlayFlags
  /** Where notes go: above the progress display while there is one. */
  readonly voice: { say: (text: string) => void }
}

/** Plays what a command names, writes the reports of what is stored, and prints the summary. */
export async function playRun(options: PlayOptions): Promise<void> {
  const { experiment, folder, registry, models, exchanges, budget, selection, shard, flags, voice } = options
  if (!flags.dryRun && flags.replay === undefined)
    await checkCheckpoints(experiment, registry, models ?? experiment.models.map(({ name }) => name))
  const acceptsChange = flags.acceptChangedModel === true
  const learner = learnFor(experiment, { folder, recorded: exchanges?.servers, probe: flags.probe, acceptsChange })
  const { grid, notes } = await prepareGrid(experiment, {
    ...{ where: options.where, exchanges, registry, budget },
    warn: (text) => voice.say(text),
    learner: flags.dryRun ? undefined : learner,
    played: models,
  })
  budget.probed(learner.requests())
  for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
  if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
  const part = selection.size === 0 ? grid.plan : limitPlan(grid.plan, selection, options.labelOf)
  const share = shard && new Set(shardCells(grid.plan, shard))
  const isShared = (index: number): boolean => share?.has(index) ?? true
  const chosen = part === grid.plan ? share && [...share] : indicesOf(grid.plan, part).filter(isShared)
  if (flags.dryRun) return describe(options, grid, part, chosen)
  const played = await play(options, grid, chosen, { servers: learner.learned(), compare: () => learner.compare() })
  await conclude(options, played)
}

async function describe(
  { folder, flags, shard, selection }: PlayOptions,
  grid: Grid,
  part: Plan,
  chosen: readonly number[] | undefined,
): Promise<void> {
  const places = placesOf(part)
  const only = shard && chosen!.map((index) => places.get(grid.keyOf(cellAt(grid.plan, index)))!)
  if (!flags.quiet) await print(describeGrid({ ...grid, plan: part }, folder, { shard, only }))
  if (selection.size > 0) say(`--only selects ${number(chosen!.length)} of ${number(countCells(grid.plan))} episodes.`)
}

type Learned = Pick<Parameters<typeof runExperiment>[0], 'servers' | 'compare'>

/** Plays the missing episodes and shows progress. */
async function play(options: PlayOptions, grid: Grid, only: readonly number[] | undefined, learned: Learned) {
  const { experiment, folder, exchanges, budget, queue: connection, flags, voice } = options
  const { workers, retryRefused = false, quiet } = flags
  let progress: Progress | undefined
  voice.say = (text) => (progress === undefined ? say(text) : progress.note(escapeLog(text)))
  const finishing = 'running episodes, or trials, are finished and kept'
  const stop = stopSignal(() => voice.say(`Stopping: ${finishing}. Press Ctrl-C again to leave at once.`))
  const began = performance.now()
  const tally = await runExperiment({
    ...{ experiment, grid, folder, budget, retryRefused, stop },
    ...learned,
    ...(only && { only }),
    ...(workers !== undefined && { workers }),
    ...(connection && {
      createPlayer: (_, stop) =>
        createQueuePlayer({ experiment, grid, folder, say: (text) => voice.say(text), connection, stop }),
    }),
    ...(exchanges && { exchanges }),
    opened(storeNotes, now) {
      for (const note of storeNotes) say(note)
      say(describeStart(folder, now(), only === undefined ? 'episodes' : 'selected episodes'))
      if (now().already >= now().planned || quiet) return
      progress = showProgress(process.stderr, {
        tally: now,
        clock: () => performance.now(),
        pauses: grid.servers?.pauses,
        spent: () => {
          const { attempts, tokens, ...rest } = budget.spent()
          return { ...rest, calls: attempts, tokens: tokens.prompt + tokens.completion }
        },
      })
    },
  }).finally(() => progress?.end())
  const used = budget.spent()
  const { calls, attempts, tokens } = used
  const isUsed = attempts > 0
  const hours = (performance.now() - began) / 3_600_000
  for (const sentence of exchanges?.summary() ?? []) say(sentence)
  if (isUsed) {
    const took = `${counted(calls, 'call')} in ${counted(attempts, 'attempt')} and ${counted(tokens.prompt + tokens.completion, 'token')}`
    say(`This session took ${took} in ${formatDuration(hours * 3_600_000)}.`)
  }
  return { tally, interrupted: stop.aborted, ...(isUsed && { use: { ...used, hours } }) }
}

function describeStart(folder: string, { planned, already }: Tally, episodes: string): string {
  if (already === 0) return `Playing ${number(planned)} ${episodes} into ${folder}.`
  if (already < planned) return `${folder} has ${number(already)} of ${number(planned)} ${episodes}; playing the rest.`
  return `${folder} has all ${number(planned)} ${episodes} already; nothing is played again.`
}

type Session = Awaited<ReturnType<typeof play>>

/** Writes the reports of what is stored and prints the summary. */
async function conclude({ folder, registry, flags }: PlayOptions, session: Session): Promise<void> {
  const { tally, use } = session
  const { planned, already, played, errors, stored } = tally
  const kept = already + played
  const isCut = (session.interrupted && kept + errors < planned) || tally.stopped !== undefined
  const run = isCut && kept === 0 ? undefined : readRun(folder)
  const end = endOf(folder, session, run)
  if (run) writeOwnReports(run, folder, registry.list('report'))
  if (end.code !== 0) process.exitCode = end.code
  const page = pageOf(join(folder, 'report'))
  const controls = run?.controls ?? []
  if (flags.json) {
    const whole = run && run.planned !== planned && { whole: { planned: run.planned, stored } }
    await printDocument({
      folder,
      ...(run && { page }),
      state: end.state,
      exitCode: end.code,
      episodes: { planned, stored: kept, played, errors, ...whole },
      errors: worstErrors(tally).map(([message, count]) => ({ message, count })),
      ...(use && { spent: use }),
      ...(run ? summaryJson(aggregateOf(run)) : { identity: [], headlines: [], notices: [] }),
    })
  } else if (run && !flags.quiet) {
    const width = process.stdout.isTTY ? process.stdout.columns || 100 : Infinity
    await print(describeSummary(aggregateOf(run), { width, colours: coloursOf(process.stdout), page, controls }))
  }
  if (run && flags.open) await openPage(page)
  for (const sentence of end.sentences) (end.code === 0 ? say : complain)(sentence)
  if (run && run.planned !== planned && run.stored < run.planned)
    say(`${folder} has ${number(stored)} of its ${number(run.planned)} planned episodes; its reports are partial.`)
}

/** Messages of errors that are printed. */
const maxErrors = 3

/** How a run ended: in a word, in sentences for people, and as an exit code. */
function endOf(folder: string, { tally, interrupted }: Session, run: ReadRun | undefined) {
  const { planned, errors, refused, stopped, stored } = tally
  const kept = tally.already + tally.played
  const share = `${number(kept)} of ${number(planned)} episodes are kept in ${folder}`
  const again = 'run the same command again to go on'
  if (interrupted && kept + errors < planned)
    return { state: 'interrupted', code: exits.interrupted, sentences: [`Stopped. ${share}; ${again}.`] }
  if (stopped !== undefined) {
    const rest = kept === 0 ? '' : ` ${share}, and its reports are marked as partial; ${again}.`
    return { state: 'stopped', code: exits.stopped, sentences: [`${stopped}${rest}`] }
  }
  if (errors === 0 && run !== undefined && run.stored < stored) {
    const lost = `Only ${number(run.stored)} of ${number(stored)} stored episodes are in the reports; the lines of the others in ${folder} are unusable. Give --out another folder to play them all.`
    return { state: 'incomplete', code: exits.wrong, sentences: [lost] }
  }
  if (errors === 0) return { state: 'complete', code: 0, sentences: [] }
  const worst = worstErrors(tally)
  const sentences = [
    errors > refused &&
      `${counted(errors - refused, 'episode')} ended in an error and do not count; run the same command again to play them again.`,
    refused > 0 &&
      `The server refused the conversation of ${counted(refused, 'episode')}, as a content filter does; only --retry-refused plays such episodes again.`,
    ...worst.slice(0, maxErrors).map(([message, times]) => `  ${number(times)} × ${message}`),
    worst.length > maxErrors &&
      `  … and ${number(worst.length - maxErrors)} other messages; see \`shaketable show ${folder} --outcome error\``,
  ]
  return { state: 'errors', code: exits.wrong, sentences: sentences.filter((line) => line !== false) }
}

function worstErrors({ messages }: Ended): (readonly [message: string, count: number])[] {
  return [...messages].sort(([, a], [, b]) => b - a)
}
