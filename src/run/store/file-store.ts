import { basename } from 'node:path'
import type { EpisodeRow } from '../../results/episode-row.js'
import { isValid } from '../../core/episode.js'
import { type AppendFile, openToAppend } from '../../files/append-file.js'
import { createGroupWriter } from '../../files/group-writer.js'
import { takeLock } from '../../files/lock.js'
import type { KnownServer } from '../servers.js'
import { asStoreError, filesOf, makeRunFolder } from './run-folder.js'
import { type PlanFile, settlePlan } from './plan-file.js'
import { findNamed } from './read-trajectories.js'
import type { SealedEpisode } from './record.js'
import { openRows } from './rows.js'
import type { Store } from './store.js'

interface OpenOptions {
  /** Called with the stored row of each episode of the folder's plan. */
  readonly seen?: ((row: EpisodeRow) => void) | undefined
  readonly servers?: readonly KnownServer[] | undefined
  /** When the plan changes, if it does. Default: now. */
  readonly date?: string
}

/** The most episodes that wait to be written before those who play are slowed down. */
const maxWaiting = 2048

/**
 * Opens a new or existing run folder, whose plan takes in what the given one adds, and becomes its only writer.
 * Episodes are written in groups: prompts first, then trajectories, then rows, each flushed before the next. A row on
 * disk therefore implies that the rest of its episode is there too; an episode without a row is played again.
 * @throws ShaketableError `store` if another process writes to it, if it holds episodes that the plan would change, if
 * it holds other files, or if it cannot be written
 */
export async function openFileStore(folder: string, planFile: PlanFile, options: OpenOptions = {}) {
  const { seen, servers = [], date = `${new Date().toISOString().slice(0, 19)}Z` } = options
  const files = filesOf(folder)
  const closing: (() => unknown)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closing.reverse()) await close()
  }
  try {
    makeRunFolder(files)
    const lock = takeLock(files.lock)
    closing.push(() => lock.release())
    const { plan, notes } = settlePlan(files, planFile, servers, date)
    const open = async (path: string): Promise<AppendFile> => {
      const file = await openToAppend(path)
      closing.push(() => file.close())
      const what = `cut 1 unfinished last line (${String(file.cut)} bytes) left by a writer that was stopped.`
      if (file.cut > 0) notes.push(`${basename(path)}: ${what}`)
      return file
    }
    const prompts = await open(files.prompts)
    const trajectories = await open(files.trajectories)
    const outcomes = await open(files.outcomes)
    /** Keys of valid episodes, which are not played again. */
    const settled = new Set<string>()
    const rows = openRows(plan, [files])
    for (const row of rows) {
      seen?.(row)
      if (isValid(row.outcome)) settled.add(row.key)
    }
    const known = rows.known()
    notes.push(...known.notes)
    const storedPrompts = new Set(findNamed(files.prompts).keys())
    const isNewPrompt = (hash: string): boolean => storedPrompts.size < storedPrompts.add(hash).size
    /** @throws ShaketableError `store` if a file was removed or replaced */
    const check = async (): Promise<void> => {
      for (const file of [prompts, trajectories, outcomes]) await file.check()
    }
    const groups = createGroupWriter<SealedEpisode>(async (group) => {
      try {
        await check()
        await prompts.write(
          group.flatMap((episode) => episode.prompts.flatMap(({ hash, line }) => (isNewPrompt(hash) ? [line] : []))),
        )
        await trajectories.write(group.flatMap(({ trajectoryLine }) => trajectoryLine || []))
        await outcomes.write(group.map(({ rowLine }) => rowLine))
      } catch (thrown) {
        throw asStoreError(thrown, outcomes.path)
      }
    })
    const store = {
      notes: notes as readonly string[],
      /** Number of valid episodes when it was opened, of the whole run. */
      size: known.valid,
      has: (key: string) => settled.has(key),
      append: (episode: SealedEpisode) => groups.add(episode),
      async ready(): Promise<void> {
        if (groups.waiting() >= maxWaiting) await groups.flush()
        groups.check()
      },
      async close(): Promise<void> {
        try {
          await groups.flush()
          await check()
        } finally {
          await closeAll()
        }
      },
    }
    return store satisfies Store
  } catch (thrown) {
    await closeAll()
    throw asStoreError(thrown, folder)
  }
}
