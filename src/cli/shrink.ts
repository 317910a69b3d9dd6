import { Command } from 'commander'
import type { EpisodeRow } from '../results/episode-row.js'
import { isValid } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { Change, ShrunkEpisode } from '../run/plan.js'
import type { ExchangeFlags } from '../run/exchanges.js'
import { openExchanges } from '../run/exchanges.js'
import { learnServers } from '../run/learn-servers.js'
import { Stopped, findChanges, lostShare, sayFinding } from '../run/shrink/find-changes.js'
import type { Replayer } from '../run/shrink/replayer.js'
import { experimentOf, openReplayer } from '../run/shrink/replayer.js'
import { openShrunk } from '../run/shrink/shrunk-file.js'
import { filesOf } from '../run/store/run-folder.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { summariseServer } from './_describe-server.js'
import { whole } from './_flags.js'
import { escapeLine, number, print, say } from './_lines.js'
import { onStop } from './_signals.js'
import { findEpisode, findTwin } from './show.js'

interface ShrinkFlags extends ExchangeFlags {
  readonly all?: true
  readonly seeds: number
  readonly budget?: number
  readonly acceptChangedModel?: true
}

/** Calls of models behind servers, unless another budget is given. */
const liveBudget = 5000
/** A budget is used up, or a server does not answer. */
const exitStopped = 4
const exitError = 1

/** `shaketable shrink`: finds which changes of a column lost a task. */
export function shrinkCommand(): Command {
  return new Command('shrink')
    .description(
      'Finds which change lost a task: plays a perturbed episode that failed where its clean twin succeeded again, under parts of what was changed, until a smallest set that still loses it is found.',
    )
    .argument('<run>', "a run's folder")
    .argument('[episode]', 'beginning of its key (see shaketable show)')
    .option('--all', 'every lost pair of the run')
    .option(...whole('--seeds <n>', 'seeds that decide about a set of changes', 2, 100, 4))
    .option(
      ...whole(
        '--budget <calls>',
        'stop after this many calls of models in all (default: 5,000 for models behind servers)',
        1,
        1e9,
      ),
    )
    .option('--record <file>', 'record every exchange with the models in a file')
    .option('--replay <file>', 'replay such a file, without a server or a key')
    .option('--cache <folder>', 'answer repeated requests from this folder instead of the model')
    .option('--accept-changed-model', 'continue although a server now serves another model under the same name')
    .addHelpText(
      'after',
      `
A set of changes loses a task if it loses at least ${String(100 * lostShare)} % of the replays, over --seeds seeds with which the
unperturbed task is solved. The smallest set is then compared with the unperturbed task by as many
fresh seeds. Replays are kept in the run's folder, and the same command continues.`,
    )
    .action(shrink)
}

async function shrink(folder: string, key: string | undefined, flags: ShrinkFlags): Promise<void> {
  if ((key === undefined) === (flags.all !== true)) {
    throw new ShaketableError(
      'usage',
      `Expected an episode's key or --all, got ${key === undefined ? 'neither' : 'both'}. \`shaketable show ${folder}\` lists the keys.`,
    )
  }
  const run = readRun(folder)
  for (const note of run.notes) say(note)
  const rows = key === undefined ? lostRows(run) : [checkLost(run, findEpisode(run, key))]
  if (rows.length === 0) {
    say('No perturbed episode failed where its clean twin succeeded.')
    return
  }
  const file = await openShrunk(filesOf(folder).shrunk)
  try {
    for (const note of file.notes) say(note)
    const done = (row: EpisodeRow): boolean => {
      const known = file.episodes.get(row.key)
      return known !== undefined && known.state !== 'unfinished' && known.seeds === flags.seeds
    }
    const left = rows.filter((row) => !done(row))
    if (left.length > 0) await shrinkRows({ run, rows: left, file, flags })
    const results = rows.flatMap((row) => file.episodes.get(row.key) ?? [])
    await print(rows.flatMap((row) => describeShrunk(row, file.episodes.get(row.key))).join('\n'))
    const summary = summarise(results)
    if (rows.length > 1) await print(summary.join('\n'))
  } finally {
    await file.close()
  }
}

