import type { PublishedFile } from '../results/published/parse-published.js'
import { parsePublished } from '../results/published/parse-published.js'
import { packagedPath } from '../files/packaged.js'
import { readText } from '../files/read-text.js'

const maxBytes = 50 << 20

/**
 * Reads a file of published results, or those of AgentRefine, which ship with the package.
 * @throws ShaketableError `bad-input` for a path that leads to no file of at most 50 MiB.
 */
export function readPublished(path?: string): PublishedFile {
  return parsePublished(
    readText('The file of results', path ?? packagedPath('baselines/published.csv'), 'Check the path.', maxBytes),
  )
}
