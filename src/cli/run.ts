import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { Command } from 'commander'
import { describeTasks } from '../../reports/index.js'
import { aggregateOf } from '../../reports/tables/define-report.js'
import { isStrings } from '../core/check-fields.js'
import { ShaketableError } from '../core/errors.js'
import type { Report } from '../core/report.js'
import { readExperimentFile } from '../run/experiment-file.js'
import type { BudgetFlags } from '../run/budget.js'
import { createBudget, readBudgetFlags, readPrices } from '../run/budget.js'
import { fileOf, isServed } from '../run/model-choice.js'
import type { ExchangeFlags } from '../run/exchanges.js'
import { openExchanges } from '../run/exchanges.js'
import type { ExperimentFlags } from '../run/experiment-flags.js'
import { readFlags } from '../run/experiment-flags.js'
import type { Experiment } from '../run/experiment.js'
import { completeExperiment } from '../run/experiment.js'
import type { GivenExperiment } from '../run/experiment-schema.js'
import { experimentSchema } from '../run/experiment-schema.js'
import { learnServers } from '../run/learn-servers.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { loadRegistry } from '../run/plugins.js'
import { prepareGrid } from '../run/prepare-grid.js'
import type { Progress, Tally } from '../run/progress.js'
import { showProgress } from '../run/progress.js'
import type { Ended, RunOptions } from '../run/run-experiment.js'
import { runExperiment } from '../run/run-experiment.js'
import { filesOf } from '../run/store/run-folder.js'
import { readPlan } from '../run/store/plan-file.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { shipped } from '../run/registry.js'
import { coloursOf } from '../tables/colours.js'
import type { EnvironmentFlagValues } from './_flags.js'
import {
  addEnvironmentFlags,
  addPluginFlag,
  pickEnvironmentFlags,
  several,
  severalEnvironments,
  whole,
} from './_flags.js'
import { onStop } from './_signals.js'
import type { Pilot } from './_describe-cost.js'
import { describeGrid, gridJson } from './_describe-grid.js'
import { summariseServer } from './_describe-server.js'
import { prepareFiles } from './_prepare-files.js'
import { beQuiet, complain, escapeLog, number, print, printJson, say } from './_lines.js'
import { describeSummary, summaryJson } from './_summary.js'
import { pageOf, writeReports } from './report.js'

interface RunFlags extends ExperimentFlags, ExchangeFlags, BudgetFlags, EnvironmentFlagValues {
  readonly out?: string
  readonly workers?: number
  readonly probe: boolean
  readonly acceptChangedModel?: true
  readonly dryRun?: true
  readonly pilot?: string
  readonly yes?: true
  readonly quiet?: true
  readonly json?: true
}

/** Episodes on a server that are played without asking. */
const maxUnasked = 2000

/** A server does not answer, or a budget is used up. */
const exitStopped = 4
const exitInterrupted = 130