interface Work {
  readonly run: ReadRun
  readonly rows: readonly EpisodeRow[]
  readonly file: Awaited<ReturnType<typeof openShrunk>>
  readonly flags: ShrinkFlags
}

/** Looks for the changes of some rows, and stores every replay and result. */
async function shrinkRows({ run, rows, file, flags }: Work): Promise<void> {
  const experiment = experimentOf(run, rows)
  const exchanges = await openExchanges(flags)
  try {
    const { timeoutSeconds } = experiment
    const learner = learnServers({
      folder: run.folder,
      probe: true,
      acceptsChange: flags.acceptChangedModel === true,
      logprobs: experiment.logprobs === true,
      tell: (report) => summariseServer(report).forEach(say),
      warn: say,
      ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
    })
    const replayer = await openReplayer({ run, rows, experiment, exchanges, learner, warn: say })
    if (flags.replay === undefined) await learner.compare()
    for (const note of [...(exchanges?.notes ?? []), ...(exchanges?.begin(0) ?? [])]) say(note)
    const { grid } = replayer
    const stopping = new AbortController()
    onStop(() => {
      stopping.abort()
      grid.servers?.leave()
      say('Stopping: running replays are finished and kept. Press Ctrl-C again to leave at once.')
    })
    const limit = createLimit(flags.budget ?? (grid.live ? liveBudget : Infinity), [
      stopping.signal,
      grid.gone,
      exchanges?.stop,
    ])
    const todo = rows.values()
    const lane = async (): Promise<void> => {
      for (const row of todo) {
        if (limit.reached() !== undefined) return
        await shrinkRow({ run, row, file, flags, replayer, limit, settle: exchanges?.settle, signal: exchanges?.stop })
      }
    }
    const lanes = grid.live ? Math.min(rows.length, experiment.concurrency) : 1
    const ended = await Promise.allSettled(Array.from({ length: lanes }, lane))
    const broken = ended.find((one) => one.status === 'rejected')
    if (broken !== undefined) throw broken.reason
    for (const sentence of exchanges?.summary() ?? []) say(sentence)
    const reason = limit.reached()
    if (reason === undefined) return
    say(`Stopped: ${reason}. Run the same command again to go on.`)
    process.exitCode = stopping.signal.aborted ? 130 : exitStopped
  } finally {
    await exchanges?.close()
  }
}

interface Limit {
  /** @throws Stopped if nothing more may be played */
  check(): void
  add(calls: number): void
  reached(): string | undefined
}

function createLimit(budget: number, signals: readonly (AbortSignal | undefined)[]): Limit {
  let used = 0
  const reached = (): string | undefined => {
    const aborted = signals.find((signal) => signal?.aborted)
    if (aborted === signals[0] && aborted !== undefined) return 'interrupted'
    if (aborted !== undefined) return messageOf(aborted.reason).replace(/\.$/, '')
    return used >= budget ? `the budget of ${number(budget)} calls is used up` : undefined
  }
  return {
    check() {
      const reason = reached()
      if (reason !== undefined) throw new Stopped(reason)
    },
    add: (calls) => void (used += calls),
    reached,
  }
}

interface RowWork extends Omit<Work, 'rows'> {
  readonly row: EpisodeRow
  readonly replayer: Replayer
  readonly limit: Limit
  readonly settle: (() => Promise<void>) | undefined
  readonly signal: AbortSignal | undefined
}

async function shrinkRow({ run, row, file, flags, replayer, limit, settle, signal }: RowWork): Promise<void> {
  const { changes, met } = await replayer.changesOf(row, run.trajectories([row.key]).get(row.key))
  const { seeds: count } = flags
  let calls = 0
  const replay = async (set: readonly Change[], seed: number) => {
    const part = set.length > 0 && set.length === changes.length ? 'column' : set
    const name = replayer.nameOf(row, part, seed)
    const known = file.replays.get(name)
    if (known !== undefined) {
      calls += known.calls
      return known
    }
    limit.check()
    const played = await replayer
      .play(row, part, seed, {
        ...(signal && { signal }),
        goOn: () => limit.reached() === undefined,
      })
      .catch((thrown: unknown) => {
        // A server that is gone, or a recording that ends, breaks the replay first.
        limit.check()
        throw thrown
      })
    limit.add(played.calls)
    calls += played.calls
    await settle?.()
    await file.addReplay(name, played)
    return played
  }
  const { why, ...finding } = await findChanges({
    changes,
    met,
    seeds: seedsFor(row, run.plan.seeds, 3 * count),
    count,
    isParallel: replayer.grid.live,
    replay,
  })
  const sentence = sayFinding({ ...finding, why }, count)
  await file.addEpisode({ key: row.key, ...finding, sentence, seeds: count, calls })
  say(`${row.key}: ${sentence}`)
  if (why.startsWith('a replay ended')) process.exitCode = exitError
  else if (why !== '') process.exitCode = exitStopped
}

