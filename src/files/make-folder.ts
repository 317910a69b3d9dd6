import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and those above it, one at a time: `recursive` goes on for ever in a folder that takes no folders but
 * says that it is missing, such as /proc, and where the working folder was removed meanwhile.
 */
export function makeFolder(path: string): void {
  const missing: string[] = []
  for (let folder = resolve(path); !isThere(folder); folder = dirname(folder)) missing.push(folder)
  for (const folder of missing.reverse()) {
    try {
      mkdirSync(folder)
    } catch (thrown) {
      if (!isThere(folder)) throw thrown
    }
  }
}

/** @throws what the system says of a path that is a file, or goes through one */
function isThere(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory() === false) mkdirSync(path)
  return found !== undefined
}
