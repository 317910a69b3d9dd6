import { closeSync, fdatasyncSync, readSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import type { Plan } from '../plan.js'
import { cutAfter, cutTornLine, lastLineEnd } from '../../files/append-file.js'
import { tellUnchecked } from '../../files/checksum.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'
import { isLocked } from '../../files/lock.js'
import { openToWrite, writeParts } from '../../files/open-to-write.js'
import { lockOf } from '../shrink/shrunk-file.js'
import type { RunFiles } from './run-folder.js'
import type { StoredTrajectory } from './record.js'
import { readRow, readRows } from './row.js'
import type { SeenRow } from './store.js'

/** State of a run folder after recovery. */
interface Recovered {
  /** Hashes of the stored messages. */
  readonly prompts: Set<string>
  /** Sentences on lines that were cut or cannot be read. */
  readonly notes: readonly string[]
}

/** The most trajectories that may be written without their rows: see FileStore. */
export const maxUnwritten = 8192

/**
 * Prepares a run folder for appending: cuts torn last lines and trajectories without a row, and reads the rest. Damaged
 * lines are removed, and with them the row of an episode whose trajectory or prompt is damaged, so that it is played
 * again.
 * @param seen is called with each row of an episode of the plan; a row for which it returns false is removed like a
 * damaged one
 */
export function recover(files: RunFiles, plan: Plan, seen: SeenRow): Recovered {
  const notes: string[] = []
  const isShrinking = isLocked(lockOf(files.shrunk))
  const beside = [files.attempts, files.sessions, ...(isShrinking ? [] : [files.shrunk])]
  const torn = new Set<string>()
  for (const path of [files.outcomes, files.trajectories, files.prompts, ...beside]) {
    const cut = cutTornLine(path)
    if (cut === 0) continue
    torn.add(path)
    notes.push(
      `${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes) left by a writer that was stopped.`,
    )
  }
  const { prompts, trajectories, stored, lost } = findDamage(files, torn)
  const keys = new Set<string>()
  const damagedRows: Place[] = []
  let isUnchecked = prompts.isUnchecked || trajectories.isUnchecked
  for (const { line, row, place } of readRows(files.outcomes, plan)) {
    const { number, offset, bytes, state } = line
    const isPlanned = place !== undefined
    isUnchecked ||= isPlanned && state === 'unchecked'
    // A sound line that is not a row of this plan comes from another version, and stays.
    const isKept = row !== undefined && !lost.has(row.key) && (isPlanned || state === 'sound')
    if (isKept && (!isPlanned || seen(row) !== false)) {
      keys.add(row.key)
      continue
    }
    if (row !== undefined || state !== 'sound') damagedRows.push({ offset, bytes, number })
    if (!isPlanned) notes.push(tellDamaged(files.outcomes, number, state === 'damaged', row !== undefined))
  }
  notes.push(...trajectories.damaged.map(({ number }) => tellDamaged(files.trajectories, number, true)))
  notes.push(...prompts.damaged.map(({ number }) => tellDamaged(files.prompts, number, true)))
  // Rows first: if this is interrupted, the damage in the other files is found again, and the rows are gone already.
  takeOut(files.outcomes, damagedRows, files.damaged)
  takeOut(files.trajectories, trajectories.damaged, files.damaged)
  takeOut(files.prompts, prompts.damaged, files.damaged)
  for (const path of beside) {
    const { damaged } = inspect(path, false)
    takeOut(path, damaged, files.damaged)
    for (const { number } of damaged)
      notes.push(
        `${path}:${String(number)}: DAMAGED, the line is not as it was written. It is kept in damaged.jsonl, and what it said is lost.`,
      )
  }
  const orphans = cutOrphans(files.trajectories, keys)
  if (orphans > 0)
    notes.push(`${basename(files.trajectories)}: cut ${String(orphans)} unfinished at the end; they are played again.`)
  if (isUnchecked) notes.push(tellUnchecked(files.folder))
  return { prompts: stored, notes }
}

function tellDamaged(path: string, number: number, isDamaged: boolean, isRow = false): string {
  const what = isDamaged
    ? 'DAMAGED, the line is not as it was written'
    : `expected an episode's row, got ${isRow ? 'one whose names and key no episode of the plan has' : 'something unreadable'}`
  return `${path}:${String(number)}: ${what}. That episode is played again; the line is kept in damaged.jsonl.`
}

/** What is damaged beside the rows of a run folder, found without changing it. */
interface Damage {
  readonly prompts: Inspected
  readonly trajectories: Inspected
  /** Hashes of the stored messages. */
  readonly stored: Set<string>
  /** Keys of the episodes whose trajectory or prompt is damaged. */
  readonly lost: ReadonlySet<string>
}

/** @param torn files whose unfinished last line was cut */
export function findDamage(files: RunFiles, torn: ReadonlySet<string>): Damage {
  const [prompts, trajectories] = [files.prompts, files.trajectories].map((path) => inspect(path, torn.has(path))) as [
    Inspected,
    Inspected,
  ]
  const { sound: stored } = readNames(files.prompts, 'hash', prompts)
  return { prompts, trajectories, stored, lost: findLost(files, prompts, stored, trajectories) }
}

/** Place of a line. */
type Place = Pick<Line, 'offset' | 'bytes' | 'number'>

interface Inspected {
  readonly damaged: readonly Place[]
  /** Number of lines that are damaged or were cut. */
  readonly gone: number
  readonly isUnchecked: boolean
}

/**
 * Checks every line of a file.
 * @param isTorn whether its unfinished last line was cut
 */
function inspect(path: string, isTorn: boolean): Inspected {
  const damaged: Place[] = []
  let isUnchecked = false
  for (const { text, number, offset, bytes, ended, state } of readLines(path)) {
    if (!ended) isTorn = true
    else if (state === 'damaged' || (state === 'unchecked' && !isJson(text))) damaged.push({ offset, bytes, number })
    else isUnchecked ||= state === 'unchecked'
  }
  return { damaged, gone: damaged.length + (isTorn ? 1 : 0), isUnchecked }
}

const nameDigits = 20

/** The names at the beginning of a file's lines, and the apparent names of its damaged lines. */
function readNames(
  path: string,
  field: string,
  { damaged }: Inspected,
): Readonly<Record<'sound' | 'damaged', Set<string>>> {
  const prefix = `{"${field}":"`
  const places = new Set(damaged.map(({ offset }) => offset))
  const names = { sound: new Set<string>(), damaged: new Set<string>() }
  for (const { text, offset, ended } of readLines(path, prefix.length + nameDigits)) {
    if (!ended) break
    names[places.has(offset) ? 'damaged' : 'sound'].add(text.startsWith(prefix) ? text.slice(prefix.length) : '')
  }
  return names
}

/**
 * Finds the episodes with a damaged trajectory or prompt. If the name of a damaged trajectory is damaged too, the
 * episode without a trajectory is the one; if more trajectories are missing than lines are damaged, they were deleted,
 * which is not damage. A damaged prompt is written again with any one episode that begins with it.
 */
function findLost(
  files: RunFiles,
  prompts: Inspected,
  promptNames: ReadonlySet<string>,
  trajectories: Inspected,
): ReadonlySet<string> {
  const lost = new Set<string>()
  if (trajectories.gone > 0) {
    const names = readNames(files.trajectories, 'key', trajectories)
    for (const key of names.damaged) if (!names.sound.has(key)) lost.add(key)
    const missing = new Set<string>()
    for (const { text, state } of readLines(files.outcomes)) {
      const key = state === 'damaged' ? undefined : readRow(text)?.key
      if (key !== undefined && !names.sound.has(key)) missing.add(key)
    }
    if (missing.size <= trajectories.gone) for (const key of missing) lost.add(key)
  }
  if (prompts.gone > 0) {
    const found = new Set(promptNames)
    for (const { text, state } of readLines(files.trajectories)) {
      if (state === 'damaged' || !isJson(text)) continue
      const { key, prompt } = (JSON.parse(text) ?? {}) as Partial<StoredTrajectory>
      if (key === undefined || !Array.isArray(prompt) || prompt.every((hash) => found.has(hash))) continue
      lost.add(key)
      for (const hash of prompt) found.add(hash)
    }
  }
  return lost
}

/** Moves lines to another file and writes spaces in their place, so that no other line moves. */
function takeOut(path: string, places: readonly Place[], kept: string): void {
  if (places.length === 0) return
  const file = openToWrite(path, 'change')
  try {
    for (const { offset, bytes } of places) {
      const line = Buffer.alloc(bytes + 1, '\n')
      readSync(file, line, 0, bytes, offset)
      writeParts(kept, 'append', [line])
      line.fill(' ', 0, bytes)
      writeSync(file, line, 0, bytes + 1, offset)
    }
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Cuts the trajectories at the end of a file whose rows were not written. */
function cutOrphans(path: string, keys: ReadonlySet<string>): number {
  let orphans = 0
  cutAfter(path, (file, size) => {
    let end = size
    while (end > 0 && orphans < maxUnwritten) {
      const start = lastLineEnd(file, end - 1) + 1
      const key = keyAt(file, start)
      if (keys.has(key)) break
      end = start
      if (key !== '') orphans++
    }
    return end
  })
  return orphans
}

/** The key of the trajectory at an offset of the file: each line begins with it. */
function keyAt(file: number, start: number): string {
  const prefix = '{"key":"'
  const bytes = Buffer.alloc(prefix.length + 20)
  readSync(file, bytes, 0, bytes.length, start)
  const text = bytes.toString('latin1')
  return text.startsWith(prefix) ? text.slice(prefix.length) : ''
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
