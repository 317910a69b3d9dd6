import * as z from 'zod'
import { outcomes, parts } from 'shaketable'
import { noticeKinds } from './notices.js'

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const change = z.number().min(-1).max(1)
const ratio = z.number().min(0)
const name = z.string()
const settings = z.record(z.string(), z.unknown())
const lists = z.array(z.number())

/** A definition that other schemas refer to by its name. */
function named<Shape extends z.ZodRawShape>(
  id: string,
  description: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return z.strictObject(shape).meta({ id, description })
}

/** A figure for success and one for progress. */
function perMetric<Type extends z.ZodType>(type: Type) {
  return z.strictObject({ success: type, progress: type })
}

const interval = named('Interval', 'Two bounds in the unit of what they bound.', { low: z.number(), high: z.number() })
const pairedDifference = named('PairedDifference', 'Mean difference over tasks, with the task as the cluster.', {
  tasks: count,
  mean: change.exactOptional(),
  standardError: ratio.exactOptional(),
  interval: interval.exactOptional(),
})
const test = named('Test', 'A two-sided test of no difference; adjusted p where it belongs to a family.', {
  p: share,
  holm: share.exactOptional(),
  bh: share.exactOptional(),
})
const tests = perMetric(test)
const dropRate = named('DropRate', '1 − perturbed/clean, with a bootstrap interval over tasks.', {
  value: z.number(),
  interval: interval.exactOptional(),
})
const difference = named('Difference', 'Perturbed minus clean, paired by task, seed and temperature.', {
  pairs: count,
  planned: count,
  unchanged: count,
  success: pairedDifference,
  progress: pairedDifference,
  tests: tests.exactOptional(),
  flips: z.strictObject({ both: count, lost: count, gained: count, neither: count }),
  dropRate: z.strictObject({ success: dropRate.exactOptional(), progress: dropRate.exactOptional() }),
})
const rate = named(
  'Rate',
  'A share over several passes, with the sample deviation over the seeds of a temperature and a 95 % interval over tasks.',
  {
    runs: count,
    mean: share.exactOptional(),
    deviation: ratio.exactOptional(),
    betweenTemperatures: ratio.exactOptional(),
    overTasks: interval.exactOptional(),
  },
)
const dose = z.strictObject({
  forms: ratio,
  commandsSaid: ratio,
  commandsSeen: ratio,
  names: ratio,
  characters: ratio,
  views: ratio.exactOptional(),
  listed: ratio.exactOptional(),
  failed: ratio.exactOptional(),
  messages: ratio.exactOptional(),
  leaks: ratio,
})
const behaviour = named('Behaviour', 'What explains a result; rates per action are sums over sums.', {
  grounding: ratio.exactOptional(),
  memorisedPerAction: ratio.exactOptional(),
  memorisedPerRefusal: ratio.exactOptional(),
  repeatsPerAction: ratio.exactOptional(),
  formatErrorsPerAction: ratio.exactOptional(),
  faultsPerAction: z
    .strictObject({ empty: ratio, length: ratio, 'unclosed-reasoning': ratio, 'too-long': ratio })
    .exactOptional(),
  adaptedShare: ratio.exactOptional(),
  stepsToAdapt: ratio.exactOptional(),
  perEpisode: z
    .strictObject({
      steps: ratio,
      understood: ratio.exactOptional(),
      formatErrors: ratio,
      repeats: ratio,
      memorised: ratio.exactOptional(),
      modelCalls: ratio,
      cut: ratio,
      promptTokens: ratio,
      completionTokens: ratio,
    })
    .exactOptional(),
  ownTrials: z.strictObject({ taken: ratio, first: share, last: share, best: share }).exactOptional(),
  dose: dose.exactOptional(),
  leaks: count.exactOptional(),
  leaked: z.array(z.strictObject({ old: z.string(), part: z.enum(parts), times: count })).exactOptional(),
})
const nats = z.number().max(0)
const logprobs = named('Logprobs', 'Log-probabilities of what was said, in nats; only of runs that asked for them.', {
  perActionToken: nats.exactOptional(),
  wordings: z
    .strictObject({
      steps: count,
      asked: count,
      scored: count,
      present: nats.exactOptional(),
      original: nats.exactOptional(),
      difference: z.strictObject({ mean: z.number(), overTasks: interval.exactOptional() }).exactOptional(),
      preferred: z.strictObject({ mean: share, overTasks: interval.exactOptional() }).exactOptional(),
    })
    .exactOptional(),
})
const spread = named(
  'Spread',
  'Standard errors of a mean by what is taken for chance, and the intra-class correlation.',
  {
    overSeeds: ratio,
    overTasks: ratio,
    both: ratio,
    atMost: z.array(z.enum(['overSeeds', 'overTasks', 'both'])).exactOptional(),
    icc: z.number().max(1).exactOptional(),
  },
)
const scopeShape = {
  coverage: z.strictObject({ valid: count, planned: count }),
  outcomes: z.record(z.enum(outcomes), count),
  success: rate,
  progress: rate,
  difference: difference.exactOptional(),
  behaviour,
  logprobs: logprobs.exactOptional(),
  spread: perMetric(spread).exactOptional(),
  curve: lists.describe('Mean progress after 0, 1, 2, … steps.').exactOptional(),
  profile: lists.describe('Share of measurements with progress above 0, 0.05, …, 0.95.').exactOptional(),
}
const scope = named('Scope', 'A group over every seed at every temperature.', scopeShape)
const chances = z.strictObject({
  1: share.exactOptional(),
  2: share.exactOptional(),
  5: share.exactOptional(),
  10: share.exactOptional(),
})
const best = z.strictObject({ mean: share, overTasks: interval.exactOptional() })
const trials = named('Trials', 'The seeds at one temperature as tries at each task.', {
  tasks: count,
  fewest: count,
  best: perMetric(best),
  passAt: chances,
  passHat: chances,
  passHatCurve: lists.describe('pass^k for k from 1.'),
})
const scopeAtTemperature = named('ScopeAtTemperature', 'A group over every seed at one temperature.', {
  ...scopeShape,
  temperature: z.number(),
  trials: trials.exactOptional(),
})
const taskScores = named('TaskScores', 'What came of each task, in the order of the panel.', {
  valid: z.array(count),
  broken: z.array(count),
  successes: z.array(count),
  progress: z.array(share.nullable()),
  change: z.array(change.nullable()).exactOptional(),
})
const kinds = named('Kinds', 'A group by the kinds of its tasks; overKinds has the kind as the cluster.', {
  scores: z.array(
    z.strictObject({
      kind: name,
      tasks: count,
      coverage: z.strictObject({ valid: count, planned: count }),
      success: share.exactOptional(),
      progress: share.exactOptional(),
      difference: z
        .strictObject({ success: pairedDifference, progress: pairedDifference, pairs: count })
        .exactOptional(),
    }),
  ),
  overKinds: perMetric(pairedDifference).exactOptional(),
})
const group = named('Group', 'All episodes of one environment × model × agent × column.', {
  environment: name,
  model: name,
  agent: name,
  column: name,
  runs: z.array(
    z.strictObject({
      temperature: z.number(),
      seed: z.number(),
      copyOf: z.number().exactOptional(),
      valid: count,
      success: share.exactOptional(),
      progress: share.exactOptional(),
    }),
  ),
  tasks: taskScores,
  kinds: kinds.exactOptional(),
  temperatures: z.array(scopeAtTemperature),
  pooled: scope,
})
const environment = named('Environment', 'An environment and the panel of tasks that it was played on.', {
  name,
  version: z.string(),
  measure: z.string().exactOptional(),
  tasks: count,
  panel: z.strictObject({
    hash: z.string(),
    tasks: z.array(
      z.strictObject({
        id: name,
        kind: z.string().exactOptional(),
        difficulty: z.enum(['easy', 'hard']).exactOptional(),
        hash: z.string(),
      }),
    ),
  }),
})
const column = named('Column', 'What lay between environment and agent.', {
  label: name,
  clean: z.boolean(),
  identity: z.boolean(),
  perturbations: z.array(
    z.strictObject({
      name,
      version: z.string(),
      scope: z.array(z.string()).exactOptional(),
      refuse: z.boolean().exactOptional(),
      intensity: z.number().exactOptional(),
      promise: z.enum(['invariant', 'identity', 'harder', 'easier']),
      source: z.string(),
      summary: z.string(),
      environments: z.array(name).exactOptional(),
    }),
  ),
  intensity: z.number().exactOptional(),
})
const model = named('Model', 'A model and what it is to the others.', {
  name,
  settings,
  withoutInDomain: name.exactOptional(),
  heldIn: z.array(name).exactOptional(),
  variantOf: name.exactOptional(),
  seedsAtZero: count.exactOptional(),
  agents: z.array(name).exactOptional(),
})
const robustness = named('Robustness', 'What all columns together say of one model and agent in an environment.', {
  environment: name,
  model: name,
  agent: name,
  worstCase: z.strictObject({ success: share, progress: share, columns: count }).exactOptional(),
  worstOfClean: z.strictObject({ success: share, progress: share, repeats: count }).exactOptional(),
  worstOfOneSeed: perMetric(share).exactOptional(),
  allPass: share.exactOptional(),
  spreadOverColumns: perMetric(ratio).exactOptional(),
})
const primary = named('Primary', 'The one figure that the experiment is about: a change over several columns.', {
  metric: z.enum(['success', 'progress']),
  columns: z.array(name),
  named: z.boolean(),
  comparisons: z.array(
    z.strictObject({
      environment: name,
      model: name,
      agent: name,
      difference: pairedDifference,
      p: share.exactOptional(),
      holm: share.exactOptional(),
    }),
  ),
})
const ranking = named('Ranking', 'Models and agents by mean, best first.', {
  environment: name,
  column: name,
  metric: z.enum(['success', 'progress']),
  entries: z.array(
    z.strictObject({
      model: name,
      agent: name,
      mean: share,
      best: z.boolean(),
      p: share.exactOptional(),
      holm: share.exactOptional(),
    }),
  ),
  againstClean: z.strictObject({ kendall: change, spearman: change }).exactOptional(),
})
const variant = named('Variant', 'A model against the one that it varies.', {
  environment: name,
  agent: name,
  column: name,
  model: name,
  reference: name,
  pairs: count,
  success: pairedDifference,
  progress: pairedDifference,
  tests: tests.exactOptional(),
})

