import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { isatty } from 'node:tty'
import { Command } from 'commander'
import { describeTasks, printReport } from '../../reports/index.js'
import { ShaketableError } from '../core/errors.js'
import type { Report } from '../core/report.js'
import { readExperimentFile } from '../run/experiment-file.js'
import type { BudgetFlags } from '../run/budget.js'
import { createBudget, readBudgetFlags, readPrices } from '../run/budget.js'
import { isServed } from '../run/model-choice.js'
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
import { readRun } from '../run/store/read-run.js'
import type { EnvironmentFlagValues } from './_flags.js'
import { addEnvironmentFlags, addPluginFlag, pickEnvironmentFlags, readWhole, severalEnvironments } from './_flags.js'
import { describeGrid } from './_describe-grid.js'
import { summariseServer } from './_describe-server.js'
import { prepareFiles } from './_prepare-files.js'
import { inert, number, print, say } from './_lines.js'
import { showsStyles, writeReports } from './report.js'

interface RunFlags extends ExperimentFlags, ExchangeFlags, BudgetFlags, EnvironmentFlagValues {
  readonly out?: string
  readonly workers?: string
  readonly probe: boolean
  readonly acceptChangedModel?: true
  readonly dryRun?: true
  readonly yes?: true
}

const several = (value: string, before: readonly string[] = []): string[] => [...before, value]

/** As many episodes of a model behind a server are played without a question. */
const maxUnasked = 2000

/** A server is gone, or a budget is used up. */
const exitStopped = 4

/** `shaketable run`: plays an experiment, or what is missing of one, and writes its reports. */
export function runCommand(): Command {
  const command = new Command('run')
    .description(
      'Plays an experiment and writes its reports. Without a file and flags it plays the embedded one. A run that was stopped goes on where it was.',
    )
    .argument('[experiment]', 'an experiment file (YAML); flags win over what it says')
    .option('--env <names>', 'environments, separated by commas', several)
    .option('--tasks <n|ids>', 'how many tasks of each environment, or which')
    .option(
      '--perturb <names>',
      'perturbations, separated by commas; a+b lie over each other; none is always played too',
      several,
    )
    .option('--model <names>', 'control models (see shaketable list models), or models behind --base-url', several)
    .option('--base-url <address>', 'an OpenAI-compatible server; its key comes from OPENAI_API_KEY')
    .option('--agent <names>', 'how models are talked to (default: act; react for models behind a server)', several)
    .option('--temperatures <numbers>', 'such as 0,1')
    .option('--seeds <n|numbers>', 'how many seeds, or which')
    .option('--seeds-at-zero <n>', 'how many of them at temperature 0 with models behind a server (default: 1)')
    .option(
      '--pairing <kind>',
      'common or independent: whether perturbed episodes on servers share random numbers with their clean twins (default: common)',
    )
    .option('--steps <n>', 'the most steps of an episode')
    .option(
      '--max-tokens <n>',
      'the most tokens of a reply (default: 100; 512 for models behind a server, 4096 where one thinks aloud)',
    )
    .option('--context-tokens <n>', 'the tokens of prompt and reply together, whatever the servers say of themselves')
    .option(
      '--logprobs',
      'keep log-probabilities of actions and compare those of both wordings, where the server of a model gives them',
    )
    .option('--concurrency <n>', 'how many episodes are played at once where models wait for a server')
    .option('--requests-per-minute <n>', 'the most requests a minute to one server')
    .option('--tokens-per-minute <n>', 'the most tokens a minute to one server')
    .option('--attempts <n>', 'how often a call is tried in all where it breaks off; 1 for once (default: 6)')
    .option('--timeout <seconds>', 'how long after it was sent an attempt is given up (default: 120)')
    .option('--max-episodes <n>', 'stop after so many episodes; the same command goes on')
    .option('--max-calls <n>', 'stop after so many calls to servers')
    .option('--max-tokens-total <n>', 'stop after so many tokens of prompts and replies')
    .option('--max-minutes <n>', 'stop after so many minutes')
    .option('--max-cost <n>', 'stop after so much money by --prices')
    .option('--prices <file>', 'JSON: for each model what a million tokens cost, {"m": {"prompt": 1, "completion": 2}}')
    .option('--workers <n>', 'threads for control models; 0 plays in the main thread')
    .option('--record <file>', 'keep every exchange with the models in a file')
    .option('--replay <file>', 'play from such a file, without a server or a key')
    .option('--cache <folder>', 'ask a model only what it was not asked before')
  return addEnvironmentFlags(addPluginFlag(command))
    .option('--name <name>', 'name of the experiment')
    .option('--out <folder>', 'where the run is kept (default: runs/<name>)')
    .option('--no-probe', 'do not ask servers what they do before the first episode; see shaketable doctor')
    .option(
      '--accept-changed-model',
      'go on where a server has another model under the same name than when the run was begun; reports then say so',
    )
    .option('--yes', 'do not ask before more than 2,000 episodes of a model behind a server')
    .option('--dry-run', 'print the grid and how much it is, and play nothing')
    .addHelpText('after', severalEnvironments)
    .action(run)
}

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  const loaded = file === undefined ? undefined : readExperimentFile(file)
  const given = readFlags(flags)
  const voice: Voice = { say }
  const said = new Set<string>()
  const warn = (text: string): void => {
    said.add(text)
    voice.say(text)
  }
  const registry = await loadRegistry(given.plugins ?? loaded?.given.plugins ?? [], warn)
  const { experiment: asked, where } = completeExperiment({
    registry,
    ...(loaded && { file: loaded }),
    flags: given,
    environmentFlags: pickEnvironmentFlags(flags),
  })
  const workers = flags.workers === undefined ? undefined : readWhole('--workers', flags.workers, 0, 256)
  const folder = flags.out ?? join('runs', asked.name)
  if (folder === '') throw new ShaketableError('usage', '--out: expected a folder, got nothing.')
  const experiment = goOn(asked, { ...loaded?.given, ...given }, folder)
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
    throw new ShaketableError('usage', '--workers: exchanges are kept by one thread. Leave it out, or give 0.')
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
    const asking = flags.dryRun ? undefined : learner
    const { grid, notes } = await prepareGrid(experiment, where, exchanges, asking, warn, registry)
    for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
    if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
    if (flags.dryRun) await print(describeGrid(grid, folder))
    else if (await mayPlay(grid, folder, limits.episodes, flags.yes === true))
      await playAll(
        {
          experiment,
          grid,
          folder,
          warn: (text) => (said.has(text) ? undefined : warn(text)),
          servers: learner.learned(),
          compare: () => learner.compare(),
          budget: createBudget({ limits, served: grid.served, prices, clock: () => performance.now() }),
          ...(workers !== undefined && { workers }),
          ...(exchanges && { exchanges }),
        },
        voice,
        registry.list('report'),
      )
  } finally {
    await exchanges?.close()
  }
}

