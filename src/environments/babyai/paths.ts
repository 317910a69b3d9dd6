import type { Place } from './simulator/board.js'
import { directions } from './simulator/board.js'
import { actions } from './simulator/verifier.js'
import { viewSize } from './simulator/view.js'
import type { Sight } from './sight.js'

/** Ways from where the agent stands, as lists of Minigrid's actions; undefined where there is none. */
export interface Paths {
  /** To face a cell. */
  facing(place: Place): readonly number[] | undefined
  /** To stand on a cell. */
  onto(place: Place): readonly number[] | undefined
}

/** Ahead first, then a turn to the left, then one to the right. */
const turns = [
  { action: actions.forward, turn: 0 },
  { action: actions.left, turn: 3 },
  { action: actions.right, turn: 1 },
] as const

/**
 * Searches within what is in view, as AgentBoard does: breadth first, ahead before left before right. A stop (a cell and a direction) that is found
 * again before its turn comes is reached by the later way, and is looked at again later; the paths follow from that and are repeated to the step.
 * Doors of any state let through, and cells that are not seen count as free.
 */
export function findPaths(agent: Place, direction: number, sight: Sight): Paths {
  const across = rangeOf(agent.x, directions[direction]!.x, directions[(direction + 1) % 4]!.x)
  const down = rangeOf(agent.y, directions[direction]!.y, directions[(direction + 1) % 4]!.y)
  const width = across.to - across.from
  const isInside = (x: number, y: number): boolean => x >= across.from && x < across.to && y >= down.from && y < down.to
  const stopAt = (x: number, y: number, facing: number): number =>
    ((y - down.from) * width + x - across.from) * 4 + facing
  const placeOf = (stop: number): Place => ({
    x: across.from + ((stop >> 2) % width),
    y: down.from + Math.floor((stop >> 2) / width),
  })
  const isBlocked = new Uint8Array(width * (down.to - down.from))
  for (const { kind, place } of sight.things) {
    if (kind !== 'door' && isInside(place.x, place.y)) isBlocked[stopAt(place.x, place.y, 0) >> 2] = 1
  }

  const cameFrom = new Int16Array(isBlocked.length * 4).fill(-1)
  const cameBy = new Uint8Array(cameFrom.length)
  const isDone = new Uint8Array(cameFrom.length)
  const stops: number[] = []
  const queue = [stopAt(agent.x, agent.y, direction)]
  for (let next = 0; next < queue.length; next++) {
    const stop = queue[next]!
    if (isDone[stop] === 0) {
      isDone[stop] = 1
      stops.push(stop)
    }
    const { x, y } = placeOf(stop)
    for (const { action, turn } of turns) {
      const facing = ((stop & 3) + turn) % 4
      const step = turn === 0 ? directions[facing]! : still
      if (!isInside(x + step.x, y + step.y)) continue
      const found = stopAt(x + step.x, y + step.y, facing)
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
    facing: (goal) =>
      trace(
        stops.find((stop) => {
          const { x, y } = placeOf(stop)
          const ahead = directions[stop & 3]!
          return x + ahead.x === goal.x && y + ahead.y === goal.y
        }),
      ),
    onto: (goal) =>
      trace(isInside(goal.x, goal.y) ? stops.find((stop) => stop >> 2 === stopAt(goal.x, goal.y, 0) >> 2) : undefined),
  }
}

const still: Place = { x: 0, y: 0 }

/** What counts as in view on one axis, from the first to without the last: one cell less on the far side where the axis runs up. */
function rangeOf(at: number, forward: number, aside: number): { readonly from: number; readonly to: number } {
  const corner = at + (viewSize - 1) * forward - ((viewSize - 1) / 2) * aside
  const border = corner + viewSize * (aside - forward)
  return border < corner ? { from: border, to: corner + 1 } : { from: corner, to: border }
}
