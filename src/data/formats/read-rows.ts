import type { TrainingRow } from '../../core/training.js'
import { ByteWindow } from './_byte-window.js'
import { cutRecords } from './_cut-records.js'
import { readContainer } from './container.js'
import { rowOf } from './row-formats.js'

/** One record of a file of training data. */
export interface RowRecord {
  readonly row: TrainingRow
  /** Its JSON text as it stands in the file, with every key. */
  readonly raw: string
  /** Which record of the file it is, from 1; broken ones count. */
  readonly record: number
  /** The line on which it begins, from 1. */
  readonly line: number
}

/** Something that is wrong with a file of training data. */
export interface RowProblem {
  readonly file: string
  readonly line: number
  readonly record: number
  /** A sentence without a full stop. */
  readonly message: string
  /** Whether a record was passed over for it. */
  readonly skipped: boolean
}

/** How rows are read. */
export interface ReadRowsOptions {
  /** Hears of each problem; without it they pass unheard. */
  readonly problem?: (problem: RowProblem) => void
  /** Hears every byte of the file, in order, such as to hash it. */
  readonly bytes?: (bytes: Uint8Array) => void
  /** Bytes of the longest record that is read; 50 MB unless given. */
  readonly maxBytes?: number
}

const maxRecordBytes = 50_000_000
/** So many ids are remembered in search of duplicates, so that memory stays bounded. */
const maxIds = 500_000

/**
 * Reads training data record by record in bounded memory: a JSON array or JSON lines, of any format that `rowOf` knows.
 * What cannot be read is passed over and reported; a duplicate id is reported and read.
 * @throws ShaketableError `bad-input` for what is no file or holds no JSON in UTF-8
 */
export function* readRows(path: string, options: ReadRowsOptions = {}): Generator<RowRecord, void, undefined> {
  const container = readContainer(path)
  const { problem, maxBytes = maxRecordBytes } = options
  const window = new ByteWindow(path, options.bytes)
  const seen = new Set<string>()
  let record = 0
  const report = (line: number, message: string, skipped: boolean): void =>
    problem?.({ file: path, line, record, message, skipped })
  try {
    for (const cut of cutRecords(window, { container, maxBytes, isRecord: (value) => !('wrong' in rowOf(value)) })) {
      const isBetween = 'between' in cut
      if (!isBetween) record++
      if ('wrong' in cut) {
        report(cut.line, cut.wrong, !isBetween)
        continue
      }
      const row = rowOf(cut.value)
      if ('wrong' in row) {
        report(cut.line, row.wrong, true)
        continue
      }
      if (row.id !== undefined && seen.has(row.id))
        report(cut.line, `its id '${row.id.slice(0, 80)}' has come before`, false)
      if (row.id !== undefined && seen.size < maxIds) seen.add(row.id)
      yield { row, raw: cut.raw, record, line: cut.line }
    }
    while (window.fill()) window.release(window.length)
  } finally {
    window.close()
  }
}
