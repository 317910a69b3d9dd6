import { basename } from 'node:path'
import type { EpisodeRow } from '../../core/episode.js'
import { isValid } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import type { Plan, StoredRun } from '../../core/report.js'
import { tellUnchecked } from '../../files/checksum.js'
import type { PlacedLines } from '../../files/line-at.js'
import { openLines } from '../../files/line-at.js'
import { isLocked } from '../../files/lock.js'
import { countCells, maxCells } from '../cells.js'
import { readServers } from '../servers.js'
import { filesOf, readStopped } from './run-folder.js'
import { readPlan } from './plan-file.js'
import { readRows } from './row.js'
import type { TrajectoryReader } from './read-trajectories.js'
import { createTrajectoryReader, leftOut } from './read-trajectories.js'

/** A run folder as it is now, read without touching it. */
export interface ReadRun extends StoredRun {
  readonly folder: string
  /** Episodes that have a row, and how many there are to be. */
  readonly stored: number
  readonly planned: number
  /** Lines that could not be read or do not belong, in sentences that are the same wherever the folder stands. */
  readonly notes: readonly string[]
  /**
   * What a person should know of what was read so far, in sentences, and no report says: trajectories that are left
   * out, lines without a checksum.
   */
  readonly remarks: readonly string[]
  readonly unordered: NonNullable<StoredRun['unordered']>
  readonly trajectories: NonNullable<StoredRun['trajectories']>
  readonly calls: TrajectoryReader['calls']
}

/**
 * Reads a run: one row an episode, `rows` in the order of the plan whatever the order in which they were played. Of
 * several rows of an episode the first valid one stands, or where there is none the last. The file is read when
 * something is first asked of it; only places in it are kept in memory, and each pass over the rows reads again.
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
  const servers = readServers(files.servers)
  if (countCells(plan) > maxCells) {
    throw new ShaketableError(
      'store',
      `Expected a plan of at most ${maxCells.toLocaleString('en')} episodes, but ${files.plan} has ${countCells(plan).toLocaleString('en')}. Restore the file from a copy.`,
    )
  }
  const trajectories = createTrajectoryReader(files)
  let known: Found | undefined
  const lookOnce = (): Found => {
    if (known !== undefined) return known
    const scan = scanRows(files.outcomes, plan)
    for (;;) {
      const { done, value } = scan.next()
      if (done) return (known = value)
    }
  }
  return {
    folder,
    plan,
    rows: { [Symbol.iterator]: () => rowsAt(files.outcomes, lookOnce().places) },
    unordered: {
      *[Symbol.iterator]() {
        if (known === undefined) known = yield* scanRows(files.outcomes, plan)
        else yield* rowsAt(files.outcomes, known.places)
      },
    },
    get stored() {
      return lookOnce().places.reduce((count, place) => (place === absent ? count : count + 1), 0)
    },
    planned: countCells(plan),
    get notes() {
      return lookOnce().notes
    },
    get remarks() {
      return [
        ...(found.isUnchecked
          ? [`${basename(files.plan)} has no checksum, as earlier versions wrote it: damage in it can go unnoticed.`]
          : []),
        ...(lookOnce().isUnchecked ? [tellUnchecked(basename(files.outcomes))] : []),
        ...trajectories.leftOut(),
      ]
    },
    trajectories: trajectories.read,
    calls: trajectories.calls,
    ...(servers.length > 0 && { servers }),
    ...(isLocked(files.lock) && { writing: true }),
    ...readStopped(files.stopped),
  }
}

/** What one look at every line of a run finds. */
interface Found {
  /** The place of each cell's row in the file, in bytes from its start, or `absent`. */
  readonly places: Float64Array
  readonly notes: readonly string[]
  /** Whether lines of an earlier version are among them, which have no checksum. */
  readonly isUnchecked: boolean
}

const absent = -1
/** How many lines that cannot be read are named one by one. */
const maxNamed = 10

/**
 * Looks at every line once and hands over the rows that stand: valid ones on the way, since the first of them stands
 * whatever comes after it, and those that ended in an error at the end, where no valid one has come.
 */
function* scanRows(path: string, plan: Plan): Generator<EpisodeRow, Found, undefined> {
  const places = new Float64Array(countCells(plan)).fill(absent)
  const isSettled = new Uint8Array(places.length)
  const broken = new Set<number>()
  const unreadable: { readonly number: number; readonly isDamaged: boolean }[] = []
  let [more, unknown] = [0, 0]
  let [isTorn, isUnchecked] = [false, false]
  for (const { line, row, place: index } of readRows(path, plan)) {
    const { number, offset, ended, state } = line
    if (!ended) {
      isTorn = true
      break
    }
    if (row === undefined) {
      if (unreadable.length < maxNamed) unreadable.push({ number, isDamaged: state === 'damaged' })
      else more++
      continue
    }
    if (state === 'unchecked') isUnchecked = true
    if (index === undefined) {
      unknown++
      continue
    }
    if (isSettled[index] === 1) continue
    places[index] = offset
    if (isValid(row.outcome)) {
      isSettled[index] = 1
      broken.delete(index)
      yield row
    } else {
      broken.add(index)
    }
  }
  yield* rowsAt(
    path,
    [...broken].map((index) => places[index]!),
  )
  const file = basename(path)
  const notes = [
    ...unreadable.map(
      ({ number, isDamaged }) => `${file}:${String(number)}: ${isDamaged ? damagedRow : unreadableRow}`,
    ),
    ...(more > 0 ? [`${file}: LEFT OUT ${countWord(more, 'more line')} that cannot be read.`] : []),
    ...(isTorn ? [`${file}: the last line is unfinished and left out.`] : []),
    ...(unknown > 0
      ? [`${file}: left out ${countWord(unknown, 'row')} with a key that no episode of the plan has.`]
      : []),
  ]
  return { places, notes, isUnchecked }
}

const damagedRow = `DAMAGED, the row is not as it was written: ${leftOut}`
const unreadableRow = `expected an episode's row, got something unreadable: ${leftOut}`

/** @throws ShaketableError `store` where a row is not there any more */
function* rowsAt(path: string, places: Iterable<number>): Generator<EpisodeRow, void, undefined> {
  let lines: PlacedLines | undefined
  try {
    for (const place of places) {
      if (place === absent) continue
      lines ??= openLines(path)
      yield parseRow(path, lines.lineAt(place))
    }
  } finally {
    lines?.close()
  }
}

function parseRow(path: string, line: string | undefined): EpisodeRow {
  try {
    if (line !== undefined) return JSON.parse(line) as EpisodeRow
  } catch {
    // Told below.
  }
  throw new ShaketableError(
    'store',
    `${path}: a row that was there is gone; the file changed while it was read. Run the same command again.`,
  )
}

function countWord(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
