import type { Chart, Mapped } from './chart.js'
import { columnOf, rowOf } from './place.js'
import type { Wanted } from './mission.js'
import type { Kind } from './thing.js'

/** Whether the thing on a cell is what is wanted. Sides are as they were seen from the start, in the room where one was. */
export function isWanted({ things, columns, rows }: Chart, cell: number, { type, colour, side }: Wanted): boolean {
  const kind = things.get(cell)?.kind
  if (kind === undefined) return false
  if (type !== '' && kind.type !== type) return false
  if (colour !== '' && kind.colour !== colour) return false
  if (side === '') return true
  const x = columnOf(cell)
  const y = rowOf(cell)
  if (columns.some((line) => isBetween(line, x)) || rows.some((line) => isBetween(line, y))) return false
  if (side === 'left') return x < 0
  if (side === 'right') return x > 0
  return side === 'front' ? y < 0 : y > 0
}

/** Whether a line lies between the start and a place, so that the place is in another room. */
const isBetween = (line: number, place: number): boolean => line * place > 0 && Math.abs(line) < Math.abs(place)

/** Everything on the map that is wanted. */
export function findWanted(chart: Chart, wanted: Wanted): readonly Mapped[] {
  return [...chart.things.values()].filter(({ cell }) => isWanted(chart, cell, wanted))
}

/** Whether a thing is of the kind that is wanted, wherever it is. */
export function isKind({ type, colour }: Kind, wanted: Wanted): boolean {
  return (wanted.type === '' || wanted.type === type) && (wanted.colour === '' || wanted.colour === colour)
}
