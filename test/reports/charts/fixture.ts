import { type Aggregate, type Group, aggregate } from '../../../src/results/aggregate.js'
import type { DoseCurve, FamilyRate } from '../../../src/results/schema.js'
import type { Random } from '../../../src/core/random.js'
import { makePlan } from '../fixture.js'

/** The grid of an invented run; `conditions` are labels, as in `synonyms:intensity=0.5`. */
export interface Invented {
  readonly environments?: readonly string[]
  readonly conditions?: readonly string[]
  readonly models?: readonly string[]
  readonly agents?: readonly string[]
  readonly temperatures?: readonly number[]
  readonly seeds?: readonly number[]
}

/**
 * The aggregate of a run in which every figure that a chart can show is random; `missing` is the share of groups
 * without measurements.
 */
export function inventAggregate(given: Invented, random: Random, missing = 0): Aggregate {
  const { environments = ['household'], ...grid } = given
  const plan = makePlan({ ...grid, environments: environments.map((name) => ({ name, tasks: 3 })) })
  const empty = aggregate({ plan, rows: [] })
  return {
    ...empty,
    profiles: empty.profiles.map((profile) => ({
      ...profile,
      families: profile.families.map((family) => ({
        ...family,
        ...{ pairs: 9, planned: 9, success: inventFamily(random), progress: inventFamily(random) },
      })),
    })),
    doseResponses: empty.doseResponses.map((response) => ({
      ...response,
      success: inventCurve(response.success, random),
      progress: inventCurve(response.progress, random),
    })),
    groups: empty.groups.map((group) => (random.next() < missing ? group : inventGroup(group, random))),
  }
}

function inventGroup(group: Group, random: Random): Group {
  const { planned } = group.pooled.coverage
  const coverage = { valid: random.int(planned + 1), planned }
  const curve = Array.from({ length: 31 }, () => random.next()).sort((a, b) => a - b)
  return { ...group, pooled: { ...group.pooled, coverage, curve } }
}

function inventFamily(random: Random): FamilyRate {
  const [clean, perturbed] = [random.next(), random.next()]
  const change = perturbed - clean
  return { tasks: 3, mean: change, interval: { low: change - 0.1, high: change + 0.1 }, clean, perturbed }
}

function inventCurve(curve: DoseCurve, random: Random): DoseCurve {
  const levels = curve.levels.map((level) => {
    const mean = random.next()
    return { ...level, mean, overTasks: { low: mean * random.next(), high: mean + (1 - mean) * random.next() } }
  })
  return { ...curve, levels }
}
