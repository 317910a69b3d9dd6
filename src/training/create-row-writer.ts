import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { escapeLineEnds } from '../files/json.js'
import type { TrainingRow } from './data-filter.js'
import { makeFolder } from '../files/make-folder.js'
import { expectReplaceable } from '../files/read-text.js'
import { asWriteError } from '../files/write-error.js'
import type { Container } from './records.js'
import type { RowFormat } from './row-formats.js'
import { findRowFormat, printRow } from './row-formats.js'

/** Writer of a file of training data. It writes a draft in the same folder until the file is complete. */
export interface RowWriter {
  /** Writes a row in the writer's format. */
  write(row: TrainingRow): void
  /** Writes the JSON text of a record, which has no line breaks. */
  writeRaw(raw: string): void
  /** Completes the draft. Nothing can be written afterwards. */
  finish(): Written
  /** Moves the draft to its place and replaces an existing file; finishes the draft before if needed. */
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

const bufferedLength = 1 << 18
const elsewhere = 'Give --out another path'

/**
 * Writes training data to a file atomically: until `close` an existing file stays. Memory does not grow with the file.
 * @param format the format of rows or its name; or only the arrangement of records, for writing them unchanged
 * @throws ShaketableError `store` from each function if the file cannot be written; `usage` for an unknown format
 */
export function createRowWriter(path: string, format: RowFormat | Container | string): RowWriter {
  const known =
    format === 'array' || format === 'lines' ? undefined : typeof format === 'string' ? findRowFormat(format) : format
  const container = known?.container ?? (format as Container)
  const draft = `${path}.${String(process.pid)}.tmp`
  const attempt = <T>(work: () => T): T => {
    try {
      return work()
    } catch (thrown) {
      throw asWriteError(thrown, path, elsewhere)
    }
  }
  attempt(() => expectReplaceable(path))
  const file = attempt(() => openSync(draft, 'w'))
  const hash = createHash('sha256')
  let records = 0
  let bytes = 0
  let written: Written | undefined
  let state: 'open' | 'finished' | 'closed' = 'open'

  let waiting = ''
  const flush = (): void =>
    attempt(() => {
      const buffer = Buffer.from(waiting)
      waiting = ''
      hash.update(buffer)
      for (let from = 0; from < buffer.length;) from += writeSync(file, buffer, from)
      bytes += buffer.length
    })
  const put = (text: string): void => {
    waiting += text
    if (waiting.length >= bufferedLength) flush()
  }
  const add = (text: string): void => {
    if (state !== 'open') throw new Error('A row was written to a file that is finished.')
    put(container === 'lines' ? `${escapeLineEnds(text)}\n` : `${records === 0 ? '[' : ','}\n${text}`)
    records++
  }
  const writer: RowWriter = {
    write(row) {
      if (known === undefined) throw new Error('A row was written to a file without a format of rows.')
      add(printRow(row, known))
    },
    writeRaw: add,
    finish() {
      if (written !== undefined) return written
      if (container === 'array') put(records === 0 ? '[]\n' : '\n]\n')
      flush()
      attempt(() => {
        fsyncSync(file)
        closeSync(file)
      })
      state = 'finished'
      return (written = { records, bytes, sha256: hash.digest('hex') })
    },
    close() {
      const done = writer.finish()
      if (state !== 'closed') attempt(() => renameSync(draft, path))
      state = 'closed'
      return done
    },
    abandon() {
      if (state === 'closed') return
      if (state === 'open') closeSync(file)
      state = 'closed'
      rmSync(draft, { force: true })
    },
  }
  return writer
}

/** Makes the folder of files that are written. @throws ShaketableError `store` for what cannot be one */
export function makeOutputFolder(folder: string): void {
  try {
    makeFolder(folder)
  } catch (thrown) {
    throw asWriteError(thrown, folder, elsewhere)
  }
}
