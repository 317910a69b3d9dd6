import { ShaketableError, messageOf } from '../core/errors.js'

/** A failed write as an error with advice; `elsewhere` is how to choose another place: `Give --out another folder`. */
export function asWriteError(thrown: unknown, path: string, elsewhere: string): ShaketableError {
  if (thrown instanceof ShaketableError) return thrown
  const { code = '' } = thrown as NodeJS.ErrnoException
  const what = adviceFor(code, elsewhere)
  return new ShaketableError('store', `Cannot write to ${path} (${messageOf(thrown)}). ${what}`, { cause: thrown })
}

/** What to do where the system lets no more files be opened; undefined for any other error. */
export function tooFewFiles(thrown: unknown): string | undefined {
  const message = messageOf(thrown)
  if (!/\bE[MN]FILE\b/.test(message)) return undefined
  return `Too few files may be open at once (${message}). Raise the limit, for example with ulimit -n 4096.`
}

/** Runs a read. @throws ShaketableError `store` with advice if it fails */
export function whileReading<T>(path: string, read: () => T): T {
  try {
    return read()
  } catch (thrown) {
    const message = `Cannot read ${path} (${messageOf(thrown)}). Check the path, its permissions and the disk.`
    throw new ShaketableError('store', message, { cause: thrown })
  }
}

const room = 'Make room and run the same command again; what is written is kept.'

/** What is wrong by the system's code, and whether another place helps. */
const causes: Readonly<Record<string, string>> = {
  EACCES: 'The folder may not be written to. Change its permissions, or ',
  EPERM: 'The folder may not be written to. Change its permissions, or ',
  EROFS: 'The file system is read-only. ',
  ENOTDIR: 'A part of the path is a file. ',
  EEXIST: 'There is a file of that name. ',
  EISDIR: 'There is a folder of that name. ',
  ENOENT: 'A folder of that path is missing. Make it, or ',
  ELOOP: 'It is a link, and nothing is written through one. Move it away, or ',
}

function adviceFor(code: string, elsewhere: string): string {
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return `The ${code === 'ENOSPC' ? 'disk is full' : 'disk quota is used up'}. ${room}`
  const cause = causes[code]
  if (cause === undefined)
    return 'Check the path and its permissions, and run the same command again; what is written is kept.'
  const where = cause.endsWith('or ') ? elsewhere.charAt(0).toLowerCase() + elsewhere.slice(1) : elsewhere
  return `${cause}${where}.`
}
