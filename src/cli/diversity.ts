import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '../files/write-whole.js'
import { markdownOf } from '../tables/markdown.js'
import { measureDiversity, thoughtTables } from '../training/diversity.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, usageError, whole } from './_flags.js'
import { problemPrinter, version } from './_lines.js'
import { formatFlag, printTables } from './_print-tables.js'

/** Thoughts of each data set, at most; the smallest bounds all. */
const [sample, resamples] = [5000, 200]

const flags = [
  ['--out <folder>', 'folder for the tables and all figures as JSON'],
  whole('--seed <n>', 'seed of samples and intervals', 0, 2 ** 31 - 1, 0),
  formatFlag,
  ['--force', 'replace files in --out'],
] as const

/** `shaketable data diversity DATA…`: how diverse the thoughts of training data are. */
export const diversityCommand = () =>
  makeCommand({
    places: [['<data...>', 'files of training data in any known format']],
    flags,
    run,
  })

async function run(paths: readonly string[], options: OptionsOf<typeof flags>): Promise<void> {
  const { out, format, seed, force } = options
  if (out !== undefined && !force && existsSync(out) && readdirSync(out).length > 0)
    throw usageError(`--out: ${out} is not empty. Give another path, or --force to replace its files.`)
  const problems = problemPrinter()
  const measured = measureDiversity([...new Set(paths)], { sample, resamples, seed, problem: problems.print })
  problems.end()
  const json = { schema: 1, version, ...measured }
  const tables = thoughtTables(measured)
  await printTables(format, { tables, json })
  if (out === undefined) return
  const files = { 'thoughts.md': markdownOf(tables), 'diversity.json': `${JSON.stringify(json, null, 1)}\n` }
  for (const [name, text] of Object.entries(files)) writeWhole(join(out, name), text, 'Give --out another path')
}
