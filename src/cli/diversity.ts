import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { writeWhole } from '../files/write-whole.js'
import { createEmbedder } from '../models/embeddings.js'
import { addressOf } from '../run/create-model.js'
import { markdownOf } from '../tables/markdown.js'
import type { MeasureOptions } from '../training/diversity/measure.js'
import { measureDiversity } from '../training/diversity/measure.js'
import { thoughtTables } from '../training/diversity/tables.js'
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
 * `shaketable data diversity DATA…`: how diverse the thoughts of training data are.
 */
export function diversityCommand(): Command {
  return new Command('diversity')
    .description('Measures how diverse training data is: the spread of its thoughts by TF–IDF or embeddings.')
    .argument('<data...>', 'files of training data in any known format')
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
  const measured = await interruptible((signal) =>
    measureDiversity([...new Set(paths)], {
      sample,
      resamples,
      seed,
      ...(embeddings && { embeddings }),
      problem({ file, line, message }) {
        say(escapeLine(`${file}:${String(line)}: ${message}.`))
      },
      signal,
    }),
  )
  if (measured === undefined) return
  const { settings, thoughts } = measured
  const json = { schema: 1, version, settings, thoughts }
  const tables = thoughtTables(thoughts, settings)
  await printTables(format, { tables, json })
  if (out === undefined) return
  const files = {
    'thoughts.md': markdownOf(tables),
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
