import { readdirSync } from 'node:fs'
import { basename } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import { asWriteError } from '../../files/write-error.js'
import type { ProbeReport } from '../../models/probe/index.js'
import { writeServers } from '../servers.js'
import type { RunFiles } from './files.js'
import { comparePlans, describeDifferences } from './plan-difference.js'
import type { PlanFile } from './plan-file.js'
import { readPlan, writePlan } from './plan-file.js'
import { makeFolder } from '../../files/make-folder.js'

/** Makes a run's folder. @throws ShaketableError `store` where it holds other files */
export function makeRunFolder(files: RunFiles): void {
  const { folder } = files
  makeFolder(folder)
  if (readPlan(files.plan) !== undefined) return
  const own = [files.lock, files.plan, files.servers].map((path) => basename(path))
  const strangers = readdirSync(folder).filter((name) => !own.some((file) => name.startsWith(file)))
  if (strangers.length > 0) {
    throw new ShaketableError(
      'store',
      `Expected an empty folder or a run, but ${folder} holds other files (${strangers.slice(0, 3).join(', ')}). Give --out another folder.`,
    )
  }
}

/**
 * Writes the plan of a new run, or compares that of an old one. What was learned of servers is written before the plan that rests on it.
 * @throws ShaketableError `store` with the difference
 */
export function settlePlan(files: RunFiles, planFile: PlanFile, servers: readonly ProbeReport[]): void {
  const found = readPlan(files.plan)
  if (found === undefined) {
    if (servers.length > 0) writeServers(files.servers, servers)
    writePlan(files.plan, planFile)
    return
  }
  const differences = comparePlans(found.plan, planFile.plan)
  if (differences.length === 0) return
  throw new ShaketableError(
    'store',
    `${files.folder} holds another experiment:\n${describeDifferences(differences)}\nGive --out another folder, or run the experiment that is there.`,
  )
}

/** What a failed write means for a person. */
export function asStoreError(thrown: unknown, path: string): ShaketableError {
  return asWriteError(thrown, path, 'Give --out another folder')
}
