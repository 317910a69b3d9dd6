import * as z from 'zod'
import { outcomes, parts, touched as touchedParts } from '../define.js'

/** Types of values. */
const count = z.int().min(0)
const share = z.number().min(0).max(1)
const change = z.number().min(-1).max(1)
const ratio = z.number().min(0)
const number = z.number()
const name = z.string()
const text = z.string()
const names = z.array(name)
const lists = z.array(number)
const yes = z.literal(true)
const settings = z.record(z.string(), z.unknown())
const object = z.strictObject

/** A type with all of its properties readonly, at any depth. */
export type Frozen<Type> = unknown extends Type
  ? Type
  : Type extends string | number | boolean | null | undefined
    ? Type
    : { readonly [Key in keyof Type]: Frozen<Type[Key]> }

/** A definition that other schemas refer to by its name. */
function named<Shape extends z.ZodRawShape>(id: string, description: string, shape: Shape) {
  return object(shape).meta({ id, description })
}

/** Properties that are absent where there is nothing to say. */
function maybe<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).map(([key, type]) => [key, z.exactOptional(type)])) as {
    readonly [Key in keyof Shape]: z.ZodExactOptional<Shape[Key]>
  }
}

/** Properties of one type. */
function each<Type extends z.ZodType, Name extends string>(type: Type, ...keys: readonly Name[]) {
  return Object.fromEntries(keys.map((key) => [key, type])) as Record<Name, Type>
}

/** A figure for success and one for progress. */
function perMetric<Type extends z.ZodType>(type: Type) {
  return each(type, 'success', 'progress')
}

/** What several schemas share. */
const subject = each(name, 'environment', 'model', 'agent')
const metric = z.enum(['success', 'progress'])
const coverage = object({ valid: count, planned: count })

const task = object({ id: name, hash: text, ...maybe({ kind: text, difficulty: z.enum(['easy', 'hard']) }) })
const panel = object({ hash: text, tasks: z.array(task) })
const environment = named('Environment', 'An environment and the panel of tasks that it was played on.', {
  ...{ name, version: text, tasks: count, panel, ...maybe({ measure: text }) },
})
const perturbation = object({
  ...{ name, version: text, source: text, summary: text },
  promise: z.enum(['invariant', 'identity', 'harder', 'easier']),
  ...maybe({
    scope: z.array(text),
    mode: z.enum(['replace', 'alias']),
    refuse: z.boolean(),
    ...{ intensity: number, draw: number, environments: names, adversarial: yes, keepsMeaning: z.boolean() },
    /** Whether its episodes have other random numbers than their clean twins, as draws beyond the first have. */
    numbers: z.literal('own'),
    options: z.record(z.string(), z.string()),
    touches: z.enum(touchedParts),
  }),
})
const condition = named('Condition', 'What lay between environment and agent.', {
  label: name,
  /** Without a perturbation; with ones alone that promise to change nothing. */
  clean: z.boolean(),
  identity: z.boolean(),
  perturbations: z.array(perturbation),
  /** An adversarial condition enters no figure over several conditions. */
  ...maybe({ intensity: number, adversarial: yes }),
})
const model = named('Model', 'A model and what it is to the others.', {
  name,
  settings,
  ...maybe({
    ...{ withoutInDomain: name, heldIn: names, variantOf: name, agents: names, seedsAtZero: count },
    checkpoint: object({ series: name, step: ratio }),
  }),
})

