import type { Test } from '../aggregate/schema.js'
import { figure } from './rows.js'
import type { Cell } from '../../src/tables/table.js'

/** The p of a test as a cell: Holm-adjusted where it is one of several. */
export function testCell(test: Test | undefined): Cell {
  return figure(test && (test.holm ?? test.p))
}

/** What the intervals and tests of differences are, as sentences of a caption. */
export const differenceNotes = {
  interval:
    'In brackets the 95 % interval with the task as the cluster: a Bayesian bootstrap that allows for completely lost or gained tasks that were not drawn.',
  test: 'p: two-sided, of no difference, by the same test, so it is below 0.05 exactly where the interval excludes 0',
} as const

/** What the p of a table is, as sentences of its caption; `family` is what it is adjusted over. */
export function describeTests(tests: readonly (Test | undefined)[], family: string): string[] {
  const made = tests.filter((test) => test !== undefined)
  if (made.length === 0) return []
  return [
    `${differenceNotes.test}${made.some(({ holm }) => holm !== undefined) ? `; Holm-adjusted over ${family}` : ''}.`,
  ]
}
