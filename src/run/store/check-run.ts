import { basename } from 'node:path'
import { isValid } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import { isLocked } from '../../files/lock.js'
import { readLines } from '../../files/lines.js'
import { count } from '../../tables/words.js'
import { placesByKey } from '../cells.js'
import { readServers } from '../servers.js'
import { readShrunk } from '../shrink/shrunk-file.js'
import { readPlan } from './plan-file.js'
import { noRun } from './read-run.js'
import { messageSchema, readNamed, trajectorySchema } from './read-trajectories.js'
import type { StoredTrajectory } from './record.js'
import { readRow } from './row.js'
import { filesOf } from './run-folder.js'
import { readSessions } from './sessions.js'

/** Something that is wrong with a run folder. */
interface Finding {
  /** Name of the file. */
  readonly file: string
  /** Number of the line, from 1. */
  readonly line?: number
  readonly problem: string
}

/** What is wrong with a run folder, and what is only worth knowing, in sentences. */
export interface CheckedRun {
  readonly findings: readonly Finding[]
  readonly remarks: readonly string[]
}

/**
 * Checks that every line of a run is what its file holds, that no episode has two valid rows, and that each row has its
 * trajectory with all its prompts. Values that were changed by hand and still fit are not noticed.
 * @throws ShaketableError `store` if the folder holds no run, its plan is damaged, or a file cannot be read
 */
export function checkRun(folder: string): CheckedRun {
  const files = filesOf(folder)
  const found = readPlan(files.plan)
  if (found === undefined) throw noRun(folder)
  readServers(files.servers)
  const places = placesByKey(found.plan)
  const isWriting = isLocked(files.lock)
  const findings: Finding[] = []
  const remarks = [
    ...(isWriting ? ['The run is being written; what it has so far is checked.'] : []),
    ...readSessions(files.sessions).notes,
    ...readShrunk(files.shrunk).notes,
  ]
  const find = (path: string, line: number, problem: string): void =>
    void findings.push({ file: basename(path), line, problem })
  function* endedLines(path: string) {
    for (const line of readLines(path)) {
      if (line.ended) yield line
      else if (!isWriting) find(path, line.number, 'the last line is unfinished; it is left out, and played again')
    }
  }
  const rows = new Map<string, { readonly line: number; readonly isDone: boolean }>()
  let strange = 0
  for (const { text, number } of endedLines(files.outcomes)) {
    const row = readRow(text)
    if (row === undefined) find(files.outcomes, number, "expected an episode's row, got something unreadable")
    else if (!places.has(row.key)) strange++
    else {
      const isDone = isValid(row.outcome)
      const known = rows.get(row.key)
      if (known?.isDone && isDone)
        find(files.outcomes, number, `the episode ${row.key} has a row in line ${String(known.line)} already`)
      if (!known?.isDone) rows.set(row.key, { line: number, isDone })
    }
  }
  if (strange > 0) {
    remarks.push(`${count(strange, 'row')} with a key that no episode of the plan has; reports leave them out.`)
  }
  const hashes = new Set<string>()
  for (const { text, number } of endedLines(files.prompts)) {
    const hash = nameIn(text, 'hash')
    const { problem } = readNamed(text, hash, 'hash', messageSchema)
    if (problem === undefined) hashes.add(hash)
    else find(files.prompts, number, problem)
  }
  const played = new Set<string>()
  for (const { text, number } of endedLines(files.trajectories)) {
    const key = nameIn(text, 'key')
    const { value, problem } = readNamed(text, key, 'key', trajectorySchema)
    if (problem !== undefined) {
      find(files.trajectories, number, problem)
      continue
    }
    played.add(key)
    const missing = (value as StoredTrajectory).prompt.filter((hash) => !hashes.has(hash)).length
    if (missing > 0) find(files.trajectories, number, `${count(missing, 'message')} of its prompt are missing`)
  }
  for (const [key, { line }] of rows) {
    if (!played.has(key)) find(files.outcomes, line, `the episode ${key} has no trajectory that can be read`)
  }
  return { findings, remarks }
}

function nameIn(text: string, field: 'key' | 'hash'): string {
  const value = parseJson(text) as Readonly<Record<string, unknown>> | null | undefined
  return String(value?.[field] ?? '')
}
