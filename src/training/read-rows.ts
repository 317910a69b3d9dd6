import type { TrainingRow } from './data-filter.js'
import { cutRecords } from './_cut-records.js'
import { readContainer } from './container.js'
import { rowOf } from './row-formats.js'

/** One record of a file of training data. */
export interface RowRecord {
  readonly row: TrainingRow
  /** Its unchanged JSON text. */
  readonly raw: string
  /** Its number in the file, from 1; broken records count. */
  readonly record: number
  /** The line on which it begins, from 1. */
  readonly line: number
}

/** A problem in a file of training data. */
export interface RowProblem {
  readonly file: string
  readonly line: number
  readonly record: number
  /** A sentence without a full stop. */
  readonly message: string
  /** Whether a record was skipped because of it. */
  readonly skipped: boolean
}

/** Options of {@link readRows}. */
export interface ReadRowsOptions {
  /** Called for each problem. */
  readonly problem?: (problem: RowProblem) => void
  /** Called with every byte of the file, in order, such as to hash it. */
  readonly bytes?: (bytes: Uint8Array) => void
  /** Bytes of the longest record that is read; 50 MB unless given. */
  readonly maxBytes?: number
}

const maxRecordBytes = 50_000_000

/**
 * Reads training data record by record in bounded memory: a JSON array or JSON lines, in any format that `rowOf` reads.
 * Unreadable records are skipped and reported; duplicate ids are reported and read.
 * @throws ShaketableError `bad-input` for a path that is not a file or does not hold JSON in UTF-8
 */
export function* readRows(path: string, options: ReadRowsOptions = {}): Generator<RowRecord, void, undefined> {
  const container = readContainer(path)
  const { problem, maxBytes = maxRecordBytes } = options
  const checkId = createIdCheck()
  let record = 0
  const report = (line: number, message: string, skipped: boolean): void =>
    problem?.({ file: path, line, record, message, skipped })
  const isRecord = (value: unknown): boolean => !('wrong' in rowOf(value))
  for (const cut of cutRecords(path, {
    container,
    maxBytes,
    isRecord,
    ...(options.bytes && { bytes: options.bytes }),
  })) {
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
    const remark = checkId(row.id)
    if (remark !== undefined) report(cut.line, remark, false)
    yield { row, raw: cut.raw, record, line: cut.line }
  }
}

/** The most ids that are remembered, to bound memory. */
const maxIds = 500_000

/** Creates a check of ids one after the other, which gives a remark about each that has come before. */
export function createIdCheck(): (id: string | undefined) => string | undefined {
  const seen = new Set<string>()
  return (id) => {
    if (id === undefined) return undefined
    if (seen.has(id)) return `its id '${id.slice(0, 80)}' has come before`
    if (seen.size < maxIds) seen.add(id)
    return undefined
  }
}
