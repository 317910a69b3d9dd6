/**
 * `contradiction`: things that are all printed or given by the caller cannot all be true. `doubt`: a figure that cannot
 * be derived from what is printed beside it, that was likely not measured, or that is wrong only under an assumption,
 * which the message names. `note`: what a reader should know, though nothing is wrong.
 */
export type Severity = 'contradiction' | 'doubt' | 'note'

/** Severities, worst first. */
export const severities: readonly Severity[] = ['contradiction', 'doubt', 'note']

/** Something that a check found. */
export interface Finding {
  readonly severity: Severity
  /** Lines of the file that it is about, the one to look at first in front. */
  readonly lines: readonly number[]
  readonly message: string
}

/** What a check asked and what came of it. */
export interface Check {
  readonly name: string
  /** What is asked of each figure, in a few words. */
  readonly asks: string
  /** Figures that could be checked, those of them that hold, and those for which the file does not have what it takes. */
  readonly checked: number
  readonly held: number
  readonly unchecked: number
  readonly findings: readonly Finding[]
}
