import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

/** Makes a folder and those above it. Node goes on for ever where the working folder was removed meanwhile and the path is relative to it; a whole path ends. */
export function makeFolder(path: string): void {
  mkdirSync(resolve(path), { recursive: true })
}