const experimentEnvironment = object({
  ...{ name, version: text, tasks: count },
  /** Hash of the settings and of the tasks' content. */
  panel: text,
  /** All but the server's address. */
  settings,
  ...maybe({
    kind: z.enum(['generated', 'benchmark', 'files']),
    ...each(text, 'from', 'split', 'generation'),
    /** How many of how many tasks are left out because their files are damaged. */
    leftOut: object({ count, of: count }),
    prompt: object({ hash: text, ...maybe({ file: text }) }),
  }),
})
const agents = z.array(object({ name, settings }))
const conditionChange = { environment: name, version: text, summary: text }
const experiment = named('Experiment', 'What identifies the experiment.', {
  environments: z.array(experimentEnvironment),
  /** Of a server host and path, without what may be a secret; the agents where they are not all. */
  models: z.array(object({ name, settings, ...maybe({ server: text, agents: names }) })),
  agents,
  /** What each condition changes, by environment. */
  conditions: z.array(object({ label: name, changes: z.array(object(conditionChange)) })),
  ...{ temperatures: lists, seeds: lists, maxSteps: number, maxReplyTokens: number },
  /** How many of the seeds are planned at each temperature, each number once where models differ, ascending. */
  runs: z.array(object({ temperature: number, seeds: z.array(count) })),
  ...maybe({
    /** Days (UTC) of the first and last measurement. */
    dates: object(each(text, 'first', 'last')),
    /** What the models behind servers took, over every episode. */
    cost: object(each(count, 'calls', 'promptTokens', 'completionTokens')),
  }),
})
/** The kinds of notice, in the order in which those of one severity are shown. */
export const noticeKinds = [
  'changed-model',
  'coverage',
  'changed-endpoint',
  'different-worlds',
  'replies-empty',
  'replies-cut',
  'overflow',
  'format-errors',
  'floor',
  'server',
  'leaks',
  'published',
] as const

/** Figures mean nothing; figures are limited; worth knowing. */
export const severities = ['error', 'warning', 'note'] as const

/**
 * Kinds of headline: the primary endpoint; the whole run; a significant drop; a significant gain; almost no success
 * without perturbation; no significant drop, with bounds above and below the gate's margin; nothing measured.
 */
export const headlineKinds = ['primary', 'overall', 'worse', 'better', 'floor', 'unclear', 'steady', 'unknown'] as const

const headline = object({
  ...{ kind: z.enum(headlineKinds), text, models: names, families: names },
  ...maybe({ environment: name, agent: name, adversarial: yes }),
})
const notice = object({
  kind: z.enum(noticeKinds),
  severity: z.enum(severities),
  text,
  ...maybe({ environment: name }),
})

const interval = named('Interval', 'Two bounds in the unit of what they bound.', { low: number, high: number })
/** A mean over tasks of each task's mean, with a 95 % interval over tasks. */
const meanOverTasks = <Mean extends z.ZodType>(mean: Mean) => object({ mean, ...maybe({ overTasks: interval }) })
const pairedDifference = named('PairedDifference', 'Mean difference over tasks, with the task as the cluster.', {
  tasks: count,
  ...maybe({ mean: change, interval }),
})
const boundedDifference = pairedDifference
  // The widest 95 % interval over everything that the missing pairs may have been; absent where none is missing.
  .extend(maybe({ worstCase: interval }))
  .meta({ id: 'BoundedDifference', description: 'A mean difference, and what missing episodes could make of it.' })
const touched = named('Touched', 'How much a condition changed in what was played; it selects nothing.', {
  /** Tasks with an episode in which something was changed, of those that it is counted over; share of such steps. */
  ...{ tasks: count, of: count, ...maybe({ steps: share }) },
})
const test = named('Test', 'A two-sided test of no difference; adjusted p where it belongs to a family.', {
  /** Below 0.05 exactly where the 95 % interval of the difference excludes 0. */
  p: share,
  /**
   * Adjusted over a family (Holm): of changes the conditions of one environment × model × agent (those apart that
   * promise identity), of variants those of one reference in one environment × agent × condition.
   */
  ...maybe({ holm: share }),
})
const tests = object(perMetric(test))
const ratioShape = { value: number, ...maybe({ interval }) }
const dropRate = named('DropRate', 'A ratio of two means over tasks, or 1 minus it, with its interval.', ratioShape)
/** Lost is a success in the first only, gained in the second only. */
const flips = object({ both: count, lost: count, gained: count, neither: count })
const difference = named('Difference', 'Perturbed minus clean, paired by task, seed and temperature.', {
  ...{ pairs: count, planned: count, ...perMetric(boundedDifference), flips },
  /** 1 − perturbed/clean, of the means over the paired tasks; absent for a metric that is 0 on the clean twin. */
  dropRate: object(maybe(perMetric(dropRate))),
  ...maybe({
    touched,
    tests,
    /** Of pairs in which both succeed, perturbed over clean; over all temperatures only. */
    overhead: object({ tasks: count, ...maybe({ steps: dropRate, tokens: dropRate }) }),
  }),
})

