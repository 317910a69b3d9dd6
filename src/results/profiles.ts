import { labelWithout, touched as touchedParts } from '../define.js'
import type { Interval } from '../statistics/index.js'
import {
  expectedLowest,
  intervalOverDraws,
  lowestScores,
  mean,
  pairedDifference,
  spreadOfDraws,
} from '../statistics/index.js'
import { isAveraged } from './conditions.js'
import { adjustFamily, compareSets, touchedBy } from './differences.js'
import { type Family, byFamily, dosesOf, familiesOf } from './families.js'
import { defined } from './lists.js'
import { type Metric, metrics, pairWhole, perMetric } from './pairs.js'
import { placesOf } from './passes.js'
import { knownOf, meanOfKnown, meanOverTasks, taskMeans, wholeTaskMeans } from './rates.js'
import type { AggregateCondition, Draws, FamilyProfile, FamilyRate, Paths, Profile, TouchedPart } from './schema.js'
import type { TalliedSubject } from './subjects.js'
import type { Tally } from './tally.js'

/** The name of the control whose draws are clean repeats. */
const cleanRepeats = 'clean-repeats'

/**
 * The robustness profile of each environment × model × agent: every family against the clean twin, the most harmful
 * first. Empty without a clean condition. Sentences name any of them, so p is adjusted over all of them together.
 */
export function describeProfiles(
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
): Profile[] {
  const families = familiesOf(conditions)
  if (families.length === 0) return []
  const repeats = families.find(({ name }) => name === cleanRepeats)?.conditions ?? []
  const described = subjects.flatMap(({ names, clean, find }) => {
    if (clean === undefined) return []
    const parts = describeParts(families, find, clean)
    const averaged = conditions.filter(isAveraged).map(find)
    const worstCase = describeWorstCase([clean, ...averaged], [clean, ...repeats.map(find)])
    return {
      ...names,
      families: families.map((family) => describeFamily(family, find, clean, repeats.map(find))),
      ...(parts.length > 0 && { parts }),
      ...defined({ worstCase }),
    }
  })
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
  return [...families].sort((one, other) => harm(one) - harm(other))
}

type Find = TalliedSubject['find']

function describeFamily(family: Family, find: Find, clean: Tally, repeats: readonly Tally[]): FamilyProfile {
  const { intensity, draws } = dosesOf(family).at(-1)!
  const tallies = draws.map(find)
  const { means, ...compared } = compareSets(clean, [tallies])
  const rate = (metric: Metric): FamilyRate => {
    const { first, second } = means[metric]
    const [before, after] = [meanOfKnown(first), meanOfKnown(second)]
    const worst = worstOfDraws(tallies, family.identity ? [] : repeats, metric)
    return {
      ...compared[metric],
      ...(!Number.isNaN(before + after) && { clean: before, perturbed: after }),
      ...(worst && { worst }),
    }
  }
  const paths = pathsOf(tallies, family.name === cleanRepeats ? [] : repeats)
  const changes = tallies.map((tally) => meanOfKnown(pairWhole(clean, tally).success.difference))
  const lowest = changes.indexOf(Math.min(...knownOf(changes)))
  return {
    family: family.name,
    conditions: draws.map(({ label }) => label),
    ...(family.conditions.some((condition) => condition.intensity !== undefined && condition.intensity !== 1) && {
      intensity,
    }),
    identity: family.identity,
    ...(family.adversarial && { adversarial: true as const }),
    ...compared,
    ...(!family.identity && { touched: touchedBy(tallies) }),
    ...(draws.length > 1 && lowest >= 0 && { lowest: draws[lowest]!.label }),
    ...perMetric(rate),
    ...(paths && { paths }),
  }
}

/**
 * Each task in its worst condition, beside what as many clean repeats give. Undefined for the clean condition alone.
 */
