import * as z from 'zod'
import { outcomes, parts, touched as touchedParts } from '../define.js'
import { headlineKinds, noticeKinds, severities } from './notice-kinds.js'

const count = z.int().min(0)
const share = z.number().min(0).max(1)
const change = z.number().min(-1).max(1)
const ratio = z.number().min(0)
const name = z.string()
const settings = z.record(z.string(), z.unknown())
const lists = z.array(z.number())

/** A type with all of its properties readonly, at any depth. */
type Frozen<Type> = unknown extends Type
  ? Type
  : Type extends string | number | boolean | null | undefined
    ? Type
    : { readonly [Key in keyof Type]: Frozen<Type[Key]> }

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
const boundedDifference = pairedDifference
  .extend({
    /**
     * The widest 95 % interval over everything that the missing pairs may have been, over every planned task. Absent
     * where none is missing.
     */
    worstCase: interval.exactOptional(),
  })
  .meta({ id: 'BoundedDifference', description: 'A mean difference, and what missing episodes could make of it.' })
/** A mean difference over tasks, and its worst case where episodes are missing. */
export type BoundedDifference = Frozen<z.infer<typeof boundedDifference>>

const touched = named('Touched', 'How much a condition changed in what was played; it selects nothing.', {
  /** Tasks with an episode in which something was changed. */
  tasks: count,
  /** Tasks over which it is counted: those of the environment, of a kind, or with a pair of every draw. */
  of: count,
  /** Share of steps in which something was changed. Absent where rows do not record it. */
  steps: share.exactOptional(),
})
/** How much conditions changed in the episodes that were measured. Every task enters a comparison all the same. */
export type Touched = Frozen<z.infer<typeof touched>>

const test = named('Test', 'A two-sided test of no difference; adjusted p where it belongs to a family.', {
  /**
   * Two-sided, with the task as the cluster. It is below 0.05 exactly where the 95 % interval of the difference
   * excludes
   * 0.
   */
  p: share,
  /**
   * Adjusted over a family, Holm for claims, Benjamini-Hochberg for exploring: of changes the columns of one
   * environment × model × agent (those apart that promise identity), of variants those of one reference in one
   * environment × agent × column. Absent outside of a family.
   */
  holm: share.exactOptional(),
  bh: share.exactOptional(),
})
/** A test of the hypothesis that there is no difference. */
export type Test = Frozen<z.infer<typeof test>>

const tests = perMetric(test)
const dropRate = named('DropRate', 'A ratio of two means over tasks, or 1 minus it, with its interval.', {
  value: z.number(),
  interval: interval.exactOptional(),
})
/**
 * Share of the first score that is lost in the second: 1 − second/first, or their ratio. Absent where the first is 0.
 * The interval is by the test of the differences, and absent where a first mean of 0 is not ruled out.
 */
export type DropRate = Frozen<z.infer<typeof dropRate>>

const flips = z.strictObject({ both: count, lost: count, gained: count, neither: count })
/**
 * Pairs of the same task, seed and temperature by their outcomes: lost is a success in the first only, gained in the
 * second only.
 */
export type Flips = Frozen<z.infer<typeof flips>>

const difference = named('Difference', 'Perturbed minus clean, paired by task, seed and temperature.', {
  pairs: count,
  planned: count,
  /** Absent for a column that promises identity. */
  touched: touched.exactOptional(),
  success: boundedDifference,
  progress: boundedDifference,
  /** Absent without a pair. */
  tests: tests.exactOptional(),
  flips,
  /**
   * Performance-drop rate: 1 − perturbed/clean, of the means over the paired tasks; a metric that is 0 on the clean
   * twin is absent.
   */
  dropRate: z.strictObject({ success: dropRate.exactOptional(), progress: dropRate.exactOptional() }),
  /**
   * Steps and tokens (prompts and replies) of pairs in which both succeed, perturbed over clean, of means over tasks,
   * with an interval. Over all temperatures only; absent without such a pair, tokens where none were counted.
   */
  overhead: z
    .strictObject({ tasks: count, steps: dropRate.exactOptional(), tokens: dropRate.exactOptional() })
    .exactOptional(),
})
/**
 * Perturbed minus clean over pairs of the same task, seed and temperature in which both halves are measurements, as
 * shares of 1; below 0 is a drop. The task is the cluster.
 */
export type Difference = Frozen<z.infer<typeof difference>>

const rate = named(
  'Rate',
  'A share over several passes, with the sample deviation over the seeds of a temperature and a 95 % interval over tasks.',
  {
    /** Passes with a measurement that are not copies of others. */
    runs: count,
    /**
     * Mean over temperatures of the mean over their passes of a pass's mean over tasks. Absent where nothing was
     * measured.
     */
    mean: share.exactOptional(),
    /**
     * Sample standard deviation (n−1) over the seeds, within a temperature where there are several. Absent for a single
     * seed.
     */
    deviation: ratio.exactOptional(),
    /**
     * Sample standard deviation (n−1) over all runs, every seed at every temperature, which also holds what the
     * temperatures differ by. Absent for a single temperature.
     */
    deviationOfRuns: ratio.exactOptional(),
    /**
     * Sample standard deviation of the temperatures' means, which were chosen and are not random. Absent for a single
     * temperature.
     */
    betweenTemperatures: ratio.exactOptional(),
    /** 95 % interval over tasks (each task's mean over the passes): it applies to other tasks. */
    overTasks: interval.exactOptional(),
  },
)
/** A rate over several passes, as shares of 1. */
export type Rate = Frozen<z.infer<typeof rate>>

