import { parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import type { Plan, PlanChange } from '../plan.js'
import { readWhole } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'
import { placesOf } from '../cells.js'

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

/** Lists that every plan has. */
const lists = ['environments', 'conditions', 'models', 'agents', 'temperatures', 'seeds'] as const

/** Whether the episodes of a plan can be listed with their keys, which use every part of it. */
function hasEpisodes(plan: Plan): boolean {
  try {
    return placesOf(plan).size > 0
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
