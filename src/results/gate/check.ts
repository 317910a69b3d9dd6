import * as z from 'zod'

const text = z.string()
const share = z.number().min(0).max(1)
const count = z.number().int().min(0)
const difference = z.number().min(-1).max(1)
const interval = z.strictObject({ low: difference, high: difference })

/** A task's measurements in the passes that both sides have. */
const taskScore = z.strictObject({ measured: count, successes: count })

const states = ['kept', 'lost', 'gained', 'broken', 'unknown', 'unchanged'] as const

const checkedTask = z.strictObject({
  id: text,
  /**
   * `lost` and `gained`: solved (in at least half of what is compared) on one side alone; for progress, lower or higher
   * by the margin or more. `unknown`: without a pair. `broken`: without one because its episodes in the run ended in
   * errors. The `unchanged` tasks of a condition that changed nothing on any task do not enter the verdict.
   */
  state: z.enum(states),
  baseline: taskScore,
  run: taskScore,
})

/** One-sided p of changes in each direction: below 0, above 0. */
const directions = { worse: share, better: share }

/** The difference of a cell, run minus baseline, over its tasks in the gate. */
const cellDifference = z.strictObject({
  /** Means over tasks of a task's mean over what is compared of it. */
  baseline: share,
  run: share,
  estimate: difference.describe('run minus baseline'),
  interval: interval.describe('of confidence 1 − 2·alpha'),
  /** The interval if the missing pairs were failures or successes on either side. Absent where none is missing. */
  worstCase: interval.exactOptional().describe('over everything that the missing pairs may have been'),
  tasks: count,
  /** Absent below two tasks. */
  deviation: z.number().min(0).exactOptional().describe('sample, of the tasks’ differences'),
  /** The largest over what missing pairs may have been; `noninferior` is of a change above −margin. */
  p: z.strictObject({ noninferior: share, ...directions }).describe('one-sided, not corrected'),
  /** The verdict is by these. */
  adjusted: z.strictObject(directions).describe('corrected for all cells that were judged'),
})

/** The power of this gate in this cell; of a fail at the spread of its differences, or of its repeats if larger. */
const cellPower = z.strictObject({
  /** Probability of a pass where nothing changed, from repeats; see `passUnchanged`. Absent without repeats. */
  passUnchanged: share.exactOptional(),
  /**
   * The smallest true drop that fails with a probability of 0.8, however it is spread over tasks. Absent where none
   * does.
   */
  detectable: share.exactOptional(),
})

/** One environment × model × agent × condition, over all tasks and temperatures that both sides have. */
const checkedCell = z.strictObject({
  environment: text,
  /** As in the run. */
  model: text,
  agent: text,
  condition: text,
  /** Absent where they are the same. */
  was: z.strictObject({ model: text, agent: text }).exactOptional().describe('names in the baseline'),
  /**
   * `unknown`: cannot be judged, and `cause` says why. `broken`: all of its episodes ended in errors.
   */
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'unknown', 'broken']),
  /**
   * `missing`: in the baseline, not in the run. `new`: in the run, not in the baseline. `changed`: its perturbations
   * are not those of the baseline. `unpaired`: no task has a pair. `coverage`: too few of its episodes are measured.
   * `unchanged`: its perturbations changed no task. `errors`: every episode in the run ended in an error.
   */
  cause: z.enum(['missing', 'new', 'changed', 'unpaired', 'coverage', 'unchanged', 'errors']).exactOptional(),
  /** One or two sentences. */
  reason: text,
  /** Significantly worse or better than the baseline, whatever the margin. */
  moved: z.enum(['worse', 'better']).exactOptional(),
  /** Pairs measured, and how many were planned in the gate. */
  pairs: count,
  planned: count,
  coverage: z.strictObject({ baseline: share, run: share }).describe('share of the episodes measured on each side'),
  /** Episodes of the run that ended in an error. */
  errors: count,
  /** Absent without a pair. */
  difference: cellDifference.exactOptional(),
  power: cellPower.exactOptional(),
  /** Every task of the panel. Empty for a cell that one side does not have. */
  tasks: z.array(checkedTask).readonly(),
})

/** How a gate judges; see `judge`. */
const rule = z.strictObject({
  metric: z.enum(['success', 'progress']),
  /** The largest drop that is tolerated, a share of 1. */
  margin: share,
  /** Probability of a false pass of one cell, and of a false fail over all cells. */
  alpha: share,
  /** The least share of a cell's episodes that must be measured, on either side. */
  minCoverage: share,
})

const played = z.iso
  .date()
  .exactOptional()
  .describe('the last day (UTC) on which a model behind a server played; absent for control models')

/**
 * A run checked against a baseline, as `--json` writes it and as all other output shows it. Shares of 1; differences
 * are run minus baseline, below 0 is worse.
 */
export const checkSchema = z.strictObject({
  schema: z.literal(3),
  verdict: z.enum(['pass', 'fail', 'inconclusive', 'broken']),
  /** 0 pass, 1 fail, 3 inconclusive, 4 broken; see `decide`. */
  code: z.union([z.literal(0), z.literal(1), z.literal(3), z.literal(4)]).describe('the exit code'),
  /** Why, in sentences. */
  reasons: z.array(text).readonly(),
  run: z.strictObject({
    source: text,
    version: text,
    played,
    took: text.exactOptional().describe('calls and tokens that its episodes took from model servers'),
  }),
  baseline: z.strictObject({ source: text, version: text, why: text, played }),
  rule,
  judged: count.describe('cells that were judged together'),
  /** Absent where a judged cell has no repeats, and without a judged cell. */
  passUnchanged: share
    .exactOptional()
    .describe('probability that all judged cells pass where nothing changed, if they vary independently'),
  cells: z.array(checkedCell).readonly().describe('none where the run is not whole'),
  /** What was left out or differs from the baseline, in sentences. */
  notes: z.array(text).readonly(),
})

/** {@link checkSchema} and its parts as types. */
export type Check = z.infer<typeof checkSchema>
export type Rule = z.infer<typeof rule>
export type Verdict = Check['verdict']
export type CheckedCell = z.infer<typeof checkedCell>
export type CellVerdict = CheckedCell['verdict']
export type CellDifference = z.infer<typeof cellDifference>
export type CheckedTask = z.infer<typeof checkedTask>
