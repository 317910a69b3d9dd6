import { basename } from 'node:path'
import * as z from 'zod'
import type { EpisodeRow } from '../../core/episode.js'
import { isValid } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import type { KeptNumbers, Plan, StoredRun } from '../plan.js'
import { tellUnchecked } from '../../files/checksum.js'
import type { PlacedLines } from '../../files/line-at.js'
import { openLines } from '../../files/line-at.js'
import { isLocked } from '../../files/lock.js'
import { countCells } from '../cells.js'
import type { ModelChoice } from '../model-choice.js'
import { fileOf, isServed } from '../model-choice.js'
import { shipped } from '../registry.js'
import { readServers } from '../servers.js'
import { readShrunk } from '../shrink/shrunk-file.js'
import { filesOf, readStopped, readStoredPrices } from './run-folder.js'
import { readPlan } from './plan-file.js'
import { readRows } from './row.js'
import { openRowIndex } from './row-index.js'
import { readSessions, sumSessions } from './sessions.js'
import type { TrajectoryReader } from './read-trajectories.js'
import { createTrajectoryReader, leftOut } from './read-trajectories.js'

/** The current state of a run folder, read without changing it. */
export interface ReadRun extends StoredRun {
  readonly folder: string
  /** Number of episodes that have a row. */
  readonly stored: number
  readonly planned: number
  /** Sentences on lines that could not be read or do not belong to the plan, independent of the folder's path. */
  readonly notes: readonly string[]
  /** Sentences on what was read so far that are not part of reports: omitted trajectories, missing checksums. */
  readonly remarks: readonly string[]
  readonly unordered: NonNullable<StoredRun['unordered']>
  readonly trajectories: NonNullable<StoredRun['trajectories']>
  readonly calls: TrajectoryReader['calls']
}

/**
 * Reads a run: one row per episode, `rows` in the order of the plan. Of several rows of an episode the first valid one
 * counts, or the last if none is valid. The file is read on first use; only offsets are kept in memory, and each pass
 * over the rows reads the file again.
 * @throws ShaketableError `store` if the folder holds no run, or its plan is damaged
 */
export function readRun(folder: string): ReadRun {
  const files = filesOf(folder)
  const found = readPlan(files.plan)
  if (found === undefined) throw noRun(folder)
  const { plan } = found
  const servers = readServers(files.servers)
  const shrunk = readShrunk(files.shrunk)
  const spent = readSessions(files.sessions)
  const trajectories = createTrajectoryReader(files)
  const isWriting = isLocked(files.lock)
  const { stopped } = readStopped(files.stopped)
  let known: Found | undefined
  const index = openRowIndex(files, isWriting)
  const keep = (found: Found): Found => {
    const { places, notes, isUnchecked } = found
    index.write('rows', { value: { notes, isUnchecked }, arrays: [places] })
    return (known = found)
  }
  const findKept = (): Found | undefined => {
    known ??= foundIn(index.read('rows'), countCells(plan))
    return known
  }
  const scanOnce = (): Found => {
    const kept = findKept()
    if (kept !== undefined) return kept
    const scan = scanRows(files.outcomes, plan)
    for (;;) {
      const { done, value } = scan.next()
      if (done) return keep(value)
    }
  }
  const countStored = (): number =>
    scanOnce().places.reduce((count, place) => (place === absent ? count : count + 1), 0)
  return {
    folder,
    plan,
    rows: { [Symbol.iterator]: () => rowsAt(files.outcomes, scanOnce().places) },
    unordered: {
      *[Symbol.iterator]() {
        if (known === undefined) keep(yield* scanRows(files.outcomes, plan))
        else yield* rowsAt(files.outcomes, known.places)
      },
    },
    get stored() {
      return countStored()
    },
    planned: countCells(plan),
    ...describeExperiment(found.experiment),
    get stopped() {
      return stopped ?? (isWriting || countStored() === countCells(plan) ? undefined : playedPart)
    },
    get notes() {
      return scanOnce().notes
    },
    get remarks() {
      return [
        ...(found.isUnchecked
          ? [`${basename(files.plan)} has no checksum, as earlier versions wrote it: damage in it can go unnoticed.`]
          : []),
        ...(scanOnce().isUnchecked ? [tellUnchecked(basename(files.outcomes))] : []),
        ...shrunk.notes,
        ...spent.notes,
        ...trajectories.leftOut(),
      ]
    },
    trajectories: trajectories.read,
    calls: trajectories.calls,
    ...(found.history && { history: found.history }),
    ...(servers.length > 0 && { servers }),
    ...(shrunk.episodes.size > 0 && { shrunk: shrunk.episodes }),
    index,
    ...(isWriting && { writing: true }),
    ...readStoredPrices(files.prices),
    ...sumSessions(spent.sessions),
  }
}

/** The name of a stored experiment and its control models, as far as it can be read. */
export function describeExperiment(experiment: unknown): Pick<StoredRun, 'name' | 'controls'> {
  const { name, models } = experimentSchema.safeParse(experiment).data ?? {}
  const controls = models?.filter((one) => !isServed(one, shipped) && fileOf(one) === undefined).map((one) => one.name)
  return { ...(name && { name }), ...(controls && controls.length > 0 && { controls }) }
}

const experimentSchema = z.object({
  name: z.string().optional(),
  models: z.array(z.looseObject({ name: z.string() }).transform((one) => one as ModelChoice)),
})

/**
 * Why a run has no rows of some episodes where its last session did not say: it was ended from outside, or played a
 * part.
 */
export const playedPart = 'The sessions so far played a part of the plan.'

/** The error for a folder without a plan. */
export function noRun(folder: string): ShaketableError {
  return new ShaketableError(
    'store',
    `Expected a run folder with a plan.json, but ${folder} has none. Check the path; \`shaketable run\` makes one.`,
  )
}

/** Result of scanning all rows of a run. */
interface Found {
  /** Offset of each cell's row in the file, in bytes, or `absent`. */
  readonly places: Float64Array
  readonly notes: readonly string[]
  /** Whether there are lines of an earlier version, without a checksum. */
  readonly isUnchecked: boolean
}

/** What an index kept of an earlier scan. */
function foundIn(kept: KeptNumbers | undefined, cells: number): Found | undefined {
  const parsed = keptSchema.safeParse(kept)
  if (!parsed.success || parsed.data.arrays[0].length !== cells) return undefined
  const { value, arrays } = parsed.data
  return { places: arrays[0], ...value }
}

const keptSchema = z.object({
  value: z.object({ notes: z.array(z.string()), isUnchecked: z.boolean() }),
  arrays: z.tuple([z.instanceof(Float64Array)]),
})

const absent = -1
/** The most unreadable lines that are named one by one. */
const maxNamed = 10

/**
 * Reads every line once and yields the rows that count: valid ones immediately, since the first valid row counts
 * whatever follows, and rows of errors at the end, if there was no valid row of the episode.
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

/** @throws ShaketableError `store` if a row is no longer there */
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

/** @throws ShaketableError `store` if a row is no longer there */
export function parseRow(path: string, line: string | undefined): EpisodeRow {
  try {
    if (line !== undefined) return JSON.parse(line) as EpisodeRow
  } catch {
    // Reported below.
  }
  throw new ShaketableError(
    'store',
    `${path}: a row that was there is gone; the file changed while it was read. Run the same command again.`,
  )
}

function countWord(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}
