import type { Chart, Mapped } from './chart.js'
import { columnOf, rowOf } from './place.js'
import type { Wanted } from './mission.js'
import type { Kind } from './thing.js'

/** Whether the thing on a cell is what is wanted. Sides are as they were seen from the start. */
export function isWanted({ things }: Chart, cell: number, { type, colour, side }: Wanted): boolean {
  const kind = things.get(cell)?.kind
  if (kind === undefined) return false
  if (type !== '' && kind.type !== type) return false
  if (colour !== '' && kind.colour !== colour) return false
  const x = columnOf(cell)
  const y = rowOf(cell)
  if (side === 'left') return x < 0
  if (side === 'right') return x > 0
  if (side === 'front') return y < 0
  return side !== 'behind' || y > 0
}

/** Everything on the map that is wanted. */
export function findWanted(chart: Chart, wanted: Wanted): readonly Mapped[] {
  return [...chart.things.values()].filter(({ cell }) => isWanted(chart, cell, wanted))
}

/** Whether a thing is of the kind that is wanted, wherever it is. */
export function isKind({ type, colour }: Kind, wanted: Wanted): boolean {
  return (wanted.type === '' || wanted.type === type) && (wanted.colour === '' || wanted.colour === colour)
}