/** `shaketable run`: plays an experiment, or what is missing of one, and writes its reports. */
export function runCommand(): Command {
  const command = new Command('run')
    .description(
      'Plays an experiment and writes its reports; without a file or flags, the embedded experiment. The same command continues a run that was stopped.',
    )
    .argument('[experiment]', 'an experiment file (YAML); flags override it')
    .optionsGroup('What to play:')
    .option('--env <names>', 'environments, separated by commas', several)
    .option('--tasks <n|ids>', 'number of tasks of each environment, or their ids')
    .option('--perturb <names>', 'perturbations, separated by commas; a+b applies both; none is always added', several)
    .option(
      '--suite <name|file>',
      'a set of conditions: core (default for models behind a server), full, agentrefine, or a YAML file with perturbations',
    )
    .option('--draws <n>', 'draws of each perturbation that has several wordings, each a condition of its own')
    .option('--temperatures <numbers>', 'such as 0,1')
    .option('--seeds <n|numbers>', 'number of seeds, or a list of them')
    .option('--seeds-at-zero <n>', 'number of these seeds at temperature 0, for models behind a server (default: 1)')
    .option(
      '--pairing <kind>',
      'common or independent: whether perturbed episodes on servers are sent the seeds of their clean twins (default: common)',
    )
    .option('--steps <n>', 'step limit of an episode')
  addPluginFlag(command)
    .optionsGroup('Models:')
    .option('--model <names>', 'control models (see shaketable list models), or models behind --base-url', several)
    .option('--base-url <address>', 'an OpenAI-compatible server; its key is read from OPENAI_API_KEY')
    .option('--agent <names>', 'agents, the prompt layouts (default: act; react for models behind a server)', several)
    .option(
      '--max-tokens <n>',
      'token limit of a reply (default: 100; 512 for models behind a server, 4096 if one of them reasons aloud)',
    )
    .option('--context-tokens <n>', 'token limit of prompt and reply together (default: as the server reports)')
    .option('--logprobs', 'keep log-probabilities of actions, and compare both wordings, if the server gives them')
    .option('--attempts <n>', 'attempts at a call that fails, in all (default: 6)')
    .option('--timeout <seconds>', 'time limit of an attempt (default: 120)')
    .option('--no-probe', 'do not probe servers before the first episode; see shaketable doctor')
    .option(
      '--accept-changed-model',
      'continue although a server now serves another model under the same name; reports then say so',
    )
    .optionsGroup('Speed, limits and cost:')
    .option('--concurrency <n>', 'episodes played at once on a server')
    .option('--requests-per-minute <n>', 'limit of requests a minute to one server')
    .option('--tokens-per-minute <n>', 'limit of tokens a minute to one server')
    .option(...whole('--workers <n>', 'threads for control models; 0 plays in the main thread', 0, 256))
    .option('--max-episodes <n>', 'stop after this many episodes; the same command continues')
    .option('--max-calls <n>', 'stop after this many calls to servers')
    .option('--max-tokens-total <n>', 'stop after this many tokens of prompts and replies')
    .option('--max-minutes <n>', 'stop after this many minutes')
    .option('--max-cost <n>', 'stop at this cost, computed from --prices')
    .option(
      '--prices <file>',
      'JSON with the cost of a million tokens of each model, {"m": {"prompt": 1, "completion": 2}}',
    )
    .optionsGroup('Files:')
    .option('--name <name>', 'name of the experiment')
    .option('--out <folder>', 'folder of the run (default: runs/<name>)')
    .option('--record <file>', 'record every exchange with the models in a file')
    .option('--replay <file>', 'replay such a file, without a server or a key')
    .option('--cache <folder>', 'answer repeated requests from this folder instead of the model')
    .optionsGroup('What to print:')
    .option('--dry-run', 'print the grid and what it costs, and play nothing')
    .option(
      '--pilot <run>',
      'a stored run from whose episodes --dry-run expects calls, tokens and cost (default: --out)',
    )
    .option('--yes', 'do not ask for confirmation of more than 2,000 episodes on a server')
    .option('--quiet', 'print nothing but errors; the exit code says how it ended')
    .option('--json', 'print the summary, or the grid of --dry-run, as one JSON document')
  return addEnvironmentFlags(command).addHelpText('after', severalEnvironments).action(run)
}

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  if (flags.quiet) beQuiet()
  const loaded = file === undefined ? undefined : readExperimentFile(file)
  const given = readFlags(flags)
  const voice: Voice = { say }
  const printed = new Set<string>()
  const warn = (text: string): void => {
    printed.add(text)
    voice.say(text)
  }
  const registry = await loadRegistry(given.plugins ?? loaded?.given.plugins ?? [], warn)
  const { experiment: requested, where } = completeExperiment({
    registry,
    ...(loaded && { file: loaded }),
    flags: given,
    environmentFlags: pickEnvironmentFlags(flags),
  })
  const { workers } = flags
  const folder = flags.out ?? join('runs', requested.name)
  if (folder === '') throw new ShaketableError('usage', '--out: expected a folder, got nothing.')
  const experiment = resume(requested, { ...loaded?.given, ...given }, folder)
  await prepareFiles(experiment.prepare, flags.dryRun === true, say)
  const limits = readBudgetFlags(flags)
  const prices =
    flags.prices === undefined
      ? undefined
      : readPrices(
          flags.prices,
          flags.replay === undefined
            ? experiment.models.filter((model) => isServed(model, registry)).map(({ name }) => name)
            : [],
        )
  const exchanges = await openExchanges(flags)
  if (exchanges !== undefined && (workers ?? 0) > 0) {
    throw new ShaketableError('usage', '--workers: exchanges are recorded by one thread. Leave it out, or give 0.')
  }
  try {
    const { timeoutSeconds } = experiment
    const learner = learnServers({
      folder,
      probe: flags.probe,
      acceptsChange: flags.acceptChangedModel === true,
      logprobs: experiment.logprobs === true,
      tell: (report) => summariseServer(report).forEach(say),
      warn: say,
      ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
    })
    const probing = flags.dryRun ? undefined : learner
    const { grid, notes } = await prepareGrid(experiment, where, exchanges, probing, warn, registry)
    for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
    if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
    if (flags.dryRun) {
      const pilot = findPilot(flags.pilot, folder)
      if (flags.json) await printJson(JSON.stringify(gridJson(grid, folder, pilot, prices), undefined, 2))
      else if (!flags.quiet) await print(describeGrid(grid, folder, pilot, prices))
    } else if (await mayPlay(grid, folder, limits.episodes, flags.yes === true))
      await playAll(
        {
          experiment,
          grid,
          folder,
          warn: (text) => (printed.has(text) ? undefined : warn(text)),
          servers: learner.learned(),
          compare: () => learner.compare(),
          budget: createBudget({ limits, served: grid.served, prices, clock: () => performance.now() }),
          ...(prices && { prices }),
          ...(workers !== undefined && { workers }),
          ...(exchanges && { exchanges }),
        },
        { voice, reports: registry.list('report'), ...flags },
      )
  } finally {
    await exchanges?.close()
  }
}

