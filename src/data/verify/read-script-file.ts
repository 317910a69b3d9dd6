import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { duplicateKey } from '../formats/duplicate-key.js'
import type { Script } from './script.js'
import { readScript } from './script.js'

const mostBytes = 16_000_000

/**
 * Reads a script from its file.
 * @throws ShaketableError `bad-input` for what is no file of at most 16 MB, no JSON in UTF-8, or no script
 */
export function readScriptFile(path: string): Script {
  const wrong = (got: string): ShaketableError =>
    new ShaketableError('bad-input', `Expected a script in JSON at ${path}, but ${got}. docs/verify.md shows one.`)
  let bytes: Buffer
  try {
    const file = statSync(path)
    if (!file.isFile()) throw wrong('it is no file')
    if (file.size > mostBytes) throw wrong(`it has ${String(file.size)} bytes, more than ${String(mostBytes)}`)
    bytes = readFileSync(path)
  } catch (thrown) {
    if (thrown instanceof ShaketableError) throw thrown
    throw wrong(
      (thrown as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is nothing of that name' : messageOf(thrown),
    )
  }
  if (!isUtf8(bytes)) throw wrong('it is not in UTF-8')
  const text = bytes.toString('utf8').replace(/^\ufeff/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw wrong(`it is no JSON (${messageOf(thrown).slice(0, 200)})`)
  }
  const twice = duplicateKey(text)
  if (twice !== undefined) throw wrong(`the key '${twice.slice(0, 60)}' stands twice in one object`)
  try {
    return readScript(value)
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    throw new ShaketableError(thrown.code, `${path}: ${thrown.message}`, { cause: thrown })
  }
}
