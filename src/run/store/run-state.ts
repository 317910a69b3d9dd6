import { isLocked } from '../../files/lock.js'
import type { RunFiles } from './run-folder.js'
import { readStopped } from './run-folder.js'

/** Whether a run goes on, and why not. */
export interface RunState {
  /**
   * - `running`: a live process, or one on another machine, holds its lock.
   * - `complete`: every planned episode has a valid row.
   * - `stopped`: the last session ended early and said why.
   * - `partial`: it was interrupted or killed, it played a part, or some episodes ended in an error.
   */
  readonly state: 'running' | 'complete' | 'stopped' | 'partial'
  /** Why it stopped, in one or more sentences. */
  readonly why?: string
}

/** The state of a run folder. @throws ShaketableError `store` if its lock cannot be read */
export function stateOf(
  files: RunFiles,
  { stored, planned }: { readonly stored: number; readonly planned: number },
): RunState {
  if (isLocked(files.lock)) return { state: 'running' }
  if (stored >= planned) return { state: 'complete' }
  const { stopped } = readStopped(files.stopped)
  return stopped === undefined ? { state: 'partial' } : { state: 'stopped', why: stopped }
}
