import type { Chart, Outlook } from './chart.js'
import type { Pose } from './place.js'
import { cellOf, mapSize, poseOn, strides } from './place.js'

/** A step that could be said at once, and where it would lead. */
export interface Move<Label> {
  readonly label: Label
  readonly pose: Pose
  readonly cost: number
}

/** Where one can come to. */
export interface Stop<Label> {
  readonly pose: Pose
  /** Actions until then. */
  readonly cost: number
  /** The first of them. */
  readonly label: Label
  /** The cell of the first thing in the way that would have to be carried off; -1 for none. */
  readonly blocker: number
}

/** What limits a walk. */
export interface Walk {
  readonly chart: Chart
  readonly outlook: Outlook
  /** Colour of the key that is carried. */
  readonly key: string | undefined
  /** Cells of doors that are known not to open. */
  readonly stuck: ReadonlySet<number>
}

const farthest = 24
const carryingOff = 8

/**
 * Finds everywhere one can come to from where some moves lead, by turns and steps, the nearest first. A closed door costs one action more, a locked
 * one needs its key, and a thing in the way a few more for carrying it off.
 */
export function findStops<Label>(walk: Walk, moves: readonly Move<Label>[]): readonly Stop<Label>[] {
  const best = new Uint8Array(mapSize * mapSize * 4).fill(255)
  const buckets: Stop<Label>[][] = Array.from({ length: farthest + 1 }, () => [])
  const reachStop = (cell: number, heading: number, cost: number, label: Label, blocker: number): void => {
    const index = cell * 4 + heading
    if (cost > farthest || best[index]! <= cost) return
    best[index] = cost
    buckets[cost]!.push({ pose: poseOn(cell, heading), cost, label, blocker })
  }
  for (const { label, pose, cost } of moves) reachStop(cellOf(pose.x, pose.y), pose.heading, cost, label, -1)
  const stops: Stop<Label>[] = []
  for (let cost = 0; cost <= farthest; cost++) {
    for (const stop of buckets[cost]!) {
      const { label, blocker } = stop
      const { x, y, heading } = stop.pose
      const cell = cellOf(x, y)
      if (best[cell * 4 + heading]! < cost) continue
      stops.push(stop)
      reachStop(cell, (heading + 3) & 3, cost + 1, label, blocker)
      reachStop(cell, (heading + 1) & 3, cost + 1, label, blocker)
      const ahead = cell + strides[heading]!
      const price = priceOf(walk, ahead)
      if (price === Infinity) continue
      reachStop(ahead, heading, cost + price, label, price >= carryingOff && blocker === -1 ? ahead : blocker)
    }
  }
  return stops
}

/** Actions that it takes to step onto the cell ahead. */
function priceOf({ chart, outlook, key, stuck }: Walk, cell: number): number {
  const column = cell % mapSize
  const row = Math.floor(cell / mapSize)
  if (column < 8 || row < 8 || column >= mapSize - 8 || row >= mapSize - 8) return Infinity
  if (outlook.isWall(cell)) return Infinity
  const kind = chart.things.get(cell)?.kind
  if (kind === undefined) return 1
  if (kind.type !== 'door') return carryingOff + 1
  if (stuck.has(cell)) return Infinity
  if (kind.state === 'open') return 1
  return kind.state !== 'locked' || kind.colour === key ? 2 : Infinity
}