const dose = z.strictObject({
  forms: ratio,
  commandsSaid: ratio,
  commandsSeen: ratio,
  names: ratio,
  characters: ratio,
  views: ratio.exactOptional(),
  /** Characters of changed turns before the change, and those that were added to them. */
  viewed: ratio.exactOptional(),
  added: ratio.exactOptional(),
  objects: ratio.exactOptional(),
  listed: ratio.exactOptional(),
  failed: ratio.exactOptional(),
  messages: ratio.exactOptional(),
  steps: ratio.exactOptional(),
  layout: ratio.exactOptional(),
  leaks: ratio,
})
const behaviour = named('Behaviour', 'What explains a result; shares of actions are means over episodes with a step.', {
  /**
   * AgentBoard's grounding accuracy: mean over episodes of understood / steps, without episodes of no steps. Absent, as
   * all measures derived from it, where the environment does not report which actions it understands.
   */
  grounding: ratio.exactOptional(),
  /**
   * Actions refused for their wording that the unperturbed environment would have accepted, as a share of an episode's
   * actions, mean over episodes as of grounding and of all that is named per action. Only under a perturbation.
   */
  memorisedPerAction: ratio.exactOptional(),
  /** The same as a share of the actions that were not understood, mean over episodes with one. */
  memorisedPerRefusal: ratio.exactOptional(),
  /** Actions repeated right after they were not understood, per action. */
  repeatsPerAction: ratio.exactOptional(),
  /**
   * Episodes with an understood action, and the mean over them of the number of the first such step. This and the next
   * three are absent where the environment does not report them, and where an episode of an older version lacks them.
   */
  firstUnderstood: z.strictObject({ share, step: ratio }).exactOptional(),
  /**
   * Episodes with an action that was not understood and a step after it, and the share of them in which an action was
   * understood within one and within three steps after the first such action.
   */
  recovery: z.strictObject({ episodes: count, within1: share, within3: share }).exactOptional(),
  /**
   * Actions that a perturbation let fail and that the agent read, since a step followed; the share after which the same
   * action (repeated) or any (recovered) was understood and did not fail, within three steps.
   */
  failures: z.strictObject({ read: count, repeated: share, recovered: share }).exactOptional(),
  /** Actions that were not understood, per action and by the reason. */
  invalidPerAction: z
    .strictObject({ unparsable: share, 'unknown-verb': share, 'unknown-item': share, 'wrong-state': share })
    .exactOptional(),
  /** Replies that were not of the expected layout, per action. */
  formatErrorsPerAction: ratio.exactOptional(),
  /** Incomplete replies, per action and by kind. Absent where there are none. */
  faultsPerAction: z
    .strictObject({ empty: ratio, length: ratio, 'unclosed-reasoning': ratio, 'too-long': ratio })
    .exactOptional(),
  /** Episodes with an action understood in the new wording. Only under a perturbation that changes something. */
  adaptedShare: ratio.exactOptional(),
  /** Median over those episodes of the number of the first such step. */
  stepsToAdapt: ratio.exactOptional(),
  /** Means per episode. */
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
  /**
   * Of an agent that may try a task more than once, means per episode: trials that it took, and the progress of the
   * first, the last and the best of them.
   */
  ownTrials: z.strictObject({ taken: ratio, first: share, last: share, best: share }).exactOptional(),
  /** Mean dose per episode. Only under a perturbation. */
  dose: dose.exactOptional(),
  /** Total mentions of the old wording that the agent was shown. Only under a perturbation. */
  leaks: count.exactOptional(),
  /** Which wording was shown where, the most frequent first; at most 50. Absent where there was none. */
  leaked: z.array(z.strictObject({ old: z.string(), part: z.enum(parts), times: count })).exactOptional(),
})
/**
 * Measures that may explain a result, over the measurements of a group, as shares of 1. Rates per action are sums over
 * sums (every step is one action). A figure that would divide by zero is absent.
 */
export type Behaviour = Frozen<z.infer<typeof behaviour>>

const nats = z.number().max(0)
/** A mean over tasks of each task's mean over its episodes, with a 95 % interval over tasks where there is one. */
function meanOverTasks(mean: z.ZodNumber) {
  return z.strictObject({ mean, overTasks: interval.exactOptional() })
}
const wordings = z.strictObject({
  /** Steps whose two wordings differ. */
  steps: count,
  /** Those in which log-probabilities were requested. */
  asked: count,
  /** Those for which the server gave both. */
  scored: count,
  /** Mean over tasks of the log-probability per token. Absent, as all that follows, where no step was scored. */
  present: nats.exactOptional(),
  original: nats.exactOptional(),
  /** Present minus original. */
  difference: meanOverTasks(z.number()).exactOptional(),
  /** Share of steps in which the present wording is the likelier one. */
  preferred: meanOverTasks(share).exactOptional(),
})
/**
 * Which of two wordings of its actions a model finds likelier: the present one, or that of the unperturbed environment.
 */
export type WordingPreference = Frozen<z.infer<typeof wordings>>

