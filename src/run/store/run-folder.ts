import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import type { Plan } from '../../core/report.js'
import { asWriteError } from '../../files/write-error.js'
import type { KnownServer } from '../servers.js'
import { readServers, writeServers } from '../servers.js'
import { comparePlans, describeDifferences, readPlan, writePlan } from './plan-file.js'
import type { PlanFile } from './plan-file.js'
import { readRows } from './row.js'
import { makeFolder } from '../../files/make-folder.js'
import * as z from 'zod'
import { readObject, withChecksum } from '../../files/checksum.js'
import { readRegular } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'

/** Makes a run's folder. @throws ShaketableError `store` where it holds other files */
export function makeRunFolder(files: RunFiles): void {
  const { folder } = files
  makeFolder(folder)
  if (existsSync(files.plan)) return
  const own = [files.lock, files.plan, files.servers].map((path) => basename(path))
  const unknown = readdirSync(folder).filter((name) => !own.some((file) => name.startsWith(file)))
  if (unknown.length > 0) {
    throw new ShaketableError(
      'store',
      `Expected an empty folder or a run, but ${folder} holds other files (${unknown.slice(0, 3).join(', ')}). Give --out another folder.`,
    )
  }
}

/**
 * Writes the plan of a new run, or compares that of an old one; a damaged one is written again where the rows that are
 * there are of the same experiment. What was learned of servers is written before the plan that rests on it.
 * @returns what was damaged, in sentences
 * @throws ShaketableError `store` with the difference
 */
export function settlePlan(files: RunFiles, planFile: PlanFile, servers: readonly KnownServer[]): string[] {
  const notes: string[] = []
  const setAside = (path: string): void => {
    const kept = Buffer.concat([readFileSync(path), Buffer.from('\n')])
    writeFileSync(files.damaged, kept, { flag: 'a', flush: true })
    notes.push(
      `${path}: DAMAGED, the file is not as it was written. It is made anew; the damaged one is kept in ${basename(files.damaged)}.`,
    )
  }
  let damage: ShaketableError | undefined
  const found = readPlan(files.plan, (error) => (damage = error))
  if (damage !== undefined && !hasRowsOf(files.outcomes, planFile.plan)) throw damage
  if (found !== undefined) checkSame(files.folder, found.plan, planFile.plan)
  if (found !== undefined || damage !== undefined) {
    readServers(files.servers, () => {
      setAside(files.servers)
      if (servers.length === 0) rmSync(files.servers)
    })
  }
  if (servers.length > 0) writeServers(files.servers, servers)
  if (damage !== undefined) setAside(files.plan)
  if (found === undefined) writePlan(files.plan, planFile)
  return notes
}

/** Whether there are rows of a plan, and none of another. */
function hasRowsOf(outcomes: string, plan: Plan): boolean {
  let isThere = false
  for (const { row, place } of readRows(outcomes, plan)) {
    if (row !== undefined && place === undefined) return false
    isThere ||= place !== undefined
  }
  return isThere
}

function checkSame(folder: string, was: Plan, is: Plan): void {
  const differences = comparePlans(was, is)
  if (differences.length === 0) return
  throw new ShaketableError(
    'store',
    `${folder} holds another experiment:\n${describeDifferences(differences)}\nGive --out another folder, or run the experiment that is there.`,
  )
}

/** What a failed write means for a person. */
export function asStoreError(thrown: unknown, path: string): ShaketableError {
  return asWriteError(thrown, path, 'Give --out another folder')
}

/** The files of a run folder. */
export interface RunFiles {
  readonly folder: string
  /** The plan and the experiment that it was made from. */
  readonly plan: string
  /** One small row an episode: the truth of what is done. */
  readonly outcomes: string
  /** One line an episode, for people. */
  readonly trajectories: string
  /** Messages of first prompts, each once. */
  readonly prompts: string
  /** How the replies of episodes were got: attempts, waits and times, which are not part of what an episode is. */
  readonly attempts: string
  /** Damaged lines of the three files above that were taken out of them, as they were. */
  readonly damaged: string
  /** What was learned of the servers of its models, where they were asked. */
  readonly servers: string
  /** Why the last session ended before everything was played, where it did. */
  readonly stopped: string
  readonly lock: string
  readonly report: string
}

/** Where a run folder keeps what. */
export function filesOf(folder: string): RunFiles {
  return {
    folder,
    plan: join(folder, 'plan.json'),
    outcomes: join(folder, 'outcomes.jsonl'),
    trajectories: join(folder, 'trajectories.jsonl'),
    prompts: join(folder, 'prompts.jsonl'),
    attempts: join(folder, 'attempts.jsonl'),
    damaged: join(folder, 'damaged.jsonl'),
    servers: join(folder, 'servers.json'),
    stopped: join(folder, 'stopped.json'),
    lock: join(folder, 'lock'),
    report: join(folder, 'report'),
  }
}

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
