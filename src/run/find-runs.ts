import { closeSync, existsSync, lstatSync, readSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { EpisodeRow, Outcome } from '../core/episode.js'
import { isValid, outcomes } from '../core/episode.js'
import { messageOf } from '../core/errors.js'
import type { Plan, PlanChange } from './plan.js'
import { maxLineBytes } from '../files/lines.js'
import { openRegular } from '../files/read-text.js'
import { countCells } from './cells.js'
import type { Tally } from './progress.js'
import { createTally } from './progress.js'
import { filesOf } from './store/run-folder.js'
import { readRow } from './store/row.js'
import { readPlan } from './store/plan-file.js'
import type { RunState } from './store/run-state.js'
import { stateOf } from './store/run-state.js'
import type { StoredSession } from './store/sessions.js'
import { readSessions } from './store/sessions.js'

/** How deep below a folder runs are looked for, and how many folders are looked at. */
const [maxDepth, maxFolders] = [4, 50_000]

/** Runs below a folder. */
interface FoundRuns {
  readonly folders: readonly string[]
  /** What could not be looked at, in sentences. */
  readonly notes: readonly string[]
}

/**
 * Finds the runs below a folder. Folders inside runs, hidden ones and `node_modules` are left out. A link to a run
 * counts as one, once; other links are not followed.
 * @throws Error of the system if the folder itself cannot be read
 */
export function findRuns(root: string): FoundRuns {
  const folders: string[] = []
  const notes: string[] = []
  const real = new Set<string>()
  let waiting = [root]
  let looked = 0
  const take = (folder: string): void => {
    const place = realpathSync(folder)
    if (!real.has(place)) folders.push(folder)
    real.add(place)
  }
  for (let depth = 0; depth < maxDepth && waiting.length > 0; depth++) {
    const next: string[] = []
    const links: string[] = []
    for (const folder of waiting) {
      if (++looked > maxFolders) break
      try {
        for (const entry of readdirSync(folder, { withFileTypes: true })) {
          if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
          const path = join(folder, entry.name)
          if (entry.isSymbolicLink()) links.push(path)
          else if (entry.isDirectory()) (isRun(path) ? take : (one: string) => next.push(one))(path)
        }
      } catch (thrown) {
        if (folder === root) throw thrown
        notes.push(`${folder} cannot be read (${messageOf(thrown)}) and is left out.`)
      }
    }
    // Real folders first: a run is listed by its own name where both are there.
    for (const link of links) if (isRun(link)) take(link)
    waiting = next
  }
  if (looked > maxFolders) {
    notes.push(
      `More than ${maxFolders.toLocaleString('en')} folders; the rest is left out. Give a folder further down.`,
    )
  }
  return { folders, notes }
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

/** A run in a list. */
export interface RunSummary extends Omit<RunState, 'state'> {
  readonly folder: string
  /** `damaged`: its plan, or lines of its rows, cannot be read. `unreadable`: another version wrote it. */
  readonly state: RunState['state'] | 'damaged' | 'unreadable'
  /** Time of the last row, in milliseconds since 1970. */
  readonly changed: number
  /** Size of all its files. */
  readonly bytes: number
  /** Absent if the plan cannot be read. */
  readonly content?: RunContent
}

interface RunContent {
  readonly plan: Plan
  /** `already` counts valid rows, `errors` episodes whose last row is an error. */
  readonly tally: Tally
  readonly history: readonly PlanChange[]
  readonly sessions: readonly StoredSession[]
}

/**
 * Reads what a list shows of a run. Of its rows only keys, names and outcomes are read, and neither checksums nor keys
 * are checked: a million rows take about a second. Never throws.
 */
export function summariseRun(folder: string): RunSummary {
  const files = filesOf(folder)
  const changed = timeOf(existsSync(files.outcomes) ? files.outcomes : files.plan)
  const common = { folder, changed, bytes: sizeOf(folder) }
  let damage: string | undefined
  try {
    const found = readPlan(files.plan, (error) => (damage = error.message))
    if (found === undefined)
      return { ...common, state: 'damaged', why: damage ?? `${files.plan} is missing. Restore it from a copy.` }
    const { plan } = found
    const { tally, unreadable } = scanRows(files.outcomes, plan)
    const state = stateOf(files, { stored: tally.already, planned: tally.planned })
    const content = {
      plan,
      tally,
      history: found.history ?? [],
      sessions: readSessions(files.sessions).sessions,
    }
    if (unreadable === 0 || state.state === 'running') return { ...common, ...state, content }
    const why = `${unreadable.toLocaleString('en')} lines of ${basename(files.outcomes)} cannot be read. Run the same experiment again, which plays their episodes.`
    return { ...common, state: 'damaged', why, content }
  } catch (thrown) {
    return { ...common, state: 'unreadable', why: messageOf(thrown) }
  }
}

const chunkBytes = 1 << 20
const text = String.raw`"((?:[^"\\]|\\.)*)"`
/** The beginning of a row with its fields in the order in which runs write them; others are parsed. */
const rowStart = new RegExp(
  String.raw`^\{"key":"([0-9a-f]{20})","environment":${text},"task":${text},"column":${text},"model":${text},"agent":`,
)
const outcomeStart = '"outcome":"'
const knownOutcomes: ReadonlySet<string> = new Set(outcomes)

type Quick = Pick<EpisodeRow, 'key' | 'column' | 'model' | 'outcome'>

/** What is needed of a row, in time that is linear in its length; undefined for one that has to be parsed. */
function quickOf(line: string): Quick | undefined {
  const found = line.endsWith('}') ? rowStart.exec(line) : null
  if (found === null) return undefined
  const [start, key, , , column, model] = found
  const at = line.indexOf(outcomeStart, start.length) + outcomeStart.length
  const outcome = line.slice(at, line.indexOf('"', at))
  if (at < start.length || !knownOutcomes.has(outcome)) return undefined
  return { key: key!, column: column!, model: model!, outcome: outcome as Outcome }
}

function scanRows(path: string, plan: Plan): { readonly tally: Tally; readonly unreadable: number } {
  const tally = createTally(countCells(plan), plan)
  const names = new Map(
    [...plan.columns.map(({ label }) => label), ...plan.models.map(({ name }) => name)].map((name) => [
      asStored(name),
      name,
    ]),
  )
  const broken = new Set<string>()
  let unreadable = 0
  const add = ({ key, column, model, outcome }: Quick): void => {
    if (!isValid(outcome)) {
      broken.add(key)
      return
    }
    if (broken.size > 0) broken.delete(key)
    tally.seen({ column: names.get(column) ?? column, model: names.get(model) ?? model, outcome })
  }
  const addLines = (lines: string): void => {
    for (const line of lines.split('\n')) {
      // Recovery leaves lines of spaces.
      const row = quickOf(line) ?? (line.trim() === '' ? null : readRow(Buffer.from(line, 'latin1').toString()))
      if (row === null) continue
      if (row === undefined) unreadable++
      else add(row)
    }
  }
  eachBlock(path, addLines)
  const now = tally.now()
  return { tally: { ...now, already: Math.min(now.already, now.planned), errors: broken.size }, unreadable }
}

/** A name within a line of JSON that is read as Latin-1, which is faster than UTF-8 and cuts no character. */
function asStored(name: string): string {
  return Buffer.from(JSON.stringify(name).slice(1, -1)).toString('latin1')
}

/** Calls a function with blocks of whole lines; an unfinished last line is left out. */
function eachBlock(path: string, see: (lines: string) => void): void {
  if (!existsSync(path)) return
  const file = openRegular(path)
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let carried = ''
    for (;;) {
      const read = readSync(file, chunk, 0, chunkBytes, null)
      if (read === 0) return
      const lines = chunk.toString('latin1', 0, read)
      const end = lines.lastIndexOf('\n') + 1
      if (end > 0) see(carried + lines.slice(0, end))
      carried = end > 0 ? lines.slice(end) : carried + lines
      if (carried.length > maxLineBytes) throw new Error(`${path} has a line of more than 64 MiB`)
    }
  } finally {
    closeSync(file)
  }
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Bytes of the files of a run and of the folders in it, links not followed. */
function sizeOf(folder: string, depth = 0): number {
  try {
    return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return depth < 2 ? sum + sizeOf(path, depth + 1) : sum
      return sum + (lstatSync(path, { throwIfNoEntry: false })?.size ?? 0)
    }, 0)
  } catch {
    return 0
  }
}
