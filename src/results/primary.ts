import type { Plan } from '../define.js'
import { holm } from '../statistics/index.js'
import { isAveraged } from './conditions.js'
import { compareSets, touchedBy } from './differences.js'
import { byFamily } from './families.js'
import type { AggregateCondition, Primary } from './schema.js'
import type { TalliedSubject } from './subjects.js'

/**
 * Computes the primary endpoint of a plan; undefined for a plan without a clean condition or without one that changes
 * something. Draws of one perturbation count as one, their mean.
 */
export function describePrimary(
  { primary }: Plan,
  subjects: readonly TalliedSubject[],
  conditions: readonly AggregateCondition[],
): Primary | undefined {
  const chosen = conditions.filter(
    (condition) => primary?.conditions?.includes(condition.label) ?? isAveraged(condition),
  )
  if (!conditions.some(({ clean }) => clean) || chosen.length === 0) return undefined
  const metric = primary?.metric ?? 'success'
  const changes = subjects.map((subject) => {
    const played = subject.conditions.filter((condition) => chosen.includes(condition))
    const compared = compareSets(
      subject.clean!,
      byFamily(played).map((draws) => draws.map(subject.find)),
    )
    return {
      ...subject.names,
      touched: touchedBy(played.map(subject.find)),
      difference: compared[metric],
      p: compared.tests?.[metric].p,
    }
  })
  const adjusted = holm(changes.map(({ p }) => p ?? NaN))
  return {
    metric,
    conditions: chosen.map(({ label }) => label),
    named: primary !== undefined,
    comparisons: changes.map(({ p, ...one }, place) => ({
      ...one,
      ...(p !== undefined && { p, holm: adjusted[place]! }),
    })),
  }
}
