import { ShaketableError, messageOf } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { duplicateKey } from '../formats/duplicate-key.js'
import type { Script } from './script.js'
import { readScript } from './script.js'

const maxBytes = 16_000_000

/**
 * Reads a script from its file.
 * @throws ShaketableError `bad-input` unless it is a file of at most 16 MB with a script in JSON
 */
export function readScriptFile(path: string): Script {
  const advice = 'docs/verify.md shows one.'
  const wrong = (got: string): ShaketableError =>
    new ShaketableError('bad-input', `Expected a script in JSON at ${path}, but ${got}. ${advice}`)
  const text = readText('The script', path, advice, maxBytes).replace(/^\ufeff/, '')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw wrong(`it is not JSON (${messageOf(thrown).slice(0, 200)})`)
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
