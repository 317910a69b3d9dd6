import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, readSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'

const mostBytes = 64 << 20
const chunkBytes = 1 << 20

/**
 * Reads a text file that somebody named, in UTF-8 and of at most 64 MiB; of what never ends no more than that is read.
 * @throws ShaketableError `bad-input` that ends in `advice`
 */
export function readText(what: string, path: string, advice: string): string {
  const bytes = readBytes(what, path, advice)
  const text = bytes.toString('utf8')
  if (isUtf8(bytes)) return text
  const before = text.slice(0, text.indexOf('\ufffd'))
  const place = `line ${String(before.split('\n').length)}, column ${String(before.length - before.lastIndexOf('\n'))}`
  throw new ShaketableError(
    'bad-input',
    `${what} ${path}, ${place}: expected text in UTF-8, got other bytes. ${advice}`,
  )
}

function readBytes(what: string, path: string, advice: string): Buffer {
  const chunks: Buffer[] = []
  let length = 0
  try {
    const file = openSync(path, 'r')
    try {
      for (;;) {
        const chunk = Buffer.allocUnsafe(chunkBytes)
        const read = readSync(file, chunk)
        if (read === 0) return Buffer.concat(chunks)
        length += read
        if (length > mostBytes) throw new Error(`it has more than ${mostBytes.toLocaleString('en')} bytes`)
        chunks.push(chunk.subarray(0, read))
      }
    } finally {
      closeSync(file)
    }
  } catch (cause) {
    throw new ShaketableError('bad-input', `${what} ${path} cannot be read: ${messageOf(cause)}. ${advice}`, { cause })
  }
}
