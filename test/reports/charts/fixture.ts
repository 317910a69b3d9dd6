import type { Aggregate, Group, Scope } from '../../../reports/aggregate/aggregate.js'
import type { DoseCurve, FamilyRate } from '../../../reports/aggregate/schema.js'
import { aggregate } from '../../../reports/aggregate/aggregate.js'
import type { Random } from '../../../src/core/random.js'
import { makePlan } from '../fixture.js'

/** The grid of an invented run; `columns` are labels, as in `synonyms:intensity=0.5`. */
export interface Invented {
  readonly environments?: readonly string[]
  readonly columns?: readonly string[]
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
      families: profile.families.map((family) => ({ ...family, pairs: 9, planned: 9, success: inventFamily(random) })),
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
  const pooled = inventScope(group.pooled, random)
  return {
    ...group,
    pooled,
    temperatures: group.temperatures.map((scope) => ({
      ...scope,
      ...inventScope(scope, random),
      trials: {
        tasks: 3,
        fewest: 5,
        best: { success: { mean: 1 }, progress: { mean: 1 } },
        passAt: {},
        passHat: {},
        passHatCurve: falling(5, random),
      },
    })),
  }
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

function inventScope(scope: Scope, random: Random): Scope {
  const rate = (): Scope['success'] => {
    const mean = random.next()
    return { runs: 3, mean, overTasks: { low: mean * random.next(), high: mean + (1 - mean) * random.next() } }
  }
  const change = (): { tasks: number; mean: number; interval: { low: number; high: number } } => {
    const mean = 2 * random.next() - 1
    return { tasks: 3, mean, interval: { low: mean - 0.1, high: mean + 0.1 } }
  }
  return {
    ...scope,
    coverage: { valid: random.int(scope.coverage.planned + 1), planned: scope.coverage.planned },
    success: rate(),
    progress: rate(),
    ...(scope.difference && {
      difference: { ...scope.difference, pairs: 9, planned: 9, success: change(), progress: change() },
    }),
    profile: falling(20, random),
    curve: falling(31, random).reverse(),
  }
}

function falling(length: number, random: Random): number[] {
  return Array.from({ length }, () => random.next()).sort((a, b) => b - a)
}
