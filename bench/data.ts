import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import agentrefine5 from '../perturbations/agentrefine-5.js'
import { filterFiles } from '../src/training/filter-files.js'
import { printRow, rowFormats } from '../src/training/row-formats.js'
import { readRows } from '../src/training/read-rows.js'
import { size } from './_size.js'
import { thousands } from './_speed.js'

const fileBytes = size(200_000_000, 1_000_000)

/** Measures reading and filtering a JSON array of 200 MB in which one row in five is in-domain. */
export async function data(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  try {
    const path = join(folder, 'data.json')
    writeData(path)
    const before = process.memoryUsage().rss
    let [peak, count] = [before, 0]
    const read = await megabytesPerSecond(() => {
      for (const { record } of readRows(path)) {
        count = record
        if (record % 1000 === 0) peak = Math.max(peak, process.memoryUsage().rss)
      }
    })
    const filtered = await megabytesPerSecond(() =>
      filterFiles({
        data: [path],
        out: join(folder, 'clean.json'),
        filters: [agentrefine5],
        environments: ['alfworld', 'babyai', 'scienceworld'],
        evaluation: [],
        samples: 0,
        force: false,
        version: 'bench',
      }),
    )
    console.log(
      `data: ${thousands(count)} rows of training data read at ${read}, filtered at ${filtered}; memory grew by ${((peak - before) / 2 ** 20).toFixed(0)} MB`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function writeData(path: string): void {
  const format = rowFormats.find(({ name }) => name === 'agenttraj')!
  const file = openSync(path, 'w')
  let written = writeSync(file, '[')
  for (let index = 0; written < fileBytes; index++) {
    const name = index % 5 === 0 ? 'alfworld' : 'webshop'
    const turns = Array.from({ length: 20 }, (_, turn) => ({
      role: turn % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: `Turn ${String(turn)} of "${String(index)}".\n${'The page says that many things were found for what you typed in. '.repeat(6)}`,
    }))
    const row = printRow({ id: `${name}_${String(index)}`, turns }, format)
    written += writeSync(file, `${index === 0 ? '' : ','}${row}`)
  }
  writeSync(file, ']')
  closeSync(file)
}

async function megabytesPerSecond(work: () => unknown): Promise<string> {
  const begun = performance.now()
  await work()
  return `${(fileBytes / 1000 / (performance.now() - begun)).toFixed(0)} MB/s`
}
