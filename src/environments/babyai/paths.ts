import { type Place, directions } from './simulator/board.js'
import { actions } from './simulator/verifier.js'
import { viewSize } from './simulator/view.js'
import type { Sight } from './sight.js'

/** Ahead first, then a turn to the left, then one to the right. */
const turns = [
  { action: actions.forward, turn: 0 },
  { action: actions.left, turn: 3 },
  { action: actions.right, turn: 1 },
] as const

/**
 * Paths from the agent, as lists of Minigrid's actions; undefined if there is no path. They are found as AgentBoard
 * does: breadth first, ahead before left before right. A stop (a cell and a direction) that is found again before it is
 * expanded keeps the later path and is queued again; this determines the exact paths. Doors of any state are passable,
 * and hidden cells count as free.
 */
export function findPaths(agent: Place, direction: number, sight: Sight) {
  const { cellOf, ahead, isBlocked } = layOut(agent, direction, sight)
  const cameFrom = new Int16Array(isBlocked.length * 4).fill(-1)
  const cameBy = new Uint8Array(cameFrom.length)
  const isDone = new Uint8Array(cameFrom.length)
  const stops: number[] = []
  // A stop's number is four times its cell's number, plus the direction.
  const queue = [cellOf(agent) * 4 + direction]
  for (let next = 0; next < queue.length; next++) {
    const stop = queue[next]!
    if (isDone[stop] === 0) {
      isDone[stop] = 1
      stops.push(stop)
    }
    const facing = stop & 3
    for (const { action, turn } of turns) {
      const found = turn === 0 ? stop + 4 * ahead[facing]! : stop - facing + ((facing + turn) & 3)
      if (isDone[found] === 1 || isBlocked[found >> 2] === 1) continue
      cameFrom[found] = stop
      cameBy[found] = action
      queue.push(found)
    }
  }

  const trace = (end: number | undefined): number[] | undefined => {
    if (end === undefined) return undefined
    const path: number[] = []
    for (let stop = end; cameFrom[stop] !== -1; stop = cameFrom[stop]!) path.push(cameBy[stop]!)
    return path.reverse()
  }
  return {
    /** To face a cell. */
    facing(goal: Place): readonly number[] | undefined {
      const cell = cellOf(goal)
      return trace(stops.find((stop) => (stop >> 2) + ahead[stop & 3]! === cell))
    },
    /** To stand on a cell. */
    onto(goal: Place): readonly number[] | undefined {
      const cell = cellOf(goal)
      return trace(stops.find((stop) => stop >> 2 === cell))
    },
  }
}

/**
 * The cells in view, numbered row by row, with a border of blocked cells: the number of the cell at a place, what a
 * step ahead adds to it for each direction, and which are blocked.
 */
function layOut(agent: Place, direction: number, { things }: Sight) {
  const forward = directions[direction]!
  const right = directions[(direction + 1) % 4]!
  const across = rangeOf(agent.x, forward.x, right.x)
  const down = rangeOf(agent.y, forward.y, right.y)
  const width = across.to - across.from + 2
  const height = down.to - down.from + 2
  const cellOf = ({ x, y }: Place): number => (y - down.from + 1) * width + x - across.from + 1
  const isBlocked = new Uint8Array(width * height).fill(1)
  for (let row = 1; row < height - 1; row++) isBlocked.fill(0, row * width + 1, (row + 1) * width - 1)
  for (const { kind, place } of things) if (kind !== 'door') isBlocked[cellOf(place)] = 1
  return { cellOf, ahead: [1, width, -1, -width], isBlocked }
}

/** The half-open range in view on one axis. It lacks one cell on the far side of an increasing axis. */
function rangeOf(at: number, forward: number, aside: number): { readonly from: number; readonly to: number } {
  const corner = at + (viewSize - 1) * forward - ((viewSize - 1) / 2) * aside
  const border = corner + viewSize * (aside - forward)
  return border < corner ? { from: border, to: corner + 1 } : { from: corner, to: border }
}
