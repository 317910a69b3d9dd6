import type { EpisodeRow } from '../../core/episode.js'
import type { Plan } from '../../core/report.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'
import { cellAt, createCellFinder } from '../cells.js'
import { createKeyMaker } from '../keys.js'
import { readRow } from './row.js'

/** A line of outcomes.jsonl, and what it is to a plan. */
interface RowLine {
  readonly line: Line
  /** Absent where the line is damaged, or is not a row. */
  readonly row?: EpisodeRow
  /**
   * The place of the row's episode in the order of play; absent where the plan has no episode of its names and its key.
   */
  readonly place?: number
}

/**
 * Reads outcomes.jsonl line by line. A report and a run that goes on both count an episode as stored where this finds
 * a row of it and nowhere else, so that they can never differ in what is there.
 * @throws ShaketableError `store` where the file cannot be read
 */
export function* readRows(path: string, plan: Plan): Generator<RowLine, void, undefined> {
  const find = createCellFinder(plan)
  const keyOf = createKeyMaker(plan)
  for (const line of readLines(path)) {
    const row = line.state === 'damaged' ? undefined : readRow(line.text)
    const place = row && find(row)
    if (row === undefined) yield { line }
    else if (place === undefined || row.key !== keyOf(cellAt(plan, place))) yield { line, row }
    else yield { line, row, place }
  }
}
