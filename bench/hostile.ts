import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { playHostile } from '../test/_hostile-run.js'
import { hostileKinds, mixOf } from '../test/hostile-server.js'
import { size } from './_measure.js'

/**
 * Plays 10,000 exchanges with a server in this process, every second answer of which is hostile, until all episodes are
 * complete.
 */
export async function hostile(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-hostile-'))
  try {
    const run = await playHostile(mixOf('a hostile server'), size(50, 1), folder)
    const { exchanges, planned, calls, sessions, errors, seconds, residentMegabytes, heapMegabytes } = run
    console.log(
      `hostile: ${exchanges.toLocaleString('en')} exchanges, ${String(run.sent.size)} of ${String(hostileKinds.length)} kinds, ` +
        `${(exchanges - calls).toLocaleString('en')} of them retries; ${planned.toLocaleString('en')} episodes in ${String(sessions)} sessions, ` +
        `${String(errors.length)} played again; ${seconds.toFixed(0)} s; at most ${residentMegabytes.toFixed(0)} MB resident and ` +
        `${heapMegabytes.toFixed(0)} MB on the heap beyond the start; longest silence ${(run.longestGapMs / 1000).toFixed(1)} s`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
