import { benjaminiHochberg, holm, mcnemar, signFlip } from 'shaketable'
import type { Drawing } from './drawing.js'
import type { Test } from './evidence.js'
import type { Metric, Pairs } from './pairs.js'
import { metrics } from './pairs.js'

/** Tests of one comparison. */
export type Tests = Readonly<Record<Metric, Test>>

/** Tests whether pairs differ, the task being what is independent; undefined without a pair. `address` names the comparison. */
export function testPairs(pairs: Pairs, drawing: Drawing, ...address: readonly (string | number)[]): Tests | undefined {
  if (pairs.count === 0) return undefined
  return {
    success: testMetric(pairs, 'success', drawing, ...address),
    progress: testMetric(pairs, 'progress', drawing, ...address),
  }
}

/** One of {@link testPairs}. Needs a pair. */
export function testMetric(
  { counts, flips, ...pairs }: Pairs,
  metric: Metric,
  { signFlips, countUpTo, stream }: Drawing,
  ...address: readonly (string | number)[]
): Test {
  if (metric === 'success' && counts.every((count) => count < 2)) {
    return { method: 'mcnemar-exact', p: mcnemar(flips.lost, flips.gained).exact }
  }
  const random = stream('signs', ...address, metric)
  const { p, method } = signFlip([...pairs[metric].difference], { random, draws: signFlips, countUpTo })
  return { method: `sign-flip-${method}`, p }
}

/**
 * Adjusts the tests of a family, metric by metric; members outside of it stay as they are. A member without a test stays in the family and claims nothing, so that
 * a family does not shrink while a run is being played.
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