const logprobs = named('Logprobs', 'Log-probabilities of what was said, in nats; only of runs that asked for them.', {
  /** Mean over the tokens of the actions. Absent where the server gave none. */
  perActionToken: nats.exactOptional(),
  /** Absent where no step had two wordings, as without a perturbation that rewords actions. */
  wordings: wordings.exactOptional(),
})
/** Log-probabilities of actions, over the measurements of a group, in nats. Only in runs with `logprobs: true`. */
export type Logprobs = Frozen<z.infer<typeof logprobs>>

const reliance = named(
  'InterfaceReliance',
  'Which of two listed wordings of an action a model uses; only under a condition in mode alias.',
  {
    /** Executed actions whose two wordings differ. */
    choices: count,
    /** Those that mix both wordings, which count half for each. */
    mixed: count,
    /**
     * Tasks played in both orders, and pairs of tasks played in one order each. Absent, as all that follows, where
     * there is none.
     */
    clusters: count.exactOptional(),
    /** Share of choices of the original wording where it was listed first. */
    originalFirst: share.exactOptional(),
    /** The same where the other wording was listed first. */
    aliasFirst: share.exactOptional(),
    /** Mean of both: 0.5 without a preference, 1 where only the original wording is used. */
    reliance: meanOverTasks(share).exactOptional(),
    /** Share of choices of the wording listed first, minus 0.5. */
    orderBias: meanOverTasks(z.number().min(-0.5).max(0.5)).exactOptional(),
  },
)
/** Interface reliance over the measurements of a group: means over clusters of tasks, as shares of 1. */
export type Reliance = Frozen<z.infer<typeof reliance>>

const spread = named(
  'Spread',
  'Standard errors of a mean by what is taken for chance, and the intra-class correlation.',
  {
    /** If the seeds were drawn again. */
    overSeeds: ratio,
    /** If the tasks were drawn again. */
    overTasks: ratio,
    /** If both were drawn again. */
    both: ratio,
    /** Which of the errors are 95 % upper bounds, since nothing varied. */
    atMost: z.array(z.enum(['overSeeds', 'overTasks', 'both'])).exactOptional(),
    /** Intra-class correlation ICC(1) of a task's repeats; absent where nothing varies. */
    icc: z.number().max(1).exactOptional(),
  },
)
/**
 * Where the spread of a score comes from, two-way over tasks and seeds (components floored at 0). Standard errors of
 * the mean, shares of 1.
 */
export type Spread = Frozen<z.infer<typeof spread>>

const scopeShape = {
  /** Measurements and planned episodes. Broken and missing episodes enter no mean. */
  coverage: z.strictObject({ valid: count, planned: count }),
  outcomes: z.record(z.enum(outcomes), count),
  /** Broken episodes whose conversation the server refused, as a content filter does. Absent where there is none. */
  refused: count.exactOptional(),
  success: rate,
  progress: rate,
  /** Absent on the clean twin, and in a run without one. */
  difference: difference.exactOptional(),
  behaviour,
  /** Absent in a run without `logprobs: true`. */
  logprobs: logprobs.exactOptional(),
  /** Absent where no perturbation of the column is in mode `alias`. */
  reliance: reliance.exactOptional(),
  /** Absent below two seeds or two tasks, and where too little was measured. */
  spread: perMetric(spread).exactOptional(),
  /**
   * Mean progress after 0, 1, 2, … steps up to the step limit, over the measurements (an ended episode keeps its last).
   * Absent where the rows do not record when progress was made, and above 1,000 steps.
   */
  curve: lists.describe('Mean progress after 0, 1, 2, … steps.').exactOptional(),
  /**
   * Performance profile: share of measurements whose progress is above 0, 0.05, …, 0.95. Absent without a measurement.
   */
  profile: lists.describe('Share of measurements with progress above 0, 0.05, …, 0.95.').exactOptional(),
}
const scope = named('Scope', 'A group over every seed at every temperature.', scopeShape)
/** A group at one temperature, or over all of them. */
export type Scope = Frozen<z.infer<typeof scope>>

const chances = z.strictObject({
  1: share.exactOptional(),
  2: share.exactOptional(),
  5: share.exactOptional(),
  10: share.exactOptional(),
})
const trials = named('Trials', 'The seeds at one temperature as tries at each task.', {
  tasks: count,
  /** Fewest measurements of any such task: the largest k. */
  fewest: count,
  /** Best of a task's measurements, AgentRefine's best of N. */
  best: perMetric(meanOverTasks(share)),
  /** Probability of at least one success in k tries. */
  passAt: chances,
  /** Probability that all of k tries succeed. */
  passHat: chances,
  /** The same for every k from 1 to the fewest (at most 100), for a curve: `passHatCurve[k − 1]`. */
  passHatCurve: lists.describe('pass^k for k from 1.'),
})
/**
 * The seeds at one temperature as tries at each task: means over the tasks with a measurement, as shares of 1.
 */
export type Trials = Frozen<z.infer<typeof trials>>

const scopeAtTemperature = named('ScopeAtTemperature', 'A group over every seed at one temperature.', {
  ...scopeShape,
  temperature: z.number(),
  trials: trials.exactOptional(),
})
const taskScores = named('TaskScores', 'What came of each task, in the order of the panel.', {
  /** Measurements. */
  valid: z.array(count),
  /** Episodes that ended in an error. */
  broken: z.array(count),
  successes: z.array(count),
  /** Mean over the measurements; null without one. */
  progress: z.array(share.nullable()),
  /**
   * Difference of mean success to the clean twin over the pairs; null without a pair. Absent on the clean twin, and in a run without one.
   */
  change: z.array(change.nullable()).exactOptional(),
})
/**
 * Results of each task over every seed at every temperature: lists with one place for each task of the environment's
 * panel.
 */
