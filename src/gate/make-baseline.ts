import { count } from '../tables/words.js'
import { mean } from '../statistics/dispersion.js'
import type { OutcomeCell } from '../compare/outcomes.js'
import type { Baseline, BaselineEntry } from './baseline.js'
import { percent } from './words.js'
import type { CheckableRun } from './check-run.js'

/**
 * Why a run cannot be a baseline, and the exit code that goes with it: 3 for too little coverage, 4 for a run that is
 * not whole.
 */
interface Refusal {
  readonly code: 3 | 4
  readonly reason: string
}

/** What is said of a new baseline. */
interface BaselineWish {
  /** First 12 digits of the plan's hash. */
  readonly plan: string
  readonly why: string
  /** The least share of every cell's episodes that must be measured. */
  readonly minCoverage: number
  /** What the file said before, if there was one. */
  readonly history: readonly BaselineEntry[]
}

/** The most entries of a history; the oldest are forgotten. */
const maxEntries = 1000

/** Makes a baseline of a run, or says why it cannot be one. */
export function makeBaseline(
  { outcomes, conditions, obstacle }: CheckableRun,
  { plan, why, minCoverage, history }: BaselineWish,
): { readonly baseline: Baseline } | { readonly refused: Refusal } {
  if (obstacle !== undefined) return { refused: { code: 4, reason: `${obstacle} It cannot be a baseline.` } }
  for (const cell of outcomes.cells) {
    const { measured, planned } = countMeasured(cell)
    if (measured >= minCoverage * planned) continue
    const { environment, model, agent, column, temperature } = cell
    const reason =
      `Expected at least ${percent(minCoverage)} of every cell measured, but of ${environment} · ${model} · ${agent} · ${column} at temperature ${String(temperature)} ` +
      `it is ${percent(measured / planned)} of ${count(planned, 'episode')}. Run the same command as before to play what is missing; then write the baseline.`
    return { refused: { code: 3, reason } }
  }
  const success = mean(outcomes.cells.flatMap((cell) => cell.success.flat().filter((value) => value !== null)))
  const entry = {
    version: outcomes.version,
    plan,
    why,
    ...(success !== undefined && { success: Number(success.toFixed(4)) }),
  }
  return { baseline: { outcomes, conditions, history: [...history, entry].slice(-maxEntries) } }
}

function countMeasured({ success, seeds }: OutcomeCell): { readonly measured: number; readonly planned: number } {
  const measured = success.reduce((sum, values) => sum + values.filter((value) => value !== null).length, 0)
  return { measured, planned: success.length * seeds.length }
}
