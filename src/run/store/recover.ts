import { closeSync, fdatasyncSync, openSync, readSync, writeFileSync, writeSync } from 'node:fs'
import { basename } from 'node:path'
import type { EpisodeRow } from '../../core/episode.js'
import type { Plan } from '../../core/report.js'
import { cutAfter, cutTornLine, lastLineEnd } from '../../files/append-file.js'
import { tellUnchecked } from '../../files/checksum.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'
import type { RunFiles } from './run-folder.js'
import type { StoredTrajectory } from './record.js'
import { readRow, readRows } from './row.js'

/** What a run folder holds, after what a killed writer left behind was cut. */
interface Recovered {
  readonly rows: number
  /** Hashes of the messages that are stored. */
  readonly prompts: Set<string>
  /** What was cut or cannot be read, in sentences. */
  readonly notes: readonly string[]
}

/** More trajectories than this are never ahead of their rows: see FileStore. */
export const maxUnwritten = 8192

/**
 * Makes a run folder fit to be written on: cuts torn last lines and trajectories without a row, and reads what is
 * there. Damaged lines are taken out, and with them the row of an episode whose trajectory or prompt is damaged, so
 * that it is played again.
 * @param seen is called with each row of an episode of the plan
 */
export function recover(files: RunFiles, plan: Plan, seen: (row: EpisodeRow) => void): Recovered {
  const notes: string[] = []
  const torn = new Set<string>()
  for (const path of [files.outcomes, files.trajectories, files.prompts, files.attempts]) {
    const cut = cutTornLine(path)
    if (cut === 0) continue
    torn.add(path)
    notes.push(
      `${basename(path)}: cut 1 unfinished last line (${String(cut)} bytes) left by a writer that was stopped.`,
    )
  }
  const [prompts, trajectories] = [files.prompts, files.trajectories].map((path) => inspect(path, torn.has(path))) as [
    Inspected,
    Inspected,
  ]
  const { sound: stored } = readNames(files.prompts, 'hash', prompts)
  const lost = findLost(files, prompts, stored, trajectories)
  const keys = new Set<string>()
  const damagedRows: Place[] = []
  let isUnchecked = prompts.isUnchecked || trajectories.isUnchecked
  for (const { line, row, place } of readRows(files.outcomes, plan)) {
    const { number, offset, bytes, state } = line
    const isPlanned = place !== undefined
    isUnchecked ||= isPlanned && state === 'unchecked'
    // A sound line that is not a row of this plan was written by another version, and stays.
    if (row !== undefined && !lost.has(row.key) && (isPlanned || state === 'sound')) {
      keys.add(row.key)
      if (isPlanned) seen(row)
      continue
    }
    if (row !== undefined || state !== 'sound') damagedRows.push({ offset, bytes, number })
    if (!isPlanned) notes.push(tellDamaged(files.outcomes, number, state === 'damaged', row !== undefined))
  }
  notes.push(...trajectories.damaged.map(({ number }) => tellDamaged(files.trajectories, number, true)))
  notes.push(...prompts.damaged.map(({ number }) => tellDamaged(files.prompts, number, true)))
  // Rows first: when this is interrupted, what is damaged of the others is found again, and their rows are gone.
  takeOut(files.outcomes, damagedRows, files.damaged)
  takeOut(files.trajectories, trajectories.damaged, files.damaged)
  takeOut(files.prompts, prompts.damaged, files.damaged)
  const orphans = cutOrphans(files.trajectories, keys)
  if (orphans > 0)
    notes.push(`${basename(files.trajectories)}: cut ${String(orphans)} unfinished at the end; they are played again.`)
  if (isUnchecked) notes.push(tellUnchecked(files.folder))
  return { rows: keys.size, prompts: stored, notes }
}

function tellDamaged(path: string, number: number, isDamaged: boolean, isRow = false): string {
  const what = isDamaged
    ? 'DAMAGED, the line is not as it was written'
    : `expected an episode's row, got ${isRow ? 'one whose names and key no episode of the plan has' : 'something unreadable'}`
  return `${path}:${String(number)}: ${what}. That episode is played again; the line is kept in damaged.jsonl.`
}

/** A line of a file. */
type Place = Pick<Line, 'offset' | 'bytes' | 'number'>

interface Inspected {
  readonly damaged: readonly Place[]
  /** How many lines are damaged or were cut. */
  readonly gone: number
  readonly isUnchecked: boolean
}

/** Looks at every line of a file. */
function inspect(path: string, isTorn: boolean): Inspected {
  const damaged: Place[] = []
  let isUnchecked = false
  for (const { text, number, offset, bytes, state } of readLines(path)) {
    if (state === 'damaged' || (state === 'unchecked' && !isJson(text))) damaged.push({ offset, bytes, number })
    else isUnchecked ||= state === 'unchecked'
  }
  return { damaged, gone: damaged.length + (isTorn ? 1 : 0), isUnchecked }
}

const nameDigits = 20

/** What the lines of a file are named that each begin with a name, and what the damaged ones seem to be named. */
function readNames(
  path: string,
  field: string,
  { damaged }: Inspected,
): Readonly<Record<'sound' | 'damaged', Set<string>>> {
  const prefix = `{"${field}":"`
  const places = new Set(damaged.map(({ offset }) => offset))
  const names = { sound: new Set<string>(), damaged: new Set<string>() }
  for (const { text, offset } of readLines(path, prefix.length + nameDigits)) {
    names[places.has(offset) ? 'damaged' : 'sound'].add(text.startsWith(prefix) ? text.slice(prefix.length) : '')
  }
  return names
}

/**
 * Finds the episodes of which something else than the row was damaged. Where the name of a damaged trajectory is
 * damaged too, it is the one that is missing; where more are missing than that, somebody has removed them, which is no
 * damage. A damaged prompt is written again with any one episode that begins with it.
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

/** Keeps lines in a file of their own and writes spaces in their place, so that no other line moves. */
function takeOut(path: string, places: readonly Place[], kept: string): void {
  if (places.length === 0) return
  const file = openSync(path, 'r+')
  try {
    for (const { offset, bytes } of places) {
      const line = Buffer.alloc(bytes + 1, '\n')
      readSync(file, line, 0, bytes, offset)
      writeFileSync(kept, line, { flag: 'a', flush: true })
      line.fill(' ', 0, bytes)
      writeSync(file, line, 0, bytes + 1, offset)
    }
    fdatasyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** Cuts trajectories at the end whose rows were not written any more. */
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

/** The key of the stored trajectory that begins at an index of the file: each line begins with it. */
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
