import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { EpisodeRow } from '../results/episode-row.js'
import { writeWhole } from '../files/write-whole.js'
import { type ReadRun, readRun } from '../run/store/read-run.js'
import { createRowWriter, makeOutputFolder } from '../training/create-row-writer.js'
import { atifOf, atifVersion } from '../run/export/atif.js'
import { createFlatRow, datasetCard } from '../run/export/rows.js'
import { type OptionsOf, choice, makeCommand, mandatory, refuseExisting, required, runPlace } from './_flags.js'
import { number, printLines, say } from './_lines.js'
import { stopSignal } from './_signals.js'
import { selectRows, selecting } from './show.js'

const formats = {
  atif: `trajectories in the Agent Trajectory Interchange Format (${atifVersion}): into FILE.jsonl one a line, into a folder one a file`,
  rows: 'a flat row for each episode, for data frames and the Hub: FOLDER/episodes.jsonl and its card, README.md',
}
const formatNames = Object.keys(formats) as (keyof typeof formats)[]
const elsewhere = 'Give --out another path'

const flags = [
  choice('--format <name>', 'what is written', formatNames, mandatory),
  required('--out <path>', 'file or folder to write'),
  ...selecting,
  ['--force', 'replace existing files'],
] as const

/** `shaketable data export RUN --out PATH`: a run's episodes in formats that other tools read. */
export const exportCommand = () =>
  makeCommand({
    places: [runPlace],
    flags,
    below: `The formats:\n${formatNames.map((name) => `  ${name}: ${formats[name]}`).join('\n')}`,
    run,
  })

async function run(folder: string, options: OptionsOf<typeof flags>): Promise<void> {
  const { out, format, force } = options
  const read = readRun(folder)
  for (const note of read.notes) say(note)
  const rows = selectRows(read, undefined, options)
  const isLines = format === 'atif' && out.endsWith('.jsonl')
  const file = isLines ? out : join(out, 'episodes.jsonl')
  const card = join(out, 'README.md')
  for (const path of isLines ? [out] : format === 'rows' ? [file, card] : [out]) refuseExisting(path, force)
  if (!isLines) makeOutputFolder(out)
  if (format === 'rows') {
    const { name = basename(read.folder), plan, planned } = read
    const flat = createFlatRow(plan)
    const written = await writeLines(file, rows, flat)
    writeWhole(card, datasetCard(plan, name, { stored: rows.length, planned }, basename(file)), elsewhere)
    return printLines([`${number(written)} rows`, `Wrote ${file} and ${card}`])
  }
  const written = isLines
    ? await writeLines(out, trajectoriesOf(read, rows), (trajectory) => trajectory)
    : writeFiles(out, read, rows)
  const counts = `${number(written)} trajectories of ${number(rows.length)} episodes`
  await printLines([counts, `Wrote ${isLines ? out : join(out, '*.json')}`])
  for (const remark of read.remarks) say(remark)
}

/** Episodes whose trajectories are read at a time. */
const batch = 200

function* trajectoriesOf(run: ReadRun, rows: readonly EpisodeRow[]) {
  for (let at = 0; at < rows.length; at += batch) {
    const part = rows.slice(at, at + batch)
    const trajectories = run.trajectories(part.map(({ key }) => key))
    for (const row of part) {
      const trajectory = trajectories.get(row.key)
      if (trajectory !== undefined) yield atifOf(row, trajectory, run.plan.version)
    }
  }
}

function writeFiles(folder: string, run: ReadRun, rows: readonly EpisodeRow[]): number {
  let count = 0
  for (const trajectory of trajectoriesOf(run, rows)) {
    const text = `${JSON.stringify(trajectory, null, 2)}\n`
    writeWhole(join(folder, `${trajectory.trajectory_id}.json`), text, elsewhere)
    count++
  }
  return count
}

/** @returns the number of lines */
async function writeLines<T>(path: string, items: Iterable<T>, recordOf: (item: T) => object): Promise<number> {
  const stop = stopSignal()
  const writer = createRowWriter(path, 'lines')
  try {
    for (const item of items) {
      writer.writeRaw(JSON.stringify(recordOf(item)))
      await setImmediate()
      stop.throwIfAborted()
    }
    return writer.close().records
  } finally {
    writer.abandon()
  }
}
