import { existsSync } from 'node:fs'
import * as z from 'zod'
import type { EpisodeRow } from '../../core/episode.js'
import { canonicalJson, isValid, parseJson } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { readObject } from '../../files/checksum.js'
import { openLines } from '../../files/line-at.js'
import { readLines } from '../../files/lines.js'
import { readWhole } from '../../files/read-text.js'
import { countMissing, createCellFinder } from '../cells.js'
import { FileStore } from './file-store.js'
import type { JoinOptions, JoinedRun, Source } from './join-runs.js'
import { agree, createContradictions, joinRuns, placeOf } from './join-runs.js'
import { readPlan } from './plan-file.js'
import { playedPart } from './read-run.js'
import { openNamed } from './read-trajectories.js'
import type { StoredTrajectory } from './record.js'
import { asStoreError, clearStopped, filesOf, writeObject, writePrices, writeStopped } from './run-folder.js'

/** Options of {@link mergeRuns}. */
interface MergeOptions extends JoinOptions {
  /** Once aborted, no more episodes are written; the same merge can be continued. */
  readonly stop: AbortSignal
  /** Called before episodes are written, with what is joined and the notes of the folder that is written. */
  readonly opened: (joined: JoinedRun, notes: readonly string[]) => void
}

/** The result of merging. */
interface Merged {
  readonly joined: JoinedRun
  /** Number of episodes that were added now. */
  readonly added: number
  /** Number of planned episodes without a valid row, by condition. */
  readonly missing: ReadonlyMap<string, number>
  readonly notes: readonly string[]
}

/**
 * Writes several runs into one run folder, which is new or the earlier result of merging. A result that was interrupted
 * is continued.
 * @throws ShaketableError `store` as `joinRuns`, and for a folder that cannot be written or is another run
 */
export async function mergeRuns(folders: readonly string[], out: string, options: MergeOptions): Promise<Merged> {
  const files = filesOf(out)
  const others = folders.filter((folder) => placeOf(folder) !== placeOf(out))
  const before = readMerged(files.merged)
  if (before === undefined && existsSync(files.plan)) {
    throw new ShaketableError(
      'store',
      `Expected a new folder or an earlier result of \`shaketable merge\`, but ${out} is a run that was played. Name it among the runs, and give --out another folder.`,
    )
  }
  if (others.length === 0) throw new ShaketableError('usage', `Expected runs other than ${out}, got none. Name them.`)
  const found = readPlan(files.plan, () => undefined)
  const joined = joinRuns(others, options, found && { files, found })
  try {
    return await writeEpisodes(joined, out, options, () => {
      const now = readPlan(files.plan, () => undefined)
      if (canonicalJson(now?.plan ?? null) !== canonicalJson(found?.plan ?? null)) {
        throw new ShaketableError(
          'store',
          `Another process has changed ${out} while the runs were read. Run the same command again.`,
        )
      }
      const sources = new Set([
        ...(readMerged(files.merged) ?? []),
        ...joined.sources.map(({ files: { folder } }) => folder),
      ])
      // Before the plan is written: a merge that is killed now can be continued.
      writeObject(files.merged, { merged: [...sources] })
    })
  } finally {
    joined.close()
  }
}

/** @param prepare is called once no other process can write to the folder */
async function writeEpisodes(
  joined: JoinedRun,
  out: string,
  { prefer, stop, opened }: MergeOptions,
  prepare: () => void,
): Promise<Merged> {
  const files = filesOf(out)
  const { plan, experiment, history, servers } = joined
  const find = createCellFinder(plan)
  const isThere = new Uint8Array(joined.planned)
  const hasEnded = new Uint8Array(joined.planned)
  const contradictions = createContradictions()
  const seen = (row: EpisodeRow): boolean => {
    const index = find(row)!
    const other = joined.rowAt(index)
    const mine = isValid(row.outcome)
    const theirs = other !== undefined && isValid(other.outcome)
    if (mine && theirs && !agree(row, other)) {
      if (prefer === 'newest' && (other.date ?? '') >= (row.date ?? '')) return false
      if (prefer === undefined) contradictions.add(row, () => files.outcomes, 'the runs')
    }
    if (mine || !theirs) isThere[index] = 1
    if (mine) hasEnded[index] = 1
    return true
  }
  const planFile = { plan, experiment, ...(history && { history }) }
  const store = await FileStore.open(out, planFile, { prepare, seen, servers })
  const notes: string[] = []
  let added = 0
  try {
    contradictions.refuse()
    opened(joined, store.notes)
    for (const [number, source] of joined.sources.entries()) {
      added += await copySource(source, joined.placesIn(number), {
        store,
        stop,
        note: (note) => notes.push(`${source.files.folder}: ${note}`),
        isNew(row) {
          const index = find(row)!
          if (isThere[index] === 1) return false
          isThere[index] = 1
          if (isValid(row.outcome)) hasEnded[index] = 1
          return true
        },
      })
    }
    await store.flush()
    for (const name of ['sessions', 'shrunk'] as const) {
      await joinLines(
        joined.sources.map((source) => source.files[name]),
        files[name],
      )
    }
    if (joined.prices) writePrices(files.prices, joined.prices)
    const { stopped = playedPart } = joined
    if (stopped !== playedPart && isThere.includes(0)) writeStopped(files.stopped, stopped)
    else clearStopped(files.stopped)
  } catch (thrown) {
    throw asStoreError(thrown, out)
  } finally {
    await store.close()
  }
  return {
    joined,
    added,
    missing: countMissing(
      plan,
      (index) => hasEnded[index] === 1,
      ({ column }) => column.label,
    ),
    notes,
  }
}

