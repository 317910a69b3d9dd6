import * as z from 'zod'
import { touched as touchedParts } from '../define.js'

/** Types of values. */
export const count = z.int().min(0)
export const share = z.number().min(0).max(1)
export const change = z.number().min(-1).max(1)
export const ratio = z.number().min(0)
export const number = z.number()
export const name = z.string()
export const text = z.string()
export const names = z.array(name)
export const lists = z.array(number)
export const yes = z.literal(true)
export const settings = z.record(z.string(), z.unknown())
export const object = z.strictObject

/** A type with all of its properties readonly, at any depth. */
export type Frozen<Type> = unknown extends Type
  ? Type
  : Type extends string | number | boolean | null | undefined
    ? Type
    : { readonly [Key in keyof Type]: Frozen<Type[Key]> }

/** A definition that other schemas refer to by its name. */
export function named<Shape extends z.ZodRawShape>(
  id: string,
  description: string,
  shape: Shape,
): z.ZodObject<Shape, z.core.$strict> {
  return object(shape).meta({ id, description })
}

/** Properties that are absent where there is nothing to say. */
export function maybe<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
  return Object.fromEntries(Object.entries(shape).map(([key, type]) => [key, z.exactOptional(type)])) as {
    readonly [Key in keyof Shape]: z.ZodExactOptional<Shape[Key]>
  }
}

/** Properties of one type. */
export function each<Type extends z.ZodType, Name extends string>(type: Type, ...keys: readonly Name[]) {
  return Object.fromEntries(keys.map((key) => [key, type])) as Record<Name, Type>
}

/** A figure for success and one for progress. */
export function perMetric<Type extends z.ZodType>(type: Type) {
  return each(type, 'success', 'progress')
}

/** What several schemas share. */
export const subject = each(name, 'environment', 'model', 'agent')
export const metric = z.enum(['success', 'progress'])
export const coverage = object({ valid: count, planned: count })

const task = object({ id: name, hash: text, ...maybe({ kind: text, difficulty: z.enum(['easy', 'hard']) }) })
export const environment = named('Environment', 'An environment and the panel of tasks that it was played on.', {
  name,
  version: text,
  tasks: count,
  panel: object({ hash: text, tasks: z.array(task) }),
  ...maybe({ measure: text }),
})
const perturbation = object({
  name,
  version: text,
  promise: z.enum(['invariant', 'identity', 'harder', 'easier']),
  source: text,
  summary: text,
  ...maybe({
    scope: z.array(text),
    mode: z.enum(['replace', 'alias']),
    refuse: z.boolean(),
    intensity: number,
    draw: number,
    /** Whether its episodes have other random numbers than their clean twins, as draws beyond the first have. */
    numbers: z.literal('own'),
    options: z.record(z.string(), z.string()),
    touches: z.enum(touchedParts),
    keepsMeaning: z.boolean(),
    adversarial: yes,
    environments: names,
  }),
})
export const condition = named('Condition', 'What lay between environment and agent.', {
  label: name,
  /** Without a perturbation; with ones alone that promise to change nothing. */
  clean: z.boolean(),
  identity: z.boolean(),
  perturbations: z.array(perturbation),
  /** An adversarial condition enters no figure over several conditions. */
  ...maybe({ intensity: number, adversarial: yes }),
})
export const model = named('Model', 'A model and what it is to the others.', {
  name,
  settings,
  ...maybe({
    withoutInDomain: name,
    heldIn: names,
    variantOf: name,
    checkpoint: object({ series: name, step: ratio }),
    seedsAtZero: count,
    agents: names,
  }),
})

const experimentEnvironment = object({
  name,
  version: text,
  tasks: count,
  /** Hash of the settings and of the tasks' content. */
  panel: text,
  /** All but the server's address. */
  settings,
  ...maybe({
    kind: z.enum(['generated', 'benchmark', 'files']),
    from: text,
    split: text,
    /** How many of how many tasks are left out because their files are damaged. */
    leftOut: object({ count, of: count }),
    generation: text,
    prompt: object({ hash: text, ...maybe({ file: text }) }),
  }),
})
const dates = object({ first: text, last: text })
const used = each(count, 'calls', 'promptTokens', 'completionTokens')
export const agents = z.array(object({ name, settings }))
export const experiment = named('Experiment', 'What identifies the experiment.', {
  environments: z.array(experimentEnvironment),
  /** Of a server host and path, without what may be a secret; the agents where they are not all. */
  models: z.array(object({ name, settings, ...maybe({ server: text, agents: names }) })),
  agents,
  /** What each condition changes, by environment. */
  conditions: z.array(
    object({ label: name, changes: z.array(object({ environment: name, version: text, summary: text })) }),
  ),
  temperatures: lists,
  seeds: lists,
  /** How many of the seeds are planned at each temperature, each number once where models differ, ascending. */
  runs: z.array(object({ temperature: number, seeds: z.array(count) })),
  maxSteps: number,
  maxReplyTokens: number,
  ...maybe({
    /** Days (UTC) of the first and last measurement. */
    dates,
    /** What the models behind servers took, over every episode. */
    cost: object(used),
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
 * Kinds of headline: the primary endpoint; the whole run; a training curve; a significant drop; a significant gain;
 * almost no success without perturbation; no significant drop, with bounds above and below the gate's margin; nothing
 * measured.
 */
export const headlineKinds = [
  'primary',
  'overall',
  'curve',
  'worse',
  'better',
  'floor',
  'unclear',
  'steady',
  'unknown',
] as const

export const headline = object({
  kind: z.enum(headlineKinds),
  text,
  models: names,
  families: names,
  ...maybe({ environment: name, agent: name, adversarial: yes }),
})
export const notice = object({
  kind: z.enum(noticeKinds),
  severity: z.enum(severities),
  text,
  ...maybe({ environment: name }),
})
