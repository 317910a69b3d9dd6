import { isStrings } from '../define/check-fields.js'
import type { Experiment } from '../run/experiment.js'
import type { GivenExperiment } from '../run/experiment-schema.js'
import { experimentSchema } from '../run/experiment-schema.js'
import { readPlan } from '../run/store/plan-file.js'
import { filesOf } from '../run/store/run-folder.js'
import { namesOf } from './_run-play.js'

/**
 * An existing run keeps its conditions, its seeds at temperature 0 and its pairing unless others are given, and without
 * a file its primary endpoint, which no flag gives. Plans from before these options played all seeds, and sent the
 * plain seed with every call. Conditions that were chosen for other environments are left out where they cannot be
 * used.
 */
export function resume(
  experiment: Experiment,
  given: GivenExperiment,
  folder: string,
  hasFile: boolean,
  labelOf: (text: string) => string,
): Experiment {
  const existing = readPlan(filesOf(folder).plan)
  if (existing === undefined) return experiment
  const { pairing: requested, ...rest } = experiment
  const { seedsAtZero, pairing: known, ...played } = (existing.experiment ?? {}) as Readonly<Record<string, unknown>>
  const pairing = given.pairing === undefined ? experimentSchema.shape.pairing.safeParse(known).data : requested
  const existingSeeds = typeof seedsAtZero === 'number' ? seedsAtZero : experiment.seeds.length
  return {
    ...rest,
    ...((given.suite ?? given.perturbations ?? given.draws) === undefined && keepColumns(played, experiment, labelOf)),
    ...(!hasFile && keepPrimary(played)),
    ...(pairing && { pairing }),
    ...(given.seedsAtZero === undefined && { seedsAtZero: existingSeeds }),
  }
}

/** The conditions of an existing run, whose defaults may have been others. */
function keepColumns(
  { perturbations, optional, environments }: Readonly<Record<string, unknown>>,
  now: Experiment,
  labelOf: (text: string) => string,
): Partial<Experiment> {
  if (!isStrings(perturbations)) return {}
  // Two sessions may have written one condition in two ways.
  const kept = [...new Map(perturbations.map((text) => [labelOf(text), text])).values()]
  const before = Array.isArray(environments) ? environments.map((one: { name?: unknown }) => one.name) : []
  const isSame =
    namesOf(now.environments).every((name) => before.includes(name)) && before.length === now.environments.length
  if (!isSame) return { perturbations: kept, optional: kept }
  return { perturbations: kept, ...(isStrings(optional) && { optional }) }
}

function keepPrimary({ primary }: Readonly<Record<string, unknown>>): Partial<Experiment> {
  const known = experimentSchema.shape.primary.safeParse(primary).data
  return known === undefined ? {} : { primary: known as NonNullable<Experiment['primary']> }
}