const rate = named('Rate', 'A share over several passes, with its deviations and a 95 % interval over tasks.', {
  /** Passes with a measurement that are not copies of others. */
  runs: count,
  ...maybe({
    /** Mean over temperatures of the mean over their passes of a pass's mean over tasks. */
    mean: share,
    /** Sample deviations (n−1): over seeds within a temperature, over all runs, and of the temperatures' means. */
    ...each(ratio, 'deviation', 'deviationOfRuns', 'betweenTemperatures'),
    overTasks: interval,
  }),
})
const perEpisode = object({
  ...each(ratio, 'steps', 'promptTokens', 'completionTokens'),
  ...maybe(each(ratio, 'understood', 'memorised')),
})
const behaviour = named(
  'Behaviour',
  'What explains a result; shares of actions are means over episodes with a step.',
  maybe({
    /** AgentBoard's grounding accuracy; absent, as what follows from it, where it is not known what was understood. */
    grounding: ratio,
    /** Refused actions that the unperturbed environment would have accepted. */
    ...each(ratio, 'memorisedPerAction', 'memorisedPerRefusal'),
    /** Actions repeated right after they were not understood, and replies that were not of the expected layout. */
    ...each(ratio, 'repeatsPerAction', 'formatErrorsPerAction'),
    /** Episodes with a refusal and a step after it, and the share that were understood within one and three steps. */
    recovery: object({ episodes: count, within1: share, within3: share }),
    /** Actions that a perturbation let fail, and the share after which the same or any succeeded within three steps. */
    failures: object({ read: count, repeated: share, recovered: share }),
    invalidPerAction: object(each(share, 'unparsable', 'unknown-verb', 'unknown-item', 'wrong-state')),
    faultsPerAction: object(each(ratio, 'empty', 'length', 'unclosed-reasoning', 'too-long')),
    /** Episodes with an action understood in the new wording, and the median number of the first such step. */
    ...each(ratio, 'adaptedShare', 'stepsToAdapt'),
    perEpisode,
    /** Of an agent that may try a task more than once. */
    ownTrials: object({ taken: ratio, ...each(share, 'first', 'last', 'best') }),
    /** Mean per episode, and mentions of the old wording that were shown: how many, and the 50 most frequent. */
    dose: object(each(ratio, 'forms', 'commandsSaid', 'commandsSeen', 'names', 'characters')),
    leaks: count,
    leaked: z.array(object({ old: text, part: z.enum(parts), times: count })),
  }),
)
const nats = number.max(0)
const wordings = object({
  /** Steps whose two wordings differ, those that were asked for, and those that the server gave both of. */
  ...each(count, 'steps', 'asked', 'scored'),
  ...maybe({
    /** Mean over tasks of the log-probability per token, and present minus original. */
    ...each(nats, 'present', 'original'),
    difference: meanOverTasks(number),
    /** Share of steps in which the present wording is the likelier one. */
    preferred: meanOverTasks(share),
  }),
})
const said = maybe({ perActionToken: nats, wordings })
const logprobs = named('Logprobs', 'Log-probabilities of what was said, in nats, of runs that asked for them.', said)
const reliance = named('InterfaceReliance', 'Which of two listed wordings a model uses, in mode alias.', {
  /** Executed actions whose two wordings differ; those that mix both count half for each. */
  choices: count,
  ...maybe({
    /** Tasks played in both orders, and pairs of tasks played in one order each. */
    clusters: count,
    /** Share of choices of the original wording by what was listed first, and the mean of both. */
    ...each(share, 'originalFirst', 'aliasFirst'),
    reliance: meanOverTasks(share),
    /** Share of choices of the wording listed first, minus 0.5. */
    orderBias: meanOverTasks(number.min(-0.5).max(0.5)),
  }),
})
const scopeShape = {
  /** Broken and missing episodes enter no mean; `refused` are broken ones whose conversation the server refused. */
  ...{ coverage, outcomes: z.record(z.enum(outcomes), count), ...perMetric(rate), behaviour },
  ...maybe({
    ...{ refused: count, difference, logprobs, reliance },
    /** An ended episode keeps its last progress. */
    curve: lists.describe('Mean progress after 0, 1, 2, … steps.'),
  }),
}
const scope = named('Scope', 'A group over every seed at every temperature.', scopeShape)
const chances = object(maybe(each(share, '1', '2', '5', '10')))
const trials = named('Trials', 'The seeds at one temperature as tries at each task.', {
  tasks: count,
  /** Fewest measurements of any task: the largest k. */
  fewest: count,
  /** Best of a task's measurements, AgentRefine's best of N. */
  best: object(perMetric(meanOverTasks(share))),
  /** At least one success in k tries, and only successes. */
  ...each(chances, 'passAt', 'passHat'),
})
const scopeAtTemperature = named('ScopeAtTemperature', 'A group over every seed at one temperature.', {
  ...{ ...scopeShape, temperature: number, ...maybe({ trials }) },
})
const taskScores = named('TaskScores', 'What came of each task, in the order of the panel.', {
  ...each(z.array(count), 'valid', 'broken', 'successes'),
  progress: z.array(share.nullable()),
  /** Of mean success to the clean twin, over the pairs. */
  ...maybe({ change: z.array(change.nullable()) }),
})
const kindScore = object({
  /** Empty for tasks without a kind. */
  ...{ kind: name, tasks: count, coverage },
  ...maybe({ success: share, difference: object({ success: pairedDifference }) }),
})
const runScore = object({
  ...{ temperature: number, seed: number, valid: count },
  /** `copyOf` is the earlier seed of which this run is a copy: it is not a second run. */
  ...maybe({ copyOf: number, ...perMetric(share) }),
})
const group = named('Group', 'All episodes of one environment × model × agent × condition.', {
  ...{ ...subject, condition: name, runs: z.array(runScore), tasks: taskScores },
  ...{ temperatures: z.array(scopeAtTemperature), pooled: scope },
  /** By the kinds of its tasks, where there are several. */
  ...maybe({ kinds: z.array(kindScore) }),
})