/** On a terminal, asks for confirmation of very many episodes on a server. @returns false for anything but yes */
async function mayPlay(grid: Grid, folder: string, maxEpisodes = Infinity, isAgreed: boolean): Promise<boolean> {
  if (!grid.live || isAgreed || !isatty(0) || !isatty(1)) return true
  const stored = countStored(folder)
  const episodes = Math.min(countCells(grid.plan) - stored, maxEpisodes)
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

/** The stored episodes of a pilot, or else those of the folder of the run, if it is one that can be read. */
function findPilot(pilot: string | undefined, folder: string): Pilot | undefined {
  if (pilot !== undefined) return { rows: readRun(pilot).unordered, folder: pilot }
  return countStored(folder) === 0 ? undefined : { rows: readRun(folder).unordered, folder }
}

/** Episodes stored in a folder; 0 for a damaged run, which is reported when it is opened. */
function countStored(folder: string): number {
  try {
    return readRun(folder).stored
  } catch {
    return 0
  }
}

/**
 * An existing run keeps its conditions, its seeds at temperature 0 and its pairing unless others are given. Plans from
 * before these options played all seeds, and sent the plain seed with every call.
 */
function resume(experiment: Experiment, given: GivenExperiment, folder: string): Experiment {
  const existing = readPlan(filesOf(folder).plan, () => undefined)
  if (existing === undefined) return experiment
  const { pairing: requested, ...rest } = experiment
  const { seedsAtZero, pairing: known, ...played } = (existing.experiment ?? {}) as Readonly<Record<string, unknown>>
  const pairing = given.pairing === undefined ? experimentSchema.shape.pairing.safeParse(known).data : requested
  const existingSeeds = typeof seedsAtZero === 'number' ? seedsAtZero : experiment.seeds.length
  return {
    ...rest,
    ...((given.suite ?? given.perturbations ?? given.draws) === undefined && keepColumns(played)),
    ...(pairing && { pairing }),
    ...(given.seedsAtZero === undefined && { seedsAtZero: existingSeeds }),
  }
}

/** The conditions of an existing run, whose defaults may have been others. */
function keepColumns({ perturbations, optional }: Readonly<Record<string, unknown>>): Partial<Experiment> {
  if (!isStrings(perturbations)) return {}
  return { perturbations, ...(isStrings(optional) && { optional }) }
}

/** Plays the missing episodes, shows progress, and writes the reports. */
async function playAll(options: Omit<RunOptions, 'stop' | 'opened'>, output: Output): Promise<void> {
  const { folder, exchanges, budget } = options
  const { voice } = output
  let progress: Progress | undefined
  voice.say = (text) => (progress === undefined ? say(text) : progress.note(escapeLog(text)))
  const hasTrials = [...options.grid.agents.values()].some(({ trials }) => trials !== undefined)
  const stopping = new AbortController()
  onStop(() => {
    stopping.abort()
    const finishing = hasTrials
      ? 'running trials are finished, and episodes kept whose last trial they were'
      : 'running episodes are finished and kept'
    voice.say(`Stopping: ${finishing}. Press Ctrl-C again to leave at once.`)
  })
  const tally = await runExperiment({
    ...options,
    stop: stopping.signal,
    opened(storeNotes, now) {
      for (const note of storeNotes) say(note)
      say(describeStart(folder, now()))
      if (now().already < now().planned && !output.quiet)
        progress = showProgress(process.stderr, {
          tally: now,
          clock: () => performance.now(),
          pauses: options.grid.servers?.pauses,
          spent: budget?.spent,
        })
    },
  }).finally(() => progress?.end())
  const { cost, calls = 0, replies = 0, tokens = 0 } = budget?.spent() ?? {}
  const isUsed = calls > 0 || cost !== undefined
  const price = cost === undefined ? '' : `, which cost ${cost.toFixed(4)}`
  const failed = calls > replies ? ` ${number(calls - replies)} of the calls gave no reply.` : ''
  const spent = [
    ...(exchanges?.summary() ?? []),
    ...(isUsed ? [`This session took ${number(calls)} calls and ${number(tokens)} tokens${price}.${failed}`] : []),
  ]
  for (const sentence of spent) say(sentence)
  await conclude(options, output, tally, {
    interrupted: stopping.signal.aborted,
    spent,
    ...(isUsed && { use: { calls, replies, tokens, ...(cost !== undefined && { cost }) } }),
  })
}

/** What `shaketable run` prints, and where. */
interface Output {
  readonly voice: Voice
  readonly reports: readonly Report[]
  readonly quiet?: true
  readonly json?: true
}

/** Where notes go: above the progress display while there is one. */
interface Voice {
  say: (text: string) => void
}

function describeStart(folder: string, { planned, already }: Tally): string {
  if (already === 0) return `Playing ${number(planned)} episodes into ${folder}.`
  if (already < planned) return `${folder} has ${number(already)} of ${number(planned)} episodes; playing the rest.`
  return `${folder} has all ${number(planned)} episodes already; nothing is played again.`
}

/** How a session ended, besides its counts. */
interface Session {
  readonly interrupted: boolean
  /** What was said of its use of servers and recordings. */
  readonly spent: readonly string[]
  readonly use?: { readonly calls: number; readonly replies: number; readonly tokens: number; readonly cost?: number }
}

/** Writes the reports of what is stored and prints the summary. */
async function conclude(
  { folder, experiment }: Pick<RunOptions, 'folder' | 'experiment'>,
  { reports, quiet, json }: Output,
  tally: Ended,
  { interrupted, spent, use }: Session,
): Promise<void> {
  const kept = tally.already + tally.played
  const isCut = (interrupted && kept + tally.errors < tally.planned) || tally.stopped !== undefined
  const run = isCut && kept === 0 ? undefined : readRun(folder)
  if (run) writeReports(run, join(folder, 'report'), reports)
  const end = endOf(folder, tally, interrupted, run)
  if (end.code !== 0) process.exitCode = end.code
  const controls = experiment.models
    .filter((model) => !isServed(model, shipped) && fileOf(model) === undefined)
    .map(({ name }) => name)
  const page = pageOf(join(folder, 'report'))
  if (json) {
    const counts = { planned: tally.planned, stored: kept, played: tally.played, errors: tally.errors }
    const document = {
      folder,
      ...(run && { page }),
      state: end.state,
      exitCode: end.code,
      episodes: counts,
      errors: worstErrors(tally).map(([message, count]) => ({ message, count })),
      ...(use && { use }),
      ...(run ? summaryJson(aggregateOf(run), controls) : { identity: [], headlines: [], notices: [], results: [] }),
    }
    await printJson(JSON.stringify(document, undefined, 2))
  } else if (run && !quiet) {
    const width = process.stdout.columns || 100
    const following = [...spent, ...end.sentences].reduce((sum, text) => sum + Math.ceil(text.length / width), 0)
    const colours = coloursOf(process.stdout)
    await print(describeSummary(aggregateOf(run), { width, colours, page, controls, following }))
  }
  for (const sentence of end.sentences) complain(sentence)
}

/** How a run ended: in a word, in sentences for people, and as an exit code. */
interface RunEnd {
  readonly state: 'complete' | 'incomplete' | 'errors' | 'interrupted' | 'stopped'
  readonly code: number
  readonly sentences: readonly string[]
}

function endOf(folder: string, tally: Ended, interrupted: boolean, run?: ReadRun): RunEnd {
  const kept = tally.already + tally.played
  const share = `${number(kept)} of ${number(tally.planned)} episodes are kept in ${folder}`
  const again = 'run the same command again to go on'
  if (interrupted && kept + tally.errors < tally.planned)
    return { state: 'interrupted', code: exitInterrupted, sentences: [`Stopped. ${share}; ${again}.`] }
  if (tally.stopped !== undefined) {
    const rest = kept === 0 ? '' : ` ${share}, and its reports are marked as partial; ${again}.`
    return { state: 'stopped', code: exitStopped, sentences: [`${tally.stopped}${rest}`] }
  }
  if (tally.errors > 0) {
    const worst = worstErrors(tally)
    const others = worst.length - maxErrors
    return {
      state: 'errors',
      code: 1,
      sentences: [
        `${number(tally.errors)} episodes ended in an error and are not counted; run the same command again to play them again.`,
        ...worst.slice(0, maxErrors).map(([message, times]) => `  ${number(times)} × ${message}`),
        ...(others > 0
          ? [`  … and ${number(others)} other messages; see \`shaketable show ${folder} --outcome error\``]
          : []),
      ],
    }
  }
  if (run === undefined || run.stored === run.planned) return { state: 'complete', code: 0, sentences: [] }
  const sentence = `Only ${number(run.stored)} of ${number(run.planned)} planned episodes are in the reports; the lines of the others in ${folder} are unusable. Give --out another folder to play them all.`
  return { state: 'incomplete', code: 1, sentences: [sentence] }
}

/** Messages of errors that are printed. */
const maxErrors = 3

function worstErrors({ messages }: Tally): (readonly [message: string, count: number])[] {
  return [...messages].sort(([, a], [, b]) => b - a)
}