export type TaskScores = Frozen<z.infer<typeof taskScores>>

const kindScore = z.strictObject({
  /** As the environment calls it; empty for tasks that it gives no kind. */
  kind: name,
  /** Tasks of the panel. */
  tasks: count,
  coverage: z.strictObject({ valid: count, planned: count }),
  /** Means over the tasks with a measurement of each task's mean; absent without one. */
  success: share.exactOptional(),
  progress: share.exactOptional(),
  /**
   * Perturbed minus clean with the task as the cluster: it applies to other tasks of this kind. Absent on the clean
   * twin, and in a run without one.
   */
  difference: z
    .strictObject({
      success: boundedDifference,
      progress: boundedDifference,
      pairs: count,
      touched: touched.exactOptional(),
    })
    .exactOptional(),
})
/** A group's tasks of one kind, over every seed at every temperature. Shares of 1. */
export type KindScore = Frozen<z.infer<typeof kindScore>>

const kinds = named('Kinds', 'A group by the kinds of its tasks; overKinds has the kind as the cluster.', {
  /** In the order of the panel. */
  scores: z.array(kindScore),
  /**
   * Mean over kinds of their mean changes with the kind as the cluster (`tasks` counts kinds): it applies to other
   * kinds. Kinds are few, so a sandwich estimate over them would be too small (Cameron and Miller 2015). Absent on the
   * clean twin.
   */
  overKinds: perMetric(pairedDifference).exactOptional(),
})
/** A group by the kinds of its tasks. */
export type Kinds = Frozen<z.infer<typeof kinds>>

const runScore = z.strictObject({
  temperature: z.number(),
  seed: z.number(),
  /**
   * The earlier seed at this temperature of which this run is a copy: it is not a second run, and enters no mean.
   * Absent where there is none.
   */
  copyOf: z.number().exactOptional(),
  /** Measurements, out of the environment's tasks. */
  valid: count,
  success: share.exactOptional(),
  progress: share.exactOptional(),
})
/**
 * One pass over the tasks: a seed at a temperature. Rates are shares of 1, over the measurements; absent where there is
 * none.
 */
export type RunScore = Frozen<z.infer<typeof runScore>>

const group = named('Group', 'All episodes of one environment × model × agent × column.', {
  environment: name,
  model: name,
  agent: name,
  column: name,
  runs: z.array(runScore),
  tasks: taskScores,
  /** Absent where all tasks are of one kind. */
  kinds: kinds.exactOptional(),
  /** One for each temperature, over the seeds. */
  temperatures: z.array(scopeAtTemperature),
  /** Over every seed at every temperature. */
  pooled: scope,
})
/** All episodes of one environment × model × agent × column. */
export type Group = Frozen<z.infer<typeof group>>

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
      mode: z.enum(['replace', 'alias']).exactOptional(),
      refuse: z.boolean().exactOptional(),
      /**
       * Intensity of its only perturbation in each environment; 1 for one without that option. Absent where there are
       * several, and on the clean column.
       */
      intensity: z.number().exactOptional(),
      draw: z.number().exactOptional(),
      /** Whether its episodes have other random numbers than their clean twins, as draws beyond the first have. */
      numbers: z.literal('own').exactOptional(),
      options: z.record(z.string(), z.string()).exactOptional(),
      promise: z.enum(['invariant', 'identity', 'harder', 'easier']),
      touches: z.enum(touchedParts).exactOptional(),
      keepsMeaning: z.boolean().exactOptional(),
      adversarial: z.literal(true).exactOptional(),
      source: z.string(),
      summary: z.string(),
      environments: z.array(name).exactOptional(),
    }),
  ),
  intensity: z.number().exactOptional(),
  adversarial: z.literal(true).exactOptional(),
})
/**
 * A column; `clean` where it has no perturbation, `identity` where all of its perturbations promise to change nothing,
 * `adversarial` where one of its perturbations is: then it enters no figure over several columns.
 */
export type AggregateColumn = Frozen<z.infer<typeof column>>

const model = named('Model', 'A model and what it is to the others.', {
  name,
  settings,
  withoutInDomain: name.exactOptional(),
  heldIn: z.array(name).exactOptional(),
  variantOf: name.exactOptional(),
  /** Its place on a training curve. */
  checkpoint: z.strictObject({ series: name, step: ratio }).exactOptional(),
  seedsAtZero: count.exactOptional(),
  agents: z.array(name).exactOptional(),
})
const robustness = named('Robustness', 'What all columns together say of one model and agent in an environment.', {
  environment: name,
  model: name,
  agent: name,
  /**
   * Means over tasks of the worst column's mean success and progress (HELM's worst case: the clean column counts too),
   * on tasks measured in every column.
   */
  worstCase: z.strictObject({ success: share, progress: share, columns: count }).exactOptional(),
  /**
   * The selection bias of that minimum: the same minimum over equally many clean repeats of one seed each. Only a worst
   * case below this shows harm. Absent where there are fewer seeds than columns.
   */
  worstOfClean: z.strictObject({ success: share, progress: share, repeats: count }).exactOptional(),
  /**
   * The worst case over the columns of one seed each, every column at another seed, for comparison with `worstOfClean`:
   * it is drawn the same way, on the same measurements.
   */
  worstOfOneSeed: perMetric(share).exactOptional(),
  /** Share of tasks that are solved in every column in at least half of their measurements. */
  allPass: share.exactOptional(),
  /** Sample standard deviation of the columns' means without the clean one (the paper's STD). */
  spreadOverColumns: perMetric(ratio).exactOptional(),
})
/**
 * Figures of one model and agent in an environment over all columns but identity and adversarial columns, as shares of
 * 1, pooled over seeds and temperatures.
 */
