import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { escapeLineEnds } from '../files/json.js'
import type { TrainingRow } from './data-filter.js'
import { makeFolder } from '../files/make-folder.js'
import { expectReplaceable } from '../files/read-text.js'
import { whileWriting } from '../files/write-error.js'
import { type Container, type RowFormat, findRowFormat, printRow } from './row-formats.js'

const elsewhere = 'Give --out another path'

/**
 * Writes training data to a file atomically: until `close` an existing file stays. Memory does not grow with the file.
 * @param format the format of rows or its name; or only the arrangement of records, for writing them unchanged
 * @throws ShaketableError `store` from each function if the file cannot be written; `usage` for an unknown format
 */
export function createRowWriter(path: string, format: RowFormat | Container | string) {
  const isBare = format === 'array' || format === 'lines'
  const rows = isBare ? undefined : typeof format === 'string' ? findRowFormat(format) : format
  const container = rows?.container ?? format
  const draft = `${path}.${String(process.pid)}.tmp`
  const attempt = <T>(work: () => T): T => whileWriting(path, elsewhere, work)
  attempt(() => expectReplaceable(path))
  const file = attempt(() => openSync(draft, 'w'))
  const hash = createHash('sha256')
  let [records, bytes, isOpen] = [0, 0, true]
  const put = (text: string): void => {
    attempt(() => writeFileSync(file, text))
    hash.update(text)
    bytes += Buffer.byteLength(text)
  }
  /** Writes the JSON text of a record, which has no line breaks. */
  const writeRaw = (raw: string): void => {
    put(container === 'lines' ? `${escapeLineEnds(raw)}\n` : `${records === 0 ? '[' : ','}\n${raw}`)
    records++
  }
  return {
    /** Writes a row in the writer's format. */
    write: (row: TrainingRow): void => writeRaw(printRow(row, rows!)),
    writeRaw,
    /** Completes the draft, and moves it to its place; gives the counts of the file and its SHA-256 in hexadecimal. */
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
    /** Removes the draft and leaves an existing file as it was. Does nothing after `close`. */
    abandon(): void {
      if (isOpen) closeSync(file)
      isOpen = false
      rmSync(draft, { force: true })
    },
  }
}

/** See {@link createRowWriter}. */
export type RowWriter = ReturnType<typeof createRowWriter>

/** Makes the folder of files that are written. @throws ShaketableError `store` for what cannot be one */
export function makeOutputFolder(folder: string): void {
  whileWriting(folder, elsewhere, () => makeFolder(folder))
}
