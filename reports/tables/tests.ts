import type { Test } from '../aggregate/evidence.js'
import { figure } from './rows.js'
import type { Cell } from './table.js'

const methods: Readonly<Record<Test['method'], string>> = {
  'sign-flip-exact': 'the permutation of the signs of the differences of tasks, all of them',
  'sign-flip-drawn': 'the permutation of the signs of the differences of tasks, drawn at random',
  'mcnemar-exact': "McNemar's exact test, one pair a task",
}

/** The p of a test as a cell: Holm-adjusted where it is one of several. */
export function testCell(test: Test | undefined): Cell {
  return figure(test && (test.holm ?? test.p))
}

/** Which tests the p of a table come from, as sentences of its caption; `family` is what they are adjusted over. */
export function describeTests(tests: readonly (Test | undefined)[], family: string): string[] {
  const made = tests.filter((test) => test !== undefined)
  const used = Object.entries(methods).filter(([method]) => made.some((test) => test.method === method))
  if (used.length === 0) return []
  const adjusted = made.some(({ holm }) => holm !== undefined) ? `; Holm-adjusted over ${family}` : ''
  return [`p: two-sided, of no difference, by ${used.map(([, words]) => words).join(', or by ')}${adjusted}.`]
}
