import { holm, noDifferenceP } from '../statistics/index.js'
import type { Metric, Pairs } from './pairs.js'
import { metrics } from './pairs.js'
import type { Test } from './schema.js'

/** Tests of one comparison. */
export type Tests = Readonly<Record<Metric, Test>>

/** Tests whether pairs differ, with the task as the cluster; undefined without a pair. */
export function testPairs(pairs: Pairs): Tests | undefined {
  return pairs.count === 0
    ? undefined
    : { success: testMetric(pairs, 'success'), progress: testMetric(pairs, 'progress') }
}

function testMetric(pairs: Pairs, metric: Metric): Test {
  return { p: noDifferenceP([...pairs[metric].difference]) }
}

/**
 * Adjusts the tests of a family, metric by metric; members outside of it stay as they are. A member without a test
 * still counts, so that a family does not shrink while a run is being played.
 */
export function adjustFamily<Member extends { readonly tests?: Tests }>(
  members: readonly (Member | undefined)[],
  isInFamily: (place: number) => boolean,
): (Member | undefined)[] {
  const places = members.map((_, place) => place).filter(isInFamily)
  const [success, progress] = metrics.map((metric) => {
    const adjusted = holm(places.map((place) => members[place]?.tests?.[metric].p ?? NaN))
    return new Map(places.map((place, index) => [place, adjusted[index]!]))
  }) as [Map<number, number>, Map<number, number>]
  return members.map((member, place) => {
    if (member?.tests === undefined || !success.has(place)) return member
    const { tests } = member
    return {
      ...member,
      tests: {
        success: { ...tests.success, holm: success.get(place)! },
        progress: { ...tests.progress, holm: progress.get(place)! },
      },
    }
  })
}
