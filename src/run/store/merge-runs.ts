import { existsSync } from 'node:fs'
import type { EpisodeRow } from '../../results/episode-row.js'
import { isValid } from '../../core/episode.js'
import { usageError } from '../../core/errors.js'
import { cellsByKey } from '../cells.js'
import { openFileStore } from './file-store.js'
import { type JoinOptions, type ReadRun, joinRuns, placeOf, playedPart } from './read-run.js'
import { sealEpisode, sealRow } from './record.js'
import { asStoreError, clearStopped, filesOf, writeStopped } from './run-folder.js'

interface MergeOptions extends JoinOptions {
  /** Once aborted, no more episodes are written; the same merge can be continued. */
  readonly stop: AbortSignal
  /** Called before episodes are written, with what is joined and the notes of the folder that is written. */
  readonly opened: (joined: ReadRun, notes: readonly string[]) => void
}

/** Episodes whose trajectories are read at once; then timers and signals have their turn. */
const batch = 256

/**
 * Adds the episodes of several runs to a run folder, which may be new, an earlier result or a run that was played. A
 * merge that was interrupted is continued.
 * @throws ShaketableError `store` as `joinRuns`, and for a folder that cannot be written
 */
export async function mergeRuns(folders: readonly string[], out: string, options: MergeOptions) {
  const files = filesOf(out)
  const others = folders.filter((folder) => placeOf(folder) !== placeOf(out))
  if (others.length === 0) throw usageError(`Expected runs other than ${out}, got none. Name them.`)
  // Before anything is written, so that a refused merge leaves no folder.
  const joined = joinRuns(existsSync(files.plan) ? [out, ...others] : others, options)
  const { plan, experiment, history, servers } = joined
  const seen = new Set<string>()
  const store = await openFileStore(
    out,
    { plan, experiment, ...(history && { history }) },
    { seen: ({ key }) => seen.add(key), servers },
  )
  const missing = new Map(cellsByKey(plan))
  let added = 0
  const write = async (rows: readonly EpisodeRow[]): Promise<void> => {
    const trajectories = joined.trajectories(rows.map(({ key }) => key))
    for (const row of rows) {
      const trajectory = trajectories.get(row.key)
      store.append(trajectory === undefined ? sealRow(row) : sealEpisode({ row, trajectory }))
    }
    added += rows.length
    await store.ready()
    await new Promise((resolve) => setImmediate(resolve))
  }
  try {
    options.opened(joined, store.notes)
    const waiting: EpisodeRow[] = []
    for (const row of joined.rows) {
      const isNew = isValid(row.outcome) ? !store.has(row.key) : !seen.has(row.key)
      if (isValid(row.outcome)) missing.delete(row.key)
      if (isNew && !options.stop.aborted && waiting.push(row) === batch) await write(waiting.splice(0))
    }
    if (!options.stop.aborted) await write(waiting)
    const { stopped = playedPart } = joined
    if (stopped !== playedPart && joined.stored < joined.planned) writeStopped(files.stopped, stopped)
    else clearStopped(files.stopped)
  } catch (thrown) {
    throw asStoreError(thrown, out)
  } finally {
    await store.close()
  }
  /** `added` counts episodes that were added now, `missing` planned ones without a valid row, by condition. */
  const absent = new Map<string, number>()
  for (const { condition } of missing.values()) absent.set(condition.label, (absent.get(condition.label) ?? 0) + 1)
  return { joined, added, missing: absent }
}
