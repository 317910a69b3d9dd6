import { setTimeout as delay } from 'node:timers/promises'
import type { RunSummary } from '../run/find-runs.js'
import { summariseRun } from '../run/find-runs.js'
import type { ProgressStream } from '../run/progress.js'
import { showProgress } from '../run/progress.js'

/** Milliseconds between two readings of a run, at least. */
const pollMs = 1000
/** A large run takes long to read: so many times as long nothing is read. */
const restFactor = 9

/** Shows the progress of a run that another process plays, until it ends or `stop`. @returns its last state */
export async function follow(folder: string, stream: ProgressStream, stop: AbortSignal): Promise<RunSummary> {
  let run = summariseRun(folder)
  if (run.content === undefined) return run
  const already = run.content.tally.already
  const progress = showProgress(stream, {
    tally: () => ({ ...run.content!.tally, already, played: run.content!.tally.already - already }),
    clock: () => performance.now(),
  })
  while (!stop.aborted && run.state === 'running') {
    const began = performance.now()
    const next = summariseRun(folder)
    if (next.content === undefined) break
    run = next
    const rest = Math.max(pollMs, restFactor * (performance.now() - began))
    await delay(rest, undefined, { signal: stop }).catch(() => undefined)
  }
  progress.end()
  return run
}
