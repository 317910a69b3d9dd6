import { basename } from 'node:path'
import type { EpisodeRow } from '../../core/episode.js'
import { isValid } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import type { Plan, StoredRun } from '../../core/report.js'
import { openLines } from '../../files/line-at.js'
import { readLines } from '../../files/lines.js'
import { isLocked } from '../../files/lock.js'
import { cellAt, countCells, createCellFinder, mostCells } from '../cells.js'
import { createKeyMaker } from '../keys.js'
import { filesOf } from './files.js'
import { readPlan } from './plan-file.js'
import { createTrajectoryReader } from './read-trajectories.js'
import { readRow } from './row.js'
import { readStopped } from './stopped.js'

/** A run folder as it is now, read without touching it. */
export interface ReadRun extends StoredRun {
  readonly folder: string
  /** Episodes that have a row, and how many there are to be. */
  readonly stored: number
  readonly planned: number
  /** Lines that could not be read or do not belong, in sentences that are the same wherever the folder stands. */
  readonly notes: readonly string[]
  readonly trajectories: NonNullable<StoredRun['trajectories']>
}

/**
 * Reads a run: one row an episode, in the order of the plan whatever the order in which they were played. A valid row stands before one
 * that ended in an error, a later one before an earlier. Only places in the file are kept in memory; each pass over `rows` reads again.
 * @throws ShaketableError `store` where the folder holds no run or its plan is damaged.
 */
export function readRun(folder: string): ReadRun {
  const files = filesOf(folder)
  const found = readPlan(files.plan)
  if (found === undefined) {
    throw new ShaketableError(
      'store',
      `Expected a run folder with a plan.json, but ${folder} has none. Check the path; \`shaketable run\` makes one.`,
    )
  }
  const { plan } = found
  if (countCells(plan) > mostCells) {
    throw new ShaketableError(
      'store',
      `Expected a plan of at most ${mostCells.toLocaleString('en')} episodes, but ${files.plan} has ${countCells(plan).toLocaleString('en')}. Restore the file from a copy.`,
    )
  }
  const { places, notes } = findRows(files.outcomes, plan)
  return {
    folder,
    plan,
    rows: { [Symbol.iterator]: () => rowsAt(files.outcomes, places) },
    stored: places.reduce((count, place) => (place === absent ? count : count + 1), 0),
    planned: places.length,
    notes,
    trajectories: createTrajectoryReader(files),
    ...(isLocked(files.lock) && { writing: true }),
    ...readStopped(files.stopped),
  }
}

const absent = -1

/** How many lines that cannot be read are named one by one. */
const mostNamed = 10

/** The place of each cell's row in the file, in bytes from its start. */
function findRows(path: string, plan: Plan): { readonly places: Float64Array; readonly notes: readonly string[] } {
  const places = new Float64Array(countCells(plan)).fill(absent)
  const valid = new Uint8Array(places.length)
  const find = createCellFinder(plan)
  const keyOf = createKeyMaker(plan)
  const named: number[] = []
  let unreadable = 0
  let strangers = 0
  let isTorn = false
  for (const { text, number, offset, ended } of readLines(path)) {
    if (!ended) {
      isTorn = true
      break
    }
    const row = readRow(text)
    if (row === undefined) {
      if (++unreadable <= mostNamed) named.push(number)
      continue
    }
    const index = find(row)
    if (index === undefined || row.key !== keyOf(cellAt(plan, index))) {
      strangers++
      continue
    }
    if (valid[index] === 1 && !isValid(row.outcome)) continue
    places[index] = offset
    valid[index] = isValid(row.outcome) ? 1 : 0
  }
  const file = basename(path)
  const more = unreadable - named.length
  const notes = [
    ...named.map(
      (line) => `${file}:${String(line)}: expected an episode's row, got something unreadable; it is left out.`,
    ),
    ...(more > 0 ? [`${file}: left out ${countWord(more, 'more line')} that cannot be read.`] : []),
    ...(isTorn ? [`${file}: the last line is unfinished and left out.`] : []),
    ...(strangers > 0
      ? [`${file}: left out ${countWord(strangers, 'row')} with a key that no episode of the plan has.`]
      : []),
  ]
  return { places, notes }
}

function* rowsAt(path: string, places: Float64Array): Generator<EpisodeRow, void, undefined> {
  if (places.every((place) => place === absent)) return
  const lines = openLines(path)
  try {
    for (const place of places) {
      if (place !== absent) yield JSON.parse(lines.lineAt(place)) as EpisodeRow
    }
  } finally {
    lines.close()
  }
}

function countWord(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
