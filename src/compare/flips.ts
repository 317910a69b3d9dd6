import type { PairedCell } from './pair-cells.js'
import { taskMeans } from './pair-cells.js'

/**
 * Pairs by what came of them: lost was a success on the first side alone, gained on the second alone. Where a cell is
 * paired by task, a task is one pair, and a success on a side where at least half of its runs are.
 */
export interface Flips {
  readonly both: number
  readonly lost: number
  readonly gained: number
  readonly neither: number
}

/** A task of which a pair flipped. */
export interface FlippedTask extends Flips {
  readonly id: string
  readonly kind?: string
}

/**
 * Counts the pairs of a cell, and lists its tasks that flipped: those that flipped in most pairs first, then in the
 * panel's order.
 */
export function countFlips(cell: PairedCell): {
  readonly flips: Flips
  readonly flipped: readonly FlippedTask[]
} {
  const { tasks, success, pairedBy } = cell
  const majority = (task: number): Flips => {
    const means = taskMeans(cell, 'success', task)
    return means === undefined ? flipsOf([], []) : flipsOf([means.first >= 0.5 ? 1 : 0], [means.second >= 0.5 ? 1 : 0])
  }
  const byTask = tasks.map(({ id, kind }, task) => ({
    id,
    ...(kind !== undefined && { kind }),
    ...(pairedBy === 'task' ? majority(task) : flipsOf(success.first[task]!, success.second[task]!)),
  }))
  const sum = (kind: keyof Flips): number => byTask.reduce((total, one) => total + one[kind], 0)
  return {
    flips: { both: sum('both'), lost: sum('lost'), gained: sum('gained'), neither: sum('neither') },
    flipped: byTask
      .filter(({ lost, gained }) => lost + gained > 0)
      .sort((one, other) => other.lost + other.gained - one.lost - one.gained),
  }
}

function flipsOf(first: readonly (0 | 1 | null)[], second: readonly (0 | 1 | null)[]): Flips {
  const flips = { both: 0, lost: 0, gained: 0, neither: 0 }
  first.forEach((before, pass) => {
    const after = second[pass]!
    if (before === null || after === null) return
    if (before === 1) flips[after === 1 ? 'both' : 'lost']++
    else flips[after === 1 ? 'gained' : 'neither']++
  })
  return flips
}
