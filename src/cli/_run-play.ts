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
import { costsOf } from '../run/grid-cost.js'
import { prepareGrid } from '../run/prepare-grid.js'
import type { Progress, Tally } from '../run/progress.js'
import { showProgress } from '../run/progress.js'
import type { Registry } from '../run/registry.js'
import type { Ended } from '../run/run-experiment.js'
import { runExperiment } from '../run/run-experiment.js'
import type { Selection } from '../run/selection.js'
import { indicesOf, limitPlan } from '../run/selection.js'
import type { Shard } from '../run/shard.js'
import { describeShard, shardCells } from '../run/shard.js'
import { readRun } from '../run/store/read-run.js'
import { coloursOf } from '../tables/colours.js'
import { count as counted } from '../tables/words.js'
import { learnFor } from './_describe-server.js'
import { complain, escapeLog, layOut, number, print, printDocument, say } from './_lines.js'
import { exits, stopSignal } from './_signals.js'
import { describeSummary } from './_summary.js'
import { openPage, pageOf, writeOwnReports } from './report.js'
import type { RunFlags } from './_run-flags.js'

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
  readonly flags: RunFlags
  /** Where notes go: above the progress display while there is one. */
  readonly voice: { say: (text: string) => void }
}

/** Plays what a command names, writes the reports of what is stored, and prints the summary. */
export async function playRun(options: PlayOptions): Promise<void> {
  const { experiment, where, folder, registry, models, exchanges, budget, selection, shard, flags, voice } = options
  if (!flags.dryRun && flags.replay === undefined)
    await checkCheckpoints(experiment, registry, models ?? experiment.models.map(({ name }) => name))
  const acceptsChange = flags.acceptChangedModel === true
  const learner = learnFor(experiment, { folder, recorded: exchanges?.servers, probe: flags.probe, acceptsChange })
  const { grid, notes } = await prepareGrid(experiment, {
    ...{ where, exchanges, registry, budget, played: models },
    warn: (text) => voice.say(text),
    learner: flags.dryRun ? undefined : learner,
  })
  budget.probed(learner.requests())
  for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
  if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
  const { plan } = grid
  const part = selection.size === 0 ? plan : limitPlan(plan, selection, options.labelOf)
  const share = shard && new Set(shardCells(plan, shard))
  const isShared = (index: number): boolean => share?.has(index) ?? true
  const chosen = part === plan ? share && [...share] : indicesOf(plan, part).filter(isShared)
  if (!flags.dryRun) {
    const learned = { servers: learner.learned(), compare: () => learner.compare() }
    return conclude(options, await play(options, grid, chosen, learned))
  }
  const places = placesOf(part)
  const only = shard && chosen!.map((index) => places.get(grid.keyOf(cellAt(plan, index)))!)
  if (!flags.quiet) await print(describeGrid({ ...grid, plan: part }, folder, shard, only))
  if (selection.size > 0) say(`--only selects ${number(chosen!.length)} of ${number(countCells(plan))} episodes.`)
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
    ...{ experiment, grid, folder, budget, retryRefused, stop, ...learned },
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
      progress = showProgress(process.stderr, () => {
        const { attempts: calls, tokens } = budget.spent()
        const spent = { calls, tokens: tokens.prompt + tokens.completion }
        return { tally: now(), pauses: grid.servers?.pauses(), spent }
      })
    },
  }).finally(() => progress?.end())
  const milliseconds = performance.now() - began
  const used = budget.spent()
  const { calls, attempts, tokens } = used
  for (const sentence of exchanges?.summary() ?? []) say(sentence)
  if (attempts > 0) {
    const took = `${counted(calls, 'call')} in ${counted(attempts, 'attempt')} and ${counted(tokens.prompt + tokens.completion, 'token')}`
    say(`This session took ${took} in ${formatDuration(milliseconds)}.`)
  }
  return {
    tally,
    interrupted: stop.aborted,
    ...(attempts > 0 && { use: { ...used, hours: milliseconds / 3_600_000 } }),
  }
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
  const end = endOf(folder, session)
  if (end.code !== 0) process.exitCode = end.code
  const isEmpty = kept === 0 && ['interrupted', 'stopped'].includes(end.state)
  const run = isEmpty ? undefined : readRun(folder)
  if (run) writeOwnReports(run, folder, registry.list('report'))
  const page = pageOf(join(folder, 'report'))
  if (flags.json) {
    const whole = run && run.planned !== planned && { whole: { planned: run.planned, stored } }
    const { identity, headlines, notices } = run ? aggregateOf(run) : { identity: [], headlines: [], notices: [] }
    await printDocument({
      ...{ folder, page, state: end.state, exitCode: end.code },
      episodes: { planned, stored: kept, played, errors, ...whole },
      errors: worstErrors(tally).map(([message, count]) => ({ message, count })),
      ...(use && { spent: use }),
      ...{ identity, headlines, notices },
    })
  } else if (run && !flags.quiet) {
    const width = process.stdout.isTTY ? process.stdout.columns || 100 : Infinity
    const { controls = [] } = run
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
function endOf(folder: string, { tally, interrupted }: Session) {
  const { planned, errors, refused, stopped } = tally
  const kept = tally.already + tally.played
  const share = `${number(kept)} of ${number(planned)} episodes are kept in ${folder}`
  const again = 'run the same command again to go on'
  if (interrupted && kept + errors < planned)
    return { state: 'interrupted', code: exits.interrupted, sentences: [`Stopped. ${share}; ${again}.`] }
  if (stopped !== undefined) {
    const rest = kept === 0 ? '' : ` ${share}, and its reports are marked as partial; ${again}.`
    return { state: 'stopped', code: exits.stopped, sentences: [`${stopped}${rest}`] }
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

/**
 * A grid as `--dry-run` shows it: its axes, its size, and what its conditions cost.
 * @param only indices of the cells to play. Default: all
 */
function describeGrid(
  grid: Grid,
  folder: string,
  shard: Shard | undefined,
  only: readonly number[] | undefined,
): string {
  const { plan, live, agents } = grid
  const { byCondition, total } = costsOf(grid, only)
  const isTrial = [...agents.values()].some(({ trials }) => trials !== undefined)
  const [zero] = plan.models.flatMap(({ seedsAtZero }) => seedsAtZero ?? [])
  const axes: (readonly [string, string])[] = [
    ...plan.environments.map(
      (environment) =>
        [
          'environment',
          `${describeTasks({ ...plan, environments: [environment] })}, version ${environment.version}`,
        ] as const,
    ),
    ['perturbations', listed(plan.conditions.map(({ label }) => label))],
    ['models', listed(plan.models.map(({ name }) => name))],
    ['agents', listed(plan.agents.map(({ name }) => name))],
    ['temperatures', listed(plan.temperatures.map(String))],
    ['seeds', listed(plan.seeds.map(String))],
    ...(zero !== undefined && plan.temperatures.includes(0)
      ? [['at temperature 0', `${number(zero)} of the seeds of models behind servers (--set seedsAtZero=N)`] as const]
      : []),
    [
      'limits',
      `${number(plan.stepLimit)} steps an episode${isTrial ? ' or trial' : ''}, ${number(plan.maxTokens)} tokens a reply`,
    ],
    ['episodes', number(countCells(plan))],
    ...(shard && only ? [['shard', `${describeShard(shard)}: ${number(only.length)} episodes`] as const] : []),
    [
      'model calls',
      `at most ${number(total.calls)}${live ? ', and more if replies are thoughts without an action' : ''}`,
    ],
    ['goes to', folder],
  ]
  const heads = ['condition', 'episodes', 'calls at most', 'reply tokens at most']
  const rows = [...byCondition, ['all', total] as const].map(([label, cost]) => [
    label,
    ...[cost.episodes, cost.calls, cost.replies].map((count) => number(count)),
  ])
  return `${layOut(axes)}\n\n${layOut([heads, ...rows])}\nTo know what an episode takes, play a few (--max episodes=50).`
}

function listed(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 10), `… ${values.at(-1)!}`] : values
  return `${number(values.length)}: ${shown.join(', ')}`
}
