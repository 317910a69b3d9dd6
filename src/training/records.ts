import { isUtf8 } from 'node:buffer'
import { ShaketableError, messageOf } from '../core/errors.js'
import { parseJsonInput } from '../files/read-json.js'
import { readRegular } from '../files/read-text.js'
import { isObject } from './verify/turn.js'

/** The arrangement of records in a file: a JSON array, or one record per line. */
export type Container = 'array' | 'lines'

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

/** The bytes of the largest file that is read, and of the largest that is not by line and so one text. */
const [maxBytes, maxWhole] = [2 ** 31 - 1, 500_000_000]
const newline = 10

/**
 * Opens a file of records: JSON lines, a JSON array, or one record alone, which may be a list of turns of a Player and a
 * DM. A line that is not JSON is found as wrong.
 * @throws ShaketableError `bad-input` for a path that is not a file, cannot be read, or does not hold JSON in UTF-8
 */
export function openRecords(path: string): RecordFile {
  const bytes = readBytes(path)
  const begin = bytes
    .toString('utf8', 0, 1 << 16)
    .replace(/^\ufeff/, '')
    .trimStart()
  if (begin !== '' && !/^[[{]/.test(begin)) {
    throw new ShaketableError(
      'bad-input',
      `Expected a JSON array or JSON lines in ${path}, but it begins with ${JSON.stringify(begin.slice(0, 40))}. Give a file of training records.`,
    )
  }
  const isScripted = /"role"\s*:\s*"(?:Player|DM)"/.test(begin)
  const end = endOfLine(bytes, 0)
  const readUpTo = (length: number): ReturnType<typeof parse> => {
    if (length <= maxWhole) return parse(bytes.subarray(0, length))
    throw new ShaketableError(
      'bad-input',
      `Expected a record or a JSON array of at most ${String(maxWhole / 1e6)} MB, got a longer one in ${path}. Make it JSON lines: jq -c '.[]' FILE > NEW.`,
    )
  }
  const first = readUpTo(end)
  const isOneLine = first.wrong === undefined && bytes.toString('latin1', end, end + 1000).trim() === ''
  const isByLine = first.wrong === undefined ? !isOneLine : !/^\[|^[^\n]*\n\s*["}\]]/.test(begin)
  if (begin === '' || isByLine) return { container: 'lines', isScripted, records: linesIn(bytes) }
  const { value, wrong } = isOneLine ? first : readUpTo(bytes.length)
  if (wrong !== undefined) {
    throw new ShaketableError('bad-input', `${path}: ${wrong}. Correct it; in JSON lines a broken line is left out.`)
  }
  // A list of turns is one record.
  const isArray = Array.isArray(value) && !(isScripted && isObject(value[0]) && 'role' in value[0])
  const values: readonly unknown[] = isArray ? value : [value]
  return {
    container: isArray ? 'array' : 'lines',
    isScripted,
    records: entriesOf(values),
  }
}

function* entriesOf(values: readonly unknown[]): Generator<FoundRecord, void, undefined> {
  for (const [index, value] of values.entries()) yield { record: index + 1, value, raw: JSON.stringify(value) }
}

function* linesIn(bytes: Buffer): Generator<FoundRecord, void, undefined> {
  for (let [start, record] = [0, 1]; start < bytes.length; record++) {
    const end = endOfLine(bytes, start)
    const line = bytes.subarray(start, end)
    start = end
    if (line.toString('latin1').trim() === '') continue
    const { value, raw, wrong } = parse(line)
    yield wrong === undefined ? { record, value, raw } : { record, wrong }
  }
}

function endOfLine(bytes: Buffer, start: number): number {
  const end = bytes.indexOf(newline, start)
  return end === -1 ? bytes.length : end + 1
}

function parse(bytes: Buffer): { readonly value?: unknown; readonly raw: string; readonly wrong?: string } {
  if (!isUtf8(bytes)) return { raw: '', wrong: 'it is not in UTF-8' }
  const raw = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
  const { fault, value } = parseJsonInput(raw)
  return fault === undefined ? { value, raw } : { raw, wrong: `it is not JSON: ${fault}` }
}

/** First bytes of files that are not JSON in UTF-8, and what to do. */
const others: readonly (readonly [begins: RegExp, advice: string])[] = [
  [/^(?:\xff\xfe|\xfe\xff|[[{]\0|\0[[{])/, 'UTF-16. Convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW.'],
  [
    /^(?:PAR1|ARROW1)/,
    'a Parquet or Arrow file. Convert it: pandas.read_parquet(FILE).to_json(NEW, orient="records", lines=True).',
  ],
  [/^(?:\x1f\x8b|\x28\xb5\x2f\xfd|PK)/, 'compressed. Unpack it: gunzip, unzstd or unzip.'],
  [/^version https:\/\/git-lfs/, 'a pointer of Git LFS, not the data. Fetch the data: git lfs pull.'],
]

function readBytes(path: string): Buffer {
  let bytes: Buffer
  try {
    bytes = readRegular(path, maxBytes)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is nothing of that name' : messageOf(thrown)
    throw new ShaketableError('bad-input', `Expected a file of training data at ${path}, but ${why}. Check the path.`)
  }
  const other = others.find(([begins]) => begins.test(bytes.toString('latin1', 0, 40)))
  if (other === undefined) return bytes
  throw new ShaketableError('bad-input', `Expected JSON in UTF-8, but ${path} is ${other[1]}`)
}
