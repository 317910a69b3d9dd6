import * as z from 'zod'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { modes, touched } from '../../core/perturbation.js'
import type { Plan, PlanChange } from '../plan.js'
import { readWhole } from '../../files/read-text.js'
import { writeWhole } from '../../files/write-whole.js'
import { grouped } from '../../tables/words.js'
import { countCells, maxCells } from '../cells.js'

/** Raised whenever this version could misread an older run folder. */
const format = 2

/** Content of plan.json: the plan, the settings as they were given, and the changes of the plan since, if any. */
export interface PlanFile {
  readonly plan: Plan
  readonly experiment: unknown
  readonly history?: readonly PlanChange[]
}

const settings = z.record(z.string(), z.unknown())
const primary = z.object({ metric: z.enum(['success', 'progress']), columns: z.array(z.string()).optional() })
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
    z.object({
      name: z.string(),
      settings,
      withoutInDomain: z.string().optional(),
      heldIn: z.array(z.string()).optional(),
      variantOf: z.string().optional(),
      checkpoint: z.object({ series: z.string(), step: z.number().min(0) }).optional(),
      seedsAtZero: z.number().int().min(1).optional(),
      agents: z.array(z.string()).min(1).optional(),
      unprobed: z.literal(true).optional(),
    }),
  ),
  agents: z.array(z.object({ name: z.string(), settings })),
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
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (thrown) {
    throw refuse(`expected JSON, got something unreadable (${messageOf(thrown)})`)
  }
  if (value === null || typeof value !== 'object') {
    throw refuse(`expected an object, got ${value === null ? 'null' : typeof value}`)
  }
  const { format: found = null, plan, experiment, history }: Partial<Record<keyof PlanFile | 'format', unknown>> = value
  if (found !== format) {
    throw new ShaketableError(
      'store',
      `${path}: expected format ${String(format)}, got ${JSON.stringify(found)}. The run was written by another version of shaketable; read it with that one, or start a new run.`,
    )
  }
  checkSchema(plan, path)
  const read = planSchema.safeParse(plan)
  const changes = historySchema.optional().safeParse(history)
  if (read.success && changes.success) {
    refuseTooMany(plan as Plan, path)
    return {
      plan: plan as Plan,
      experiment,
      ...(history !== undefined && { history: history as readonly PlanChange[] }),
    }
  }
  const { path: where, message } = (read.error ?? changes.error!).issues[0]!
  throw refuse(`${read.success ? 'history' : 'plan'}.${where.join('.')}: ${message}`)
}

/** @throws ShaketableError `store` for a plan of more episodes than can be played */
function refuseTooMany(plan: Plan, path: string): void {
  const planned = countCells(plan)
  if (planned <= maxCells) return
  throw new ShaketableError(
    'store',
    `Expected a plan of at most ${grouped(maxCells)} episodes, but ${path} has ${grouped(planned)}. Restore the file from a copy.`,
  )
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
