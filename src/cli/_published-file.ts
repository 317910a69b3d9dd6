import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { PublishedFile } from '../../reports/published/parse-published.js'
import { parsePublished } from '../../reports/published/parse-published.js'
import { readText } from '../files/read-text.js'

const maxBytes = 50 << 20

/**
 * Reads a file of published results, or those of AgentRefine, which ship with the package.
 * @throws ShaketableError `bad-input` for a path that leads to no file of at most 50 MiB.
 */
export function readPublished(path?: string): PublishedFile {
  return parsePublished(readText('The file of results', path ?? publishedPath(), 'Check the path.', maxBytes))
}

/** The published results that ship with the package. */
function publishedPath(): string {
  const root = dirname(createRequire(import.meta.url).resolve('shaketable/package.json'))
  return join(root, 'baselines', 'published.csv')
}
