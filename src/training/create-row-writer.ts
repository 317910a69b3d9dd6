import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { escapeLineEnds } from '../files/json.js'
import type { TrainingRow } from './data-filter.js'
import { makeFolder } from '../files/make-folder.js'
import { expectReplaceable } from '../files/read-text.js'
import { asWriteError } from '../files/write-error.js'
import type { Container, RowFormat } from './row-formats.js'
import { findRowFormat, printRow } from './row-formats.js'

/** Writer of a file of training data. It writes a draft in the same folder until the file is complete. */
export interface RowWriter {
  /** Writes a row in the writer's format. */
  write(row: TrainingRow): void
  /** Writes the JSON text of a record, which has no line breaks. */
  writeRaw(raw: string): void
  /** Completes the draft, and moves it to its place in place of an existing file. */
  close(): Written
  /** Removes the draft and leaves an existing file as it was. Does nothing after `close`. */
  abandon(): void
}

/** A file that was written. */
export interface Written {
  readonly records: number
  readonly bytes: number
  /** SHA-256, in hexadecimal. */
  readonly sha256: string
}

const elsewhere = 'Give --out another path'

/**
 * Writes training data to a file atomically: until `close` an existing file stays. Memory does not grow with the file.
 * @param format the format of rows or its name; or only the arrangement of records, for writing them unchanged
 * @throws ShaketableError `store` from each function if the file cannot be written; `usage` for an unknown format
 */
export function createRowWriter(path: string, format: RowFormat | Container | string): RowWriter {
  const isBare = format === 'array' || format === 'lines'
  const rows = isBare ? undefined : typeof format === 'string' ? findRowFormat(format) : format
  const container = rows?.container ?? format
  const draft = `${path}.${String(process.pid)}.tmp`
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (thrown) {
      throw asWriteError(thrown, path, elsewhere)
    }
  }
  attempt(() => {
    expectReplaceable(path)
  })
  const file = attempt(() => openSync(draft, 'w'))
  const hash = createHash('sha256')
  let [records, bytes, isOpen] = [0, 0, true]
  const put = (text: string): void => {
    attempt(() => {
      writeFileSync(file, text)
    })
    hash.update(text)
    bytes += Buffer.byteLength(text)
  }
  const writeRaw = (raw: string): void => {
    put(container === 'lines' ? `${escapeLineEnds(raw)}\n` : `${records === 0 ? '[' : ','}\n${raw}`)
    records++
  }
  return {
    write: (row) => {
      writeRaw(printRow(row, rows!))
    },
    writeRaw,
    close() {
      if (container === 'array') put(records === 0 ? '[]\n' : '\n]\n')
      attempt(() => {
        fsyncSync(file)
        closeSync(file)
        isOpen = false
        renameSync(draft, path)
      })
      return { records, bytes, sha256: hash.digest('hex') }
    },
    abandon() {
      if (isOpen) closeSync(file)
      isOpen = false
      rmSync(draft, { force: true })
    },
  }
}

/** Makes the folder of files that are written. @throws ShaketableError `store` for what cannot be one */
export function makeOutputFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (thrown) {
    throw asWriteError(thrown, folder, elsewhere)
  }
}
