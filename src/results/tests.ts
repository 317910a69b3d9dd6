import { benjaminiHochberg, holm, noDifferenceP } from '../statistics/index.js'
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
  const adjusted = new Map<number, Partial<Record<Metric, Test>>>()
  for (const metric of metrics) {
    const ps = places.map((place) => members[place]?.tests?.[metric].p ?? NaN)
    const [holms, bhs] = [holm(ps), benjaminiHochberg(ps)]
    places.forEach((place, index) => {
      const test = members[place]?.tests?.[metric]
      if (test === undefined) return
      const tests = adjusted.get(place) ?? {}
      tests[metric] = { ...test, holm: holms[index]!, bh: bhs[index]! }
      adjusted.set(place, tests)
    })
  }
  return members.map((member, place) => {
    const tests = adjusted.get(place)
    return member && tests ? { ...member, tests: tests as Tests } : member
  })
}
