import { join, parse } from 'node:path'
import { isStrings } from '../define/check-fields.js'
import { connectQueue } from '../run/queue/connect.js'
import { createBudget, readBudgetFlags } from '../run/budget.js'
import { parseCondition } from '../run/conditions.js'
import { openExchanges } from '../run/exchanges.js'
import { located, readExperimentFile } from '../run/experiment-file.js'
import { isField, readFlags, readSettings } from '../run/experiment-flags.js'
import type { GivenExperiment } from '../run/experiment-schema.js'
import { experimentSchema } from '../run/experiment-schema.js'
import type { Experiment } from '../run/experiment.js'
import { completeExperiment } from '../run/experiment.js'
import { readSelection, selectedModels } from '../run/selection.js'
import { describeShard, readShard } from '../run/shard.js'
import { findExperiment } from '../run/shipped-experiments.js'
import { readPlan } from '../run/store/plan-file.js'
import { filesOf } from '../run/store/run-folder.js'
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
import { say, setQuiet } from './_lines.js'
import { prepareFiles } from './_prepare-files.js'
import { playRun } from './_run-play.js'

const flags = [
  'What to play:',
  ['--env <names>', 'environments, separated by commas', several],
  ['--tasks <n|ids>', 'number of tasks of each environment, or their ids'],
  ['--perturb <names>', 'perturbations, separated by commas; a+b applies both; none is always added', several],
  [
    '--suite <name>',
    'a set of conditions: core (default for models behind a server, and without the household), full or agentrefine',
  ],
  ['--draws <n>', 'draws of each perturbation that has several wordings, each a condition of its own'],
  ['--temperatures <numbers>', 'such as 0,1'],
  ['--seeds <n|numbers>', 'number of seeds, or a list of them'],
  ['--steps <n>', 'step limit of an episode'],
  [
    '--only <axis=values>',
    'play a part, such as model=tuned,seed=0..4; the rest stays planned (axes: model, env, task, perturb, agent, temperature, seed)',
    several,
  ],
  [
    '--set <setting=value>',
    'a setting of experiment files that has no flag, such as attempts=3, or an option of an environment, such as household.split=train; may be repeated',
    several,
  ],
  pluginFlag,
  'Models:',
  ['--model <names>', 'control models (see shaketable list models), or models behind --base-url', several],
  ['--base-url <address>', 'an OpenAI-compatible server; its key is read from OPENAI_API_KEY'],
  ['--agent <names>', 'agents, the prompt layouts (default: act; react for models behind a server)', several],
  [
    '--max-tokens <n>',
    'token limit of a reply (default: 100; 512 for models behind a server, 4096 if one of them reasons aloud)',
  ],
  ['--retry-refused', 'play episodes again whose conversation a server refused, as a content filter does'],
  ['--no-probe', 'do not probe servers before the first episode; see shaketable doctor'],
  [
    '--accept-changed-model',
    'continue although a server now serves another model under the same name; reports then say so',
  ],
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

/** The flags of `shaketable run` as given. */
type RunFlags = OptionsOf<typeof flags>

/** `shaketable run`: plays an experiment, or what is missing of one, and writes its reports. */
export const runCommand = () =>
  makeCommand(
    'run',
    'Plays an experiment and writes its reports; without a file or flags, the embedded experiment. The same command continues a run that was stopped.',
    {
      places: [['[experiment]', 'an experiment file (YAML), or one of shaketable list experiments; flags override it']],
      flags,
      run,
    },
  )

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  setQuiet(flags.quiet === true)
  const selection = readSelection(flags.only ?? [])
  const path = file === undefined ? undefined : findExperiment(file)
  const loaded = path === undefined ? undefined : readExperimentFile(path)
  const given = readFlags(flags)
  const registry = await readPlugins({ plugin: given.plugins ?? loaded?.given.plugins ?? [] })
  const {
    experiment: requested,
    where,
    folder: ownFolder,
  } = completeExperiment({
    registry,
    ...(loaded && { file: { ...loaded, given: { name: nameOf(path!), ...loaded.given } } }),
    flags: given,
    environmentFlags: readSettings(flags.set?.filter((text) => !isField(text))),
  })
  const shard = flags.shard === undefined ? undefined : readShard(flags.shard)
  const folder =
    flags.out ?? join('runs', shard ? `${ownFolder}-shard-${describeShard(shard).replaceAll(' ', '-')}` : ownFolder)
  if (folder === '') throw usageError('--out: expected a folder, got nothing.')
  const labelOf = (text: string): string => parseCondition(text, registry.list('lens')).label
  const experiment = resume(requested, { ...loaded?.given, ...given }, folder, file !== undefined, labelOf)
  const models = selectedModels(selection, experiment, labelOf)
  const limits = readBudgetFlags(flags)
  experiment.agents.forEach((name, index) => located(where(['agents', index]), () => registry.find('agent', name)))
  const exchanges = await openExchanges(flags)
  const voice = { say }
  const isQueued = flags.queue !== undefined && !flags.dryRun
  let queue: Awaited<ReturnType<typeof connectQueue>> | undefined
  try {
    await prepareFiles(experiment.prepare, flags.dryRun === true, say)
    if (isQueued) queue = await connectQueue(flags.queue, (text) => voice.say(text))
    await playRun({
      ...{ experiment, where, registry, folder, selection, labelOf, models, shard, exchanges, queue },
      ...{ flags, voice },
      budget: createBudget(limits, () => performance.now()),
    })
  } finally {
    queue?.close()
    await exchanges?.close()
  }
}

