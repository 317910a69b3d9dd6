import { ShaketableError, messageOf } from '../core/errors.js'

/** A failed write as an error with advice; `elsewhere` is how to choose another place: `Give --out another folder`. */
export function asWriteError(thrown: unknown, path: string, elsewhere: string): ShaketableError {
  if (thrown instanceof ShaketableError) return thrown
  const what = adviceFor((thrown as NodeJS.ErrnoException).code ?? '', elsewhere)
  return new ShaketableError('store', `Cannot write to ${path} (${messageOf(thrown)}). ${what}`, { cause: thrown })
}

/** Runs a write. @throws as {@link asWriteError} if it fails */
export function whileWriting<T>(path: string, elsewhere: string, write: () => T): T {
  try {
    return write()
  } catch (thrown) {
    throw asWriteError(thrown, path, elsewhere)
  }
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

const again = 'run the same command again; what is written is kept.'

/** What to do by the system's code; what does not end with a full stop goes on with how to choose another place. */
const causes: Readonly<Record<string, string>> = {
  ENOSPC: `The disk is full. Make room and ${again}`,
  EDQUOT: `The disk quota is used up. Make room and ${again}`,
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
  const cause = causes[code] ?? `Check the path and its permissions, and ${again}`
  if (cause.endsWith('.')) return cause
  return `${cause}${cause.endsWith('or ') ? elsewhere.charAt(0).toLowerCase() + elsewhere.slice(1) : elsewhere}.`
}
