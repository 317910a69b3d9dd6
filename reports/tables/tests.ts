import type { Test } from '../../src/results/schema.js'
import type { Measure } from './measured.js'
import { measure } from './measured.js'
import { figure } from './rows.js'

/** p before adjustment and after; the second is empty for a test that is not adjusted, such as that of a control. */
export function testMeasures<Of>(
  group: string,
  prefix: string,
  of: (row: Of) => Partial<Test> | undefined,
): Measure<Of>[] {
  return [
    measure(group, 'p', 'p', `${prefix}p`, (row) => figure(of(row)?.p)),
    measure(group, 'Holm', 'p', `${prefix}p-holm`, (row) => figure(of(row)?.holm)),
  ]
}

/** What the intervals and tests of differences are, as sentences of a caption. */
export const differenceNotes = {
  interval:
    'In brackets the 95 % interval with the task as the cluster: a Bayesian bootstrap that allows for completely lost or gained tasks that were not drawn.',
  test: 'p: two-sided, of no difference, by the same test, not adjusted, so it is below 0.05 exactly where the interval excludes 0',
} as const

/** What the p of a table is, as sentences of its caption; `family` is what it is adjusted over. */
export function describeTests(tests: readonly (Partial<Test> | undefined)[], family: string): string[] {
  const made = tests.filter((test) => test?.p !== undefined)
  if (made.length === 0) return []
  const adjusted = made.filter(({ holm } = {}) => holm !== undefined)
  const controls = adjusted.length < made.length ? '; controls are not adjusted' : ''
  return [
    `${differenceNotes.test}.${adjusted.length > 0 ? ` Holm: p adjusted over ${family}${controls}. Intervals are not adjusted.` : ''}`,
  ]
}
