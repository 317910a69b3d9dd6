import type { TrainingRow } from './data-filter.js'
import type { FoundRecord } from './records.js'
import { openRecords } from './records.js'
import { rowOf } from './row-formats.js'

/** One record of a file of training data. */
export interface RowRecord {
  readonly row: TrainingRow
  /** Its JSON text. */
  readonly raw: string
  /** From 1: its place in an array, or its line. */
  readonly record: number
}

/** A record of a file of training data that is left out. */
export interface RowProblem {
  readonly file: string
  readonly record: number
  /** A sentence without a full stop. */
  readonly message: string
}

/** Options of {@link readRows}. */
export interface ReadRowsOptions {
  /** Called for each problem. */
  readonly problem?: (problem: RowProblem) => void
  /** Those of the file, where it is open already. */
  readonly records?: Iterable<FoundRecord>
}

/**
 * Reads training data record by record, in any format that `rowOf` reads. Unreadable records are skipped and reported.
 * @throws ShaketableError `bad-input` for a path that is not a file or does not hold JSON in UTF-8
 */
export function* readRows(
  path: string,
  { problem, records = openRecords(path).records }: ReadRowsOptions = {},
): Generator<RowRecord, void, undefined> {
  for (const found of records) {
    const { record } = found
    const row = found.wrong === undefined ? rowOf(found.value) : { wrong: found.wrong }
    if ('wrong' in row) problem?.({ file: path, record, message: row.wrong! })
    else if (found.wrong === undefined) yield { row, raw: found.raw, record }
  }
}
