import { isUtf8 } from 'node:buffer'
import { type Stats, closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'
import { whileReading } from './write-error.js'

const defaultMaxBytes = 64 << 20
const chunkBytes = 1 << 20

/**
 * Opens a regular file to read. A device, a FIFO or a folder is refused first, since opening or reading it may never
 * return.
 * @throws Error with its type; the system's error for a missing or unreadable file
 */
export function openRegular(path: string): number {
  const stats = statSync(path)
  if (!stats.isFile()) throw notRegular(stats)
  return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
}

/**
 * Checks that a rename to a path would not replace a device, FIFO or socket.
 * @throws Error with its type
 */
export function expectReplaceable(path: string): void {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats !== undefined && !stats.isFile() && !stats.isDirectory()) throw notRegular(stats)
}

function notRegular(stats: Stats): Error {
  const kind = stats.isDirectory() ? 'folder' : stats.isFIFO() ? 'FIFO' : stats.isSocket() ? 'socket' : 'device'
  return new Error(`it is a ${kind}, not a regular file`)
}

/**
 * All bytes of a file of a run; undefined if there is none.
 * @throws ShaketableError `store` for more than `maxBytes`, and for anything but a regular file
 */
export function readWhole(path: string, maxBytes = defaultMaxBytes): Buffer | undefined {
  return whileReading(path, () => {
    try {
      return readRegular(path, maxBytes)
    } catch (thrown) {
      if (['ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return undefined
      throw thrown
    }
  })
}

/**
 * Reads a UTF-8 file of at most `maxBytes` that a user named, without its byte order mark.
 * @throws ShaketableError `bad-input` that ends with `advice`
 */
export function readText(what: string, path: string, advice: string, maxBytes = defaultMaxBytes): string {
  let bytes: Buffer
  try {
    bytes = readRegular(path, maxBytes)
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why = isMissing ? 'there is no such file' : messageOf(cause)
    throw new ShaketableError('bad-input', `${what} ${path} cannot be read: ${why}. ${advice}`, { cause })
  }
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text.replace(/^\ufeff/, '')
  const line = text.slice(0, text.indexOf('\ufffd')).split('\n').length
  throw new ShaketableError(
    'bad-input',
    `${what} ${path}, line ${String(line)}: expected text in UTF-8, got other bytes. ${advice}`,
  )
}

/**
 * All bytes of a file.
 * @throws as {@link openRegular}, and Error for more than `maxBytes`
 */
export function readRegular(path: string, maxBytes = defaultMaxBytes): Buffer {
  const file = openRegular(path)
  try {
    const chunks: Buffer[] = []
    const enough = Math.min(fstatSync(file).size + 1, chunkBytes)
    for (let length = 0; ;) {
      const chunk = Buffer.allocUnsafe(enough)
      const read = readSync(file, chunk)
      if (read === 0) return Buffer.concat(chunks)
      length += read
      if (length > maxBytes) throw new Error(`it has more than ${maxBytes.toLocaleString('en')} bytes`)
      chunks.push(chunk.subarray(0, read))
    }
  } finally {
    closeSync(file)
  }
}