function describeWorstCase(conditions: readonly Tally[], repeats: readonly Tally[]): Profile['worstCase'] {
  const lowest = perMetric((metric) => knownOf(lowestScores(scoresOf(conditions, metric))))
  const [success, progress] = [mean(lowest.success), mean(lowest.progress)]
  if (conditions.length < 2 || success === undefined || progress === undefined) return undefined
  const [ofClean, progressOfClean] = metrics.map((metric) => worstOfDraws(conditions, repeats, metric)?.ofClean)
  const isKnown = ofClean !== undefined && progressOfClean !== undefined
  return {
    ...{ success, progress, conditions: conditions.length },
    solvedInAll: mean(lowest.success.map((score) => (score >= 0.5 ? 1 : 0)))!,
    ...(isKnown && { ofClean: { success: ofClean, progress: progressOfClean } }),
  }
}

/** By tally and task; temperatures have equal weights, so that copies of a seed under one of them are no difference. */
function scoresOf(tallies: readonly Tally[], metric: Metric): number[][] {
  return tallies.map((tally) => [...wholeTaskMeans(tally[metric], tally)])
}

/**
 * Means over tasks of each task in its worst draw, and of what the worst of equally many clean repeats is expected to
 * be: the lowest of several noisy scores is low even where nothing is changed. The sets of repeats are all that there
 * are, so that none is chosen. Tasks without an episode in one of the draws or repeats are left out.
 * @returns undefined for a single draw, with fewer repeats than draws, and without a task
 */
function worstOfDraws(draws: readonly Tally[], repeats: readonly Tally[], metric: Metric): FamilyRate['worst'] {
  if (draws.length < 2 || repeats.length < draws.length) return undefined
  const [worst, clean] = [lowestScores(scoresOf(draws, metric)), scoresOf(repeats, metric)]
  const lowestOf = (task: number): number => {
    const scores = clean.map((scores) => scores[task]!)
    return expectedLowest(scores, draws.length)!
  }
  const measured = worst
    .map((ofDraws, task) => ({ ofDraws, ofClean: lowestOf(task) }))
    .filter(({ ofDraws, ofClean }) => !Number.isNaN(ofDraws + ofClean))
  if (measured.length === 0) return undefined
  return {
    ofDraws: mean(measured.map(({ ofDraws }) => ofDraws))!,
    ofClean: mean(measured.map(({ ofClean }) => ofClean))!,
    difference: pairedDifference(measured.map(({ ofDraws, ofClean }) => ofDraws - ofClean)),
  }
}

/**
 * Families by the part of the decision process that they change: those that keep the meaning beside those that change
 * it, at their highest intensity. Adversarial families, stacks and controls enter none.
 */
function describeParts(families: readonly Family[], find: Find, clean: Tally): TouchedPart[] {
  const apart = families.filter(
    ({ conditions, identity, adversarial }) =>
      !identity && !adversarial && conditions.every(({ perturbations }) => perturbations.length === 1),
  )
  const sideOf = (touches: TouchedPart['touches'], keeps: boolean): TouchedPart['kept'] => {
    const isOn = ({ perturbations: [perturbation] }: AggregateCondition): boolean =>
      perturbation!.touches === touches && (perturbation!.keepsMeaning ?? false) === keeps
    const measured = apart
      .filter(({ conditions }) => conditions.every(isOn))
      .map((family) => {
        const { intensity, draws } = dosesOf(family).at(-1)!
        const name = intensity === 1 ? family.name : `${family.name} ${String(intensity)}`
        return { name, tallies: draws.map(find) }
      })
      .filter(({ tallies }) => tallies.some((tally) => pairWhole(clean, tally).count > 0))
    if (measured.length === 0) return undefined
    const sets = measured.map(({ tallies }) => tallies)
    return {
      families: measured.map(({ name }) => name),
      touched: touchedBy(sets.flat()),
      success: pairedDifference(compareSets(clean, sets).means.success.difference),
    }
  }
  return touchedParts
    .map((touches) => ({ touches, ...defined({ kept: sideOf(touches, true), changed: sideOf(touches, false) }) }))
    .filter(({ kept, changed }) => kept ?? changed)
}

