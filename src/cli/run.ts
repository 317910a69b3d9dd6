import { spawnSync } from 'node:child_process'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeTasks } from '../../reports/index.js'
import { ShaketableError } from '../core/errors.js'
import { makeFolder } from '../files/make-folder.js'
import { readWhole } from '../files/read-text.js'
import { writeWhole } from '../files/write-whole.js'
import { createBudget, readBudgetFlags } from '../run/budget.js'
import { cellAt, cellsByKey, countCells } from '../run/cells.js'
import { checkCheckpoints } from '../run/check-checkpoints.js'
import { parseCondition } from '../run/conditions.js'
import { openExchanges } from '../run/exchanges.js'
import { located, readExperimentFile } from '../run/experiment-file.js'
import { isField, readFlags, readSettings } from '../run/experiment-flags.js'
import type { GivenExperiment } from '../run/experiment-schema.js'
import { type Experiment, completeExperiment, outOf } from '../run/experiment.js'
import type { Grid } from '../run/grid.js'
import { prepareGrid } from '../run/prepare-grid.js'
import { showProgress } from '../run/progress.js'
import { connectQueue } from '../run/queue/connect.js'
import { createQueuePlayer } from '../run/queue/coordinator.js'
import { type RunOptions, runExperiment } from '../run/run-experiment.js'
import { indicesOf, limitPlan, readSelection, selectedModels } from '../run/selection.js'
import { describeShard, readShard, shardCells } from '../run/shard.js'
import { findExperiment } from '../run/shipped-experiments.js'
import { timeOf } from '../run/find-runs.js'
import { readPlan } from '../run/store/plan-file.js'
import { filesOf } from '../run/store/run-folder.js'
import { learnFor } from './_describe-server.js'
import type { OptionsOf } from './_flags.js'
import {
  budgetFlags,
  exchangeFlags,
  makeCommand,
  pluginFlag,
  readPlugins,
  several,
  usageError,
  whole,
} from './_flags.js'
import { number, print, say, sayAbove, setQuiet, version } from './_lines.js'
import { conclude, describeGrid, describeStart } from './_run-text.js'
import { stopSignal } from './_signals.js'

const flags = [
  'What to play:',
  ['--env <names>', 'environments, separated by commas', several],
  ['--tasks <n|ids>', 'number of tasks of each environment, or their ids'],
  ['--perturb <names>', 'perturbations, separated by commas; a+b applies both; none is always added', several],
  ['--suite <name>', 'a set of conditions: core (default for models behind a server), full or agentrefine'],
  ['--draws <n>', 'draws of each perturbation that has several wordings, each a condition of its own'],
  ['--temperatures <numbers>', 'such as 0,1'],
  ['--seeds <n|numbers>', 'number of seeds, or a list of them'],
  ['--steps <n>', 'step limit of an episode'],
  ['--only <axis=values>', 'play a part, such as model=tuned,seed=0; the rest stays planned', several],
  ['--set <setting=value>', 'a setting of experiment files, such as attempts=3, or environment.option=value', several],
  pluginFlag,
  'Models:',
  ['--model <names>', 'control models (see shaketable list models), or models behind --base-url', several],
  ['--base-url <address>', 'an OpenAI-compatible server; its key is read from OPENAI_API_KEY'],
  ['--agent <names>', 'agents, the prompt layouts (default: act; react for models behind a server)', several],
  ['--max-tokens <n>', 'token limit of a reply (default: 100; behind a server 512, or 4096 for reasoning models)'],
  ['--no-probe', 'do not probe servers before the first episode; see shaketable doctor'],
  ['--accept-changed-model', 'continue although a server serves another model under the name; reports say so'],
  'Speed and limits:',
  ['--concurrency <n>', 'episodes played at once on a server'],
  whole('--workers <n>', 'threads for control models; 0 plays in the main thread', 0, 256),
  ['--shard <i/n>', 'play the i-th of n shards, such as 3/16, into a folder of its own; see merge'],
  ['--queue <address>', 'let workers play, through Redis or Valkey at redis://host:6379; see docs/large-runs.md'],
  ...budgetFlags,
  'Files:',
  ['--out <folder>', 'folder of the run (default: runs/<name>, or named by the settings of these flags)'],
  ...exchangeFlags,
  'What to print:',
  ['--dry-run', 'print the grid and its largest cost, and play nothing'],
  ['--quiet', 'print nothing but errors; the exit code says how it ended'],
  ['--json', 'print the summary as one JSON document'],
  ['--open', 'open the page of the reports in the browser at the end'],
] as const

