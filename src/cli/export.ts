import { setImmediate } from 'node:timers/promises'
import { atifOf, atifVersion } from '../run/atif.js'
import { readRun } from '../run/store/read-run.js'
import { createRowWriter } from '../training/create-row-writer.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, refuseExisting, required, runPlace, usageError } from './_flags.js'
import { escapeLine, number, print, say } from './_lines.js'
import { interruptible } from './_signals.js'
import { selectRows, selecting } from './show.js'

const flags = [
  required('--out <file>', 'file to write, one trajectory a line'),
  ...selecting,
  ['--force', 'replace an existing file'],
] as const

/** `shaketable data export RUN --out FILE`: a run's episodes as trajectories that other tools read. */
export const exportCommand = () =>
  makeCommand(
    'export',
    `Writes a run's episodes as trajectories in the Agent Trajectory Interchange Format (${atifVersion}).`,
    { places: [runPlace], flags, run },
  )

/** Episodes whose trajectories are read at a time. */
const batch = 200

async function run(folder: string, options: OptionsOf<typeof flags>): Promise<void> {
  const { out, force } = options
  const read = readRun(folder)
  for (const note of read.notes) say(note)
  const rows = selectRows(read, undefined, options)
  if (rows.length === 0)
    throw usageError(`No stored episode of ${folder} matches. \`shaketable show ${folder}\` lists them.`)
  refuseExisting(out, force)
  const written = await interruptible(async (signal) => {
    const writer = createRowWriter(out, 'lines')
    try {
      for (let from = 0; from < rows.length; from += batch) {
        const part = rows.slice(from, from + batch)
        const trajectories = read.trajectories(part.map(({ key }) => key))
        for (const row of part) {
          const trajectory = trajectories.get(row.key)
          if (trajectory) writer.writeRaw(JSON.stringify(atifOf(row, trajectory, read.plan.version)))
        }
        await setImmediate()
        signal.throwIfAborted()
      }
      return writer.close().records
    } finally {
      writer.abandon()
    }
  })
  if (written !== undefined)
    await print(`${number(written)} trajectories of ${number(rows.length)} episodes\n${escapeLine(`Wrote ${out}`)}`)
  for (const remark of read.remarks) say(remark)
}
