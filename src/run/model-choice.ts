import type { ModelDefinition } from '../define/model.js'
import type { PlannedModel } from './plan.js'
import type * as z from 'zod'
import type { modelSchema } from './experiment-schema.js'
import { shipped } from './registry.js'

/** How a model relates to the others of its experiment. This affects reports only, never an episode. */
export type ModelRole = Pick<PlannedModel, 'withoutInDomain' | 'heldIn' | 'variantOf' | 'checkpoint'>

/** An object as it is once fields without a value are left out. */
export type Present<T> = { readonly [Name in keyof T]: Exclude<T[Name], undefined> }

/**
 * One model of an experiment: a control, a trained model in a file, or a model behind a server. References to variables
 * in headers and `extraBody` are kept as written, and filled in when the model is created.
 */
export interface ModelChoice extends Present<Omit<z.infer<typeof modelSchema>, 'name' | 'from' | 'series'>> {
  readonly name: string
}

/** The options that only a model behind a server can have. */
export const servedOptions = [
  'apiKeyEnv',
  'headers',
  'sampling',
  'extraBody',
  'contextTokens',
  'reasoning',
  'api',
] as const satisfies readonly (keyof ModelChoice)[]

/** The given settings that affect the prompts and replies of a model: part of its episodes' keys. */
export function settingsOf(choice: ModelChoice): Readonly<Record<string, unknown>> {
  return pick(choice, ['headers', 'sampling', 'extraBody', 'maxTokens', 'reasoning', 'api'])
}

/** The role fields of an object. */
export function roleOf(role: ModelRole): ModelRole {
  return pick(role, ['withoutInDomain', 'heldIn', 'variantOf', 'checkpoint'])
}

/** An object without the fields that have no value. */
export function withoutAbsent<T extends object>(value: T): Present<T> {
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== undefined)) as Present<T>
}

function pick<T extends object, Key extends keyof T>(value: T, keys: readonly Key[]): Pick<T, Key> {
  return withoutAbsent(Object.fromEntries(keys.map((key) => [key, value[key]]))) as Pick<T, Key>
}

/** The maximum number of tokens of a reply, its reasoning included, of a model with these settings. */
export function replyTokens({ maxTokens, reasoning }: Readonly<Record<string, unknown>>, usual: number): number {
  return (typeof maxTokens === 'number' ? maxTokens : usual) + (typeof reasoning === 'number' ? reasoning : 0)
}

/**
 * Applies the address given for all models. If all names are names of controls, the address would otherwise have no
 * effect, so they mean models of those names behind it. Beside a model that can only be behind a server, a control's
 * name means the control.
 */
export function placeModels(
  models: readonly ModelChoice[],
  baseUrl: string | undefined,
  registry = shipped,
): readonly ModelChoice[] {
  if (baseUrl === undefined || models.some((choice) => isServed(choice, registry))) return models
  return models.map((choice) => (fileOf(choice) === undefined ? { ...choice, baseUrl } : choice))
}

/** Whether a model is behind a server: neither a control nor in a file. */
export function isServed(choice: ModelChoice, registry = shipped): boolean {
  return findControl(choice, registry) === undefined && fileOf(choice) === undefined
}

const filePrefix = 'learned:'

/** The file of a trained model, from its `file` or from its name (`learned:models/a.json`). */
export function fileOf({ name, file, baseUrl }: ModelChoice): string | undefined {
  if (file !== undefined) return file
  return baseUrl === undefined && name.startsWith(filePrefix) ? name.slice(filePrefix.length) : undefined
}

/** The control or plug-in model of a choice, unless the choice has its own address. */
export function findControl({ name, baseUrl, model }: ModelChoice, registry = shipped): ModelDefinition | undefined {
  return (baseUrl ?? model) === undefined
    ? registry.list('model').find((baseline) => baseline.name === name.split(':')[0])
    : undefined
}
