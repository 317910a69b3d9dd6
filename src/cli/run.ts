import { join, parse } from 'node:path'
import { Command, Option } from 'commander'
import type { QueueConnection } from '../queue/connect.js'
import { connectQueue } from '../queue/connect.js'
import type { BudgetFlags } from '../run/budget.js'
import { createBudget, readBudgetFlags, readPrices } from '../run/budget.js'
import { parseColumn } from '../run/columns.js'
import type { ExchangeFlags } from '../run/exchanges.js'
import { openExchanges } from '../run/exchanges.js'
import { located, readExperimentFile } from '../run/experiment-file.js'
import type { ExperimentFlags } from '../run/experiment-flags.js'
import { isField, readFlags, readSettings } from '../run/experiment-flags.js'
import { completeExperiment } from '../run/experiment.js'
import { isServed } from '../run/model-choice.js'
import { loadRegistry } from '../run/plugins.js'
import { findExperiment } from '../run/shipped-experiments.js'
import { readSelection, selectedModels } from '../run/selection.js'
import { describeShard, readShard } from '../run/shard.js'
import { addBudgetFlags, addPluginFlag, several, whole, usageError } from './_flags.js'
import { say, setQuiet } from './_lines.js'
import { prepareFiles } from './_prepare-files.js'
import { resume } from './_run-resume.js'
import { namesOf, playRun } from './_run-play.js'
import type { Voice } from './_run-session.js'

/** The flags of `shaketable run`. */
interface RunFlags extends ExperimentFlags, ExchangeFlags, BudgetFlags {
  readonly out?: string
  readonly workers?: number
  readonly queue?: string
  readonly probe: boolean
  readonly acceptChangedModel?: true
  readonly retryRefused?: true
  readonly skipMissing?: true
  readonly dryRun?: true
  readonly only?: readonly string[]
  readonly pilot?: string
  readonly shard?: string
  readonly yes?: true
  readonly open?: true
  readonly quiet?: true
  readonly json?: true
}

/** `shaketable run`: plays an experiment, or what is missing of one, and writes its reports. */
export function runCommand(): Command {
  const command = new Command('run')
    .description(
      'Plays an experiment and writes its reports; without a file or flags, the embedded experiment. The same command continues a run that was stopped.',
    )
    .argument('[experiment]', 'an experiment file (YAML), or one of shaketable list experiments; flags override it')
    .optionsGroup('What to play:')
    .option('--env <names>', 'environments, separated by commas', several)
    .option('--tasks <n|ids>', 'number of tasks of each environment, or their ids')
    .option('--perturb <names>', 'perturbations, separated by commas; a+b applies both; none is always added', several)
    .option(
      '--suite <name|file>',
      'a set of conditions: core (default for models behind a server, and without the household), full, agentrefine, or a YAML file with perturbations',
    )
    .option('--draws <n>', 'draws of each perturbation that has several wordings, each a condition of its own')
    .option('--temperatures <numbers>', 'such as 0,1')
    .option('--seeds <n|numbers>', 'number of seeds, or a list of them')
    .option('--steps <n>', 'step limit of an episode')
    .option(
      '--only <axis=values>',
      'play a part, such as model=tuned,seed=0..4; the rest stays planned (axes: model, env, task, perturb, agent, temperature, seed)',
      several,
    )
    .option(
      '--set <setting=value>',
      'a setting of experiment files that has no flag, such as attempts=3, or an option of an environment, such as household.split=train; may be repeated',
      several,
    )
  addPluginFlag(command)
    .optionsGroup('Models:')
    .option('--model <names>', 'control models (see shaketable list models), or models behind --base-url', several)
    .option('--base-url <address>', 'an OpenAI-compatible server; its key is read from OPENAI_API_KEY')
    .option('--agent <names>', 'agents, the prompt layouts (default: act; react for models behind a server)', several)
    .option(
      '--max-tokens <n>',
      'token limit of a reply (default: 100; 512 for models behind a server, 4096 if one of them reasons aloud)',
    )
    .option('--retry-refused', 'play episodes again whose conversation a server refused, as a content filter does')
    .option('--no-probe', 'do not probe servers before the first episode; see shaketable doctor')
    .option(
      '--accept-changed-model',
      'continue although a server now serves another model under the same name; reports then say so',
    )
    .option(
      '--skip-missing',
      'leave out models whose server is absent or serves another; the same command plays them later',
    )
    .optionsGroup('Speed, limits and cost:')
    .option('--concurrency <n>', 'episodes played at once on a server')
    .option(...whole('--workers <n>', 'threads for control models; 0 plays in the main thread', 0, 256))
    .option('--shard <i/n>', 'play the i-th of n shards, such as 3/16, into a folder of its own; see merge')
    .addOption(
      new Option(
        '--queue <address>',
        'let workers play, through Redis or Valkey at redis://host:6379; see docs/large-runs.md',
      ).conflicts(['record', 'replay', 'cache', 'workers']),
    )
  addBudgetFlags(command)
    .optionsGroup('Files:')
    .option('--out <folder>', 'folder of the run (default: runs/<name>, or named by the settings of these flags)')
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
    .option('--open', 'open the page of the reports in the browser at the end')
    .option('--quiet', 'print nothing but errors; the exit code says how it ended')
    .option('--json', 'print the summary, or the grid of --dry-run, as one JSON document')
  return command.action(run)
}

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  setQuiet(flags.quiet === true)
  const selection = readSelection(flags.only ?? [])
  const path = file === undefined ? undefined : findExperiment(file)
  const loaded = path === undefined ? undefined : readExperimentFile(path)
  const given = readFlags(flags)
  const voice: Voice = { say }
  const registry = await loadRegistry(given.plugins ?? loaded?.given.plugins ?? [])
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
  const labelOf = (text: string): string => parseColumn(text, registry.list('lens')).label
  const experiment = resume(requested, { ...loaded?.given, ...given }, folder, file !== undefined, labelOf)
  const models = selectedModels(selection, experiment, labelOf)
  const limits = readBudgetFlags(flags)
  const priced =
    flags.replay !== undefined ? [] : namesOf(experiment.models.filter((model) => isServed(model, registry)))
  const prices = flags.prices === undefined ? undefined : readPrices(flags.prices, priced)
  experiment.agents.forEach((name, index) => located(where(['agents', index]), () => registry.find('agent', name)))
  if ((flags.record ?? flags.replay ?? flags.cache) !== undefined && (flags.workers ?? 0) > 0)
    throw usageError('--workers: exchanges are recorded by one thread. Leave it out, or give 0.')
  const exchanges = await openExchanges(flags)
  let queue: QueueConnection | undefined
  try {
    await prepareFiles(experiment.prepare, flags.dryRun === true, say)
    if (flags.queue !== undefined && !flags.dryRun) queue = await connectQueue(flags.queue, (text) => voice.say(text))
    await playRun({
      experiment,
      where,
      registry,
      folder,
      selection,
      labelOf,
      models,
      shard,
      budget: createBudget({ limits, prices, clock: () => performance.now() }),
      maxEpisodes: limits.episodes,
      prices,
      exchanges,
      queue,
      flags,
      output: { voice, reports: registry.list('report'), quiet: flags.quiet, json: flags.json, open: flags.open },
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
