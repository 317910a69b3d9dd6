import { isUtf8 } from 'node:buffer'
import { closeSync, readSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'
import { parseJsonInput } from '../files/read-json.js'
import { openRegular } from '../files/read-text.js'

/**
 * The arrangement of records in a file: a JSON array, or one record per line (in pretty-printed files, one after the
 * other).
 */
export type Container = 'array' | 'lines'

/** Where a record stands. */
export interface RecordPlace {
  /** From 1; broken ones count. */
  readonly record: number
  /** The line on which it begins, from 1. */
  readonly line: number
}

/** A parsed record of a file, or what is wrong with it, in a sentence without a full stop. */
export type FoundRecord = RecordPlace &
  (
    | {
        readonly value: unknown
        /** Its unchanged JSON text. */
        readonly raw: string
        readonly wrong?: never
      }
    | { readonly wrong: string }
  )

/** Bytes of the longest record that is read. */
const maxBytes = 50_000_000
const chunkBytes = 1 << 18

/**
 * Reads the records of a file in bounded memory. A line that is not JSON is left out. In an array, and where records
 * span several lines, nothing can be read behind text that is not JSON, which is said.
 * @throws ShaketableError `bad-input` for a path that is not a file or does not hold JSON in UTF-8
 */
export function* readRecords(path: string): Generator<FoundRecord, void, undefined> {
  const { container, isByLine } = layoutOf(path)
  let record = 0
  for (const { bytes, line, wrong } of piecesIn(path, container, isByLine)) {
    const place = { record: ++record, line }
    const found = wrong === undefined ? parse(bytes) : { wrong }
    if (found.wrong === undefined || isByLine) yield { ...place, ...found }
    else return yield { ...place, wrong: `${found.wrong}; nothing behind it is read` }
  }
}

function parse(bytes: Buffer): { readonly value: unknown; readonly raw: string; wrong?: never } | { wrong: string } {
  if (!isUtf8(bytes)) return { wrong: 'it is not in UTF-8' }
  const raw = bytes.toString('utf8').trim()
  const { fault, value } = parseJsonInput(raw)
  return fault === undefined ? { value, raw } : { wrong: `it is not JSON: ${fault}` }
}

/** The text of a record, or why there is none. */
interface Piece {
  readonly bytes: Buffer
  readonly line: number
  readonly wrong?: string
}

const [newline, comma, quote, backslash] = [...Buffer.from('\n,"\\')]
const [openList, closeList, openObject, closeObject] = [...Buffer.from('[]{}')]
const byteOrderMark = Buffer.from('\ufeff')

/** Cuts a file at line ends, or where as many brackets are closed as were opened. */
function* piecesIn(path: string, container: Container, isByLine: boolean): Generator<Piece, void, undefined> {
  const file = openRegular(path)
  let held: Buffer = Buffer.alloc(0)
  let line = 1
  let array: 'before' | 'inside' | 'behind' | undefined = container === 'array' ? 'before' : undefined
  const fill = (): boolean => {
    const chunk = Buffer.allocUnsafe(Math.max(chunkBytes, held.length))
    const read = chunk.subarray(0, readSync(file, chunk))
    held = held.length === 0 ? read : Buffer.concat([held, read])
    return read.length > 0
  }
  const drop = (count: number): void => {
    for (let at = held.indexOf(newline!); at !== -1 && at < count; at = held.indexOf(newline!, at + 1)) line++
    held = held.subarray(count)
  }
  const isBetween = (byte: number): boolean =>
    byte <= 0x20 || byteOrderMark.includes(byte) || (byte === comma && !isByLine)
  const findNext = (): boolean => {
    do {
      let at = 0
      while (at < held.length && isBetween(held[at]!)) at++
      drop(at)
    } while (held.length === 0 && fill())
    return held.length > 0
  }
  try {
    while (findNext()) {
      if (array === 'before' || (array === 'inside' && held[0] === closeList)) {
        array = array === 'before' ? 'inside' : 'behind'
        drop(1)
        continue
      }
      if (array === 'behind') {
        return yield { bytes: held, line, wrong: 'expected the end of the file behind the array, got more' }
      }
      const scan: Scan = { at: 0, depth: 0, isQuoted: false }
      const findEnd = (): number | undefined => (isByLine ? endOfLine(held, scan) : endOfValue(held, scan))
      let end = findEnd()
      while (end === undefined && held.length <= maxBytes && fill()) end = findEnd()
      if ((end ?? held.length) > maxBytes) {
        yield { bytes: held, line, wrong: `it is longer than the ${String(maxBytes / 1e6)} MB that are read` }
        while (!held.includes(newline!)) {
          drop(held.length)
          if (!fill()) break
        }
        drop(held.indexOf(newline!) + 1)
        continue
      }
      yield { bytes: held.subarray(0, end), line }
      drop(end ?? held.length)
    }
    if (array === 'inside') {
      const wrong = "expected ']' behind the last record, got the end of the file: it is cut off"
      yield { bytes: held, line, wrong }
    }
  } finally {
    closeSync(file)
  }
}

/** How far the end of a record was searched for in the bytes that are held, which more may follow. */
interface Scan {
  at: number
  depth: number
  isQuoted: boolean
}

function endOfLine(bytes: Buffer, scan: Scan): number | undefined {
  const end = bytes.indexOf(newline!, scan.at)
  scan.at = bytes.length
  return end === -1 ? undefined : end + 1
}

/** A line end within a string ends the record too, which then is broken. */
function endOfValue(bytes: Buffer, scan: Scan): number | undefined {
  for (; scan.at < bytes.length; scan.at++) {
    const byte = bytes[scan.at]
    if (scan.isQuoted) {
      if (byte === newline) return scan.at
      if (byte === backslash) scan.at++
      else if (byte === quote) scan.isQuoted = false
    } else if (byte === quote) scan.isQuoted = true
    else if (byte === openList || byte === openObject) scan.depth++
    else if (byte === closeList || byte === closeObject) scan.depth--
    if (scan.depth <= 0 && !scan.isQuoted) return scan.at + 1
  }
  return undefined
}

/** First bytes of files that are not JSON in UTF-8, and advice for each. */
const others: readonly { readonly begins: RegExp; readonly is: string; readonly advice: string }[] = [
  {
    begins: /^(?:\xff\xfe|\xfe\xff|[[{]\0|\0[[{])/,
    is: 'UTF-16',
    advice: 'Convert it: iconv -f UTF-16 -t UTF-8 FILE > NEW',
  },
  {
    begins: /^(?:PAR1|ARROW1)/,
    is: 'a Parquet or Arrow file',
    advice: 'Convert it to JSON lines: pandas.read_parquet(FILE).to_json(NEW, orient="records", lines=True)',
  },
  { begins: /^(?:\x1f\x8b|\x28\xb5\x2f\xfd|PK)/, is: 'compressed', advice: 'Unpack it: gunzip, unzstd or unzip' },
  {
    begins: /^version https:\/\/git-lfs/,
    is: 'a pointer of Git LFS, not the data',
    advice: 'Fetch the data: git lfs pull',
  },
]

/**
 * Determines from a file's beginning how its records are arranged. An empty file counts as lines. A list of turns of a
 * Player and a DM is one record.
 * @throws ShaketableError `bad-input` for a path that is not a file, cannot be read, or does not hold JSON in UTF-8
 */
export function layoutOf(path: string): { readonly container: Container; readonly isByLine: boolean } {
  const bytes = readBeginning(path)
  const other = others.find(({ begins }) => begins.test(bytes.toString('latin1', 0, 40)))
  if (other !== undefined) {
    throw new ShaketableError('bad-input', `Expected JSON in UTF-8, but ${path} is ${other.is}. ${other.advice}.`)
  }
  const text = textOf(bytes)
  if (text !== '' && !/^[[{]/.test(text)) {
    throw new ShaketableError(
      'bad-input',
      `Expected a JSON array or JSON lines in ${path}, but it begins with ${JSON.stringify(text.slice(0, 40))}. Give a file of training records.`,
    )
  }
  const [turn, turns] = [text.search(scriptedRole), text.search(/"(?:turns|conversations?|messages)"\s*:/)]
  const isOneList = turn !== -1 && (turns === -1 || turn < turns) && !/^\[\s*\[/.test(text)
  if (text.startsWith('[') && !isOneList) return { container: 'array', isByLine: false }
  const [, first = '', second] = /^([^\n]*)\n\s*?(.)/.exec(text) ?? []
  const isLaidOut = second !== undefined && (/^[[{]\s*$/.test(first) || ' \t"}]'.includes(second))
  return { container: 'lines', isByLine: !isLaidOut || parseJsonInput(first).fault === undefined }
}

const scriptedRole = /"role"\s*:\s*"(?:Player|DM)"/

/** Whether a file holds turns of a Player and a DM, judged by its beginning. */
export function isScripted(path: string): boolean {
  return scriptedRole.test(textOf(readBeginning(path)))
}

function textOf(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
}

function readBeginning(path: string): Buffer {
  let file: number
  try {
    file = openRegular(path)
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException
    const why = code === 'ENOENT' ? 'there is nothing of that name' : messageOf(thrown)
    throw new ShaketableError('bad-input', `Expected a file of training data at ${path}, but ${why}. Check the path.`)
  }
  try {
    const bytes = Buffer.alloc(1 << 16)
    return bytes.subarray(0, readSync(file, bytes))
  } finally {
    closeSync(file)
  }
}