/**
 * Asks a person on a terminal before a model behind a server is sent very many episodes. @returns false for anything
 * but yes
 */
async function mayPlay(grid: Grid, folder: string, maxEpisodes = Infinity, isAgreed: boolean): Promise<boolean> {
  if (!grid.live || isAgreed || !isatty(0) || !isatty(1)) return true
  const stored = countStored(folder)
  const episodes = Math.min(countCells(grid.plan) - stored, maxEpisodes)
  if (episodes <= maxUnasked) return true
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(
      `${number(episodes)} episodes are to be played on a server (--dry-run tells how many calls, --tasks and --seeds make it fewer, --yes does not ask). Play them? [y/N] `,
    )
    if (/^y(es)?$/i.test(answer.trim())) return true
  } finally {
    terminal.close()
  }
  say('Nothing was played.')
  return false
}

/** How many episodes a folder has; of a damaged one that is said when it is opened. */
function countStored(folder: string): number {
  try {
    return readRun(folder).stored
  } catch {
    return 0
  }
}

/**
 * A run that was begun goes on with the seeds at temperature 0 and the pairing that it was begun with, unless others
 * are given. Before they could be said it was all seeds, and the plain seed for every call.
 */
function goOn(experiment: Experiment, said: GivenExperiment, folder: string): Experiment {
  const begun = readPlan(filesOf(folder).plan, () => undefined)
  if (begun === undefined) return experiment
  const { pairing: asked, ...rest } = experiment
  const { seedsAtZero, pairing: known } = (begun.experiment ?? {}) as Readonly<Record<string, unknown>>
  const pairing = said.pairing === undefined ? experimentSchema.shape.pairing.safeParse(known).data : asked
  const seedsBegun = typeof seedsAtZero === 'number' ? seedsAtZero : experiment.seeds.length
  return {
    ...rest,
    ...(pairing && { pairing }),
    ...(said.seedsAtZero === undefined && { seedsAtZero: seedsBegun }),
  }
}