const drawFigures = object({
  /** Mean over the draws of their change against the clean twin. */
  change: pairedDifference,
  ...maybe({
    /** 95 %, of the family's mean change: over other draws too, which are taken as normal, and other tasks. */
    ofFamily: interval,
    /** Spread of the draws' mean changes, and the part of it that is more than noise. */
    overDraws: object(each(ratio, 'deviation', 'beyondNoise')),
  }),
})
const draws = named('Draws', 'Several draws of one perturbation, on the tasks with a pair of every draw.', {
  ...{ ...subject, family: name, conditions: names, tasks: count, ...perMetric(drawFigures), ...maybe({ touched }) },
})
const familyRate = boundedDifference
  .extend(
    maybe({
      /** Means over the paired tasks. */
      ...each(share, 'clean', 'perturbed'),
      /** Mean over tasks of the lowest of the draws' means, and the same for as many clean repeats. */
      worst: object({ ofDraws: share, ofClean: share, difference: pairedDifference }),
    }),
  )
  .meta({ id: 'FamilyRate', description: 'Perturbed minus clean over the draws of a family, the task as the cluster.' })
const compared = named('ComparedPaths', 'A figure of pairs of action sequences, mean over tasks.', {
  mean: ratio,
  /** The same between clean episodes and their clean repeats, and how much further perturbed episodes are. */
  ...maybe({ interval, ofClean: ratio, beyond: object({ mean: number, ...maybe({ interval }) }) }),
})
const paths = named('Paths', 'Actions of perturbed episodes against those of their clean twins, in one wording.', {
  /** Edit distance as a share of the longer sequence. */
  distance: compared,
  /** The first step that differs, from 1; at most one after the step limit. */
  divergence: compared,
})
const familyProfile = object({
  /** The label of its conditions without draw and intensity. */
  family: name,
  /** Labels of its draws at the highest intensity that was played. */
  conditions: names,
  ...{ identity: z.boolean(), pairs: count, planned: count },
  ...perMetric(familyRate),
  /** `lowest` is the draw with the lowest change; tests are adjusted over all families that do not promise identity. */
  ...maybe({ intensity: number, adversarial: yes, touched, lowest: name, paths, tests }),
})
const side = object({ families: names, touched, success: pairedDifference })
const part = named('TouchedPart', 'Families that change one part of the decision process, by the meaning.', {
  ...{ touches: z.enum(touchedParts), ...maybe(each(side, 'kept', 'changed')) },
})
const profile = named('Profile', 'The robustness profile of one model and agent in an environment.', {
  ...subject,
  /** The most harmful first, controls last. */
  families: z.array(familyProfile),
  ...maybe({
    parts: z.array(part),
    /**
     * Means over tasks of a task's lowest mean over the conditions that enter averages and the clean one (HELM's worst
     * case), on tasks measured in all of them; `ofClean`: what as many clean repeats give. `solvedInAll`: the share of
     * these tasks that every condition solves in at least half of its episodes.
     */
    worstCase: object({
      ...{
        ...perMetric(share),
        solvedInAll: share,
        conditions: count,
        ...maybe({ ofClean: object(perMetric(share)) }),
      },
    }),
  }),
})
const levelRate = maybe({ mean: share, overTasks: interval, touched })
const level = object({ intensity: number, conditions: names, coverage, ...levelRate })
const doseCurve = object({
  /** Tasks measured at every intensity and draw: all figures are over these. */
  tasks: count,
  /** The clean condition first, at intensity 0. */
  levels: z.array(level),
  ...maybe({
    /** Of a task's least-squares line, mean over tasks, in shares of 1 per unit of intensity. */
    slope: pairedDifference.extend(maybe({ mean: number })),
    /** Mean score over the intensities (trapezoidal rule), over the clean score. */
    area: dropRate,
  }),
})
const doseResponse = named('DoseResponse', 'Scores over the intensity of a family of perturbations.', {
  ...{ ...subject, family: name, ...perMetric(doseCurve) },
})