export type Robustness = Frozen<z.infer<typeof robustness>>

const drawFigures = z.strictObject({
  /** Mean over the draws of their change against the clean twin. */
  change: pairedDifference,
  /**
   * 95 %, of the family's mean change: over other draws too, which are taken as normal, and other tasks. Absent where
   * {@link change} has none.
   */
  ofFamily: interval.exactOptional(),
  /** Spread of the draws' mean changes, and the part of it that is more than noise. Absent below two tasks. */
  overDraws: z.strictObject({ deviation: ratio, beyondNoise: ratio }).exactOptional(),
  /** Of the mean change of one draw from seed to seed (root mean square over draws). Absent for a single seed. */
  overSeeds: ratio.exactOptional(),
  /** Of the tasks' changes, each the mean over draws. Absent below two tasks. */
  overTasks: ratio.exactOptional(),
  /** Each task under the draw that is worst on it, then the mean over tasks; and the draw with the lowest mean. */
  worst: z.strictObject({ mean: share, lowest: name }).exactOptional(),
  /** The same over equally many clean repeats, and the first minus this. Absent where too few were played. */
  worstOfRepeats: z.strictObject({ mean: share, difference: pairedDifference }).exactOptional(),
})
/** Figures of one metric over the draws of a family. */
export type DrawFigures = Frozen<z.infer<typeof drawFigures>>

const draws = named('Draws', 'Several draws of one perturbation, on the tasks with a pair of every draw.', {
  environment: name,
  model: name,
  agent: name,
  /** The label that its columns share, without their draw. */
  family: name,
  /** Labels of its columns. */
  columns: z.array(name),
  tasks: count,
  touched: touched.exactOptional(),
  success: drawFigures,
  progress: drawFigures,
})
/** Columns that differ in their draw alone: one environment × model × agent, over every seed and temperature. */
export type Draws = Frozen<z.infer<typeof draws>>
const familyRate = boundedDifference
  .extend({
    /** Means over the paired tasks. Absent without a pair. */
    clean: share.exactOptional(),
    perturbed: share.exactOptional(),
    /**
     * Mean over tasks of the lowest of the draws' means, and the same for as many clean repeats (over all sets of
     * them). Absent for a single draw, and with fewer repeats than draws.
     */
    worst: z
      .strictObject({ ofDraws: share, ofClean: share, repeats: count, difference: pairedDifference })
      .exactOptional(),
  })
  .meta({ id: 'FamilyRate', description: 'Perturbed minus clean over the draws of a family, the task as the cluster.' })
/** A rate of one family: a task's change is its mean over the draws. */
export type FamilyRate = Frozen<z.infer<typeof familyRate>>

const compared = named('ComparedPaths', 'A figure of pairs of action sequences, mean over tasks.', {
  mean: ratio,
  interval: interval.exactOptional(),
  /** The same between clean episodes and their clean repeats, and how much further perturbed episodes are. */
  ofClean: ratio.exactOptional(),
  beyond: z.strictObject({ mean: z.number(), interval: interval.exactOptional() }).exactOptional(),
})
const paths = named('Paths', 'Actions of perturbed episodes against those of their clean twins, in one wording.', {
  /** Edit distance as a share of the longer sequence. */
  distance: compared,
  /** The first step that differs, from 1; at most one after the step limit. */
  divergence: compared,
})
/** How far the actions of perturbed episodes are from those of their clean twins. */
export type Paths = Frozen<z.infer<typeof paths>>

const familyProfile = z.strictObject({
  /** The label of its columns without draw and intensity. */
  family: name,
  /** Labels of its draws at the highest intensity that was played. */
  columns: z.array(name),
  /** That intensity. Absent where no other than 1 was played. */
  intensity: z.number().exactOptional(),
  identity: z.boolean(),
  adversarial: z.literal(true).exactOptional(),
  pairs: count,
  planned: count,
  touched: touched.exactOptional(),
  /** Label of the draw with the lowest mean change of success. Absent for a single draw. */
  lowest: name.exactOptional(),
  success: familyRate,
  progress: familyRate,
  /** Absent where no pair records its actions, as in runs of older versions. */
  paths: paths.exactOptional(),
  /** Adjusted over the families of all profiles that do not promise identity. Absent without a pair. */
  tests: tests.exactOptional(),
})
/** One family in the profile of a model. */
export type FamilyProfile = Frozen<z.infer<typeof familyProfile>>

