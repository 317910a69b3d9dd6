import type { Test } from './schema.js'

/**
 * What an interval, a deviation or an error generalises to, by what it takes as random: runs or tasks.
 * Every caption of such figures has the sentence.
 */
export const speaksOf = {
  panel: 'It applies to other runs on the same tasks.',
  tasks: 'It applies to other tasks of these kinds, not to other kinds.',
} as const

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
