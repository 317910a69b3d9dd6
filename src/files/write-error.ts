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

function adviceFor(code: string, elsewhere: string): string {
  switch (code) {
    case 'ENOSPC':
      return 'The disk is full. Make room and run the same command again; what is written is kept.'
    case 'EDQUOT':
      return 'The disk quota is used up. Make room and run the same command again; what is written is kept.'
    case 'EACCES':
    case 'EPERM':
      return `The folder may not be written to. Change its permissions, or ${lower(elsewhere)}.`
    case 'EROFS':
      return `The file system is read-only. ${elsewhere}.`
    case 'ENOTDIR':
      return `A part of the path is a file. ${elsewhere}.`
    case 'EEXIST':
      return `There is a file of that name. ${elsewhere}.`
    case 'EISDIR':
      return `There is a folder of that name. ${elsewhere}.`
    case 'ENOENT':
      return `A folder of that path is missing. Make it, or ${lower(elsewhere)}.`
    default:
      return 'Check the path and its permissions, and run the same command again; what is written is kept.'
  }
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
