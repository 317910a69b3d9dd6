import type { ShownStep } from '../packed.js'

/** Two steps that stand beside each other, by their places; one of them may be missing. */
export interface AlignedRow {
  readonly left?: number
  readonly right?: number
  /** Whether the environment heard and said the same in both. */
  readonly same: boolean
}

/**
 * Puts the steps of two episodes beside each other by what the environment heard (its own wording of an action, not the
 * agent's), so that a step that only one of them has moves nothing else. A refused action stands beside the one that it
 * would have been.
 */
export function align(left: readonly ShownStep[], right: readonly ShownStep[]): AlignedRow[] {
  const width = right.length + 1
  if ((left.length + 1) * width > maxCells) return pairUp(left, right)
  const costs = new Float32Array((left.length + 1) * width)
  for (let row = left.length; row >= 0; row--) {
    for (let column = right.length; column >= 0; column--) {
      if (row === left.length && column === right.length) continue
      const at = row * width + column
      costs[at] = Math.min(
        row < left.length ? gap + costs[at + width]! : Infinity,
        column < right.length ? gap + costs[at + 1]! : Infinity,
        row < left.length && column < right.length
          ? distance(left[row]!, right[column]!) + costs[at + width + 1]!
          : Infinity,
      )
    }
  }
  const rows: AlignedRow[] = []
  let [row, column] = [0, 0]
  while (row < left.length || column < right.length) {
    const at = row * width + column
    if (row < left.length && column < right.length) {
      const apart = distance(left[row]!, right[column]!)
      if (costs[at]! >= apart + costs[at + width + 1]! - rounding) {
        rows.push({ left: row++, right: column++, same: apart === 0 })
        continue
      }
    }
    if (row < left.length && costs[at]! >= gap + costs[at + width]! - rounding) rows.push({ left: row++, same: false })
    else rows.push({ right: column++, same: false })
  }
  return rows
}

/** The first row in which the two part; −1 where they never do. */
export function partingRow(rows: readonly AlignedRow[]): number {
  return rows.findIndex(({ same }) => !same)
}

/** What the environment heard; null where the action was refused before it got there. */
export function heard({ action, command }: ShownStep): string | null {
  return command === undefined ? action : command
}

/** Longer episodes are paired step by step, as their table would be too large. */
const maxCells = 4_000_000
const gap = 1
/** Costs are sums of quarters, exact in their type; this only guards the comparison. */
const rounding = 1e-3

/** How far two steps are from each other: below two gaps they stand side by side. */
function distance(left: ShownStep, right: ShownStep): number {
  const [one, other] = [heard(left), heard(right)]
  if (one !== null && one === other) return said(left) === said(right) ? 0 : 0.25
  if (one === null && other === null) return left.action === right.action ? 0.25 : 1
  if (one === null || other === null) return left.action === right.action ? 0.5 : 2.5
  return 1.5
}

function said({ observation, original }: ShownStep): string {
  return original ?? observation
}

function pairUp(left: readonly ShownStep[], right: readonly ShownStep[]): AlignedRow[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, step) => ({
    ...(step < left.length && { left: step }),
    ...(step < right.length && { right: step }),
    same: step < left.length && step < right.length && distance(left[step]!, right[step]!) === 0,
  }))
}
