import { readFileSync, statSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'

/**
 * Reads a text file of bounded size.
 * @throws ShaketableError `bad-input` with what was expected of it.
 */
export function readBounded(path: string, what: string, mostBytes: number): string {
  const wrong = (came: string): ShaketableError =>
    new ShaketableError('bad-input', `Expected ${what} in ${path}, but ${came}. Check the path.`)
  try {
    const found = statSync(path)
    if (!found.isFile()) throw wrong(found.isDirectory() ? 'it is a folder' : 'it is no plain file')
    if (found.size > mostBytes) {
      throw wrong(`it has ${found.size.toLocaleString('en')} bytes, more than ${mostBytes.toLocaleString('en')}`)
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (thrown) {
    if (thrown instanceof ShaketableError) throw thrown
    const missing = ['ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? '')
    throw wrong(missing ? 'there is no such file' : `it cannot be read (${messageOf(thrown)})`)
  }
}
