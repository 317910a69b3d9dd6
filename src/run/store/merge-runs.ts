import { existsSync } from 'node:fs'
import * as z from 'zod'
import type { EpisodeRow } from '../../results/episode-row.js'
import { isValid } from '../../core/episode.js'
import { jsonLine, parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { readLines, readLinesAt } from '../../files/lines.js'
import { takeLock } from '../../files/lock.js'
import { cells, countBy, createKeyMaker } from '../cells.js'
import { FileStore } from './file-store.js'
import type { JoinOptions, ReadRun, Source } from './read-run.js'
import { joinRuns, placeOf, playedPart } from './read-run.js'
import { findNamed } from './read-trajectories.js'
import type { StoredTrajectory } from './record.js'
import { asStoreError, clearStopped, filesOf, makeRunFolder, writePrices, writeStopped } from './run-folder.js'

/** Options of {@link mergeRuns}. */
interface MergeOptions extends JoinOptions {
  /** Once aborted, no more episodes are written; the same merge can be continued. */
  readonly stop: AbortSignal
  /** Called before episodes are written, with what is joined and the notes of the folder that is written. */
  readonly opened: (joined: ReadRun, notes: readonly string[]) => void
}

/** The result of merging. */
interface Merged {
  readonly joined: ReadRun
  /** Number of episodes that were added now. */
  readonly added: number
  /** Number of planned episodes without a valid row, by condition. */
  readonly missing: ReadonlyMap<string, number>
}

/**
 * Adds the episodes of several runs to a run folder, which may be new, an earlier result or a run that was played. A
 * merge that was interrupted is continued.
 * @throws ShaketableError `store` as `joinRuns`, and for a folder that cannot be written
 */
export async function mergeRuns(folders: readonly string[], out: string, options: MergeOptions): Promise<Merged> {
  const files = filesOf(out)
  const others = folders.filter((folder) => placeOf(folder) !== placeOf(out))
  if (others.length === 0) throw new ShaketableError('usage', `Expected runs other than ${out}, got none. Name them.`)
  // Before anything is written, so that a refused merge leaves no folder.
  joinRuns(others, options)
  makeRunFolder(files)
  const lock = takeLock(files.lock)
  let joined: ReadRun
  try {
    joined = joinRuns(existsSync(files.plan) ? [out, ...others] : others, options)
  } catch (thrown) {
    lock.release()
    throw thrown
  }
  const { plan, experiment, history, servers } = joined
  const has = new Map<string, EpisodeRow>()
  const store = await FileStore.open(
    out,
    { plan, experiment, ...(history && { history }) },
    { seen: (row) => has.set(row.key, row), servers, lock },
  )
  const isNew = ({ key, outcome }: EpisodeRow): boolean =>
    !has.has(key) || (isValid(outcome) && !isValid(has.get(key)!.outcome))
  let added = 0
  try {
    options.opened(joined, store.notes)
    const rows = [...joined.rows].filter(isNew)
    for (const source of joined.sources) {
      added += await copyEpisodes(
        rows.filter(({ key }) => joined.ownerOf(key) === source),
        source,
        store,
        options.stop,
      )
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
    if (stopped !== playedPart && joined.stored < joined.planned) writeStopped(files.stopped, stopped)
    else clearStopped(files.stopped)
  } catch (thrown) {
    throw asStoreError(thrown, out)
  } finally {
    await store.close()
  }
  const keyOf = createKeyMaker(plan)
  const valid = new Set([...joined.rows].filter(({ outcome }) => isValid(outcome)).map(({ key }) => key))
  const missing = cells(plan).filter((cell) => !valid.has(keyOf(cell)))
  return { joined, added, missing: countBy(missing, ({ column }) => column.label) }
}

/** Episodes after which timers and signals have their turn. */
const episodesAtOnce = 256

/** Copies episodes with their trajectories and prompts. @returns their number */
async function copyEpisodes(
  rows: readonly EpisodeRow[],
  { files }: Source,
  store: FileStore,
  stop: AbortSignal,
): Promise<number> {
  const [trajectories, prompts] = [findNamed(files.trajectories, 'key'), findNamed(files.prompts, 'hash')]
  const given = new Set<string>()
  let added = 0
  for (let start = 0; start < rows.length && !stop.aborted; start += episodesAtOnce) {
    const batch = rows.slice(start, start + episodesAtOnce)
    const lines = new Map(
      [
        ...readLinesAt(
          files.trajectories,
          batch.flatMap(({ key }) => trajectories.get(key) ?? []),
        ),
      ].map(({ name, text }) => [name, text]),
    )
    const hashesOf = (row: EpisodeRow): readonly string[] =>
      (parseJson(lines.get(row.key) ?? '') as Partial<StoredTrajectory> | undefined)?.prompt ?? []
    const wanted = [...new Set(batch.flatMap(hashesOf))].filter((hash) => !given.has(hash))
    for (const hash of wanted) given.add(hash)
    const messages = [
      ...readLinesAt(
        files.prompts,
        wanted.flatMap((hash) => prompts.get(hash) ?? []),
      ),
    ]
    for (const [place, row] of batch.entries()) {
      store.append({
        row,
        rowLine: jsonLine(row),
        trajectoryLine: lines.get(row.key) ?? '',
        prompts: place === 0 ? messages.map(({ name, text }) => ({ hash: name, line: text })) : [],
      })
    }
    added += batch.length
    await store.ready()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return added
}

const named = z.union([
  z.object({ session: z.string() }).transform(({ session }) => session),
  z.object({ replay: z.string() }).transform(({ replay }) => `replay ${replay}`),
  z.object({ shrunk: z.object({ key: z.string() }) }).transform(({ shrunk }) => `shrunk ${shrunk.key}`),
])

/** The last line of each name: the session of sessions.jsonl, the replay or the episode of shrunk.jsonl. */
function lastLines(paths: readonly string[]): Map<string, string> {
  const lines = new Map<string, string>()
  for (const path of paths) {
    for (const { text } of readLines(path)) {
      const name = named.safeParse(parseJson(text)).data
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
