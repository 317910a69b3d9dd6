import { writeFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'
import type { FaultOptions } from './_faulty-files.js'
import { installFaults } from './_faulty-files.js'

/**
 * Loaded before the command, with `--import`: installs a fault and records the calls. The command runs in a worker
 * thread; the main thread only starts it.
 */
if (!isMainThread) {
  const { list, ...given } = JSON.parse(process.env['SHAKETABLE_FAULT']!) as Omit<FaultOptions, 'kill'> & {
    list?: string
  }
  const faults = installFaults({ ...given, kill: () => process.kill(process.pid, 'SIGKILL') })
  process.on('exit', () => {
    faults.remove()
    if (list !== undefined) writeFileSync(list, JSON.stringify(faults.calls))
  })
}