const side = z.strictObject({ families: z.array(name), touched, success: pairedDifference })
const part = named(
  'TouchedPart',
  'Families that change one part of the decision process, by what becomes of the meaning.',
  {
    touches: z.enum(touchedParts),
    /** At the highest intensity that was played, mean over families. Absent without one. */
    kept: side.exactOptional(),
    changed: side.exactOptional(),
    /**
     * Each family that changes the meaning less the condition that keeps it and has the nearest dose, at most twice and at
     * least half of it, mean over these pairs. Absent without one.
     */
    matched: z
      .strictObject({
        pairs: z.array(z.strictObject({ changed: name, kept: name, doses: z.tuple([ratio, ratio]) })),
        success: pairedDifference,
      })
      .exactOptional(),
  },
)
/** Families that change one part of the decision process. */
export type TouchedPart = Frozen<z.infer<typeof part>>

const profile = named('Profile', 'The robustness profile of one model and agent in an environment.', {
  environment: name,
  model: name,
  agent: name,
  /** The most harmful first, controls last. */
  families: z.array(familyProfile),
  /** Absent where no perturbation tells what it touches. */
  parts: z.array(part).exactOptional(),
})
/** Every family of perturbations against the clean twin, for one model and agent in an environment. */
export type Profile = Frozen<z.infer<typeof profile>>

const doseCurve = z.strictObject({
  /** Tasks measured at every intensity and draw: all figures are over these. */
  tasks: count,
  /** The clean column first, at intensity 0. */
  levels: z.array(
    z.strictObject({
      intensity: z.number(),
      /** Labels of its draws. */
      columns: z.array(name),
      coverage: z.strictObject({ valid: count, planned: count }),
      mean: share.exactOptional(),
      overTasks: interval.exactOptional(),
      /** Absent at intensity 0. */
      touched: touched.exactOptional(),
    }),
  ),
  /** Of a task's least-squares line, mean over tasks, in shares of 1 per unit of intensity. Absent without a task. */
  slope: pairedDifference.extend({ mean: z.number().exactOptional() }).exactOptional(),
  /**
   * Mean score over the intensities from 0 to the highest (trapezoidal rule), over the clean score. Absent where the
   * latter is 0.
   */
  area: dropRate.exactOptional(),
})
/** A score over intensity. */
export type DoseCurve = Frozen<z.infer<typeof doseCurve>>

const doseResponse = named('DoseResponse', 'Scores over the intensity of a family of perturbations.', {
  environment: name,
  model: name,
  agent: name,
  /** The label of its columns without draw and intensity. */
  family: name,
  success: doseCurve,
  progress: doseCurve,
})
/** Success and progress over intensity. */
export type DoseResponse = Frozen<z.infer<typeof doseResponse>>

const trainingPoint = named('TrainingPoint', 'One metric of one checkpoint, without and under perturbation.', {
  /** Without perturbation, over all tasks. */
  clean: z.strictObject({ mean: share, overTasks: interval.exactOptional() }).exactOptional(),
  /** Under perturbation. */
  perturbed: z.strictObject({ mean: share, overTasks: interval.exactOptional() }).exactOptional(),
  /** Perturbed minus clean, paired. */
  change: boundedDifference,
  /** 1 − perturbed/clean on the paired tasks. Absent where the latter is 0. */
  dropRate: dropRate.exactOptional(),
})
/** One metric of one checkpoint; over the conditions that change something, draws of one perturbation as one. */
export type TrainingPoint = Frozen<z.infer<typeof trainingPoint>>

const trend = named('Trend', 'From the first measured checkpoint to the last, paired by task.', {
  tasks: count,
  /** Means of the first and the last checkpoint on these tasks. */
  from: z.number(),
  to: z.number(),
  mean: z.number(),
  interval,
  p: share,
  /** Adjusted over the three trends of one metric: clean, perturbed and change. */
  holm: share,
})
/** Last minus first checkpoint, of shares of 1, or of changes of shares. */
export type Trend = Frozen<z.infer<typeof trend>>

const bestCheckpoint = named(
  'BestCheckpoint',
  'The checkpoint with the highest mean, and those that may be the best.',
  {
    step: ratio,
    mean: share,
    /**
     * Steps of the 95 % confidence set of the best over other tasks, which allows for the choice among all measured
     * checkpoints.
     */
    among: lists,
  },
)
/** The highest of several checkpoints. */
export type BestCheckpoint = Frozen<z.infer<typeof bestCheckpoint>>

const trainingMetric = z.strictObject({
  /** One for each checkpoint. */
  points: z.array(trainingPoint),
  /** Absent where fewer than two checkpoints were measured. */
  trends: z
    .strictObject({
      first: ratio,
      last: ratio,
      clean: trend.exactOptional(),
      perturbed: trend.exactOptional(),
      change: trend.exactOptional(),
    })
    .exactOptional(),
  best: z
    .strictObject({ clean: bestCheckpoint.exactOptional(), perturbed: bestCheckpoint.exactOptional() })
    .exactOptional(),
})
const trainingCurve = named('TrainingCurve', 'Scores over the checkpoints of one training.', {
  environment: name,
  series: name,
  agent: name,
  /** By their steps. */
  checkpoints: z.array(z.strictObject({ model: name, step: ratio, touched: touched.exactOptional() })),
  /** Labels of the conditions over which perturbed figures are means. */
  columns: z.array(name),
  success: trainingMetric,
  progress: trainingMetric,
})
/** Success and progress over the checkpoints of a series. */
export type TrainingCurve = Frozen<z.infer<typeof trainingCurve>>

