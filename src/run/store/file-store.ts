import { basename } from 'node:path'
import type { EpisodeRow } from '../../results/episode-row.js'
import { isValid } from '../../core/episode.js'
import { isSettled } from '../../results/episode-row.js'
import { AppendFile, cutTornLine } from '../../files/append-file.js'
import { GroupWriter } from '../../files/group-writer.js'
import { readLines } from '../../files/lines.js'
import { takeLock } from '../../files/lock.js'
import type { KnownServer } from '../servers.js'
import type { RunFiles } from './run-folder.js'
import { asStoreError, filesOf, makeRunFolder, settlePlan } from './run-folder.js'
import type { PlanFile } from './plan-file.js'
import { findNamed, nameIn } from './read-trajectories.js'
import type { SealedEpisode } from './record.js'
import { leftOut, noteUnreadable, readRows } from './row.js'
import type { Store } from './store.js'

interface OpenOptions {
  /** Called with the stored row of each episode of the folder's plan. */
  readonly seen?: ((row: EpisodeRow) => void) | undefined
  /** Whether episodes whose conversation a server refused are played again. */
  readonly retryRefused?: boolean
  /** Reports of servers, stored with the plan. */
  readonly servers?: readonly KnownServer[] | undefined
  /** When the plan changes, if it does. Default: now. */
  readonly date?: string
}

/** Lines after which timers and signals have their turn. */
const copiedAtOnce = 256

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
  const { seen, retryRefused = false, servers = [], date = `${new Date().toISOString().slice(0, 19)}Z` } = options
  const files = filesOf(folder)
  const closing: { close?(): Promise<void>; release?(): void }[] = []
  const closeAll = async (): Promise<void> => {
    for (const one of closing.reverse()) await (one.close?.() ?? one.release?.())
  }
  try {
    makeRunFolder(files)
    closing.push(takeLock(files.lock))
    const paths = [files.prompts, files.trajectories, files.outcomes]
    const notes = paths.flatMap((path) => {
      const cut = cutTornLine(path)
      const what = `cut 1 unfinished last line (${String(cut)} bytes) left by a writer that was stopped.`
      return cut === 0 ? [] : [`${basename(path)}: ${what}`]
    })
    const { plan, notes: planNotes } = settlePlan(files, planFile, servers, date)
    /** Keys of episodes that are not played again. */
    const settled = new Set<string>()
    let size = 0
    const { rows, leftOut: left } = readRows(plan, [files.outcomes])
    for (const row of rows) {
      seen?.(row)
      if (isValid(row.outcome)) size++
      if (isValid(row.outcome) || (isSettled(row) && !retryRefused)) settled.add(row.key)
    }
    const { unreadable } = left[0]!
    notes.push(...planNotes, ...noteUnreadable(files.outcomes, unreadable, `expected an episode's row. ${leftOut}`))
    const storedPrompts = new Set(findNamed(files.prompts).keys())
    const isNewPrompt = (hash: string): boolean => storedPrompts.size < storedPrompts.add(hash).size
    const opened: AppendFile[] = []
    for (const path of paths) {
      opened.push(await AppendFile.open(path))
      closing.push(opened.at(-1)!)
    }
    const [prompts, trajectories, outcomes] = opened as [AppendFile, AppendFile, AppendFile]
    /** @throws ShaketableError `store` if a file was removed or replaced */
    const check = async (): Promise<void> => {
      for (const file of opened) await file.check()
    }
    const groups = new GroupWriter<SealedEpisode>(async (group) => {
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
      notes,
      /** Number of valid episodes when it was opened, of the whole run. */
      size,
      has: (key: string) => settled.has(key),
      append: (episode: SealedEpisode) => groups.add(episode),
      async ready(): Promise<void> {
        if (groups.waiting >= maxWaiting) await groups.flush()
        groups.check()
      },
      /**
       * Copies episodes of another run, given by their keys, in the order in which they are written: the episodes of a
       * copy that was stopped are copied again. @returns false once it is stopped
       */
      async copy(from: RunFiles, keys: ReadonlySet<string>, stop: AbortSignal): Promise<boolean> {
        const isCopied = (key: string): boolean => keys.has(key)
        const copied = [
          [from.prompts, prompts, isNewPrompt],
          [from.trajectories, trajectories, isCopied],
          [from.outcomes, outcomes, isCopied],
        ] as const
        for (const [path, file, isWanted] of copied) {
          let lines: string[] = []
          for (const { text, ended } of readLines(path)) {
            const name = ended ? nameIn(text) : undefined
            if (name !== undefined && isWanted(name)) lines.push(text)
            if (lines.length < copiedAtOnce) continue
            if (stop.aborted) return false
            await file.write(lines)
            lines = []
          }
          await file.write(lines)
        }
        return true
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