type RunFlags = OptionsOf<typeof flags>

/** `shaketable run`: plays an experiment, or what is missing of one, and writes its reports. */
export const runCommand = () =>
  makeCommand({
    places: [['[experiment]', 'an experiment file (YAML), or one of shaketable list experiments; flags override it']],
    flags,
    rules: [
      ['--queue', 'excludes', '--record', '--replay', '--workers'],
      ['--workers', 'excludes', '--record', '--replay'],
      ['--replay', 'excludes', '--record'],
    ],
    run,
  })

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  setQuiet(flags.quiet === true)
  const job = await readJob(file, flags)
  const { experiment, exchanges } = job
  try {
    prepareFiles(experiment.prepare, flags.dryRun === true)
    const queue = flags.queue === undefined || flags.dryRun ? undefined : await connectQueue(flags.queue, say)
    await playJob(job, flags, queue).finally(() => queue?.close())
  } finally {
    await exchanges?.close()
  }
}

/** What a command plays, and how: its file and flags, read and completed. */
async function readJob(file: string | undefined, flags: RunFlags) {
  const selection = readSelection(flags.only ?? [])
  const path = file === undefined ? undefined : findExperiment(file)
  const loaded = path === undefined ? undefined : readExperimentFile(path)
  const flagged = readFlags(flags)
  const registry = await readPlugins({ plugin: flagged.plugins ?? loaded?.given.plugins ?? [] })
  const { where, ...requested } = completeExperiment({
    registry,
    ...(loaded && { file: { ...loaded, given: { name: nameOf(path!), ...loaded.given } } }),
    flags: flagged,
    environmentFlags: readSettings(flags.set?.filter((text) => !isField(text))),
  })
  const shard = flags.shard === undefined ? undefined : readShard(flags.shard)
  const part = shard === undefined ? '' : `-shard-${describeShard(shard).replaceAll(' ', '-')}`
  const folder = flags.out ?? join('runs', `${requested.folder}${part}`)
  if (folder === '') throw usageError('--out: expected a folder, got nothing.')
  const experiment = resume(requested.experiment, { ...loaded?.given, ...flagged }, folder, file !== undefined)
  const labelOf = (text: string): string => parseCondition(text, registry.list('lens')).label
  const played = selectedModels(selection, experiment, labelOf)
  experiment.agents.forEach((name, index) => located(where(['agents', index]), () => registry.find('agent', name)))
  const budget = createBudget(readBudgetFlags(flags), () => performance.now())
  const exchanges = await openExchanges(flags)
  return { experiment, where, registry, folder, selection, labelOf, played, shard, budget, exchanges }
}

type Job = Awaited<ReturnType<typeof readJob>>
type Queue = Awaited<ReturnType<typeof connectQueue>> | undefined

/** Plays what a command names, writes the reports of what is stored, and prints the summary; or prints the grid. */
async function playJob(job: Job, flags: RunFlags, queue: Queue): Promise<void> {
  const { experiment, folder, registry, played, exchanges, budget, selection, shard } = job
  if (!flags.dryRun && flags.replay === undefined)
    await checkCheckpoints(experiment, registry, played ?? experiment.models.map(({ name }) => name))
  const acceptsChange = flags.acceptChangedModel === true
  const learner = learnFor(experiment, { folder, recorded: exchanges?.servers, probe: flags.probe, acceptsChange })
  const { grid, notes } = await prepareGrid(experiment, {
    ...job,
    warn: say,
    learner: flags.dryRun ? undefined : learner,
  })
  budget.probed(learner.requests())
  for (const note of [...notes, ...(exchanges?.notes ?? [])]) say(note)
  if (grid.live) say(`Tasks: ${describeTasks(grid.plan)}.`)
  const { plan } = grid
  const part = selection.size === 0 ? plan : limitPlan(plan, selection, job.labelOf)
  const share = shard && new Set(shardCells(plan, shard))
  const chosen =
    part === plan ? share && [...share] : indicesOf(plan, part).filter((index) => share?.has(index) ?? true)
  if (!flags.dryRun) {
    const learned = { servers: learner.learned(), compare: () => learner.compare() }
    const session = await playGrid(job, flags, grid, queue, { ...learned, ...(chosen && { only: chosen }) })
    return conclude(folder, registry, flags, session)
  }
  const only = shard && chosen!.map((index) => cellsByKey(part).get(cellAt(plan, index).key)!.index)
  if (!flags.quiet) await print(describeGrid({ ...grid, plan: part }, folder, shard, only))
  if (selection.size > 0) say(`--only selects ${number(chosen!.length)} of ${number(countCells(plan))} episodes.`)
}

