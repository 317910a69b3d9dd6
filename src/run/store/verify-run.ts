import { existsSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import type { EpisodeRow, Trajectory } from '../../core/episode.js'
import { actionsOf, canonicalJson, isValid, openingOf, parseJson, traceOf } from '../../core/episode.js'
import { measure } from '../../play/measure.js'
import type { Plan } from '../plan.js'
import { readObject } from '../../files/checksum.js'
import type { Line } from '../../files/lines.js'
import { readLines } from '../../files/lines.js'
import { isLocked, takeLock } from '../../files/lock.js'
import { readWhole } from '../../files/read-text.js'
import { count } from '../../tables/words.js'
import { countCells, countMissing } from '../cells.js'
import { readServers } from '../servers.js'
import { lockOf } from '../shrink/shrunk-file.js'
import { nameRow } from './join-runs.js'
import { readPlan } from './plan-file.js'
import { noRun } from './read-run.js'
import type { StoredTrajectory } from './record.js'
import { crcOf } from './record.js'
import { createTrajectoryReader } from './read-trajectories.js'
import { recover } from './recover.js'
import { readRow, readRows } from './row.js'
import type { RunFiles } from './run-folder.js'
import { asStoreError, filesOf, keepDamaged, writeObject } from './run-folder.js'

/** Something that is wrong with a run folder. */
export interface Finding {
  /** Name of the file. */
  readonly file: string
  /** Number of the line, from 1. */
  readonly line?: number
  readonly problem: string
  /** The names of the episode, as far as they can be read. */
  readonly episode?: string
}

/** The state of a run folder. */
export interface Verified {
  readonly findings: readonly Finding[]
  /** What is worth knowing but not wrong, in sentences. */
  readonly remarks: readonly string[]
  /** Counts of episodes; absent if the plan is damaged. */
  readonly episodes?: {
    readonly planned: number
    /** Episodes that have ended without an error. */
    readonly ended: number
    readonly errors: number
    /** Planned episodes without a row of either kind, by condition. */
    readonly missing: ReadonlyMap<string, number>
  }
  /** Keys of the episodes whose row does not fit their trajectory. */
  readonly unfit: ReadonlySet<string>
}

type Open<Type> = { -readonly [Key in keyof Type]: Type[Key] }

/**
 * Checks every line of a run, and each row against the trajectory of its episode: its checksum, the fingerprint of what
 * was said (`traceOf`), and the measures that follow from the steps. Nothing is changed.
 *
 * What cannot be noticed: a row and its trajectory that were changed together, with all checksums computed again, so
 * that they fit; in episodes of older versions, whose trajectories have no checksum of the row, an outcome that fits
 * the steps as well.
 * @throws ShaketableError `store` if the folder holds no run, or a file cannot be read
 */
export function verifyRun(folder: string): Verified {
  const files = filesOf(folder)
  const findings: Open<Finding>[] = []
  const remarks: string[] = []
  const isWriting = isLocked(files.lock)
  if (isWriting) remarks.push('The run is being written; what it has so far is checked.')
  const find = (path: string, problem: string, place: Partial<Finding> = {}): Open<Finding> => {
    const finding = { file: basename(path), problem, ...place }
    findings.push(finding)
    return finding
  }
  let isPlanDamaged = false
  const plan = readPlan(files.plan, (error) => {
    isPlanDamaged = true
    find(files.plan, error.message.replace(`${files.plan}: `, ''))
  })?.plan
  if (plan === undefined && !isPlanDamaged) throw noRun(folder)
  readServers(files.servers, (error) => find(files.servers, error.message.replace(`${files.servers}: `, '')))
  for (const path of smallFiles(files)) {
    if (isDamagedObject(path)) find(path, 'DAMAGED, the file is not as it was written')
  }
  /** Findings whose episode is known by its key alone, until its row is read. */
  const unnamed = new Map<string, Open<Finding>[]>()
  const without = new Set<string>()
  for (const path of [
    files.outcomes,
    files.trajectories,
    files.prompts,
    files.attempts,
    files.sessions,
    files.shrunk,
  ]) {
    let isUnchecked = false
    for (const line of readLines(path)) {
      const { text, number, ended, state } = line
      isUnchecked ||= state === 'unchecked'
      if (path === files.trajectories && ended && state !== 'damaged') without.add(keyIn(text))
      if (!ended && (isWriting || (path === files.shrunk && isLocked(lockOf(path))))) break
      if (ended && state !== 'damaged' && (state === 'sound' || parseJson(text) !== undefined)) continue
      const finding = find(path, problemOf(line), { line: number })
      const row = path === files.outcomes ? readRow(text) : undefined
      const key = keyIn(text)
      if (row !== undefined) finding.episode = `apparently ${nameRow(row)}`
      else if (path !== files.outcomes && key !== '') unnamed.set(key, [...(unnamed.get(key) ?? []), finding])
    }
    if (isUnchecked) {
      remarks.push(
        `${basename(path)} has lines without a checksum, as earlier versions wrote them: damage in them can go unnoticed.`,
      )
    }
  }
  if (plan === undefined) return { findings, remarks, unfit: new Set() }
  return { ...checkRows(files, plan, { find, unnamed, without, remarks }), findings, remarks }
}

interface Checking {
  readonly find: (path: string, problem: string, place?: Partial<Finding>) => Open<Finding>
  readonly unnamed: ReadonlyMap<string, Open<Finding>[]>
  /** Keys of trajectories without a row; here still of all trajectories. */
  readonly without: Set<string>
  readonly remarks: string[]
}

/** Rows whose trajectories are read together. */
const batchSize = 128

function checkRows(files: RunFiles, plan: Plan, { find, unnamed, without, remarks }: Checking) {
  const hasTrajectories = existsSync(files.trajectories)
  const reader = createTrajectoryReader(files)
  /** 1: ended; 2: ended in an error. */
  const states = new Uint8Array(countCells(plan))
  const unfit = new Set<string>()
  let [foreign, repeated] = [0, 0]
  let batch: { row: EpisodeRow; line: Line }[] = []
  const checkBatch = (): void => {
    const keys = batch.map(({ row }) => row.key)
    const stored = reader.readStored(keys)
    reader.calls(keys)
    for (const { row, line } of batch) {
      const found = stored.get(row.key)
      const problem = found === undefined ? 'it has no trajectory that can be read' : compare(row, line.text, found)
      if (problem === undefined) continue
      unfit.add(row.key)
      find(files.outcomes, `the row does not fit its episode: ${problem}`, { line: line.number, episode: nameRow(row) })
    }
    batch = []
  }
  for (const { line, row, place } of readRows(files.outcomes, plan)) {
    if (row === undefined || !line.ended) continue
    without.delete(row.key)
    for (const finding of unnamed.get(row.key) ?? []) finding.episode = nameRow(row)
    if (place === undefined) foreign++
    else if (states[place] === 1) repeated++
    else if (!isValid(row.outcome)) states[place] = 2
    else {
      states[place] = 1
      if (hasTrajectories) batch.push({ row, line })
      if (batch.length >= batchSize) checkBatch()
    }
  }
  checkBatch()
  for (const note of reader.leftOut()) {
    const [, file, line, problem] = /^([\w.]+):(\d+): (.*)$/s.exec(note) ?? []
    if (problem !== undefined && !problem.startsWith('DAMAGED')) find(file!, problem, { line: Number(line) })
  }
  const of = (state: number): number => states.reduce((sum, one) => sum + (one === state ? 1 : 0), 0)
  if (!hasTrajectories && of(1) > 0) {
    remarks.push('trajectories.jsonl is not there, so that rows cannot be compared with it.')
  }
  if (foreign > 0)
    remarks.push(`${count(foreign, 'row')} with a key that no episode of the plan has; reports leave them out.`)
  if (repeated > 0) remarks.push(`${count(repeated, 'further row')} of episodes that have one; the first counts.`)
  if (without.size > 0) {
    remarks.push(`${count(without.size, 'trajectory line')} of episodes without a row; these are played again.`)
  }
  return {
    episodes: {
      planned: states.length,
      ended: of(1),
      errors: of(2),
      missing: countMissing(
        plan,
        (index) => states[index] !== 0,
        ({ column }) => column.label,
      ),
    },
    unfit,
  }
}

function problemOf({ ended, state }: Line): string {
  if (!ended) return 'the last line is unfinished'
  return state === 'damaged' ? 'DAMAGED, the line is not as it was written' : 'expected JSON, got something else'
}

/** The key with which a line begins, or that it has; empty without one. */
function keyIn(text: string): string {
  return /"key":"([0-9a-f]{20})"/.exec(text.slice(0, 1000))?.[1] ?? ''
}

/** Files that are one object of JSON and that `run` can do without. */
function smallFiles({ prices, stopped, merged }: RunFiles): readonly string[] {
  return [prices, stopped, merged]
}

function isDamagedObject(path: string): boolean {
  const bytes = readWhole(path)
  if (bytes === undefined) return false
  const { text, state } = readObject(bytes)
  return state === 'damaged' || parseJson(text) === undefined
}

/** How a row differs from what was stored of its episode; undefined if it does not. */
function compare(
  row: EpisodeRow,
  text: string,
  { stored, trajectory }: { readonly stored: StoredTrajectory; readonly trajectory: Trajectory },
): string | undefined {
  if (stored.rowCrc !== undefined && stored.rowCrc !== crcOf(text)) return 'it is not the row that was stored with it'
  if (trajectory.prompt.length < stored.prompt.length) return 'messages of its first prompt are missing'
  if (row.trace === undefined) return undefined
  if (row.trace !== traceOf(trajectory)) return 'its fingerprint (trace) is not that of the trajectory'
  if (row.opening !== undefined && row.opening !== openingOf(trajectory)) return "its opening is not the trajectory's"
  if (row.actions !== undefined && row.actions !== actionsOf(trajectory)) return "its actions are not the trajectory's"
  const { steps, trials } = trajectory
  if (trials !== undefined) {
    const isThere = trials.some(({ outcome }) => outcome === row.outcome)
    const areEqual = canonicalJson(trials.map(({ progress }) => progress)) === canonicalJson(row.trials)
    return isThere && areEqual ? undefined : 'its outcome or progress is not that of the trials'
  }
  const progress = steps.reduce((best, step) => Math.max(best, step.progress), 0)
  if (row.progress !== progress) return `progress is ${String(row.progress)}, that of the steps ${String(progress)}`
  const measured = measure(steps, [], row.measures.memorised !== undefined)
  for (const name of comparedMeasures) {
    const [was, is] = [row.measures[name], measured[name]]
    if (was !== undefined && canonicalJson(was) !== canonicalJson(is)) {
      return `measures.${name} is ${JSON.stringify(was)}, that of the steps ${JSON.stringify(is)}`
    }
  }
  return undefined
}

/** Measures that follow from the steps in every version. */
const comparedMeasures = [
  'steps',
  'understood',
  'formatErrors',
  'repeats',
  'memorised',
  'adapted',
  'firstUnderstood',
  'firstRefusal',
  'gains',
] as const

/**
 * Removes what is wrong with a run as `run` does when it opens one, and the rows that do not fit their episodes, so
 * that `run` plays these again. What is removed is kept in damaged.jsonl.
 * @returns what was done, in sentences
 * @throws ShaketableError `store` if the plan is damaged, or another process writes to the run
 */
export function repairRun(folder: string, unfit: Verified['unfit']): readonly string[] {
  const files = filesOf(folder)
  const lock = takeLock(files.lock)
  try {
    const found = readPlan(files.plan)
    if (found === undefined) throw noRun(folder)
    const { notes } = recover(files, found.plan, (row) => !unfit.has(row.key))
    const done = [...notes]
    if (unfit.size > 0) {
      done.push(`${basename(files.outcomes)}: ${count(unfit.size, 'row')} that did not fit moved to damaged.jsonl.`)
    }
    for (const path of smallFiles(files)) {
      if (!isDamagedObject(path)) continue
      keepDamaged(files, path)
      // A folder stays the result of merging without the names of its sources.
      if (path === files.merged) writeObject(path, { merged: [] })
      else rmSync(path)
      done.push(`${basename(path)}: DAMAGED; it is kept in damaged.jsonl.`)
    }
    return done
  } catch (thrown) {
    throw asStoreError(thrown, folder)
  } finally {
    lock.release()
  }
}
