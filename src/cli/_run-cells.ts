import type { EpisodeRow } from '../core/episode.js'
import type { Plan } from '../run/plan.js'
import type { Cell } from '../run/cells.js'
import { cellAt, createCellFinder, rowOf } from '../run/cells.js'
import { meansOf } from '../run/expected-use.js'
import type { Grid } from '../run/grid.js'
import { maxCalls } from '../run/grid.js'
import { readRun } from '../run/store/read-run.js'
import type { Pilot } from './_describe-cost.js'

/** The stored episodes of a pilot, or else those of the folder of the run, if it is one that can be read. */
export function findPilot(pilot: string | undefined, folder: string): Pilot | undefined {
  const rows = pilot === undefined ? storedIn(folder) : readRun(pilot).rows
  if (pilot === undefined && rows[Symbol.iterator]().next().done === true) return undefined
  const run = readRun(pilot ?? folder)
  const { calls = 0, hours = 0 } = run.spent ?? {}
  return { rows, folder: run.folder, ...(calls > 0 && hours > 0 && { callsPerMinute: calls / hours / 60 }) }
}

/** The calls that an episode is expected to take: as in the pilot, or else by the step limit. */
export function expectCalls(grid: Grid, pilot: string | undefined): (cell: Cell) => number {
  const meanOf = pilot === undefined ? undefined : meansOf(readRun(pilot).rows)
  return ({ environment, model, agent, column }) => {
    const place = { environment: environment.name, model: model.name, agent: agent.name, column: column.label }
    return meanOf?.(place)?.calls ?? maxCalls(grid.agents.get(agent.name)!, grid.plan.stepLimit)
  }
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

/** The episodes stored in a folder; none of a damaged run, which is reported when it is opened. */
export function storedIn(folder: string): Iterable<EpisodeRow> {
  try {
    const run = readRun(folder)
    return run.stored === 0 ? [] : run.rows
  } catch {
    return []
  }
}

export function namesOf(list: readonly { readonly name: string }[]): string[] {
  return list.map(({ name }) => name)
}