interface Copying {
  readonly store: FileStore
  readonly stop: AbortSignal
  readonly note: (note: string) => void
  readonly isNew: (row: EpisodeRow) => boolean
}

/** Episodes after which timers and signals have their turn. */
const episodesAtOnce = 256

/** Appends the episodes whose rows are at these places. @returns their number */
async function copySource({ files }: Source, places: Float64Array, copying: Copying): Promise<number> {
  const { store, stop, note, isNew } = copying
  if (places.length === 0) return 0
  const rows = openLines(files.outcomes)
  const trajectories = openNamed(files.trajectories, 'key')
  const prompts = openNamed(files.prompts, 'hash')
  const attempts = openNamed(files.attempts, 'key', note)
  const given = new Set<string>()
  let added = 0
  try {
    for (const [number, place] of places.entries()) {
      if (number % episodesAtOnce === 0) await new Promise((resolve) => setImmediate(resolve))
      if (stop.aborted) break
      const rowLine = rows.lineAt(place)!
      const row = JSON.parse(rowLine) as EpisodeRow
      if (!isNew(row)) continue
      const trajectoryLine = trajectories.textOf(row.key) ?? ''
      const attemptsLine = attempts.textOf(row.key)
      const { prompt = [] } = (parseJson(trajectoryLine) ?? {}) as Partial<StoredTrajectory>
      const missing = [...new Set(prompt)].filter((hash) => !given.has(hash))
      for (const hash of missing) given.add(hash)
      store.append({
        row,
        rowLine,
        trajectoryLine,
        ...(attemptsLine !== undefined && { attemptsLine }),
        prompts: missing.flatMap((hash) => {
          const line = prompts.textOf(hash)
          return line === undefined ? [] : [{ hash, line }]
        }),
      })
      added++
      await store.ready()
    }
  } finally {
    for (const opened of [rows, trajectories, prompts, attempts]) opened.close()
  }
  return added
}

const named = z.union([
  z.object({ session: z.string() }).transform(({ session }) => session),
  z.object({ replay: z.string() }).transform(({ replay }) => `replay ${replay}`),
  z.object({ shrunk: z.object({ key: z.string() }) }).transform(({ shrunk }) => `shrunk ${shrunk.key}`),
])

/** The last sound line of each name: the session of sessions.jsonl, the replay or the episode of shrunk.jsonl. */
function lastLines(paths: readonly string[]): Map<string, string> {
  const lines = new Map<string, string>()
  for (const path of paths) {
    for (const { text, state } of readLines(path)) {
      const name = state === 'damaged' ? undefined : named.safeParse(parseJson(text)).data
      if (name !== undefined) lines.set(name, text)
    }
  }
  return lines
}

/** Adds the lines that a file does not have. */
async function joinLines(paths: readonly string[], target: string): Promise<void> {
  const there = lastLines([target])
  const added = [...lastLines(paths)].filter(([name, text]) => there.get(name) !== text).map(([, text]) => text)
  if (added.length === 0) return
  cutTornLine(target)
  const file = await AppendFile.open(target)
  try {
    await file.write(added)
  } finally {
    await file.close()
  }
}

const mergedSchema = z.object({ merged: z.array(z.string()) })

/** The runs from which a folder was merged; undefined if it was not, empty if the list is damaged. */
function readMerged(path: string): readonly string[] | undefined {
  const bytes = readWhole(path)
  if (bytes === undefined) return undefined
  const { text, state } = readObject(bytes)
  return state === 'damaged' ? [] : (mergedSchema.safeParse(parseJson(text)).data?.merged ?? [])
}
