import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Makes a folder and its parents, one at a time: `recursive` loops forever in a folder that reports new folders as
 * missing, such as /proc, and in a removed working folder.
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

/** @throws the system's error for a path that is a file, or leads through one */
function isThere(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats?.isDirectory() === false) mkdirSync(path)
  return stats !== undefined
}
