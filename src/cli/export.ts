import { renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { EpisodeRow } from '../results/episode-row.js'
import { writeWhole } from '../files/write-whole.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { createRowWriter, makeOutputFolder } from '../training/create-row-writer.js'
import { atifOf, atifVersion } from '../run/export/atif.js'
import { createFlatRow, datasetCard } from '../run/export/rows.js'
import type { OptionsOf } from './_flags.js'
import { choice, makeCommand, mandatory, refuseExisting, required, runPlace, usageError } from './_flags.js'
import { escapeLine, number, print, say } from './_lines.js'
import { interruptible } from './_signals.js'
import { selectRows, selecting } from './show.js'

const formats = {
  atif: `trajectories in the Agent Trajectory Interchange Format (${atifVersion}): into FILE.jsonl one a line, into a folder one a file`,
  rows: 'a flat row for each episode, for data frames and the Hub: FOLDER/episodes.jsonl and its card, README.md',
}
const formatNames = Object.keys(formats) as (keyof typeof formats)[]
const elsewhere = 'Give --out another path'

const flags = [
  [...choice('--format <name>', 'what is written', formatNames), mandatory],
  required('--out <path>', 'file or folder to write'),
  ...selecting,
  ['--force', 'replace existing files'],
] as const
type Options = OptionsOf<typeof flags>

/** `shaketable data export RUN --out PATH`: a run's episodes in formats that other tools read. */
export const exportCommand = () =>
  makeCommand('export', "Writes a run's episodes in formats that other tools read.", {
    places: [runPlace],
    flags,
    below: `The formats:\n${formatNames.map((name) => `  ${name}: ${formats[name]}`).join('\n')}`,
    run,
  })

async function run(folder: string, options: Options): Promise<void> {
  const read = readRun(folder)
  for (const note of read.notes) say(note)
  const rows = selectRows(read, undefined, options)
  if (rows.length === 0)
    throw usageError(`No stored episode of ${folder} matches. \`shaketable show ${folder}\` lists them.`)
  const write = options.format === 'rows' ? writeRows : options.out.endsWith('.jsonl') ? writeLines : writeFiles
  const lines = await interruptible((signal) => write(read, rows, options, signal))
  if (lines !== undefined) await print(lines.map(escapeLine).join('\n'))
  for (const remark of read.remarks) say(remark)
}

type Write = (run: ReadRun, rows: readonly EpisodeRow[], options: Options, signal: AbortSignal) => Promise<string[]>

const writeRows: Write = async (run, rows, { out, force }, signal) => {
  const [file, card] = [join(out, 'episodes.jsonl'), join(out, 'README.md')]
  for (const path of [file, card]) refuseExisting(path, force)
  makeOutputFolder(out)
  const { name = basename(run.folder), plan, planned } = run
  const flat = createFlatRow(plan)
  const written = await writeAll(file, rows, signal, (row) => [flat(row)])
  writeWhole(card, datasetCard(plan, name, { stored: rows.length, planned }, basename(file)), elsewhere)
  return [`${number(written)} rows`, `Wrote ${file} and ${card}`]
}

const writeLines: Write = async (run, rows, { out, force }, signal) => {
  refuseExisting(out, force)
  const written = await writeAll(out, rows, signal, (_, index) => trajectoriesFrom(run, rows, index))
  return [`${number(written)} trajectories of ${number(rows.length)} episodes`, `Wrote ${out}`]
}

const writeFiles: Write = async (run, rows, { out, force }, signal) => {
  for (const { key } of rows) refuseExisting(join(out, `${key}.json`), force)
  makeOutputFolder(out)
  const drafts: string[] = []
  try {
    for (const [index] of rows.entries()) {
      for (const trajectory of trajectoriesFrom(run, rows, index)) {
        const draft = join(out, `${trajectory.trajectory_id}.json.draft`)
        writeWhole(draft, `${JSON.stringify(trajectory, null, 2)}\n`, elsewhere)
        drafts.push(draft)
      }
      if (index % batch === 0) await setImmediate()
      signal.throwIfAborted()
    }
    for (const draft of drafts) renameSync(draft, draft.slice(0, -'.draft'.length))
    return [`${number(drafts.length)} trajectories of ${number(rows.length)} episodes`, `Wrote ${join(out, '*.json')}`]
  } finally {
    for (const draft of drafts) rmSync(draft, { force: true })
  }
}

/** Episodes whose trajectories are read at a time. */
const batch = 200

/** The trajectories of the batch that begins at an index; none at other indexes. */
function trajectoriesFrom(run: ReadRun, rows: readonly EpisodeRow[], index: number) {
  if (index % batch !== 0) return []
  const part = rows.slice(index, index + batch)
  const trajectories = run.trajectories(part.map(({ key }) => key))
  return part.flatMap((row) => {
    const trajectory = trajectories.get(row.key)
    return trajectory === undefined ? [] : [atifOf(row, trajectory, run.plan.version)]
  })
}

async function writeAll(
  path: string,
  rows: readonly EpisodeRow[],
  signal: AbortSignal,
  recordsOf: (row: EpisodeRow, index: number) => readonly object[],
): Promise<number> {
  const writer = createRowWriter(path, 'lines')
  try {
    for (const [index, row] of rows.entries()) {
      for (const record of recordsOf(row, index)) writer.writeRaw(JSON.stringify(record))
      if (index % batch === 0) await setImmediate()
      signal.throwIfAborted()
    }
    return writer.close().records
  } finally {
    writer.abandon()
  }
}
