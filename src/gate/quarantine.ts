import { ShaketableError } from '../core/errors.js'
import { readText } from '../files/read-text.js'

/** Tasks that are in a check's tables but do not enter its verdict, and the file that lists them. */
export interface Quarantine {
  readonly source: string
  readonly tasks: ReadonlySet<string>
}

const maxBytes = 1 << 20

/**
 * Reads a list of tasks, an id on each line; a line that begins with `#` is a comment, and so is what follows ` #`.
 * @throws ShaketableError `bad-input` where there is no such file, it is not text, or it lists a task twice.
 */
export function readQuarantine(path: string): Quarantine {
  const tasks = new Set<string>()
  const text = readText('The list of tasks', path, 'Check the path.', maxBytes)
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    const id = line.replace(/(?:^|\s)#.*$/, '').trim()
    if (id === '') continue
    if (tasks.has(id)) {
      throw new ShaketableError(
        'bad-input',
        `${path}:${String(place + 1)}: expected each task once, got '${id.slice(0, 100)}' again. Delete one of the lines.`,
      )
    }
    tasks.add(id)
  }
  return { source: path, tasks }
}
