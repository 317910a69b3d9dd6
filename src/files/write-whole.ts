import { renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from './make-folder.js'
import { tryToRemove, writeParts } from './open-to-write.js'
import { expectReplaceable } from './read-text.js'
import { whileWriting } from './write-error.js'

/**
 * Writes a file atomically, through a draft beside it (`PATH.tmp`): afterwards it is complete, or unchanged.
 * @param elsewhere how to choose another place, such as `Give --out another path`; missing folders are then made
 * @throws ShaketableError `store` with this advice; without it the system's error, and Error for a device, FIFO or
 * socket
 */
export function writeWhole(path: string, content: string | Iterable<Uint8Array>, elsewhere?: string): void {
  if (elsewhere !== undefined)
    return whileWriting(path, elsewhere, () => {
      makeFolder(dirname(path))
      writeWhole(path, content)
    })
  expectReplaceable(path)
  const draft = `${path}.tmp`
  try {
    writeParts(draft, typeof content === 'string' ? [content] : content)
    renameSync(draft, path)
  } catch (thrown) {
    // The failed write is the error to report; the next draft replaces one that stays.
    tryToRemove(draft)
    throw thrown
  }
}
