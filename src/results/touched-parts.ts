import type { DoseCount, Touched } from '../define.js'
import { touched } from '../define.js'
import type { PairedDifference } from '../statistics/index.js'
import { scaledDifference } from '../statistics/paired-difference.js'
import { mean } from '../statistics/index.js'
import { touchedBy } from './differences.js'
import type { Family } from './families.js'
import { dosesOf } from './families.js'
import { pairTallies } from './pairs.js'
import type { AggregateColumn, TouchedPart } from './schema.js'
import type { Tally } from './tally.js'

/** The counts by which conditions of a part are matched; the first that is not 0 counts. */
const doses: Readonly<Record<Touched, readonly (readonly DoseCount[])[]>> = {
  observation: [['names'], ['characters', 'viewed']],
  action: [['forms']],
  transition: [['failed'], ['objects'], ['steps']],
  goal: [['characters']],
  list: [['listed']],
}

/** Doses that differ by a larger factor are not compared. */
const largestFactor = 2

/** One intensity of a family, over its draws. */
interface Condition {
  readonly name: string
  readonly keepsMeaning: boolean
  readonly tallies: readonly Tally[]
  /** Change of success by task; NaN without a pair. */
  readonly changes: readonly number[]
  readonly unit: string
  readonly dose: number
}

/**
 * Families by the part of the decision process that they change: those that keep the meaning beside those that change
 * it, and the difference at equal dose. Adversarial families, stacks and controls enter none.
 */
export function describeParts(
  families: readonly Family[],
  find: (column: AggregateColumn) => Tally,
  clean: Tally,
  temperatures: readonly number[],
): TouchedPart[] {
  return touched.flatMap((touches): TouchedPart[] => {
    const members = families.filter(
      ({ columns, identity, adversarial }) =>
        !identity &&
        !adversarial &&
        columns.every(({ perturbations: [one, ...others] }) => others.length === 0 && one!.touches === touches),
    )
    const conditions = members.map((family) =>
      dosesOf(family).map(({ intensity, draws }): Condition => {
        const tallies = draws.map(find)
        return {
          name: intensity === 1 ? family.name : `${family.name} ${String(intensity)}`,
          keepsMeaning: draws.every(({ perturbations }) => perturbations[0]!.keepsMeaning),
          tallies,
          changes: changesOf(tallies, clean, temperatures),
          ...doseOf(tallies, touches, temperatures),
        }
      }),
    )
    const highest = conditions.map((all) => all.at(-1)!)
    const kept = sideOf(
      highest.filter((one) => one.keepsMeaning),
      temperatures,
    )
    const changed = sideOf(
      highest.filter((one) => !one.keepsMeaning),
      temperatures,
    )
    if (kept === undefined && changed === undefined) return []
    const matched = match(
      highest.filter((one) => !one.keepsMeaning),
      conditions.flat().filter((one) => one.keepsMeaning),
    )
    return [{ touches, ...(kept && { kept }), ...(changed && { changed }), ...(matched && { matched }) }]
  })
}

function sideOf(conditions: readonly Condition[], temperatures: readonly number[]): TouchedPart['kept'] {
  const known = conditions.filter(({ changes }) => changes.some((change) => !Number.isNaN(change)))
  if (known.length === 0) return undefined
  return {
    families: known.map(({ name }) => name),
    touched: touchedBy(
      known.flatMap(({ tallies }) => tallies),
      temperatures,
    ),
    success: meanOver(known.map(({ changes }) => changes)),
  }
}

function match(changed: readonly Condition[], kept: readonly Condition[]): TouchedPart['matched'] {
  const pairs = changed.flatMap((one) => {
    const factor = (other: Condition): number => Math.max(one.dose / other.dose, other.dose / one.dose)
    const [nearest] = kept
      .filter((other) => other.unit === one.unit && factor(other) <= largestFactor)
      .sort((a, b) => factor(a) - factor(b))
    return nearest === undefined ? [] : [{ one, nearest }]
  })
  if (pairs.length === 0) return undefined
  return {
    pairs: pairs.map(({ one, nearest }) => ({
      changed: one.name,
      kept: nearest.name,
      doses: [one.dose, nearest.dose] as const,
    })),
    success: meanOver(
      pairs.map(({ one, nearest }) => one.changes.map((change, task) => change - nearest.changes[task]!)),
      2,
    ),
  }
}

/** The mean over lists of a value by task, with the task as the cluster; values are at most `largest`. */
function meanOver(lists: readonly (readonly number[])[], largest = 1): PairedDifference {
  const means = lists[0]!.flatMap((_, task) => mean(known(lists.map((list) => list[task]!))) ?? [])
  return scaledDifference(means, largest)
}

function changesOf(tallies: readonly Tally[], clean: Tally, temperatures: readonly number[]): number[] {
  const pairs = tallies.map((tally) => pairTallies(clean, tally, temperatures).success.difference)
  return Array.from({ length: clean.shape.tasks }, (_, task) => mean(known(pairs.map((one) => one[task]!))) ?? NaN)
}

/** Forms are those of an episode, whatever is said; all else is per step, since longer episodes meet more of it. */
function doseOf(
  tallies: readonly Tally[],
  touches: Touched,
  temperatures: readonly number[],
): Pick<Condition, 'unit' | 'dose'> {
  const sums = tallies.flatMap((tally) => temperatures.map((place) => tally.sums[place]!))
  const total = (count: DoseCount): number => sums.reduce((sum, { dose }) => sum + dose[count], 0)
  for (const counts of doses[touches]) {
    const amount = counts.reduce((sum, count) => sum + total(count), 0)
    if (amount === 0) continue
    const isOnce = counts[0] === 'forms' || counts[0] === 'objects' || counts[0] === 'steps'
    const per = sums.reduce((sum, { acted, measures }) => sum + (isOnce ? acted.episodes : measures.steps), 0)
    return { unit: counts[0]!, dose: amount / per }
  }
  return { unit: '', dose: NaN }
}

function known(values: readonly number[]): number[] {
  return values.filter((value) => !Number.isNaN(value))
}
