import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Fault, FileCall } from './_faulty-files.js'
import { lookAt, playFaulty } from './_faulty-run.js'

const faults: readonly Fault[] = ['kill', 'kill-halfway', 'ENOSPC', 'EIO']

/**
 * Every combination of calls and faults, of which `test/cli/faults.test.ts` covers a part, each in a process that is
 * really killed: some 500 faults, each followed by a second run that resumes. Takes half an hour on two cores: `node
 * dist/bench/faults.js`.
 */
async function everyFault(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  const [work, list] = [join(folder, 'work'), join(folder, 'calls.json')]
  const begin = (): void => {
    rmSync(work, { recursive: true, force: true })
    mkdirSync(work)
  }
  try {
    begin()
    await playFaulty(work, { list })
    const whole = lookAt(work)
    const calls = JSON.parse(readFileSync(list, 'utf8')) as FileCall[]
    let [tried, wrong] = [0, 0]
    for (const [at, { kind, path }] of calls.entries()) {
      for (const fault of faults) {
        if (fault === 'kill-halfway' && kind !== 'write') continue
        begin()
        const hit = await playFaulty(work, { at, fault })
        const again = await playFaulty(work)
        const isReported =
          hit.signal === 'SIGKILL' || hit.code === 0 || (hit.code === 2 && !hit.stderr.includes('    at '))
        tried++
        if (isReported && again.code === 0 && isDeepStrictEqual(lookAt(work), whole)) continue
        wrong++
        console.log(`faults: ${fault} at call ${String(at)}, ${kind} ${path}: ${hit.stderr} ${again.stderr}`)
      }
    }
    console.log(
      `faults: ${String(tried)} tried over ${String(calls.length)} calls, ${String(wrong)} did not end as an undisturbed run`,
    )
    if (wrong > 0) process.exitCode = 1
  } finally {
    rmSync(folder, { recursive: true })
  }
}

await everyFault()
