import * as z from 'zod'

const text = z.string().max(2000)
const named = z.strictObject({ name: text.min(1), hash: z.string().regex(/^[0-9a-f]{12}$/, 'expected 12 hex digits') })
const share = z.number().min(0).max(1)
const summary = z.strictObject({
  mean: share.optional(),
  low: share.optional(),
  high: share.optional(),
  noise: z.number().min(0).optional(),
})
const task = z.tuple([text.min(1), z.string(), z.literal('unchanged').optional()])

/** Raised whenever an older version of shaketable could misread a baseline. */
export const baselineFormat = 1

/**
 * A baseline as it stands in its file. Tasks are lists rather than maps so that their order is kept and any id may be
 * one.
 */
export const baselineSchema = z.strictObject({
  schema: z.literal(baselineFormat).describe('version of this format'),
  history: z
    .array(
      z.strictObject({
        version: text,
        plan: z.string().regex(/^[0-9a-f]{12}$/),
        why: text.min(1),
        success: share.exactOptional(),
        played: z.iso.date().exactOptional(),
      }),
    )
    .min(1)
    .max(1000)
    .describe(
      'each time that it was written, oldest first: by what version, from what plan, why, and the last day on which a model behind a server played',
    ),
  sampling: z.strictObject({
    temperatures: z.array(z.number().min(0)).min(1).max(1000),
    seeds: z.array(z.number().int()).min(1).max(10_000),
    stepLimit: z.number().int().min(1),
    maxTokens: z.number().int().min(1),
  }),
  models: z.array(named).min(1).describe('with a hash of their settings'),
  agents: z.array(named).min(1).describe('with a hash of their settings'),
  columns: z
    .array(named.extend({ environment: text.min(1) }))
    .min(1)
    .describe('in each environment, with a hash of the perturbations that are used there'),
  panels: z
    .array(
      z.strictObject({
        environment: text.min(1),
        version: text,
        hash: z.string().regex(/^[0-9a-f]{20}$/, 'expected 20 hex digits'),
        settings: text.min(1).optional().describe('hash of the settings of the environment'),
        tasks: z
          .array(
            z.union([
              z.tuple([text.min(1), text, text.min(1)]),
              z.tuple([text.min(1)]),
              z.tuple([text.min(1), text.min(1)]),
            ]),
          )
          .min(1)
          .describe(
            'id of each task, in order, with its kind (empty for none) and a hash of its content where they are known',
          ),
      }),
    )
    .min(1),
  cells: z
    .array(
      z.strictObject({
        environment: text,
        model: text,
        agent: text,
        column: text,
        success: summary,
        progress: summary,
        tasks: z
          .array(task)
          .describe(
            'id and outcomes of each task, a group for each temperature, a sign for each seed: 1, 0, x for no measurement, (progress) of a failure, [progress] of a success below 1',
          ),
      }),
    )
    .min(1),
})

/** {@link baselineSchema} as a type. */
export type BaselineFile = z.infer<typeof baselineSchema>

/** The JSON Schema of a baseline, for editors and other programs. */
export function baselineJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(baselineSchema, { io: 'input' }), undefined, 2)}\n`
}
