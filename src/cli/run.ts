import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname, join, parse } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ShaketableError } from '../core/errors.js'
import { makeFolder } from '../files/make-folder.js'
import { readWhole } from '../files/read-text.js'
import { writeWhole } from '../files/write-whole.js'
import { createBudget, readBudgetFlags } from '../run/budget.js'
import { parseCondition } from '../run/conditions.js'
import { openExchanges } from '../run/exchanges.js'
import { located, readExperimentFile } from '../run/experiment-file.js'
import { isField, readFlags, readSettings } from '../run/experiment-flags.js'
import type { GivenExperiment } from '../run/experiment-schema.js'
import type { Experiment } from '../run/experiment.js'
import { completeExperiment, outOf } from '../run/experiment.js'
import type { QueueConnection } from '../run/queue/connect.js'
import { connectQueue } from '../run/queue/connect.js'
import { readSelection, selectedModels } from '../run/selection.js'
import { describeShard, readShard } from '../run/shard.js'
import { findExperiment } from '../run/shipped-experiments.js'
import { readPlan } from '../run/store/plan-file.js'
import { filesOf } from '../run/store/run-folder.js'
import { makeCommand, readPlugins, usageError } from './_flags.js'
import { say, setQuiet, version } from './_lines.js'
import type { RunFlags } from './_run-flags.js'
import { runFlags } from './_run-flags.js'
import { playRun } from './_run-play.js'

/** `shaketable run`: plays an experiment, or what is missing of one, and writes its reports. */
export const runCommand = () =>
  makeCommand({
    places: [['[experiment]', 'an experiment file (YAML), or one of shaketable list experiments; flags override it']],
    flags: runFlags,
    rules: [
      ['--queue', 'excludes', '--record', '--replay', '--workers'],
      ['--workers', 'excludes', '--record', '--replay'],
      ['--replay', 'excludes', '--record'],
    ],
    run,
  })

async function run(file: string | undefined, flags: RunFlags): Promise<void> {
  setQuiet(flags.quiet === true)
  const selection = readSelection(flags.only ?? [])
  const path = file === undefined ? undefined : findExperiment(file)
  const loaded = path === undefined ? undefined : readExperimentFile(path)
  const given = readFlags(flags)
  const registry = await readPlugins({ plugin: given.plugins ?? loaded?.given.plugins ?? [] })
  const { where, ...requested } = completeExperiment({
    registry,
    ...(loaded && { file: { ...loaded, given: { name: nameOf(path!), ...loaded.given } } }),
    flags: given,
    environmentFlags: readSettings(flags.set?.filter((text) => !isField(text))),
  })
  const shard = flags.shard === undefined ? undefined : readShard(flags.shard)
  const part = shard === undefined ? '' : `-shard-${describeShard(shard).replaceAll(' ', '-')}`
  const folder = flags.out ?? join('runs', `${requested.folder}${part}`)
  if (folder === '') throw usageError('--out: expected a folder, got nothing.')
  const experiment = resume(requested.experiment, { ...loaded?.given, ...given }, folder, file !== undefined)
  const labelOf = (text: string): string => parseCondition(text, registry.list('lens')).label
  const models = selectedModels(selection, experiment, labelOf)
  experiment.agents.forEach((name, index) => located(where(['agents', index]), () => registry.find('agent', name)))
  const budget = createBudget(readBudgetFlags(flags), () => performance.now())
  const exchanges = await openExchanges(flags)
  const voice = { say }
  let queue: QueueConnection | undefined
  try {
    prepareFiles(experiment.prepare, flags.dryRun === true)
    if (flags.queue !== undefined && !flags.dryRun) queue = await connectQueue(flags.queue, (text) => voice.say(text))
    await playRun({
      ...{ experiment, where, registry, folder, selection, labelOf, models, shard, budget, exchanges, queue },
      ...{ flags, voice },
    })
  } finally {
    queue?.close()
    await exchanges?.close()
  }
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
function resume(experiment: Experiment, given: GivenExperiment, folder: string, hasFile: boolean): Experiment {
  const stored = readPlan(filesOf(folder).plan)?.experiment as Partial<Experiment> | null | undefined
  const { perturbations, primary, seedsAtZero } = stored ?? {}
  const isGiven = (given.suite ?? given.perturbations ?? given.draws) !== undefined
  return {
    ...experiment,
    ...(!isGiven && perturbations && { perturbations, optional: perturbations }),
    ...(!hasFile && primary && { primary }),
    ...(given.seedsAtZero === undefined && seedsAtZero !== undefined && { seedsAtZero }),
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

/** When a file was changed last; 0 for a word that is none. */
function timeOf(word: string): number {
  return statSync(word, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