const trainingPoint = named('TrainingPoint', 'One metric of one checkpoint, without and under perturbation.', {
  change: boundedDifference,
  ...maybe({ ...each(meanOverTasks(share), 'clean', 'perturbed'), dropRate }),
})
const trainingCurve = named('TrainingCurve', 'Scores over the checkpoints of one training.', {
  ...each(name, 'environment', 'series', 'agent'),
  checkpoints: z.array(object({ model: name, step: ratio, ...maybe({ touched }) })),
  /** The conditions over which perturbed figures are means; draws of one perturbation count as one. */
  conditions: names,
  ...perMetric(object({ points: z.array(trainingPoint) })),
})
const primary = named('Primary', 'The one figure that the experiment is about: a change over several conditions.', {
  metric,
  conditions: names,
  /** Whether the experiment named it; otherwise it is the default. */
  named: z.boolean(),
  comparisons: z.array(
    object({ ...subject, touched, difference: boundedDifference, ...maybe({ p: share, holm: share }) }),
  ),
})
const ranking = named('Ranking', 'Models and agents by mean, best first.', {
  ...{ environment: name, condition: name, metric },
  entries: z.array(
    object({
      ...{ model: name, agent: name, mean: share },
      /** Whether it belongs to the 95 % confidence set of the best over other tasks, which may be all entries. */
      best: z.boolean(),
    }),
  ),
})
const variant = named('Variant', 'A model against the one that it varies.', {
  ...each(name, 'environment', 'agent', 'condition', 'model', 'reference'),
  pairs: count,
  ...perMetric(boundedDifference),
  ...maybe({ tests }),
})

