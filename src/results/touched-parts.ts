import { touched } from '../define.js'
import { mean, pairedDifference } from '../statistics/index.js'
import { touchedBy } from './differences.js'
import type { Family } from './families.js'
import { dosesOf } from './families.js'
import { pairTallies } from './pairs.js'
import type { AggregateCondition, TouchedPart } from './schema.js'
import type { Tally } from './tally.js'

/**
 * Families by the part of the decision process that they change: those that keep the meaning beside those that change
 * it, at their highest intensity. Adversarial families, stacks and controls enter none.
 */
export function describeParts(
  families: readonly Family[],
  find: (condition: AggregateCondition) => Tally,
  clean: Tally,
  temperatures: readonly number[],
): TouchedPart[] {
  /** By task the change of success, mean over the draws; NaN without a pair. */
  const changesOf = (draws: readonly Tally[]): number[] => {
    const pairs = draws.map((draw) => pairTallies(clean, draw, temperatures).success.difference)
    return Array.from({ length: clean.shape.tasks }, (_, task) => mean(known(pairs.map((one) => one[task]!))) ?? NaN)
  }
  const sideOf = (members: readonly Family[]): TouchedPart['kept'] => {
    const measured = members
      .map((family) => {
        const { intensity, draws } = dosesOf(family).at(-1)!
        const tallies = draws.map(find)
        const name = intensity === 1 ? family.name : `${family.name} ${String(intensity)}`
        return { name, tallies, changes: changesOf(tallies) }
      })
      .filter(({ changes }) => known(changes).length > 0)
    if (measured.length === 0) return undefined
    const byTask = measured[0]!.changes.map((_, task) => known(measured.map(({ changes }) => changes[task]!)))
    return {
      families: measured.map(({ name }) => name),
      touched: touchedBy(
        measured.flatMap(({ tallies }) => tallies),
        temperatures,
      ),
      success: pairedDifference(byTask),
    }
  }
  const apart = families.filter(
    ({ conditions, identity, adversarial }) =>
      !identity && !adversarial && conditions.every(({ perturbations }) => perturbations.length === 1),
  )
  return touched.flatMap((touches): TouchedPart[] => {
    const [kept, changed] = [true, false].map((keeps) =>
      sideOf(
        apart.filter(({ conditions }) =>
          conditions.every(
            ({ perturbations: [one] }) => one!.touches === touches && (one!.keepsMeaning ?? false) === keeps,
          ),
        ),
      ),
    )
    return kept === undefined && changed === undefined
      ? []
      : [{ touches, ...(kept && { kept }), ...(changed && { changed }) }]
  })
}

function known(values: readonly number[]): number[] {
  return values.filter((value) => !Number.isNaN(value))
}