const experiment = named('Experiment', 'What identifies the experiment.', {
  environments: z.array(
    z.strictObject({
      name,
      version: z.string(),
      tasks: count,
      panel: z.string(),
      kind: z.enum(['generated', 'benchmark', 'files']).exactOptional(),
      from: z.string().exactOptional(),
      split: z.string().exactOptional(),
      leftOut: z.strictObject({ count, of: count }).exactOptional(),
      generation: z.string().exactOptional(),
      prompt: z.strictObject({ file: z.string().exactOptional(), hash: z.string() }).exactOptional(),
      settings,
    }),
  ),
  models: z.array(
    z.strictObject({ name, server: z.string().exactOptional(), settings, agents: z.array(name).exactOptional() }),
  ),
  agents: z.array(z.strictObject({ name, settings })),
  conditions: z.array(
    z.strictObject({
      label: name,
      changes: z.array(z.strictObject({ environment: name, version: z.string(), summary: z.string() })),
    }),
  ),
  temperatures: lists,
  seeds: lists,
  maxSteps: z.number(),
  maxReplyTokens: z.number(),
  dates: z.strictObject({ first: z.string(), last: z.string() }).exactOptional(),
})

/** The schema of report.json, with every key; the same as the type Aggregate. */
export const aggregateSchema = z
  .strictObject({
    schema: z.literal(2),
    version: z.string().describe('Version of shaketable that made the plan.'),
    plan: z.string().describe('First 12 digits of the plan’s hash.'),
    experiment,
    notices: z
      .array(z.strictObject({ kind: z.enum(noticeKinds), environment: name.exactOptional(), text: z.string() }))
      .describe('What makes its numbers mean less than they seem to, most serious first.'),
    partial: z.boolean().describe('Whether not everything was played yet.'),
    stopped: z.literal(true).exactOptional(),
    strays: count.describe('Rows left out because they are of no episode of the plan.'),
    drawn: z.strictObject({ seed: z.string(), resamples: count }),
    omitted: z.array(z.string()).describe('What the report leaves out or cannot say.'),
    environments: z.array(environment),
    columns: z.array(column),
    models: z.array(model),
    agents: z.array(z.strictObject({ name, settings })),
    temperatures: lists,
    seeds: lists,
    stepLimit: z.number(),
    groups: z.array(group),
    primary: primary.exactOptional(),
    robustness: z.array(robustness),
    rankings: z.array(ranking),
    variants: z.array(variant),
  })
  .describe('All figures of a run of shaketable: shares of 1, unrounded; what cannot be said is absent.')

/** The JSON Schema of report.json, as it is published. */
export function reportJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(aggregateSchema), undefined, 2)}\n`
}