/** The schema of report.json, with every key. The types of an aggregate are derived from it. */
export const aggregateSchema = object({
  schema: z.literal(3),
  version: text.describe('Version of shaketable that made the plan.'),
  plan: text.describe('First 12 digits of the plan’s hash.'),
  experiment,
  identity: z.array(object({ name, value: text })).describe('What identifies the run, as named facts in words.'),
  headlines: z.array(headline).describe('What the run shows in sentences, the largest drop of success first.'),
  notices: z.array(notice).describe('What makes its numbers mean less than they seem to, most serious first.'),
  partial: z.boolean().describe('Whether not everything was played yet.'),
  strays: count.describe('Rows left out because they are of no episode of the plan.'),
  omitted: z.array(text).describe('What the report leaves out or cannot say.'),
  ...{ environments: z.array(environment), conditions: z.array(condition), models: z.array(model), agents },
  ...{ temperatures: lists, seeds: lists, stepLimit: number },
  ...{ groups: z.array(group), draws: z.array(draws), profiles: z.array(profile) },
  ...{ doseResponses: z.array(doseResponse), rankings: z.array(ranking), variants: z.array(variant) },
  ...maybe({
    /** Whether the run was stopped before everything was played. */
    stopped: yes,
    /** The name of the experiment, and its control models, which are instruments. */
    ...{ name, controls: names, primary, trainingCurves: z.array(trainingCurve) },
  }),
}).describe('All figures of a run of shaketable: shares of 1, unrounded; what cannot be said is absent.')

/** The parts of an {@link Aggregate}; what each is, its schema says. Figures are shares of 1. */
export type AggregateCondition = Frozen<z.infer<typeof condition>>
export type Touched = Frozen<z.infer<typeof touched>>
export type Test = Frozen<z.infer<typeof test>>
export type Flips = Frozen<z.infer<typeof flips>>
export type Difference = Frozen<z.infer<typeof difference>>
export type Scope = Frozen<z.infer<typeof scope>>
export type Trials = Frozen<z.infer<typeof trials>>
export type KindScore = Frozen<z.infer<typeof kindScore>>
export type RunScore = Frozen<z.infer<typeof runScore>>
export type Group = Frozen<z.infer<typeof group>>
export type Draws = Frozen<z.infer<typeof draws>>
export type FamilyRate = Frozen<z.infer<typeof familyRate>>
export type Paths = Frozen<z.infer<typeof paths>>
export type FamilyProfile = Frozen<z.infer<typeof familyProfile>>
export type TouchedPart = Frozen<z.infer<typeof part>>
export type Profile = Frozen<z.infer<typeof profile>>
export type DoseCurve = Frozen<z.infer<typeof doseCurve>>
export type DoseResponse = Frozen<z.infer<typeof doseResponse>>
export type TrainingCurve = Frozen<z.infer<typeof trainingCurve>>
export type Primary = Frozen<z.infer<typeof primary>>
export type Ranking = Frozen<z.infer<typeof ranking>>
export type Variant = Frozen<z.infer<typeof variant>>
export type Experiment = Frozen<z.infer<typeof experiment>>

/**
 * All figures of a run, as plain JSON. Lists are in the plan's order; a figure that cannot be computed is absent.
 */
export type Aggregate = Frozen<z.infer<typeof aggregateSchema>>

/** The figures of an aggregate, from which its sentences are made. */
export type Figures = Omit<Aggregate, 'headlines' | 'identity'>
