import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { expectReplaceable } from './read-text.js'

/**
 * Writes a file in one move, by way of a draft beside it: it is there whole, or as it was before.
 * @throws what the system says, and Error where a device, FIFO or socket stands there
 */
export function writeWhole(path: string, text: string): void {
  expectReplaceable(path)
  const draft = draftOf(path)
  try {
    writeFileSync(draft, text, { flush: true })
    renameSync(draft, path)
  } catch (thrown) {
    removeDraft(path)
    throw thrown
  }
}

/** Removes the draft that a writer who was killed may have left. */
function removeDraft(path: string): void {
  try {
    rmSync(draftOf(path), { force: true })
  } catch {
    // What matters is why the draft could not be written; the next one takes its place.
  }
}

function draftOf(path: string): string {
  return `${path}.tmp`
}
