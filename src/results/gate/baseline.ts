import { nameCell } from '../compare/cell-tables.js'
import type { OutcomeCell, Outcomes } from '../compare/outcomes.js'
import { defined } from '../lists.js'
import { countPlanned } from '../passes.js'
import { percent, points } from '../summary/figures.js'
import { mean } from '../../statistics/dispersion.js'
import { count } from '../../tables/words.js'
import type { Baseline, BaselineEntry } from './baseline-file.js'

/** The oldest entries of a longer history are dropped. */
const maxEntries = 1000

/** Makes a whole run the baseline, after those of `history`. `plan` is the first 12 digits of its plan's hash. */
export function makeBaseline(
  outcomes: Outcomes,
  { plan, why, history }: Pick<BaselineEntry, 'plan' | 'why'> & Pick<Baseline, 'history'>,
): Baseline {
  const success = mean(
    outcomes.cells.flatMap((cell) => cell.temperatures.flatMap((_, place) => mean(measuredAt(cell, place)) ?? [])),
  )
  const rounded = success === undefined ? undefined : Number(success.toFixed(4))
  const entry = { version: outcomes.version, plan, why, ...defined({ success: rounded, played: outcomes.played }) }
  return { outcomes, history: [...history, entry].slice(-maxEntries) }
}

/** Why a run cannot be a baseline, in a sentence: less than `minCoverage` of a cell's episodes are measured. */
export function findGap({ cells }: Outcomes, minCoverage: number): string | undefined {
  for (const cell of cells) {
    for (const [place, temperature] of cell.temperatures.entries()) {
      const planned = cell.played.shape.tasks * countPlanned(cell.played, [place])
      const measured = measuredAt(cell, place).length
      if (measured >= minCoverage * planned) continue
      return (
        `Expected at least ${percent(minCoverage)} of every cell measured, but ${nameCell(cell)} at temperature ${String(temperature)} ` +
        `has ${percent(measured / planned)} of ${count(planned, 'episode')}. Run the same command as before to play what is missing; then write the baseline.`
      )
    }
  }
  return undefined
}

/** The successes that were measured at a temperature, by its place. */
function measuredAt({ played: { shape, state, success } }: OutcomeCell, place: number): number[] {
  const size = shape.seeds * shape.tasks
  return [...success.subarray(place * size, (place + 1) * size)].filter((_, slot) => state[place * size + slot] === 2)
}

/** How far the mean success has moved since the first baseline, as a sentence; none where that is unknown. */
export function describeDrift(history: readonly BaselineEntry[]): string[] {
  const known = history.flatMap(({ success }) => success ?? [])
  const [first, last] = [known[0], known.at(-1)]
  if (known.length < 2 || first === undefined || last === undefined) return []
  return [
    `The baseline was written ${String(history.length)} times; its mean success is ${percent(last)}, compared with ${percent(first)} at first (${points(last - first)} points). A check compares with the last baseline only, so several drops within the margin can add up.`,
  ]
}
