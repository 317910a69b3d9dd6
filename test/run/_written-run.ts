import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Outcome } from '../../src/core/episode.js'
import type { EpisodeRow } from '../../src/results/episode-row.js'
import type { Plan } from '../../src/run/plan.js'
import { type Cell, cells, rowOf } from '../../src/run/cells.js'
import { writePlan } from '../../src/run/store/plan-file.js'
import { makeRow } from '../reports/fixture.js'

/** Rows of a plan in the order of play, as a run stores them. */
export function rowsOfPlan(plan: Plan, play: (cell: Cell) => Outcome, more: Partial<EpisodeRow> = {}): EpisodeRow[] {
  return cells(plan).map((cell) => {
    const [outcome, names] = [play(cell), rowOf(cell)]
    // Runs write the fields in this order.
    return { ...names, ...makeRow(names, outcome, outcome === 'success' ? 1 : 0), ...more, key: cell.key }
  })
}

/** Writes a run folder with some rows. */
export function writeRun(folder: string, plan: Plan, rows: readonly EpisodeRow[]): void {
  mkdirSync(folder, { recursive: true })
  writePlan(join(folder, 'plan.json'), { plan, experiment: {} })
  writeFileSync(join(folder, 'trajectories.jsonl'), '')
  writeFileSync(join(folder, 'outcomes.jsonl'), '')
  appendRows(folder, rows)
}

/** Adds rows to a run folder. */
export function appendRows(folder: string, rows: readonly EpisodeRow[]): void {
  appendFileSync(join(folder, 'outcomes.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}
