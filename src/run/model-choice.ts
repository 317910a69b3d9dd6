import type { ModelDefinition } from '../core/model.js'
import type { PlannedModel } from '../core/report.js'
import type { TemplateName } from '../models/chat-templates.js'
import { shipped } from './registry.js'

/** What a model is to the others of its experiment. It decides no episode, only how they are told. */
export type ModelRole = Pick<PlannedModel, 'withoutInDomain' | 'heldIn' | 'variantOf'>

/** One model of an experiment: a control, a trained model in a file, or a model behind a server. */
export interface ModelChoice extends ModelRole {
  readonly name: string
  /** Where a trained model is kept. */
  readonly file?: string
  readonly baseUrl?: string
  /** The variable with the key of its server. */
  readonly apiKeyEnv?: string
  /** Its name on its server. Default: the name. */
  readonly model?: string
  /** With references to variables as they were written; they are filled in where a model is made. */
  readonly headers?: Readonly<Record<string, string>>
  /** See {@link RequestSettings}; `server` leaves all but the temperature to the server. */
  readonly sampling?: Readonly<Record<string, unknown>> | 'server'
  /** With references, as headers. */
  readonly extraBody?: Readonly<Record<string, unknown>>
  /** Of its replies, in place of the experiment's. */
  readonly maxTokens?: number
  /** Of a model behind a server, whatever the server says of itself. */
  readonly contextTokens?: number
  /** Whether it goes back into the history, or the tokens that it has beside `maxTokens`. */
  readonly reasoning?: 'strip' | 'keep' | number
  /** Of a model behind a server, whatever is found out about the server. */
  readonly api?: 'chat' | 'completions'
  /** Of a model over completions. */
  readonly template?: TemplateName
  /** The agent that it is played with, in place of those of the experiment. */
  readonly agent?: string
}

/** What can be said only of a model behind a server. */
export const servedOptions = [
  'apiKeyEnv',
  'headers',
  'sampling',
  'extraBody',
  'contextTokens',
  'reasoning',
  'api',
  'template',
] as const satisfies readonly (keyof ModelChoice)[]

/** The settings of a model that decide what it reads and says, where they are given: part of its episodes' keys. */
export function settingsOf(choice: ModelChoice): Readonly<Record<string, unknown>> {
  const { headers, sampling, extraBody, maxTokens, reasoning, api, template } = choice
  const given = { headers, sampling, extraBody, maxTokens, reasoning, api, template }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}

/** The most tokens of a reply of a model with these settings, its reasoning included. */
export function replyTokens({ maxTokens, reasoning }: Readonly<Record<string, unknown>>, usual: number): number {
  return (typeof maxTokens === 'number' ? maxTokens : usual) + (typeof reasoning === 'number' ? reasoning : 0)
}

/** The role alone of whatever has one. */
export function roleOf({ withoutInDomain, heldIn, variantOf }: ModelRole): ModelRole {
  return {
    ...(withoutInDomain !== undefined && { withoutInDomain }),
    ...(heldIn !== undefined && { heldIn }),
    ...(variantOf !== undefined && { variantOf }),
  }
}

/**
 * Gives models the address that was given for all of them where it would be of no use otherwise: names of controls
 * alone, beside an address, mean models of those names behind it. Beside a model that can only be behind a server, a
 * control is the one in this process.
 */
export function placeModels(
  models: readonly ModelChoice[],
  baseUrl: string | undefined,
  registry = shipped,
): readonly ModelChoice[] {
  if (baseUrl === undefined || models.some((choice) => isServed(choice, registry))) return models
  return models.map((choice) => (fileOf(choice) === undefined ? { ...choice, baseUrl } : choice))
}

/** Whether a model is behind a server, and neither a control nor in a file. */
export function isServed(choice: ModelChoice, registry = shipped): boolean {
  return findControl(choice, registry) === undefined && fileOf(choice) === undefined
}

const filePrefix = 'learned:'

/** The file of a trained model, as its choice gives it or as its name does (`learned:models/a.json`). */
export function fileOf({ name, file, baseUrl }: ModelChoice): string | undefined {
  if (file !== undefined) return file
  return baseUrl === undefined && name.startsWith(filePrefix) ? name.slice(filePrefix.length) : undefined
}

/** The control, or model of a plug-in, that a choice names, unless it has an address of its own. */
export function findControl({ name, baseUrl, model }: ModelChoice, registry = shipped): ModelDefinition | undefined {
  return (baseUrl ?? model) === undefined
    ? registry.list('model').find((baseline) => baseline.name === name.split(':')[0])
    : undefined
}
