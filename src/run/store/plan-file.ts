import * as z from 'zod'
import { parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import { modes, touched } from '../../core/perturbation.js'
import type { Plan, PlanChange } from '../plan.js'
import { readWhole } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'
import { grouped } from '../../tables/words.js'
import { countCells, maxCells } from '../cells.js'

/** Raised whenever this version could misread an older run folder. */
const format = 3

/** Content of plan.json: the plan, the settings as they were given, and the changes of the plan since, if any. */
export interface PlanFile {
  readonly plan: Plan
  readonly experiment: unknown
  readonly history?: readonly PlanChange[]
}

const primary = z.object({ metric: z.enum(['success', 'progress']), conditions: z.array(z.string()).optional() })
const settings = z.record(z.string(), z.unknown())

/** What every reader of a plan uses; further fields, as of a later version, are kept. */
export const planSchema = z.looseObject({
  schema: z.literal(1),
  version: z.string().max(100),
  environments: z.array(
    z.looseObject({
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
          leftOut: z.looseObject({ count: z.number(), of: z.number(), text: z.string() }).optional(),
        })
        .optional(),
      tasks: z
        .array(
          z.looseObject({
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
  conditions: z.array(
    z.looseObject({
      label: z.string(),
      perturbations: z.array(
        z.looseObject({
          name: z.string(),
          version: z.string(),
          scope: z.array(z.string()).optional(),
          mode: z.enum(modes).optional(),
          refuse: z.boolean().optional(),
          intensity: z.number().optional(),
          draw: z.number().optional(),
          numbers: z.literal('own').optional(),
          options: z.record(z.string(), z.string()).optional(),
          promise: z.enum(['invariant', 'identity', 'harder', 'easier']),
          touches: z.enum(touched).optional(),
          keepsMeaning: z.boolean().optional(),
          adversarial: z.literal(true).optional(),
          source: z.string(),
          summary: z.string(),
          environments: z.array(z.string()).optional(),
        }),
      ),
    }),
  ),
  models: z.array(
    z.looseObject({
      name: z.string(),
      settings,
      withoutInDomain: z.string().optional(),
      heldIn: z.array(z.string()).optional(),
      variantOf: z.string().optional(),
      checkpoint: z.looseObject({ series: z.string(), step: z.number().min(0) }).optional(),
      seedsAtZero: z.number().int().min(1).optional(),
      agents: z.array(z.string()).min(1).optional(),
      unprobed: z.literal(true).optional(),
    }),
  ),
  agents: z.array(z.looseObject({ name: z.string(), settings })),
  temperatures: z.array(z.number()),
  seeds: z.array(z.number()),
  stepLimit: z.number(),
  maxTokens: z.number(),
  primary: primary.optional(),
})
const historySchema = z.array(
  z.object({
    date: z.string().max(40),
    added: z.string().max(10_000),
    stored: z.number().int().nonnegative(),
    primary: z.object({ was: primary.nullable(), is: primary.nullable() }).optional(),
  }),
)

/** Writes plan.json atomically. */
export function writePlan(path: string, { plan, experiment, history }: PlanFile): void {
  writeWhole(path, `${JSON.stringify({ format, plan, experiment, history })}\n`)
}

/**
 * Reads plan.json; undefined if there is none.
 * @throws ShaketableError `store` if the file is damaged, cannot be read, or has an unknown format
 */
export function readPlan(path: string): PlanFile | undefined {
  const bytes = readWhole(path)
  if (bytes === undefined) return undefined
  const refuse = (why: string): ShaketableError =>
    new ShaketableError('store', `${path}: ${why}. Restore it from a copy, or play into another folder.`)
  const value = parseJson(bytes.toString('utf8'))
  if (value === null || typeof value !== 'object') throw refuse('expected JSON of an object, got something else')
  const { format: found = null, plan, experiment, history }: Partial<Record<keyof PlanFile | 'format', unknown>> = value
  if (found !== format) {
    throw new ShaketableError(
      'store',
      `${path}: expected format ${String(format)}, got ${JSON.stringify(found)}. The run was written by another version of shaketable; read it with that one, or start a new run.`,
    )
  }
  const { schema, version } = (plan ?? {}) as Partial<Plan>
  if (typeof schema === 'number' && schema !== (1 as number)) {
    const by = typeof version === 'string' ? `, written by shaketable ${version.slice(0, 100)}` : ''
    throw new ShaketableError(
      'store',
      `${path}: expected a plan of schema 1, got schema ${String(schema)}${by}. Read it with that version, or start a new run.`,
    )
  }
  const { error } = z.object({ plan: planSchema, history: historySchema.optional() }).safeParse({ plan, history })
  if (error !== undefined) throw refuse(`${error.issues[0]!.path.join('.')}: ${error.issues[0]!.message}`)
  const planned = countCells(plan as Plan)
  if (planned > maxCells)
    throw refuse(`expected a plan of at most ${grouped(maxCells)} episodes, got ${grouped(planned)}`)
  return {
    plan: plan as Plan,
    experiment,
    ...(history !== undefined && { history: history as readonly PlanChange[] }),
  }
}
