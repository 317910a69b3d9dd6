import * as z from 'zod'
import type { Check } from './check.js'

const text = z.string()
const share = z.number().min(0).max(1)
const count = z.number().int().min(0)
const difference = z.number().min(-1).max(1)
const score = z.strictObject({ measured: count, successes: count, progress: share.exactOptional() })
const moves = { worse: share, beyond: share, better: share }

/** What a check says, as `--json` writes it; {@link Check} tells what each figure is. */
export const checkSchema = z.strictObject({
  schema: z.literal(1),
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'broken']),
  code: z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)]).describe('the exit code'),
  reasons: z.array(text).readonly(),
  obstacle: text.exactOptional().describe('why the run is not whole'),
  run: z.strictObject({ source: text, version: text }),
  baseline: z.strictObject({ source: text, version: text, why: text }),
  rule: z.strictObject({
    metric: z.enum(['success', 'progress']),
    margin: share,
    alpha: share.describe('at this look'),
    looks: z.strictObject({ look: count, planned: count, alpha: share }).exactOptional(),
    minCoverage: share,
    strict: z.boolean(),
    correction: z.enum(['holm', 'none']),
  }),
  judged: count.describe('cells that were judged together'),
  cells: z
    .array(
      z.strictObject({
        environment: text,
        model: text,
        agent: text,
        column: text,
        was: z.strictObject({ model: text, agent: text }).exactOptional().describe('names in the baseline'),
        verdict: z.enum(['pass', 'fail', 'inconclusive', 'unknown', 'broken']),
        cause: z
          .enum(['missing', 'new', 'changed', 'unpaired', 'coverage', 'unchanged', 'quarantined', 'errors', 'partial'])
          .exactOptional(),
        reason: text,
        moved: z.enum(['worse', 'better']).exactOptional(),
        passes: count.describe('seeds of the run at temperatures that both sides have'),
        byTask: z
          .strictObject({ baseline: count, run: count })
          .exactOptional()
          .describe('passes of either side where their seeds are not the same and tasks are compared'),
        pairs: count,
        planned: count,
        coverage: z
          .strictObject({ baseline: share, run: share })
          .describe('share of the episodes measured on each side'),
        errors: count,
        difference: z
          .strictObject({
            baseline: share,
            run: share,
            estimate: difference.describe('run minus baseline'),
            interval: z.strictObject({ low: difference, high: difference }).describe('of confidence 1 − 2·alpha'),
            worstCase: z
              .strictObject({ low: difference, high: difference })
              .exactOptional()
              .describe('over everything that the missing pairs may have been'),
            tasks: count,
            deviation: z.number().min(0).exactOptional().describe('sample, of the tasks’ differences'),
            carrying: z.number().min(0).describe('effective number of tasks that carry the change'),
            p: z.strictObject({ noninferior: share, ...moves }).describe('one-sided, not corrected'),
            adjusted: z.strictObject(moves).describe('corrected for all cells that were judged'),
          })
          .exactOptional(),
        power: z
          .strictObject({ passIfEqual: share, failAtTwice: share, detectable: share.exactOptional() })
          .exactOptional(),
        counts: z.strictObject({
          kept: count,
          lost: count,
          gained: count,
          broken: count,
          unknown: count,
          unchanged: count,
          quarantined: count,
        }),
        flaky: z.strictObject({ baseline: count, run: count }),
        tasks: z
          .array(
            z.strictObject({
              id: text,
              state: z.enum(['kept', 'lost', 'gained', 'broken', 'unknown', 'unchanged', 'quarantined']),
              baseline: score,
              run: score,
              errors: count,
            }),
          )
          .readonly(),
      }),
    )
    .readonly(),
  notes: z.array(text).readonly(),
}) satisfies z.ZodType<Check>

/** A check as JSON. */
export function checkJson(check: Check): string {
  return `${JSON.stringify(check, undefined, 1)}\n`
}

/** The JSON Schema of a check. */
export function checkJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(checkSchema), undefined, 2)}\n`
}
