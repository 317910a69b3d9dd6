import type { Baseline } from '../../baselines/index.js'
import { baselines } from '../../baselines/index.js'
import type { PlannedModel } from '../core/report.js'

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
  /** Of a model behind a server, whatever the server says of itself. */
  readonly contextTokens?: number
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
 * Gives models the address that was given for all of them where it would be of no use otherwise: names of controls alone, beside an address,
 * mean models of those names behind it. Beside a model that can only be behind a server, a control is the one in this process.
 */
export function placeModels(models: readonly ModelChoice[], baseUrl: string | undefined): readonly ModelChoice[] {
  if (baseUrl === undefined || models.some(isServed)) return models
  return models.map((choice) => (fileOf(choice) === undefined ? { ...choice, baseUrl } : choice))
}

/** Whether a model is behind a server, and neither a control nor in a file. */
export function isServed(choice: ModelChoice): boolean {
  return findControl(choice) === undefined && fileOf(choice) === undefined
}

const filePrefix = 'learned:'

/** The file of a trained model, as its choice gives it or as its name does (`learned:models/a.json`). */
export function fileOf({ name, file, baseUrl }: ModelChoice): string | undefined {
  if (file !== undefined) return file
  return baseUrl === undefined && name.startsWith(filePrefix) ? name.slice(filePrefix.length) : undefined
}

/** The control that a choice names, unless it has an address of its own. */
export function findControl({ name, baseUrl }: ModelChoice): Baseline | undefined {
  return baseUrl === undefined ? baselines.find((baseline) => baseline.name === name.split(':')[0]) : undefined
}
