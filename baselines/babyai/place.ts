/** Where one stands and which way one looks: 0 the way one looked at first, then by quarters to the right. */
export interface Pose {
  readonly x: number
  readonly y: number
  readonly heading: number
}

/** Where a map begins: x grows to the right of the first look, y against it. */
export const start: Pose = { x: 0, y: 0, heading: 0 }

const across = [0, 1, 0, -1]
const down = [-1, 0, 1, 0]

/** Cells on a side of the square that a map can show, with its beginning in the middle. */
export const mapSize = 64
const middle = mapSize / 2

/** A cell's number on the map; steps to the side wrap around, so it must be {@link isOnMap}. */
export function cellOf(x: number, y: number): number {
  return (y + middle) * mapSize + x + middle
}

/** The column of a cell. */
export const columnOf = (cell: number): number => (cell % mapSize) - middle

/** The row of a cell. */
export const rowOf = (cell: number): number => Math.floor(cell / mapSize) - middle

/** Whether a place is on the map, with room for a look around. */
export function isOnMap({ x, y }: Pose): boolean {
  return Math.abs(x) < middle - 8 && Math.abs(y) < middle - 8
}

/** What a step in a direction adds to a cell's number. */
export const strides: readonly number[] = [-mapSize, 1, mapSize, -1]

/** The cell that lies so many steps ahead and to the right. */
export function cellFrom({ x, y, heading }: Pose, ahead: number, aside: number): number {
  const right = (heading + 1) & 3
  return cellOf(
    x + ahead * across[heading]! + aside * across[right]!,
    y + ahead * down[heading]! + aside * down[right]!,
  )
}

/** Where one stands after turning by quarters to the right and steps ahead. */
export function moved({ x, y, heading }: Pose, quarters: number, steps: number): Pose {
  const turned = (heading + quarters) & 3
  return { x: x + steps * across[turned]!, y: y + steps * down[turned]!, heading: turned }
}

/** The pose on a cell, looking in a direction. */
export function poseOn(cell: number, heading: number): Pose {
  return { x: columnOf(cell), y: rowOf(cell), heading }
}

/** How far ahead and to the right of a pose a cell lies. */
export function bearing(pose: Pose, cell: number): { readonly ahead: number; readonly aside: number } {
  const x = columnOf(cell) - pose.x
  const y = rowOf(cell) - pose.y
  const right = (pose.heading + 1) & 3
  return {
    ahead: x * across[pose.heading]! + y * down[pose.heading]!,
    aside: x * across[right]! + y * down[right]!,
  }
}
