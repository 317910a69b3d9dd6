import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../shared/data', import.meta.url))

/**
 * The folder of recordings and benchmark data that some tests compare with; undefined if it is absent, in which case
 * those tests are skipped.
 */
export const sharedData: string | undefined = existsSync(folder) ? folder : undefined

/** The rows of a file of JSON lines, which may be packed. */
export function readJsonLines<Row>(path: string): Row[] {
  const bytes = readFileSync(path)
  const text = (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
}

/** The rows of a file of JSON lines in the shared folder. */
export const sharedRows = <Row>(path: string): Row[] => readJsonLines(join(sharedData ?? '', path))
