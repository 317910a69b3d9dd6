import { createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'
import { canonicalJson } from '../../core/episode.js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { makeFolder } from '../../files/make-folder.js'
import { parseJsonInput } from '../../files/read-json.js'
import { readRegular } from '../../files/read-text.js'
import { asWriteError } from '../../files/write-error.js'
import { writeWhole } from '../../files/write-whole.js'
import type { Found } from './page-index.js'

/** What was searched, and where. */
interface PageKey {
  readonly site: string
  readonly entity: string
}

/** What a site answered, kept in files that several runs and people can share. */
export interface PageStore {
  /** @throws ShaketableError `environment` for an entry that is damaged */
  read(key: PageKey): Found | undefined
  /** @throws ShaketableError `store` where nothing can be written */
  write(key: PageKey, found: Found): void
}

const maxEntryBytes = 16 << 20
const entry = z.object({
  key: z.object({ site: z.string(), entity: z.string() }),
  found: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('page'), title: z.string(), text: z.string() }),
    z.object({ kind: z.literal('similar'), titles: z.array(z.string()).max(100) }),
  ]),
})

/**
 * Opens a folder of kept pages: a file for each search, named by the hash of what was searched.
 * @throws ShaketableError `store` where the folder cannot be made
 */
export function openPageStore(folder: string): PageStore {
  try {
    makeFolder(folder)
  } catch (thrown) {
    throw asWriteError(thrown, folder, 'Give hotpotqa.pages another folder')
  }
  const pathOf = (key: PageKey): string =>
    join(folder, `${createHash('sha256').update(canonicalJson(key)).digest('hex').slice(0, 32)}.json`)
  const read = (key: PageKey): Found | undefined => {
    const path = pathOf(key)
    let bytes: Buffer
    try {
      bytes = readRegular(path, maxEntryBytes)
    } catch (thrown) {
      if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw damaged(path, messageOf(thrown))
    }
    const checked = entry.safeParse(parseJsonInput(bytes.toString('utf8')).value)
    if (!checked.success) throw damaged(path, checked.error.issues[0]!.message)
    if (canonicalJson(checked.data.key) !== canonicalJson(key)) throw damaged(path, 'it is of another search')
    return checked.data.found
  }
  return {
    read,
    write(key, found) {
      const line = `${JSON.stringify({ key, found })}\n`
      if (Buffer.byteLength(line) > maxEntryBytes) return
      try {
        writeWhole(pathOf(key), line, 'Give hotpotqa.pages another folder')
      } catch (thrown) {
        // Another process may have written the same page at the same time.
        if (read(key) === undefined) throw thrown
      }
    },
  }
}

function damaged(path: string, why: string): ShaketableError {
  return new ShaketableError(
    'environment',
    `The kept page ${path} cannot be used: ${why}. Remove the file to search again, which may find a newer page, or restore it.`,
  )
}