const varianceShare = z.strictObject({
  /** `tasks`, `models`, `agents`, `conditions`, `draws`, `temperatures`, `seeds`, and `rest`: interactions and chance. */
  name,
  /** How many there are; of the rest, episodes. */
  levels: count,
  deviation: ratio,
  share,
  interval: interval.exactOptional(),
})
const variances = named('Variances', 'The variance of single episodes by what they differ in.', {
  environment: name,
  /** Absent where nothing varies. */
  success: z.array(varianceShare).exactOptional(),
  progress: z.array(varianceShare).exactOptional(),
})
/** The variance of single episodes of an environment, split by what they differ in. */
export type Variances = Frozen<z.infer<typeof variances>>

const primary = named('Primary', 'The one figure that the experiment is about: a change over several columns.', {
  metric: z.enum(['success', 'progress']),
  /** Labels of the columns over which it is taken. */
  columns: z.array(name),
  /** Whether the experiment named it; otherwise it is the default. */
  named: z.boolean(),
  /** One for each environment × model × agent. */
  comparisons: z.array(
    z.strictObject({
      environment: name,
      model: name,
      agent: name,
      touched,
      difference: boundedDifference,
      p: share.exactOptional(),
      holm: share.exactOptional(),
    }),
  ),
})
/** The primary endpoint of an experiment. Everything else in its reports is exploratory. */
export type Primary = Frozen<z.infer<typeof primary>>

const ranking = named('Ranking', 'Models and agents by mean, best first.', {
  environment: name,
  column: name,
  metric: z.enum(['success', 'progress']),
  entries: z.array(
    z.strictObject({
      model: name,
      agent: name,
      mean: share,
      /** Whether it belongs to the 95 % confidence set of the best over other tasks, which may be all entries. */
      best: z.boolean(),
      /**
       * Smallest one-sided p of its comparisons with the others, paired by task, and adjusted over all comparisons.
       * Absent where there is no other.
       */
      p: share.exactOptional(),
      holm: share.exactOptional(),
    }),
  ),
  /**
   * Agreement of the order with that of the clean column, −1 to 1 (Kendall's τ-b, Spearman's ρ). Absent for the clean
   * column, and where there is no order.
   */
  againstClean: z.strictObject({ kendall: change, spearman: change }).exactOptional(),
})
/** Models and agents of one environment and column by mean, best first. */
export type Ranking = Frozen<z.infer<typeof ranking>>

const variant = named('Variant', 'A model against the one that it varies.', {
  environment: name,
  agent: name,
  column: name,
  model: name,
  reference: name,
  pairs: count,
  success: boundedDifference,
  progress: boundedDifference,
  tests: tests.exactOptional(),
})
/** A model compared with its reference model on the same tasks, seeds and temperatures: variant minus reference. */
export type Variant = Frozen<z.infer<typeof variant>>

const experimentEnvironment = z.strictObject({
  name,
  version: z.string(),
  tasks: count,
  /** Hash of the settings and of the tasks' content. */
  panel: z.string(),
  /** Absent where an older version did not record it. */
  kind: z.enum(['generated', 'benchmark', 'files']).exactOptional(),
  from: z.string().exactOptional(),
  split: z.string().exactOptional(),
  /** How many of how many tasks are left out because their files are damaged. */
  leftOut: z.strictObject({ count, of: count }).exactOptional(),
  generation: z.string().exactOptional(),
  /** Absent where the prompt is shaketable's own. */
  prompt: z.strictObject({ file: z.string().exactOptional(), hash: z.string() }).exactOptional(),
  /** All settings but the server's address. */
  settings,
})
/** The environment's data and prompt. */
export type ExperimentEnvironment = Frozen<z.infer<typeof experimentEnvironment>>

const dates = z.strictObject({ first: z.string(), last: z.string() })
/** Two days, as `2026-11-22`. */
export type Dates = Frozen<z.infer<typeof dates>>

const experiment = named('Experiment', 'What identifies the experiment.', {
  environments: z.array(experimentEnvironment),
  models: z.array(
    z.strictObject({
      name,
      /** Host and path, without what may be a secret. Absent for a model without a server. */
      server: z.string().exactOptional(),
      /** All settings but the server's address. */
      settings,
      /** Names of the agents that it is played with, where those are not all. */
      agents: z.array(name).exactOptional(),
    }),
  ),
  /** Names of the agents that it is played with, where those are not all. */
  agents: z.array(z.strictObject({ name, settings })),
  conditions: z.array(
    z.strictObject({
      label: name,
      /** What it changes, by environment; empty where it changes nothing. */
      changes: z.array(z.strictObject({ environment: name, version: z.string(), summary: z.string() })),
    }),
  ),
  temperatures: lists,
  seeds: lists,
  /** How many of the seeds are planned at each temperature, each number once where models differ, ascending. */
  runs: z.array(z.strictObject({ temperature: z.number(), seeds: z.array(count) })),
  /** Maximum steps of an episode. */
  maxSteps: z.number(),
  /** Maximum tokens of a reply. */
  maxReplyTokens: z.number(),
  /**
   * Days (UTC) of the first and last measurement, as `2026-11-22`. Absent where no model behind a server was played.
   */
  dates: dates.exactOptional(),
  /** What the models behind servers took, over every episode. Absent where there is none. */
  cost: z
    .strictObject({
      calls: count,
      promptTokens: count,
      completionTokens: count,
      /** In the currency of the prices. Absent where none were given. */
      money: ratio.exactOptional(),
    })
    .exactOptional(),
})
/** What identifies an experiment. Two experiments that differ in any of it have different captions. */
export type Experiment = Frozen<z.infer<typeof experiment>>

