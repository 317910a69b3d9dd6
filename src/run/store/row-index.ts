import type { Stats } from 'node:fs'
import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import { endianness } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { KeptNumbers, NumbersIndex } from '../plan.js'
import { checkLine, textOf, withChecksum } from '../../files/checksum.js'
import { makeFolder } from '../../files/make-folder.js'
import { refuseLinkedFolder } from '../../files/open-to-write.js'
import { openRegular, readRegular } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'
import type { RunFiles } from './run-folder.js'

/** Below this many bytes the rows are read in less than a second. */
const minBytes = 1 << 24
/** Above the index of the largest plan. */
const maxBytes = 1 << 30
const chunkBytes = 1 << 20

const kinds = { Uint8Array, Uint32Array, Float64Array }

/**
 * An index of a run: numbers of all its rows, each list of them a file of the folder `index`. A file counts while the
 * CRC-32 of outcomes.jsonl and of plan.json are those that it was made from, so that the rows stay the truth: after any
 * change, and after damage to the index itself, there is nothing to read, and it is written again. It is neither
 * read nor written for fewer than 16 MiB of rows, and not written while the run is.
 * @param isWriting whether another process may be adding rows
 */
export function openRowIndex(files: RunFiles, isWriting: boolean): NumbersIndex {
  const before = statOf(files.outcomes)
  if (before === undefined || before.size < minBytes) return { read: () => undefined, write: () => undefined }
  let mark: string | undefined
  /** What the index is made from, as text. */
  const markOnce = (): string => (mark ??= markOf(files))
  const isUnchanged = (): boolean => {
    const now = statOf(files.outcomes)
    return now !== undefined && now.size === before.size && now.mtimeMs === before.mtimeMs && now.ino === before.ino
  }
  const pathOf = (name: string): string => join(files.index, `${name}.bin`)
  return {
    read(name) {
      try {
        return readNumbers(pathOf(name), before.size, markOnce)
      } catch {
        return undefined
      }
    },
    write(name, numbers) {
      if (isWriting) return
      try {
        const own = markOnce()
        if (!isUnchanged()) return
        refuseLinkedFolder(files.index)
        makeFolder(files.index)
        writeWhole(pathOf(name), partsOf(numbers, before.size, own))
      } catch {
        // A folder that cannot be written is still read.
      }
    },
  }
}

/** A missing or unreadable file is reported by those who read its rows. */
function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

function markOf({ outcomes, plan }: RunFiles): string {
  return `1 ${endianness()} ${String(crc32(readRegular(plan)))} ${String(crcOfFile(outcomes))}`
}

function crcOfFile(path: string): number {
  const file = openRegular(path)
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    for (let crc = 0; ;) {
      const read = readSync(file, chunk)
      if (read === 0) return crc
      crc = crc32(chunk.subarray(0, read), crc)
    }
  } finally {
    closeSync(file)
  }
}

interface Head {
  readonly rows: number
  readonly mark: string
  readonly value: unknown
  readonly arrays: readonly (readonly [kind: keyof typeof kinds, length: number])[]
  /** Of everything after the first line. */
  readonly body: number
}

/** A line of JSON, then the arrays, each from a multiple of 8 bytes. */
function* partsOf({ value, arrays }: KeptNumbers, rows: number, mark: string): Generator<Uint8Array> {
  const bytes = arrays.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength))
  const padding = new Uint8Array(8)
  const pad = (length: number): Uint8Array => padding.subarray(0, -length & 7)
  const body = bytes.reduce((crc, one) => crc32(pad(one.length), crc32(one, crc)), 0)
  const kindsOf = arrays.map((one) => [one.constructor.name as keyof typeof kinds, one.length] as const)
  const head: Head = { rows, mark, value, arrays: kindsOf, body }
  const line = Buffer.from(withChecksum(JSON.stringify(head)))
  yield line
  yield Buffer.from(`${' '.repeat(-(line.length + 1) & 7)}\n`)
  for (const one of bytes) {
    yield one
    yield pad(one.length)
  }
}

/** The arrays share one buffer, so that they take no time to read. */
function readNumbers(path: string, rows: number, markOnce: () => string): KeptNumbers | undefined {
  const bytes = readAll(path)
  const line = bytes.indexOf(10)
  const end = bytes.subarray(0, line).lastIndexOf(125) + 1
  const state = checkLine(bytes, 0, end)
  if (line === -1 || state !== 'sound') return undefined
  const head = JSON.parse(textOf(bytes, 0, end, state)) as Head
  const start = line + 1
  if (head.rows !== rows || head.body !== crc32(bytes.subarray(start)) || head.mark !== markOnce()) return undefined
  let at = start
  const arrays = head.arrays.map(([kind, length]) => {
    const array = new kinds[kind](bytes.buffer, at, length)
    at += array.byteLength + (-array.byteLength & 7)
    return array
  })
  return { value: head.value, arrays }
}

function readAll(path: string): Buffer<ArrayBuffer> {
  const file = openRegular(path)
  try {
    const { size } = fstatSync(file)
    if (size > maxBytes) return Buffer.alloc(0)
    const bytes = Buffer.from(new ArrayBuffer(size))
    let read = 0
    for (let more = 1; more > 0; read += more) more = readSync(file, bytes, read, size - read, null)
    return bytes
  } finally {
    closeSync(file)
  }
}
