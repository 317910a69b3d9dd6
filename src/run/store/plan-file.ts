import { canonicalJson } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import type { Plan, PlanChange } from '../plan.js'
import { readWhole } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'
import { createNumbering, describeExcess } from '../cells.js'
import { describeDifferences, describeGrowth, joinExperiments, joinPlans } from '../join-plans.js'
import { type KnownServer, writeServers } from '../servers.js'
import { openRows } from './rows.js'
import type { RunFiles } from './run-folder.js'

/** Raised whenever this version could misread an older run folder. */
const format = 3

/** Content of plan.json: the plan, the settings as they were given, and the changes of the plan since, if any. */
export interface PlanFile {
  readonly plan: Plan
  readonly experiment: unknown
  readonly history?: readonly PlanChange[]
}

/** Writes plan.json atomically. */
export function writePlan(path: string, { plan, experiment, history }: PlanFile): void {
  writeWhole(path, `${JSON.stringify({ format, plan, experiment, history })}\n`)
}

const lists = ['environments', 'conditions', 'models', 'agents', 'temperatures', 'seeds'] as const

/** Whether the episodes of a plan can be listed with their keys, which use every part of it. */
function hasEpisodes(plan: Plan): boolean {
  try {
    return describeExcess(plan) === undefined && createNumbering(plan).size > 0
  } catch {
    return false
  }
}

/**
 * Reads plan.json; undefined if there is none.
 * @throws ShaketableError `store` if the file is damaged, cannot be read, or has an unknown format
 */
export function readPlan(path: string): PlanFile | undefined {
  const bytes = readWhole(path)
  if (bytes === undefined) return undefined
  const value = parseJson(bytes.toString('utf8')) as Partial<PlanFile & { readonly format: unknown }> | null | undefined
  if (value?.format !== undefined && value.format !== format) {
    throw new ShaketableError(
      'store',
      `${path}: expected format ${String(format)}, got ${JSON.stringify(value.format)}. The run was written by another version of shaketable; read it with that one, or start a new run.`,
    )
  }
  const { plan, experiment, history } = value ?? {}
  if (plan !== undefined && lists.every((name) => Array.isArray(plan[name])) && hasEpisodes(plan))
    return { plan, experiment, ...(history && { history }) }
  throw new ShaketableError(
    'store',
    `${path}: expected the plan of a run, got something else. Restore it from a copy, or play into another folder.`,
  )
}

/**
 * The smallest plan with the episodes of two plans, and its experiment; the first as it is if both plans are equal.
 * @param refuse makes the message from the differences
 * @throws ShaketableError `store` where equal names stand for different episodes, and where there are too many
 */
export function joinPlanFiles(was: PlanFile, is: PlanFile, refuse: (differences: string) => string): PlanFile {
  if (canonicalJson(was.plan) === canonicalJson(is.plan)) return was
  const { plan, refused } = joinPlans(was.plan, is.plan)
  if (refused !== undefined) throw new ShaketableError('store', refuse(describeDifferences(refused)))
  const excess = describeExcess(plan)
  if (excess !== undefined)
    throw new ShaketableError('store', `${excess} The joined plan has every combination of both.`)
  return { plan, experiment: joinExperiments(was.experiment, is.experiment, plan) }
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
  const was = readPlan(files.plan)
  const grown = was === undefined ? planFile : grow(files, was, planFile, date)
  if (servers.length > 0) writeServers(files.servers, servers)
  if (grown !== was) writePlan(files.plan, grown)
  const added = was === undefined ? '' : describeGrowth(was.plan, grown.plan)
  return { plan: grown.plan, notes: added === '' ? [] : [`${files.folder} grows by ${added}.`] }
}

/** The plan of a run with what another plan adds; the same object if that is nothing. */
function grow(files: RunFiles, was: PlanFile, is: PlanFile, date: string): PlanFile {
  const grown = joinPlanFiles(
    was,
    is,
    (differences) =>
      `${files.folder} holds another experiment:\n${differences}\nThese settings decide its episodes. Give --out another folder, or leave them as they were; a run only takes more of what it has, such as seeds, tasks, conditions and models.`,
  )
  const { plan } = grown
  // Speeds and names in the experiment are no change worth remembering.
  if (canonicalJson(was.plan) === canonicalJson(plan)) return was
  const added = describeGrowth(was.plan, plan)
  const primary = { was: was.plan.primary ?? null, is: plan.primary ?? null }
  const isSame = canonicalJson(primary.was) === canonicalJson(primary.is)
  // Nor are explanations alone.
  if (added === '' && isSame) return { ...grown, ...(was.history && { history: was.history }) }
  const { valid: stored } = openRows(was.plan, [files]).known()
  return { ...grown, history: [...(was.history ?? []), { date, added, stored, ...(!isSame && { primary }) }] }
}
