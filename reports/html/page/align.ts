import type { ShownStep } from '../packed.js'

/** Indexes of two steps beside each other; one of them may be missing. */
interface AlignedRow {
  readonly left?: number
  readonly right?: number
  /** Whether the environment received the same command and gave the same observation in both. */
  readonly same: boolean
}

/**
 * Aligns the steps of two episodes by the commands that the environment received (its own wording of an action, not the
 * agent's), with gaps for steps that only one of them has. A refused action is aligned with the command that it would
 * have been.
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

/** The index of the first row in which the episodes differ; −1 if there is none. */
export function firstDifference(rows: readonly AlignedRow[]): number {
  return rows.findIndex(({ same }) => !same)
}

/** The command that the environment received; null if a perturbation refused the action. */
function commandOf({ action, command }: ShownStep): string | null {
  return command === undefined ? action : command
}

/** Episodes whose table would be larger are paired step by step. */
const maxCells = 4_000_000
const gap = 1
/** Costs are sums of quarters, exact as floats; this only makes the comparison safe. */
const rounding = 1e-3

/** The cost of aligning two steps: above two gaps they are never side by side. */
function distance(left: ShownStep, right: ShownStep): number {
  const [one, other] = [commandOf(left), commandOf(right)]
  if (one !== null && one === other) return originalOf(left) === originalOf(right) ? 0 : 0.25
  if (one === null && other === null) return left.action === right.action ? 0.25 : 1
  if (one === null || other === null) return left.action === right.action ? 0.5 : 2.5
  return 1.5
}

/** The observation in the environment's wording. */
function originalOf({ observation, original }: ShownStep): string {
  return original ?? observation
}

function pairUp(left: readonly ShownStep[], right: readonly ShownStep[]): AlignedRow[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, step) => ({
    ...(step < left.length && { left: step }),
    ...(step < right.length && { right: step }),
    same: step < left.length && step < right.length && distance(left[step]!, right[step]!) === 0,
  }))
}
