import type { Test } from '../../src/results/schema.js'
import { figure } from './rows.js'
import type { Cell, Column } from '../../src/tables/table.js'

/** The columns of a test: p before adjustment, and after; `prefix` is that of their names in CSV. */
export function testColumns(prefix: string): Column[] {
  return [
    { title: 'p', shows: 'p', metric: `${prefix}p` },
    { title: 'Holm', shows: 'p', metric: `${prefix}p-holm` },
  ]
}

/** The cells of {@link testColumns}; the second is empty for a test that is not adjusted, such as that of a control. */
export function testCells(test: Partial<Test> | undefined): Cell[] {
  return [figure(test?.p), figure(test?.holm)]
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
