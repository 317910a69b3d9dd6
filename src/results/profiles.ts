import type { Plan } from '../define.js'
import { pairsOf } from '../define.js'
import { mean, noDifferenceP, expectedLowest, pairedDifference } from '../statistics/index.js'
import { differenceOver, touchedBy } from './differences.js'
import type { Family } from './families.js'
import { dosesOf, familiesOf } from './families.js'
import type { BoundedMeans, Metric } from './pairs.js'
import { pairTallies } from './pairs.js'
import type {
  AggregateCondition,
  BoundedDifference,
  Difference,
  Group,
  FamilyProfile,
  FamilyRate,
  Profile,
} from './schema.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'
import { adjustFamily } from './tests.js'
import { describeParts } from './touched-parts.js'
import { pathsOf } from './twins.js'
import type { PairedDifference } from '../statistics/index.js'
import { taskMean } from './rates.js'

/** The name of the control whose draws are clean repeats. */
const cleanRepeats = 'clean-repeats'

/**
 * The robustness profile of each environment × model × agent: every family against the clean twin, the most harmful
 * first. Empty without a clean condition. Sentences name any of them, so p is adjusted over all of them together.
 * `groups` are all groups of the plan, whose differences a family of one condition shares.
 */
export function describeProfiles(
  plan: Plan,
  tallies: Tallies,
  conditions: readonly AggregateCondition[],
  groups: readonly Group[],
): Profile[] {
  const clean = conditions.find((condition) => condition.clean)
  const families = familiesOf(conditions)
  if (clean === undefined || families.length === 0) return []
  const repeats = families.find(({ name }) => name === cleanRepeats)?.conditions ?? []
  const temperatures = plan.temperatures.map((_, place) => place)
  const described = plan.environments.flatMap(({ name: environment }) =>
    pairsOf(plan).map(({ model: { name: model }, agent: { name: agent } }) => {
      const find = ({ label }: AggregateCondition): Tally => tallies.find(environment, model, agent, label)
      const own = groups.filter(
        (group) => group.environment === environment && group.model === model && group.agent === agent,
      )
      const differences = new Map(own.map(({ condition, pooled: { difference } }) => [condition, difference]))
      const profiles = families.map((family) =>
        describeFamily(family, find, find(clean), repeats.map(find), temperatures, differences),
      )
      const parts = describeParts(families, find, find(clean), temperatures)
      return { environment, model, agent, families: profiles, ...(parts.length > 0 && { parts }) }
    }),
  )
  const all = described.flatMap((profile) => profile.families)
  const adjusted = adjustFamily(all, (place) => !all[place]!.identity).values()
  return described.map((profile) => ({
    ...profile,
    families: rank(profile.families.map(() => adjusted.next().value!)),
  }))
}

/** The largest drop of success first, then families that changed nothing or have no pair, then controls. */
function rank(families: readonly FamilyProfile[]): FamilyProfile[] {
  const harm = ({ identity, touched, success: { mean: change = 2 } }: FamilyProfile): number =>
    identity ? 3 : touched?.tasks === 0 ? 2 : change
  return families
    .map((family, place) => ({ family, place }))
    .sort((one, other) => harm(one.family) - harm(other.family) || one.place - other.place)
    .map(({ family }) => family)
}

function describeFamily(
  family: Family,
  find: (condition: AggregateCondition) => Tally,
  clean: Tally,
  repeats: readonly Tally[],
  temperatures: readonly number[],
  differences: ReadonlyMap<string, Difference | undefined>,
): FamilyProfile {
  const { intensity, draws } = dosesOf(family).at(-1)!
  const [draw] = draws
  const isOne = draws.length === 1 && draw!.identity === family.identity
  const difference = isOne ? differences.get(draw!.label) : undefined
  const tallies = draws.map(find)
  const pairs = tallies.map((tally) => pairTallies(clean, tally, temperatures))
  const rate = (metric: Metric): FamilyRate => {
    const paired = pairs.map((one) => one[metric])
    const worst = worstOfDraws(tallies, family.identity ? [] : repeats, metric, temperatures)
    return {
      ...compare(paired, difference?.[metric]),
      ...(worst && { worst: { ...worst, repeats: repeats.length } }),
    }
  }
  const paths = pathsOf(tallies, family.name === cleanRepeats ? [] : repeats, temperatures)
  const lowest = pairs.length > 1 ? lowestOf(pairs.map(({ success }) => mean(known(success.difference)))) : undefined
  const tests = pairs.some(({ count }) => count > 0) && {
    tests: {
      success: { p: difference?.tests?.success.p ?? testOf(pairs.map(({ success }) => success)) },
      progress: { p: difference?.tests?.progress.p ?? testOf(pairs.map(({ progress }) => progress)) },
    },
  }
  return {
    family: family.name,
    conditions: draws.map(({ label }) => label),
    ...(family.conditions.some((condition) => condition.intensity !== undefined && condition.intensity !== 1) && {
      intensity,
    }),
    identity: family.identity,
    ...(family.adversarial && { adversarial: true as const }),
    pairs: pairs.reduce((sum, { count }) => sum + count, 0),
    planned: pairs.reduce((sum, { planned }) => sum + planned, 0),
    ...(!family.identity && { touched: touchedBy(tallies, temperatures) }),
    ...(lowest !== undefined && { lowest: draws[lowest]!.label }),
    success: rate('success'),
    progress: rate('progress'),
    ...(paths && { paths }),
    ...tests,
  }
}