/** The schema of report.json, with every key. The types of an aggregate are derived from it. */
export const aggregateSchema = z
  .strictObject({
    schema: z.literal(2),
    /** Version of shaketable that made the plan. */
    version: z.string().describe('Version of shaketable that made the plan.'),
    /** First 12 digits of the plan's hash. */
    plan: z.string().describe('First 12 digits of the plan’s hash.'),
    experiment,
    /** What identifies the run, in the order of a caption: named facts, which differ between two experiments. */
    identity: z
      .array(z.strictObject({ name, value: z.string() }))
      .describe('What identifies the run, as named facts in words.'),
    /** What the run shows, the overall sentence first, then the largest drop first. */
    headlines: z
      .array(
        z.strictObject({
          kind: z.enum(headlineKinds),
          text: z.string(),
          environment: name.exactOptional(),
          agent: name.exactOptional(),
          models: z.array(name),
          families: z.array(name),
          adversarial: z.literal(true).exactOptional(),
        }),
      )
      .describe('What the run shows in sentences, the largest drop of success first.'),
    /** Warnings on what limits the meaning of the figures, most serious first. */
    notices: z
      .array(
        z.strictObject({
          kind: z.enum(noticeKinds),
          severity: z.enum(severities),
          environment: name.exactOptional(),
          text: z.string(),
        }),
      )
      .describe('What makes its numbers mean less than they seem to, most serious first.'),
    /** Whether episodes were still being added, or the run was stopped before everything was played. */
    partial: z.boolean().describe('Whether not everything was played yet.'),
    /** Whether the run was stopped before everything was played. Absent where it was not. */
    stopped: z.literal(true).exactOptional(),
    /** The name of the experiment, and its control models, which are instruments. Absent where they are not known. */
    name: name.exactOptional(),
    controls: z.array(name).exactOptional(),
    /** Rows left out because they belong to no episode of the plan. */
    strays: count.describe('Rows left out because they are of no episode of the plan.'),
    /** What a report on this run leaves out, in sentences. */
    omitted: z.array(z.string()).describe('What the report leaves out or cannot say.'),
    environments: z.array(environment),
    columns: z.array(column),
    models: z.array(model),
    agents: z.array(z.strictObject({ name, settings })),
    temperatures: lists,
    seeds: lists,
    stepLimit: z.number(),
    /** One for each environment × model × agent × column. */
    groups: z.array(group),
    /** Absent in a run without a clean column or without one that changes something. */
    primary: primary.exactOptional(),
    /** One for each environment × model × agent: figures over all its columns. */
    robustness: z.array(robustness),
    variances: z.array(variances),
    /** One for each environment × model × agent × family with several draws. */
    draws: z.array(draws),
    /** One for each environment × model × agent: its families by their harm. Empty without a clean column. */
    profiles: z.array(profile),
    /** One for each environment × model × agent × family with two intensities or more above 0. */
    doseResponses: z.array(doseResponse),
    /** One for each environment × series × agent with two checkpoints or more. Absent without one. */
    trainingCurves: z.array(trainingCurve).exactOptional(),
    /** One for each environment × column × metric: the order of the models, and the confidence set of the best. */
    rankings: z.array(ranking),
    /**
     * One for each environment × agent × column × model that names a reference model: variant minus reference.
     */
    variants: z.array(variant),
    /**
     * What all sessions spent on model servers, also on episodes that were abandoned or played again, and on probes:
     * `experiment.cost` is that of the stored episodes alone. Absent for control models and replays.
     */
    spent: z
      .strictObject({
        sessions: count,
        /** Attempts with a reply. */
        calls: count,
        attempts: count,
        promptTokens: count,
        completionTokens: count,
        hours: ratio,
        /** In the currency of the prices. Absent unless every session had some. */
        money: ratio.exactOptional(),
      })
      .describe('What all sessions spent on model servers, also on episodes that are not stored.')
      .exactOptional(),
    /** The changes that lost an episode, where `shaketable shrink` looked for them. Absent where it did not. */
    shrunk: z
      .array(
        z.strictObject({
          key: z.string(),
          state: z.enum(['found', 'unconfirmed', 'none', 'unfinished']),
          sentence: z.string(),
          changes: z.array(z.strictObject({ perturbation: name, hook: z.string(), of: z.string() })),
        }),
      )
      .exactOptional(),
  })
  .describe('All figures of a run of shaketable: shares of 1, unrounded; what cannot be said is absent.')
/**
 * All figures of a run, as plain JSON. Lists are in the plan's order; a figure that cannot be computed is absent.
 */
export type Aggregate = Frozen<z.infer<typeof aggregateSchema>>

/** The figures of an aggregate, from which its sentences are made. */
export type Figures = Omit<Aggregate, 'headlines' | 'identity'>

/** The JSON Schema of report.json, as it is published. */
export function reportJsonSchema(): string {
  return `${JSON.stringify(z.toJSONSchema(aggregateSchema), undefined, 2)}\n`
}
