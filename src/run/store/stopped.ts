import { rmSync } from 'node:fs'
import * as z from 'zod'
import { readObject, withChecksum } from '../../files/checksum.js'
import { readRegular } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'

const schema = z.object({ stopped: z.string().min(1) })

/** Takes down why a run was stopped before everything was played. */
export function writeStopped(path: string, reason: string): void {
  writeWhole(path, `${withChecksum(JSON.stringify({ stopped: reason }))}\n`)
}

/** Forgets it, as the run goes on. */
export function clearStopped(path: string): void {
  rmSync(path, { force: true })
}

/** Why a run was stopped; nothing where it was not. A mark that cannot be read says at least that much. */
export function readStopped(path: string): { readonly stopped?: string } {
  let bytes: Buffer
  try {
    bytes = readRegular(path)
  } catch {
    return {}
  }
  try {
    const { text, state } = readObject(bytes)
    return schema.parse(state === 'damaged' ? undefined : JSON.parse(text))
  } catch {
    return { stopped: 'for a reason that cannot be read' }
  }
}
