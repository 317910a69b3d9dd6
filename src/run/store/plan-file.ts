import * as z from 'zod'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { modes } from '../../core/perturbation.js'
import type { Plan } from '../../core/report.js'
import { readObject, withChecksum } from '../../files/checksum.js'
import { readRegular } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'

/** Raised whenever this version could misread an older run folder. */
const format = 1

/** Content of plan.json: the plan, and the settings as they were given. */
export interface PlanFile {
  readonly plan: Plan
  readonly experiment: unknown
}

const settings = z.record(z.string(), z.unknown())
const planSchema = z.object({
  schema: z.literal(1),
  version: z.string(),
  environments: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      measure: z.string().optional(),
      settings,
      data: z
        .object({
          kind: z.enum(['generated', 'benchmark', 'files']),
          from: z.string().optional(),
          split: z.string().optional(),
          promptFile: z.string().optional(),
          leftOut: z.object({ count: z.number(), of: z.number(), text: z.string() }).optional(),
        })
        .optional(),
      tasks: z
        .array(
          z.object({
            id: z.string(),
            goal: z.string().optional(),
            kind: z.string().optional(),
            difficulty: z.enum(['easy', 'hard']).optional(),
            hash: z.string(),
          }),
        )
        .min(1),
    }),
  ),
  columns: z.array(
    z.object({
      label: z.string(),
      perturbations: z.array(
        z.object({
          name: z.string(),
          version: z.string(),
          scope: z.array(z.string()).optional(),
          mode: z.enum(modes).optional(),
          refuse: z.boolean().optional(),
          intensity: z.number().optional(),
          draw: z.number().optional(),
          options: z.record(z.string(), z.string()).optional(),
          promise: z.enum(['invariant', 'identity', 'harder', 'easier']),
          adversarial: z.literal(true).optional(),
          source: z.string(),
          summary: z.string(),
          environments: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
  models: z.array(
    z.object({
      name: z.string(),
      settings,
      withoutInDomain: z.string().optional(),
      heldIn: z.array(z.string()).optional(),
      variantOf: z.string().optional(),
      seedsAtZero: z.number().int().min(1).optional(),
      agents: z.array(z.string()).min(1).optional(),
    }),
  ),
  agents: z.array(z.object({ name: z.string(), settings })),
  temperatures: z.array(z.number()),
  seeds: z.array(z.number()),
  stepLimit: z.number(),
  maxTokens: z.number(),
  primary: z.object({ metric: z.enum(['success', 'progress']), columns: z.array(z.string()).optional() }).optional(),
})

/** Writes plan.json atomically. */
export function writePlan(path: string, { plan, experiment }: PlanFile): void {
  writeWhole(path, `${withChecksum(JSON.stringify({ format, plan, experiment }))}\n`)
}

/** Content of plan.json as read. */
interface FoundPlan extends PlanFile {
  /** Whether it has no checksum, like files of earlier versions. */
  readonly isUnchecked: boolean
}

/**
 * Reads plan.json; undefined if there is none.
 * @param damaged is called with the error of a damaged file, in place of throwing it
 * @throws ShaketableError `store` if the file is damaged, cannot be read, or has an unknown format
 */
export function readPlan(path: string, damaged = fail): FoundPlan | undefined {
  let bytes: Buffer
  try {
    bytes = readRegular(path)
  } catch (thrown) {
    if (['ENOENT', 'ENOTDIR'].includes((thrown as NodeJS.ErrnoException).code ?? '')) return undefined
    throw new ShaketableError('store', `Cannot read ${path}: ${messageOf(thrown)}. Check the path and its permissions.`)
  }
  const refuse = (why: string): undefined => {
    damaged(new ShaketableError('store', `${path}: ${why}. ${restore}`))
  }
  const { text, state } = readObject(bytes)
  if (state === 'damaged') return refuse('DAMAGED, the file is not as it was written')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    return refuse(`expected JSON, got something unreadable (${messageOf(thrown)})`)
  }
  if (value === null || typeof value !== 'object') {
    return refuse(`expected an object, got ${value === null ? 'null' : typeof value}`)
  }
  const { format: found = null, plan, experiment }: { format?: unknown; plan?: unknown; experiment?: unknown } = value
  if (found !== format) {
    throw new ShaketableError(
      'store',
      `${path}: expected format ${String(format)}, got ${JSON.stringify(found)}. The run was written by another version of shaketable; read it with that one, or start a new run.`,
    )
  }
  checkSchema(plan, path)
  const read = planSchema.safeParse(plan)
  if (read.success) return { plan: plan as Plan, experiment, isUnchecked: state === 'unchecked' }
  const { path: where, message } = read.error.issues[0]!
  return refuse(`plan.${where.join('.')}: ${message}`)
}

function fail(error: ShaketableError): void {
  throw error
}

/** A plan with another schema is not damaged: another version wrote it. */
function checkSchema(plan: unknown, path: string): void {
  const said = z.object({ schema: z.number(), version: z.string().max(100).optional() }).safeParse(plan).data
  if (said === undefined || said.schema === 1) return
  const { schema, version } = said
  throw new ShaketableError(
    'store',
    `${path}: expected a plan of schema 1, got schema ${String(schema)}${version === undefined ? '' : `, written by shaketable ${version}`}. Read it with that version, or start a new run.`,
  )
}

const restore =
  'Run the same experiment again, which writes the file anew where its rows fit, or restore it from a copy.'

/** One place where two plans differ. */
interface PlanDifference {
  /** `seeds`, `environments.household.settings.split`. */
  readonly path: string
  readonly was: unknown
  readonly is: unknown
}

/** Fields of a plan that only explain it, by the list that contains them. */
const explanations: Readonly<Record<string, readonly string[]>> = {
  perturbations: ['summary', 'source'],
  environments: ['data', 'measure'],
  tasks: ['difficulty', 'goal'],
}

/** The differences of two plans that affect their episodes or how these are counted. */
export function comparePlans(was: Plan, is: Plan): PlanDifference[] {
  const differences: PlanDifference[] = []
  compare(was, { ...is, version: was.version }, [], differences)
  return differences
}

/** The first ten differences, one per line. */
export function describeDifferences(differences: readonly PlanDifference[]): string {
  const lines = differences.slice(0, 10).map(({ path, was, is }) => `  ${path}: was ${show(was)}, is ${show(is)}`)
  if (differences.length > 10) lines.push(`  … and ${String(differences.length - 10)} more`)
  return lines.join('\n')
}

function compare(was: unknown, is: unknown, path: readonly string[], found: PlanDifference[]): void {
  if (isObject(was) && isObject(is)) {
    const keys = new Set([...Object.keys(was), ...Object.keys(is)])
    for (const key of keys) {
      if (explanations[path.at(-2) ?? '']?.includes(key)) continue
      compare(valueAt(was, key), valueAt(is, key), [...path, key], found)
    }
    return
  }
  if (Array.isArray(was) && Array.isArray(is)) {
    const [before, after] = [byName(was), byName(is)]
    if (before !== undefined && after !== undefined) {
      const [names, newNames] = [[...before.keys()], [...after.keys()]]
      if (JSON.stringify(names) === JSON.stringify(newNames)) {
        for (const name of names) compare(before.get(name), after.get(name), [...path, name], found)
      } else {
        found.push({ path: path.join('.'), was: names, is: newNames })
      }
      return
    }
  }
  if (JSON.stringify(was) !== JSON.stringify(is)) found.push({ path: path.join('.'), was, is })
}

/** The items of a list by name; undefined unless all have different names. */
function byName(list: readonly unknown[]): Map<string, unknown> | undefined {
  const entries = list.map((item): [string, unknown] | undefined => {
    const name = isObject(item) ? (item['name'] ?? item['label'] ?? item['id']) : undefined
    return typeof name === 'string' ? [name, item] : undefined
  })
  if (list.length === 0 || entries.some((entry) => entry === undefined)) return undefined
  const named = new Map(entries as [string, unknown][])
  return named.size === list.length ? named : undefined
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function valueAt(object: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

function show(value: unknown): string {
  if (value === undefined) return 'absent'
  if (Array.isArray(value) && value.length > 6) {
    return `${String(value.length)} (${show(value[0])}, …, ${show(value.at(-1))})`
  }
  const text = Array.isArray(value)
    ? `[${value.map(show).join(', ')}]`
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
  return text.length > 160 ? `${text.slice(0, 160)}…` : text
}
