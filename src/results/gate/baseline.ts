import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { countPlanned } from '../passes.js'
import { mean } from '../../statistics/dispersion.js'
import { count } from '../../tables/words.js'
import type { Baseline, BaselineEntry, RunSettings } from './baseline-file.js'
import { percent, points } from './words.js'

/** A run to be checked, or to become the baseline. */
export interface CheckableRun {
  readonly outcomes: Outcomes
  readonly settings: RunSettings
  /** The last day (UTC) on which a model behind a server played, `2026-11-22`; absent for control models. */
  readonly played?: string
  /** What its episodes took from model servers, in words. */
  readonly took?: string
  /** Why it is not whole, in a sentence: then nothing is judged. */
  readonly obstacle?: string
}

interface BaselineOptions {
  /** First 12 digits of the plan's hash. */
  readonly plan: string
  readonly why: string
  /** The least share of every cell's episodes that must be measured. */
  readonly minCoverage: number
  /** Of the baseline that it replaces; empty for the first. */
  readonly history: readonly BaselineEntry[]
}

/** The oldest entries of a longer history are dropped. */
const maxEntries = 1000

/**
 * Makes a baseline of a run. Where it cannot be one, `refused` says why, with the exit code: 3 for too little coverage,
 * 4 for a run that is not whole.
 */
export function makeBaseline(
  { outcomes, settings, obstacle, played }: CheckableRun,
  { plan, why, minCoverage, history }: BaselineOptions,
): { readonly baseline: Baseline } | { readonly refused: { readonly code: 3 | 4; readonly reason: string } } {
  if (obstacle !== undefined) return { refused: { code: 4, reason: `${obstacle} It cannot be a baseline.` } }
  const cells = outcomes.cells.flatMap((cell) =>
    cell.temperatures.map((temperature, place) => ({ ...cell, temperature, measured: measuredAt(cell, place), place })),
  )
  for (const { environment, model, agent, condition, temperature, place, played, measured } of cells) {
    const planned = played.shape.tasks * countPlanned(played, [place])
    if (measured.length >= minCoverage * planned) continue
    const reason =
      `Expected at least ${percent(minCoverage)} of every cell measured, but ${environment} · ${model} · ${agent} · ${condition} at temperature ${String(temperature)} ` +
      `has ${percent(measured.length / planned)} of ${count(planned, 'episode')}. Run the same command as before to play what is missing, with --retry-refused if a server refused conversations; then write the baseline.`
    return { refused: { code: 3, reason } }
  }
  const success = mean(cells.flatMap(({ measured }) => mean(measured) ?? []))
  const entry = {
    version: outcomes.version,
    plan,
    why,
    ...(success !== undefined && { success: Number(success.toFixed(4)) }),
    ...(played !== undefined && { played }),
  }
  return { baseline: { outcomes, settings, history: [...history, entry].slice(-maxEntries) } }
}

/** The successes that were measured at a temperature, by its place. */
function measuredAt({ played: { shape, state, success } }: OutcomeCell, place: number): number[] {
  const size = shape.seeds * shape.tasks
  return [...success.subarray(place * size, (place + 1) * size)].filter((_, slot) => state[place * size + slot] === 2)
}

/** How far the mean success has moved since the first baseline, as a sentence; none where that is unknown. */
export function describeDrift(history: readonly BaselineEntry[]): string[] {
  const known = history.filter(({ success }) => success !== undefined)
  const [first, last] = [known[0]?.success, known.at(-1)?.success]
  if (known.length < 2 || first === undefined || last === undefined) return []
  return [
    `The baseline was written ${String(history.length)} times; its mean success is ${percent(last)}, compared with ${percent(first)} at first (${points(last - first)} points). A check compares with the last baseline only, so several drops within the margin can add up.`,
  ]
}
