import { readFileSync } from 'node:fs'
import { ShaketableError, messageOf } from '../core/errors.js'

/** Reads a text file that somebody named. @throws ShaketableError `bad-input` that ends in `advice` */
export function readText(what: string, path: string, advice: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ShaketableError('bad-input', `${what} ${path} cannot be read: ${messageOf(cause)}. ${advice}`, { cause })
  }
}
