import type { OutcomeCell, Outcomes } from './outcomes.js'

/**
 * The cells of each environment × model × agent × column by {@link keyOf} those names, one for each temperature, in
 * order.
 */
export function groupCells({ cells }: Outcomes): ReadonlyMap<string, readonly OutcomeCell[]> {
  const groups = new Map<string, OutcomeCell[]>()
  for (const cell of cells) {
    const key = keyOf(cell.environment, cell.model, cell.agent, cell.column)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [cell])
    else group.push(cell)
  }
  return groups
}

/** Names as one key. */
export function keyOf(...names: readonly string[]): string {
  return JSON.stringify(names)
}
