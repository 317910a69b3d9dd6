import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import type { Plan } from '../../core/report.js'
import { asWriteError } from '../../files/write-error.js'
import type { KnownServer } from '../servers.js'
import { readServers, writeServers } from '../servers.js'
import type { RunFiles } from './files.js'
import { comparePlans, describeDifferences } from './plan-difference.js'
import type { PlanFile } from './plan-file.js'
import { readPlan, writePlan } from './plan-file.js'
import { readRows } from './read-rows.js'
import { makeFolder } from '../../files/make-folder.js'

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
