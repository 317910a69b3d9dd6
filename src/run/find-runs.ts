import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isValid } from '../core/episode.js'
import { messageOf } from '../core/errors.js'
import type { Plan, PlanChange } from './plan.js'
import { count } from '../tables/words.js'
import { countCells } from './cells.js'
import { type Tally, createTally } from './progress.js'
import { isLocked } from '../files/lock.js'
import { type RunFiles, filesOf, readStopped } from './store/run-folder.js'
import { openRows } from './store/rows.js'
import { readPlan } from './store/plan-file.js'

const maxDepth = 4

/**
 * Finds the runs below a folder. Folders inside runs, hidden ones, links and `node_modules` are left out.
 * @throws Error of the system if a folder cannot be read
 */
export function findRuns(root: string, depth = 1): readonly string[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory() || entry.name.startsWith('.') || entry.name === 'node_modules') return []
    const path = join(root, entry.name)
    if (isRun(path)) return [path]
    return depth < maxDepth ? findRuns(path, depth + 1) : []
  })
}

/** Whether a folder is a run, or was one: its plan may be lost or damaged. Foreign files named plan.json are none. */
export function isRun(folder: string): boolean {
  const { plan, outcomes: rows, trajectories } = filesOf(folder)
  if (existsSync(rows) && (existsSync(plan) || existsSync(trajectories))) return true
  try {
    return readPlan(plan) !== undefined
  } catch {
    return false
  }
}

/**
 * Whether a run goes on, and why not.
 *
 * - `running`: a live process, or one on another machine, holds its lock.
 * - `complete`: every planned episode has a valid row.
 * - `stopped`: the last session ended early and said why.
 * - `partial`: it was interrupted or killed, it played a part, or some episodes ended in an error.
 */
type State = 'running' | 'complete' | 'stopped' | 'partial'

/** The state of a run folder, and why it stopped. @throws ShaketableError `store` if its lock cannot be read */
export function stateOf(
  files: RunFiles,
  { already, planned }: Pick<Tally, 'already' | 'planned'>,
): { readonly state: State; readonly why?: string } {
  if (isLocked(files.lock)) return { state: 'running' }
  if (already >= planned) return { state: 'complete' }
  const why = readStopped(files.stopped)
  return why === undefined ? { state: 'partial' } : { state: 'stopped', why }
}

/** A run in a list. */
export interface RunSummary {
  readonly folder: string
  /** `unreadable`: its plan is damaged or missing, or another version wrote it. */
  readonly state: State | 'unreadable'
  /** In one or more sentences. */
  readonly why?: string
  /** Time of the last row, in milliseconds since 1970. */
  readonly changed: number
  /** Absent if the plan cannot be read. `already` counts valid rows, `errors` episodes whose last row is an error. */
  readonly content?: { readonly plan: Plan; readonly tally: Tally; readonly history: readonly PlanChange[] }
}

/** Reads what a list shows of a run. Never throws. */
export function summariseRun(folder: string): RunSummary {
  const files = filesOf(folder)
  const changed = timeOf(existsSync(files.outcomes) ? files.outcomes : files.plan)
  try {
    const file = readPlan(files.plan)
    if (file === undefined) throw new Error(`${files.plan} is missing. Restore it from a copy.`)
    const { plan, history = [] } = file
    const rows = openRows(plan, [files])
    const counting = createTally(countCells(plan), plan)
    for (const row of rows) (isValid(row.outcome) ? counting.seen : counting.played)(row)
    const tally = counting.now()
    const { unreadable } = rows.known()
    const isOne = unreadable === 1
    const why = `${count(unreadable, 'line')} of ${basename(files.outcomes)} cannot be read and ${isOne ? 'is' : 'are'} left out; \`shaketable runs ${folder} --check\` names ${isOne ? 'it' : 'them'}.`
    return {
      folder,
      changed,
      ...stateOf(files, tally),
      ...(unreadable > 0 && { why }),
      content: { plan, tally, history },
    }
  } catch (thrown) {
    return { folder, changed, state: 'unreadable', why: messageOf(thrown) }
  }
}

/** When a file was changed last, in milliseconds since 1970; 0 where there is none. */
export function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}
