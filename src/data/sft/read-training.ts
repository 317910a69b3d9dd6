import { closeSync, readSync } from 'node:fs'
import type { TrainingRow } from '../../core/training.js'
import { openRegular } from '../../files/read-text.js'
import type { ReadRowsOptions } from '../formats/read-rows.js'
import { readRows } from '../formats/read-rows.js'
import { readTrajectories } from '../formats/read-trajectories.js'
import { rowOfTrajectory } from './row-of-trajectory.js'

const looked = 1 << 16
/** So many ids are remembered in search of duplicates, so that memory stays bounded. */
const mostIds = 500_000

/**
 * Reads training data of any known format row by row in bounded memory, and trajectories of a Player and a DM too.
 * @throws ShaketableError `bad-input` for what is no file or holds no JSON in UTF-8
 */
export function* readTraining(path: string, options: ReadRowsOptions = {}): Generator<TrainingRow, void, undefined> {
  if (!isScripted(path)) {
    for (const { row } of readRows(path, options)) yield row
    return
  }
  const { problem, mostBytes } = options
  const ids = new Set<string>()
  for (const found of readTrajectories(path, mostBytes === undefined ? {} : { mostBytes })) {
    const { record, line } = found
    const report = (message: string, skipped: boolean): void =>
      problem?.({ file: path, line, record, message, skipped })
    if (found.problem !== undefined) {
      report(found.problem, !found.isBetween)
      continue
    }
    const row = rowOfTrajectory(found.turns, found.id)
    if ('wrong' in row) {
      report(row.wrong, true)
      continue
    }
    if (row.id !== undefined && ids.has(row.id)) report(`its id '${row.id.slice(0, 80)}' has come before`, false)
    if (row.id !== undefined && ids.size < mostIds) ids.add(row.id)
    yield row
  }
}

/** Whether a file holds turns of a Player and a DM, as its beginning tells; what cannot be opened is left to those who read it. */
function isScripted(path: string): boolean {
  let file: number
  try {
    file = openRegular(path)
  } catch {
    return false
  }
  try {
    const bytes = Buffer.alloc(looked)
    const text = bytes.toString('utf8', 0, readSync(file, bytes, 0, looked, 0))
    return /"role"\s*:\s*"(?:Player|DM)"/.test(text)
  } catch {
    return false
  } finally {
    closeSync(file)
  }
}
