import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { writeWhole } from '../files/write-whole.js'
import { createEmbedder } from '../models/embeddings.js'
import { addressOf } from '../run/create-model.js'
import { shipped } from '../run/registry.js'
import { readRun } from '../run/store/read-run.js'
import { markdownOf } from '../tables/markdown.js'
import type { MeasureOptions } from '../training/diversity/measure.js'
import { measureDiversity } from '../training/diversity/measure.js'
import { openSources } from '../training/diversity/sources.js'
import { environmentTables, thoughtTables } from '../training/diversity/tables.js'
import { readEvaluation, textsOf } from './_evaluation.js'
import { choice, usageError, whole } from './_flags.js'
import { escapeLine, print, say, version } from './_lines.js'
import type { TableFormat } from './_print-tables.js'
import { printTables, tableFormats } from './_print-tables.js'
import { interruptible } from './_signals.js'

interface DiversityFlags {
  readonly out?: string
  readonly embeddings?: string
  readonly baseUrl?: string
  readonly sample: number
  readonly resamples: number
  readonly seed: number
  readonly format: TableFormat
  readonly force?: true
}

/** Bounds the texts that are sent to a server, and the time of a measurement. */
const maxSample = 20_000

/**
 * `shaketable data diversity DATA…`: how diverse the thoughts and the environments of training data and of runs are.
 */
export function diversityCommand(): Command {
  return new Command('diversity')
    .description(
      'Measures how diverse training data is: the spread of its thoughts by TF–IDF or embeddings, and its verbs, items and action forms, with their overlap with the evaluation. Of a run it measures the episodes of each model.',
    )
    .argument('<data...>', 'files of training data in any known format, or folders of runs')
    .option('--out <folder>', 'folder for the tables and all figures as JSON')
    .option('--embeddings <model>', 'a model behind /embeddings in place of TF–IDF')
    .option('--base-url <address>', 'its OpenAI-compatible server (default: OPENAI_BASE_URL)')
    .option(...whole('--sample <n>', 'thoughts of each data set, at most; the smallest bounds all', 2, maxSample, 5000))
    .option(...whole('--resamples <n>', 'half-samples for the intervals', 20, 10_000, 200))
    .option(...whole('--seed <n>', 'seed of samples, clusters and intervals', 0, 2 ** 31 - 1, 0))
    .option(...choice('--format <format>', 'output format', tableFormats, 'terminal'))
    .option('--force', 'replace files in --out')
    .action(run)
}

async function run(paths: readonly string[], flags: DiversityFlags): Promise<void> {
  const { out, format, sample, resamples, seed, force = false } = flags
  if (out !== undefined && !force && existsSync(out) && readdirSync(out).length > 0)
    throw usageError(`--out: ${out} is not empty. Give another path, or --force to replace its files.`)
  const embeddings = embeddingsOf(flags)
  const sources = openSources([...new Set(paths)], readRun, ({ file, line, message }) => {
    say(escapeLine(`${file}:${String(line)}: ${message}.`))
  })
  const measured = await interruptible(async (signal) => {
    const filter = shipped.find('filter', 'agentrefine-5')
    const { environments } = filter
    const evaluation = await readEvaluation(environments, {}, shipped)
    const names = environments.map(({ name }) => name)
    return measureDiversity(sources, {
      sample,
      resamples,
      seed,
      ...(embeddings && { embeddings }),
      evaluation: names.map((name) => evaluation.find((one) => one.environment === name) ?? { environment: name }),
      test: filter.open({ environments: names, evaluation: textsOf(evaluation) }),
      signal,
    })
  })
  if (measured === undefined) return
  const { settings, thoughts, environments } = measured
  const json = { schema: 1, version, settings, thoughts, environments }
  const tables = [thoughtTables(thoughts, settings), environmentTables(environments)]
  await printTables(format, { tables: tables.flat(), json })
  if (out === undefined) return
  const files = {
    'thoughts.md': markdownOf(tables[0]!),
    'environments.md': markdownOf(tables[1]!),
    'diversity.json': `${JSON.stringify(json, null, 1)}\n`,
  }
  for (const [name, text] of Object.entries(files)) writeWhole(join(out, name), text, 'Give --out another path')
  if (format === 'terminal') await print(escapeLine(`Wrote ${Object.keys(files).join(', ')} to ${out}`))
}

function embeddingsOf({ embeddings, baseUrl }: DiversityFlags): MeasureOptions['embeddings'] {
  if (embeddings === undefined) {
    if (baseUrl === undefined) return undefined
    throw usageError('--base-url: expected --embeddings with the name of a model beside it.')
  }
  const address = addressOf({ name: embeddings }, baseUrl, process.env)
  return { name: `embeddings of ${embeddings}`, embed: createEmbedder(address) }
}