/** The row's own seed, the others of the plan, and as many higher ones as are needed. */
function seedsFor({ seed }: EpisodeRow, planned: readonly number[], count: number): readonly number[] {
  const first = Math.max(seed, ...planned) + 1
  return [...new Set([seed, ...planned, ...Array.from({ length: count }, (_, index) => first + index)])].slice(0, count)
}

/** Every row that failed where its clean twin succeeded, in the order of the plan. */
function lostRows(run: ReadRun): readonly EpisodeRow[] {
  const clean = run.plan.columns.find(({ perturbations }) => perturbations.length === 0)?.label
  const idOf = ({ environment, task, model, agent, temperature, seed }: EpisodeRow): string =>
    JSON.stringify([environment, task, model, agent, temperature, seed])
  const solved = new Set<string>()
  for (const row of run.rows) if (row.column === clean && row.outcome === 'success') solved.add(idOf(row))
  const promises = new Map(run.plan.columns.map(({ label, perturbations }) => [label, perturbations]))
  const rows: EpisodeRow[] = []
  for (const row of run.rows) {
    const isPerturbed = promises.get(row.column)!.some(({ promise }) => promise !== 'identity')
    if (isPerturbed && isValid(row.outcome) && row.outcome !== 'success' && solved.has(idOf(row))) rows.push(row)
  }
  return rows
}

/** @throws ShaketableError `usage` unless the row failed and its clean twin succeeded */
function checkLost(run: ReadRun, row: EpisodeRow): EpisodeRow {
  const refuse = (why: string): never => {
    throw new ShaketableError(
      'usage',
      `Expected a perturbed episode that failed where its clean twin succeeded, but ${why}. \`shaketable shrink ${run.folder} --all\` takes all of these.`,
    )
  }
  if (row.outcome === 'success') refuse(`${row.key} succeeded`)
  if (!isValid(row.outcome)) refuse(`${row.key} ended in an error`)
  const twin = findTwin(run, row)
  if (twin.outcome !== 'success') refuse(`the clean twin of ${row.key} ended with ${twin.outcome}`)
  return row
}

function describeShrunk(row: EpisodeRow, found: ShrunkEpisode | undefined): string[] {
  return [
    escapeLine(`${row.key}  ${row.column} · ${row.environment} · ${row.task} · ${row.model}, seed ${String(row.seed)}`),
    escapeLine(`  ${found?.sentence ?? 'Not looked at yet.'}`),
  ]
}

/** How many episodes have which result, and the changes that lost most of them. */
function summarise(results: readonly ShrunkEpisode[]): string[] {
  const states = ['found', 'unconfirmed', 'none', 'unfinished'] as const
  const counts = states.map((state) => `${String(results.filter((one) => one.state === state).length)} ${state}`)
  const times = new Map<string, number>()
  for (const { state, changes } of results) {
    if (state !== 'found') continue
    for (const { perturbation, before, after, of } of changes) {
      const text = `${before ?? of}${after === undefined ? '' : ` → ${after}`} (${perturbation})`
      times.set(text, (times.get(text) ?? 0) + 1)
    }
  }
  const worst = [...times].sort(([, one], [, other]) => other - one).slice(0, 10)
  return [
    '',
    `${number(results.length)} lost pairs: ${counts.join(', ')}.`,
    ...worst.map(([text, count]) => escapeLine(`  ${number(count)} × ${text}`)),
  ]
}
