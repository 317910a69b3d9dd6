import { closeSync, readSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'
import { type Line, readLines } from '../files/lines.js'
import { expectJson, parseJsonInput } from '../files/read-json.js'
import { openRegular, readText } from '../files/read-text.js'
import type { TrainingRow } from './data-filter.js'
import { type Container, rowOf } from './row-formats.js'
import { isObject } from '../files/json.js'

/** A parsed record of a file, or what is wrong with it, in a sentence without a full stop. */
export type FoundRecord = {
  /** From 1: its place in an array, or its line. */
  readonly record: number
} & (
  | {
      readonly value: unknown
      /** Its JSON text; that of a line is unchanged. */
      readonly raw: string
      readonly wrong?: never
    }
  | { readonly wrong: string }
)

/** The records of a file. */
export interface RecordFile {
  readonly container: Container
  /** Whether they are turns of a Player and a DM, judged by the beginning. */
  readonly isScripted: boolean
  readonly records: Iterable<FoundRecord>
}

/** The largest file that is not JSON lines. */
const maxBytes = 500_000_000
const advice =
  'Training data is a JSON array or JSON lines in UTF-8: unpack a file that is compressed, and convert others, such as Parquet.'

/**
 * Opens a file of records: JSON lines, read in bounded memory; a JSON array; or one record alone, which may be a list
 * of turns of a Player and a DM. A line that is not JSON is found as wrong.
 * @throws ShaketableError `bad-input` for a path that is not a file, cannot be read, or does not hold JSON in UTF-8
 */
export function openRecords(path: string): RecordFile {
  const begin = beginningOf(path)
  if (begin !== '' && !/^[[{]/.test(begin)) {
    throw new ShaketableError('bad-input', `${path} begins with ${JSON.stringify(begin.slice(0, 40))}. ${advice}`)
  }
  const isScripted = /"role"\s*:\s*"(?:Player|DM)"/.test(begin)
  const lines = { container: 'lines', isScripted } as const
  // One object over several lines goes on with a key or a bracket.
  if (!begin.startsWith('[') && !/^\{\s*\n\s*["}]/.test(begin)) return { ...lines, records: recordsIn(readLines(path)) }
  const text = readText('The training data', path, advice, maxBytes)
  const end = text.includes('\n') ? text.indexOf('\n') : text.length
  const isFirstJson = parseJsonInput(text.slice(0, end)).fault === undefined
  if (isFirstJson && text.slice(end, end + 1000).trim() !== '') {
    const all = text.split('\n').map((line, index) => ({ text: line, number: index + 1 }))
    return { ...lines, records: recordsIn(all) }
  }
  const value = expectJson(text, path, 'Correct it; in JSON lines a broken line is left out.')
  // A list of turns is one record.
  const isArray = Array.isArray(value) && !(isScripted && isObject(value[0]) && 'role' in value[0])
  const values: readonly unknown[] = isArray ? value : [value]
  return {
    container: isArray ? 'array' : 'lines',
    isScripted,
    records: values.map((item, index) => ({ record: index + 1, value: item, raw: JSON.stringify(item) })),
  }
}

/** The first characters of a file. */
function beginningOf(path: string): string {
  try {
    const file = openRegular(path)
    const bytes = Buffer.alloc(1 << 16)
    const length = readSync(file, bytes)
    closeSync(file)
    return bytes
      .toString('utf8', 0, length)
      .replace(/^\ufeff/, '')
      .trimStart()
  } catch (thrown) {
    throw new ShaketableError('bad-input', `The training data ${path} cannot be read: ${messageOf(thrown)}. ${advice}`)
  }
}

function* recordsIn(
  lines: Iterable<Pick<Line, 'text' | 'number'> & Partial<Line>>,
): Generator<FoundRecord, void, undefined> {
  for (const { text, number: record, bytes } of lines) {
    const raw = text.replace(/^\ufeff/, '').trim()
    if (raw === '') continue
    const isDecoded = bytes === undefined || Buffer.byteLength(text) === bytes
    const { fault, value } = isDecoded ? parseJsonInput(raw) : { fault: 'it is not in UTF-8' }
    if (fault === undefined) yield { record, value, raw }
    else yield { record, wrong: isDecoded ? `it is not JSON: ${fault}` : fault }
  }
}

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
  readonly problem?: ((problem: RowProblem) => void) | undefined
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
  for (const rowRecord of records) {
    const { record } = rowRecord
    const row = rowRecord.wrong === undefined ? rowOf(rowRecord.value) : { wrong: rowRecord.wrong }
    if ('wrong' in row) problem?.({ file: path, record, message: row.wrong! })
    else if (rowRecord.wrong === undefined) yield { row, raw: rowRecord.raw, record }
  }
}