/**
 * The actions of perturbed episodes against those of their clean twins, over the draws of a family, and against the
 * same of clean repeats, where there are some. Undefined where no pair records its actions.
 */
function pathsOf(draws: readonly Tally[], repeats: readonly Tally[]): Paths | undefined {
  // A later difference counts as one after the step limit, so that the figure has a known range.
  const steps = draws[0]!.stepLimit + 1
  const divergenceOf = ({ divergence }: Tally): Float64Array =>
    Float64Array.from(divergence, (step) => (step === 0 ? NaN : Math.min(step, steps) / steps))
  const far = describePaths(draws, repeats, ({ distance }) => distance)
  const first = describePaths(draws, repeats, divergenceOf, steps)
  return far && first && { distance: far, divergence: first }
}

function describePaths(
  draws: readonly Tally[],
  repeats: readonly Tally[],
  of: (tally: Tally) => Float64Array,
  unit = 1,
): Paths['distance'] | undefined {
  /** By task the mean over tallies of the means at each temperature; NaN where nothing is known. */
  const meansOf = (tallies: readonly Tally[]): number[] => {
    const { tasks, temperatures } = placesOf(tallies[0]?.shape)
    const each = tallies.flatMap((tally) => {
      const values = of(tally)
      return temperatures.map((place) => taskMeans(values, tally, [place]))
    })
    return tasks.map((task) => meanOfKnown(each.map((means) => means[task]!)))
  }
  const [own, clean] = [meansOf(draws), meansOf(repeats)]
  const { mean, overTasks } = meanOverTasks(knownOf(own))
  if (mean === undefined) return undefined
  const beyond = pairedDifference(own.map((value, task) => value - (clean[task] ?? NaN)))
  const scaled = (mean: number, interval: Interval | undefined) => ({
    mean: unit * mean,
    ...defined({ interval: interval && { low: unit * interval.low, high: unit * interval.high } }),
  })
  if (beyond.mean === undefined) return scaled(mean, overTasks)
  return {
    ...scaled(mean, overTasks),
    ...{ ofClean: unit * meanOfKnown(clean), beyond: scaled(beyond.mean, beyond.interval) },
  }
}

/** Describes every family of conditions that differ in their draw alone. None without a clean condition. */
export function describeDraws(subjects: readonly TalliedSubject[]): Draws[] {
  return subjects.flatMap(({ names, conditions, clean, find }) => {
    if (clean === undefined) return []
    const several = byFamily(conditions.filter((condition) => !condition.clean)).filter(({ length }) => length > 1)
    return several.map((members): Draws => {
      const draws = members.map(find)
      const tasks = placesOf(clean.shape).tasks.filter((task) =>
        draws.every((draw) => pairWhole(clean, draw).counts[task]! > 0),
      )
      return {
        ...names,
        family: labelWithout(members[0]!.label, 'draw'),
        conditions: members.map(({ label }) => label),
        tasks: tasks.length,
        ...(!members.every(({ identity }) => identity) && { touched: touchedBy(draws, tasks) }),
        ...perMetric((metric) => figuresOf(metric, draws, tasks, clean)),
      }
    })
  })
}

function figuresOf(metric: Metric, draws: readonly Tally[], tasks: readonly number[], clean: Tally): Draws[Metric] {
  const changes = draws.map((draw) => tasks.map((task) => pairWhole(clean, draw)[metric].difference[task]!))
  const byTask = tasks.map((_, place) => mean(changes.map((change) => change[place]!))!)
  const overDraws = spreadOfDraws(changes)
  const change = pairedDifference(byTask)
  const means = changes.map((change) => mean(change)!)
  return { change, ...defined({ ofFamily: change.interval && intervalOverDraws(means, change.interval), overDraws }) }
}
