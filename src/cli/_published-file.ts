import { readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PublishedFile } from '../../reports/published/parse-published.js'
import { parsePublished } from '../../reports/published/parse-published.js'
import { ShaketableError, messageOf } from '../core/errors.js'

/**
 * Reads a file of published results, or those of AgentRefine, which ship with the package.
 * @throws ShaketableError `bad-input` for a path that leads to no file of at most 50 MiB.
 */
export function readPublished(path?: string): PublishedFile {
  return parsePublished(readText(path ?? publishedPath()))
}

/** Where the published results lie that ship with the package. */
function publishedPath(): string {
  const root = dirname(createRequire(import.meta.url).resolve('shaketable/package.json'))
  return join(root, 'baselines', 'published.csv')
}

const mostBytes = 50 * 2 ** 20

function readText(path: string): string {
  const expected = 'Expected a CSV file of results'
  try {
    const file = statSync(path)
    if (!file.isFile()) throw new ShaketableError('bad-input', `${expected}, but ${path} is no file. Check the path.`)
    if (file.size > mostBytes) {
      throw new ShaketableError(
        'bad-input',
        `${expected} of at most 50 MiB, but ${path} has ${String(file.size)} bytes. Split it.`,
      )
    }
    return readFileSync(path, 'utf8')
  } catch (thrown) {
    if (thrown instanceof ShaketableError) throw thrown
    throw new ShaketableError('bad-input', `${expected}, got ${path}: ${messageOf(thrown)}. Check the path.`)
  }
}
