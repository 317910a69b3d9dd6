import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ShaketableError } from '../../core/errors.js'
import { canonicalJson, isValid } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import type { Plan, PlanChange } from '../plan.js'
import { makeFolder } from '../../files/make-folder.js'
import { readWhole } from '../../files/read-text.js'
import { asWriteError } from '../../files/write-error.js'
import { writeWhole } from '../../files/write-whole.js'
import type { KnownServer } from '../servers.js'
import { writeServers } from '../servers.js'
import { describeDifferences, describeGrowth, joinExperiments, joinPlans } from '../join-plans.js'
import { readPlan, writePlan } from './plan-file.js'
import type { PlanFile } from './plan-file.js'
import { readRows } from './row.js'

/** Creates a run's folder. @throws ShaketableError `store` if it holds other files */
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
 * Writes the plan of a new run, or joins the plan with that of an existing run. The reports of servers are written
 * before the plan, which depends on them: a run that is stopped in between probes them again. The notes are for users.
 * @param date of a change of the plan, as in {@link PlanChange}
 * @throws ShaketableError `store` with what would change stored episodes
 */
export function settlePlan(
  files: RunFiles,
  planFile: PlanFile,
  servers: readonly KnownServer[],
  date: string,
): { readonly plan: Plan; readonly notes: string[] } {
  const plan = readPlan(files.plan)
  const grown = plan === undefined ? planFile : grow(files, plan, planFile, date)
  if (servers.length > 0) writeServers(files.servers, servers)
  if (grown === plan) return { plan: grown.plan, notes: [] }
  writePlan(files.plan, grown)
  const added = plan === undefined ? '' : describeGrowth(plan.plan, grown.plan)
  return { plan: grown.plan, notes: added === '' ? [] : [`${files.folder} grows by ${added}.`] }
}

/** The plan of a run with what another plan adds; the same object if that is nothing. */
function grow(files: RunFiles, was: PlanFile, is: PlanFile, date: string): PlanFile {
  const { plan, refused } = joinPlans(was.plan, is.plan)
  if (refused !== undefined) {
    throw new ShaketableError(
      'store',
      `${files.folder} holds another experiment:\n${describeDifferences(refused)}\nThese settings decide its episodes. Give --out another folder, or leave them as they were; a run only takes more of what it has, such as seeds, tasks, conditions and models.`,
    )
  }
  const experiment = joinExperiments(was.experiment, is.experiment, plan)
  const [added, isSamePrimary] = [describeGrowth(was.plan, plan), isEqual(was.plan.primary, plan.primary)]
  const isSame = isSamePrimary && isEqual(was.plan, plan)
  // Explanations alone are no change worth remembering, nor are speeds and names in the experiment.
  if (isSame) return was
  const change: PlanChange = {
    date,
    added,
    stored: countValid(files.outcomes, was.plan),
    ...(!isSamePrimary && { primary: { was: was.plan.primary ?? null, is: plan.primary ?? null } }),
  }
  const history = [...(was.history ?? []), ...(added !== '' || !isSamePrimary ? [change] : [])]
  return { plan, experiment, ...(history.length > 0 && { history }) }
}

function isEqual(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) === canonicalJson(other ?? null)
}

/** Number of valid episodes of a plan that are stored. */
function countValid(outcomes: string, plan: Plan): number {
  let valid = 0
  for (const { outcome } of readRows(plan, [outcomes]).rows) if (isValid(outcome)) valid++
  return valid
}

const elsewhere = 'Give --out another folder'

/** Explains a failed write to the user. */
export function asStoreError(thrown: unknown, path: string): ShaketableError {
  return asWriteError(thrown, path, elsewhere)
}

/** The files of a run folder, by what they hold. */
const names = {
  /** The plan and the experiment that it was created from. */
  plan: 'plan.json',
  /** One small row per episode. It decides which episodes are done. */
  outcomes: 'outcomes.jsonl',
  /** One line per episode, for people. */
  trajectories: 'trajectories.jsonl',
  /** Messages of first prompts, each once. */
  prompts: 'prompts.jsonl',
  /** Reports of its servers, if they were probed. */
  servers: 'servers.json',
  /** Why the last session ended early, if it did. */
  stopped: 'stopped.json',
  lock: 'lock',
  report: 'report',
} as const

/** The paths of a run folder's files. */
export type RunFiles = { readonly folder: string } & { readonly [Name in keyof typeof names]: string }

/** The paths of a run folder's files. */
export function filesOf(folder: string): RunFiles {
  const paths = Object.entries(names).map(([name, file]) => [name, join(folder, file)] as const)
  return { folder, ...(Object.fromEntries(paths) as Omit<RunFiles, 'folder'>) }
}

/** The most characters of a reason: it is shown in titles and lists. */
const maxReason = 2000

/** Records why a run stopped early. @throws ShaketableError `store` if that cannot be written */
export function writeStopped(path: string, reason: string): void {
  writeWhole(path, `${JSON.stringify({ stopped: reason })}\n`, elsewhere)
}

/** Removes that record when the run goes on. @throws ShaketableError `store` if it cannot be removed */
export function clearStopped(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch (thrown) {
    throw asStoreError(thrown, path)
  }
}

/** Why a run stopped early; undefined if it did not. */
export function readStopped(path: string): string | undefined {
  const text = readWhole(path)?.toString('utf8')
  if (text === undefined) return undefined
  const { stopped } = (parseJson(text) ?? {}) as { readonly stopped?: unknown }
  return typeof stopped === 'string' ? stopped.slice(0, maxReason) : 'for a reason that cannot be read'
}