/** The name of an experiment whose file gives none: that of the file. */
function nameOf(path: string): string {
  const stem = parse(path)
    .name.replace(/[^\w.-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
  return stem.slice(0, 64) || 'experiment'
}

/**
 * An existing run keeps its conditions, its seeds at temperature 0 and its pairing unless others are given, and without
 * a file its primary endpoint, which no flag gives. Plans from before these options played all seeds, and sent the
 * plain seed with every call. Conditions that were chosen for other environments are left out where they cannot be
 * used.
 */
function resume(
  experiment: Experiment,
  given: GivenExperiment,
  folder: string,
  hasFile: boolean,
  labelOf: (text: string) => string,
): Experiment {
  const existing = readPlan(filesOf(folder).plan)
  if (existing === undefined) return experiment
  const { pairing: requested, ...rest } = experiment
  const played = (existing.experiment ?? {}) as Readonly<Record<string, unknown>>
  const { seedsAtZero = experiment.seeds.length, perturbations, optional, environments } = played
  const { pairing: knownPairing, primary: knownPrimary } = experimentSchema.shape
  const pairing = given.pairing === undefined ? knownPairing.safeParse(played['pairing']).data : requested
  const primary = hasFile ? undefined : knownPrimary.safeParse(played['primary']).data
  const isGiven = (given.suite ?? given.perturbations ?? given.draws) !== undefined
  // Two sessions may have written one condition in two ways.
  const kept =
    isGiven || !isStrings(perturbations)
      ? undefined
      : [...new Map(perturbations.map((text) => [labelOf(text), text])).values()]
  const before = Array.isArray(environments) ? environments.map((one: { name?: unknown }) => one.name) : []
  const { environments: now } = experiment
  const isSame = before.length === now.length && now.every(({ name }) => before.includes(name))
  return {
    ...rest,
    ...(kept && { perturbations: kept, ...(isSame ? isStrings(optional) && { optional } : { optional: kept }) }),
    ...(primary && { primary: primary as NonNullable<Experiment['primary']> }),
    ...(pairing && { pairing }),
    ...(given.seedsAtZero === undefined && typeof seedsAtZero === 'number' && { seedsAtZero }),
  }
}
