import type { Outcomes } from '../compare/outcomes.js'
import type { Conditions } from './conditions.js'

/** What a run is checked against: the outcomes of an earlier one, under what conditions they came about, and why they are the baseline. */
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
}