/** Means by task over the draws that have a pair; NaN without one. */
function overDraws(paired: readonly BoundedMeans[], part: keyof BoundedMeans): number[] {
  return Array.from(paired[0]![part], (_, task) => mean(known(paired.map((one) => one[part][task]!))) ?? NaN)
}

function compare(paired: readonly BoundedMeans[], difference: BoundedDifference | undefined): FamilyRate {
  const [first, second, changes, low, high] = (['first', 'second', 'difference', 'low', 'high'] as const).map((part) =>
    overDraws(paired, part),
  ) as [number[], number[], number[], number[], number[]]
  const [before, after] = [mean(known(first)), mean(known(second))]
  return {
    ...(difference ?? differenceOver({ first, second, difference: changes, low, high })),
    ...(before !== undefined && after !== undefined && { clean: before, perturbed: after }),
  }
}

function testOf(paired: readonly BoundedMeans[]): number {
  return noDifferenceP(known(overDraws(paired, 'difference')))
}

function lowestOf(values: readonly (number | undefined)[]): number | undefined {
  return values.reduce<number | undefined>(
    (lowest, value, place) =>
      value !== undefined && (lowest === undefined || value < values[lowest]!) ? place : lowest,
    undefined,
  )
}

function known(values: ArrayLike<number>): number[] {
  return Array.from(values).filter((value) => !Number.isNaN(value))
}

/** Each task under the draw that is worst on it: means over tasks. */
interface Worst {
  readonly ofDraws: number
  /** What the worst of equally many clean repeats is expected to be, and the difference from it. */
  readonly ofClean: number
  readonly difference: PairedDifference
}

/**
 * Each task in its worst draw, beside what the worst of equally many clean repeats is expected to be: the lowest of
 * several noisy scores is low even where nothing is changed. The sets of repeats are all that there are, so that none
 * is chosen. Temperatures have equal weights, so that copies of a seed under one of them are no difference. Tasks
 * without an episode in one of the draws or repeats are left out.
 * @returns undefined for a single draw, with fewer repeats than draws, and without a task
 */
function worstOfDraws(
  draws: readonly Tally[],
  repeats: readonly Tally[],
  metric: Metric,
  temperatures: readonly number[],
): Worst | undefined {
  if (draws.length < 2 || repeats.length < draws.length) return undefined
  const scores = (tallies: readonly Tally[], task: number): number[] =>
    tallies.map((tally) => mean(temperatures.map((place) => taskMean(tally[metric], tally, [place], task))) ?? NaN)
  const measured = Array.from({ length: draws[0]!.shape.tasks }, (_, task) => ({
    ofDraws: Math.min(...scores(draws, task)),
    clean: scores(repeats, task),
  }))
    .filter(({ ofDraws, clean }) => ![ofDraws, ...clean].some(Number.isNaN))
    .map(({ ofDraws, clean }) => ({ ofDraws, ofClean: expectedLowest(clean, draws.length)! }))
  if (measured.length === 0) return undefined
  return {
    ofDraws: mean(measured.map(({ ofDraws }) => ofDraws))!,
    ofClean: mean(measured.map(({ ofClean }) => ofClean))!,
    difference: pairedDifference(measured.map(({ ofDraws, ofClean }) => [ofDraws - ofClean])),
  }
}
