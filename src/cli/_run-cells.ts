import type { EpisodeRow } from '../results/episode-row.js'
import type { Plan } from '../run/plan.js'
import { cellAt, createCellFinder, rowOf } from '../run/cells.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import type { Pilot } from './_describe-cost.js'

/** The stored episodes of a pilot, or else those of the folder of the run, if it is one that can be read. */
export function findPilot(pilot: string | undefined, folder: string): Pilot | undefined {
  const run = pilot === undefined ? readStored(folder) : readRun(pilot)
  if (run === undefined) return undefined
  const { calls = 0, hours = 0 } = run.spent ?? {}
  return { rows: run.rows, folder: run.folder, ...(calls > 0 && hours > 0 && { callsPerMinute: calls / hours / 60 }) }
}

/** The indices of a list that are in another one too, if there is one. Both ascend. */
export function within(indices: readonly number[], others: readonly number[] | undefined): readonly number[] {
  if (others === undefined) return indices
  const known = new Set(others)
  return indices.filter((index) => known.has(index))
}

/** The indices, in a part of a plan, of cells of the plan that are in it. */
export function placesIn(part: Plan, plan: Plan, indices: readonly number[]): readonly number[] {
  const find = createCellFinder(part)
  return indices.map((index) => find(rowOf(cellAt(plan, index)))!)
}

/** Reads the run of a folder, if it has episodes; a damaged one is reported when it is opened. */
function readStored(folder: string): ReadRun | undefined {
  try {
    const run = readRun(folder)
    return run.stored === 0 ? undefined : run
  } catch {
    return undefined
  }
}

/** The episodes that are stored in a folder now; they are read at the first use, once. */
export function storedIn(folder: string): Iterable<EpisodeRow> {
  let rows: Iterable<EpisodeRow> | undefined
  return { [Symbol.iterator]: () => (rows ??= readStored(folder)?.rows ?? [])[Symbol.iterator]() }
}

export function namesOf(list: readonly { readonly name: string }[]): string[] {
  return list.map(({ name }) => name)
}