/** Plays what is missing, says how it goes, and writes the reports. */
async function playAll(
  options: Omit<RunOptions, 'stop' | 'opened'>,
  voice: Voice,
  reports: readonly Report[],
): Promise<void> {
  const { folder, exchanges, budget } = options
  let progress: Progress | undefined
  voice.say = (text) => (progress === undefined ? say(text) : progress.note(inert(text)))
  const hasTrials = [...options.grid.agents.values()].some(({ trials }) => trials !== undefined)
  const stop = stopOnSignals(
    voice.say,
    hasTrials
      ? 'trials under way are finished, and episodes kept whose last trial they were'
      : 'episodes under way are finished and kept',
  )
  const tally = await runExperiment({
    ...options,
    stop,
    opened(storeNotes, now) {
      for (const note of storeNotes) say(note)
      say(describeStart(folder, now()))
      if (now().already < now().planned)
        progress = showProgress(process.stderr, now, () => performance.now(), options.grid.servers?.pauses)
    },
  }).finally(() => progress?.end())
  for (const sentence of exchanges?.summary() ?? []) say(sentence)
  const { cost, calls = 0, replies = 0, tokens = 0 } = budget?.spent() ?? {}
  if (calls > 0 || cost !== undefined) {
    const price = cost === undefined ? '' : `, which cost ${cost.toFixed(4)}`
    const failed = calls > replies ? ` ${number(calls - replies)} of the calls gave no reply.` : ''
    say(`This session took ${number(calls)} calls and ${number(tokens)} tokens${price}.${failed}`)
  }
  await conclude(folder, tally, stop.aborted, reports)
}

/** Says a sentence, above the display of progress where there is one. */
interface Voice {
  say: (text: string) => void
}

/** The first signal lets what is under way end, the second leaves at once; what is written is safe either way. */
function stopOnSignals(tell: (text: string) => void, finishing: string): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(130)
      stop.abort()
      tell(`Stopping: ${finishing}. Press Ctrl-C again to leave at once.`)
    })
  }
  return stop.signal
}

function describeStart(folder: string, { planned, already }: Tally): string {
  if (already === 0) return `Playing ${number(planned)} episodes into ${folder}.`
  if (already < planned) return `${folder} has ${number(already)} of ${number(planned)} episodes; playing the rest.`
  return `${folder} has all ${number(planned)} episodes already; nothing is played again.`
}

async function conclude(folder: string, tally: Ended, interrupted: boolean, reports: readonly Report[]): Promise<void> {
  const kept = tally.already + tally.played
  if (interrupted && kept + tally.errors < tally.planned) {
    say(
      `Stopped. ${number(kept)} of ${number(tally.planned)} episodes are kept in ${folder}; run the same command again to go on.`,
    )
    process.exitCode = 130
    return
  }
  if (tally.stopped !== undefined && kept === 0) {
    say(tally.stopped)
    process.exitCode = exitStopped
    return
  }
  const run = readRun(folder)
  const paths = writeReports(run, join(folder, 'report'), reports)
  await print(`${printReport(run, 'terminal', process.stdout.columns, showsStyles())}\n${paths.join('\n')}`)
  if (tally.stopped !== undefined) {
    say(
      `${tally.stopped} ${number(kept)} of ${number(tally.planned)} episodes are kept in ${folder}, and its reports are marked as partial; run the same command again to go on.`,
    )
    process.exitCode = exitStopped
    return
  }
  if (tally.errors === 0) {
    if (run.stored === run.planned) return
    say(
      `Only ${number(run.stored)} of ${number(run.planned)} planned episodes are in the reports; the lines of the others in ${folder} cannot be used. Give --out another folder to play them all.`,
    )
    process.exitCode = 1
    return
  }
  say(
    `${number(tally.errors)} episodes ended in an error and are not counted; run the same command again to play them again.`,
  )
  const worst = [...tally.messages].sort(([, a], [, b]) => b - a)
  for (const [message, times] of worst.slice(0, 5)) say(`  ${number(times)} × ${message}`)
  if (worst.length > 5)
    say(`  … and ${number(worst.length - 5)} other messages; see \`shaketable show ${folder} --outcome error\``)
  process.exitCode = 1
}
