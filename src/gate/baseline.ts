import type { Outcomes } from '../compare/outcomes.js'
import type { Conditions } from './conditions.js'
import { percent, points } from './words.js'

/**
 * What a run is checked against: the outcomes of an earlier one, under what conditions they came about, and why they
 * are the baseline.
 */
export interface Baseline {
  readonly outcomes: Outcomes
  readonly conditions: Conditions
  /** Oldest first; the last is of these outcomes. */
  readonly history: readonly BaselineEntry[]
}

/** One time that a baseline was written. */
export interface BaselineEntry {
  /** Version of shaketable that played it. */
  readonly version: string
  /** First 12 digits of the plan's hash. */
  readonly plan: string
  readonly why: string
  /** Mean success over all cells and tasks, a share of 1. Absent in files of earlier versions. */
  readonly success?: number
}

/** How far the baseline has moved since it was first written, as a sentence where that is known. */
export function describeDrift(history: readonly BaselineEntry[]): string[] {
  const known = history.filter(({ success }) => success !== undefined)
  const [first, last] = [known[0]?.success, known.at(-1)?.success]
  if (known.length < 2 || first === undefined || last === undefined) return []
  return [
    `The baseline was written ${String(history.length)} times; its mean success is ${percent(last)}, against ${percent(first)} at first (${points(last - first)} points). A check is against the last alone, so that several drops within the margin add up.`,
  ]
}