/** Plays the missing episodes and shows progress. */
async function playGrid(
  { experiment, folder, exchanges, budget }: Job,
  { workers, quiet }: RunFlags,
  grid: Grid,
  queue: Queue,
  learned: Pick<RunOptions, 'servers' | 'compare' | 'only'>,
) {
  const stop = stopSignal('running episodes, or trials, are finished and kept')
  const began = performance.now()
  const tally = await runExperiment({
    ...{ experiment, grid, folder, budget, stop, ...learned },
    ...(workers !== undefined && { workers }),
    ...(queue && {
      createPlayer: (_, stop) => createQueuePlayer({ experiment, grid, folder, say, connection: queue, stop }),
    }),
    ...(exchanges && { exchanges }),
    opened(storeNotes, now) {
      for (const note of storeNotes) say(note)
      say(describeStart(folder, now(), learned.only === undefined ? 'episodes' : 'selected episodes'))
      if (now().already >= now().planned || quiet) return
      const progress = showProgress(process.stderr, () => {
        const { attempts: calls, tokens } = budget.spent()
        const spent = { calls, tokens: tokens.prompt + tokens.completion }
        return { tally: now(), pauses: grid.servers?.pauses(), spent }
      })
      sayAbove(progress)
    },
  }).finally(() => sayAbove(undefined))
  if (exchanges) say(exchanges.summary())
  return { tally, interrupted: stop.aborted, used: budget.spent(), milliseconds: performance.now() - began }
}

/** The name of an experiment whose file gives none: that of the file. */
function nameOf(path: string): string {
  const stem = parse(path).name.replace(/[^\w.-]+/g, '-')
  return stem.replace(/^[^A-Za-z0-9]+/, '').slice(0, 64) || 'experiment'
}

/**
 * An existing run keeps its conditions and its seeds at temperature 0 unless others are given, and without a file its
 * primary endpoint, which no flag gives. Kept conditions are left out where they cannot be used.
 */
function resume(experiment: Experiment, asked: GivenExperiment, folder: string, hasFile: boolean): Experiment {
  const stored = readPlan(filesOf(folder).plan)?.experiment as Partial<Experiment> | null | undefined
  const { perturbations, primary, seedsAtZero } = stored ?? {}
  const isGiven = (asked.suite ?? asked.perturbations ?? asked.draws) !== undefined
  return {
    ...experiment,
    ...(!isGiven && perturbations && { perturbations, optional: perturbations }),
    ...(!hasFile && primary && { primary }),
    ...(asked.seedsAtZero === undefined && seedsAtZero !== undefined && { seedsAtZero }),
  }
}

/**
 * Makes the files of an experiment with its commands, in order. An existing file is kept if the same command of this
 * version made it, as recorded in a file `.made` beside it, after the files that the command names last changed.
 * @throws ShaketableError `bad-input` if a command fails
 */
function prepareFiles(steps: readonly string[], isDryRun: boolean): void {
  for (const step of steps) {
    const words = step.trim().split(/\s+/)
    const out = outOf(step)
    const [stamp, made] = [`${out}.made`, `${version}: ${words.join(' ')}\n`]
    const isOlder = (word: string): boolean => word === out || timeOf(word) <= timeOf(stamp)
    if (timeOf(out) > 0 && readWhole(stamp)?.toString('utf8') === made && words.every(isOlder)) continue
    if (isDryRun)
      throw usageError(
        `${out} has to be made first: shaketable ${step}. Run this command, or the experiment without --dry-run.`,
      )
    say(`Making ${out}: shaketable ${step}`)
    makeFolder(dirname(out))
    const main = fileURLToPath(new URL('main.js', import.meta.url))
    // All its output goes to standard error, since standard output is for reports.
    const { status } = spawnSync(process.execPath, [main, ...words, '--force'], { stdio: ['ignore', 2, 2] })
    if (status !== 0)
      throw new ShaketableError(
        'bad-input',
        `A command of the experiment failed: shaketable ${step}. Its reason is above.`,
      )
    writeWhole(stamp, made, 'Give --out another path')
  }
}
