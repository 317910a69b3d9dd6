import { type Board, type Place, directions, doorStates, empty, thingAt, wall } from '../simulator/board.js'

/** A cell and a direction as one number. */
export type Pose = number

/** The pose at a place. */
export function poseAt({ width }: Board, { x, y }: Place, direction: number): Pose {
  return (y * width + x) * 4 + direction
}

/** An obstacle: a locked door whose key is not carried, or a thing that has to be moved. */
type Obstacle = { readonly kind: 'locked' | 'thing'; readonly thing: number }

/** Costs of entering a cell. A detour that costs no more than an obstacle is preferred to removing it. */
const costs = { free: 1, closed: 2, thing: 12, locked: 40 } as const

/**
 * Distances to the nearest of some poses on the board, in low-level actions, and the obstacles on the way, by
 * Dijkstra's algorithm from the goals.
 * @param keys colours of obtainable keys; locked doors of other colours count as walls
 */
export function findRoute(board: Board, goals: readonly Pose[], keys: ReadonlySet<string>) {
  const { width, height, cells } = board
  const entering = Float64Array.from(cells, (thing) => costOf(board, thing, keys))
  const distances = new Float64Array(width * height * 4).fill(Infinity)
  const buckets: Pose[][] = []
  const offer = (pose: Pose, cost: number): void => {
    if (cost >= distances[pose]!) return
    distances[pose] = cost
    ;(buckets[cost] ??= []).push(pose)
  }
  for (const goal of goals) if (entering[goal >> 2]! < Infinity || isAgentOn(board, goal >> 2)) offer(goal, 0)
  for (let cost = 0; cost < buckets.length; cost++) {
    for (const pose of buckets[cost] ?? []) {
      if (distances[pose] !== cost) continue
      const [cell, facing] = [pose >> 2, pose & 3]
      offer(cell * 4 + ((facing + 1) % 4), cost + 1)
      offer(cell * 4 + ((facing + 3) % 4), cost + 1)
      const ahead = directions[facing]!
      const from = cell - ahead.y * width - ahead.x
      const canStand = entering[from] !== undefined && (entering[from] < Infinity || isAgentOn(board, from))
      if (canStand && entering[cell]! < Infinity) offer(from * 4 + facing, cost + entering[cell]!)
    }
  }
  const next = (pose: Pose): Pose | undefined => {
    const [cell, facing] = [pose >> 2, pose & 3]
    const ahead = directions[facing]!
    const front = cell + ahead.y * width + ahead.x
    const options = [
      { pose: front * 4 + facing, cost: entering[front] ?? Infinity },
      { pose: cell * 4 + ((facing + 1) % 4), cost: 1 },
      { pose: cell * 4 + ((facing + 3) % 4), cost: 1 },
    ]
    return options.find((option) => distances[option.pose]! + option.cost === distances[pose])?.pose
  }
  const walk = (start: Pose): number[] => {
    const entered: number[] = []
    let pose = start
    if (distances[pose] === Infinity) return entered
    while (distances[pose]! > 0) {
      const following = next(pose)
      if (following === undefined) break
      if (following >> 2 !== pose >> 2) entered.push(following >> 2)
      pose = following
    }
    return entered
  }
  return {
    /** Infinity if no path exists even with things moved and doors unlocked. */
    distance: (pose: Pose): number => distances[pose]!,
    /** The cells entered on the way from a pose. */
    cells: (pose: Pose): ReadonlySet<number> => new Set(walk(pose)),
    /** The obstacles on the way from a pose, in order; none where no path exists. */
    obstacles: (pose: Pose): readonly Obstacle[] =>
      walk(pose).flatMap((cell): Obstacle[] => {
        const thing = cells[cell]!
        if (thing === empty) return []
        if (board.things[thing]!.kind !== 'door') return [{ kind: 'thing', thing }]
        const isLocked = board.doors[thing] === doorStates.locked && !holdsKeyOf(board, thing)
        return isLocked ? [{ kind: 'locked', thing }] : []
      }),
  }
}

/** See {@link findRoute}. */
export type Route = ReturnType<typeof findRoute>

function costOf(board: Board, thing: number, keys: ReadonlySet<string>): number {
  if (thing === empty) return costs.free
  if (thing === wall) return Infinity
  const { kind, colour } = board.things[thing]!
  if (kind !== 'door') return costs.thing
  if (board.doors[thing] === doorStates.open) return costs.free
  if (board.doors[thing] === doorStates.closed || holdsKeyOf(board, thing)) return costs.closed
  return keys.has(colour) ? costs.locked : Infinity
}

/** Whether the agent carries the key to a door. */
export function holdsKeyOf({ carrying, things }: Board, door: number): boolean {
  if (carrying === undefined) return false
  const { kind, colour } = things[carrying]!
  return kind === 'key' && colour === things[door]!.colour
}

function isAgentOn({ agent, width }: Board, cell: number): boolean {
  return agent.y * width + agent.x === cell
}

/** The poses that face a cell. */
export function posesFacing(board: Board, place: Place): Pose[] {
  return directions.flatMap(({ x, y }, direction) => {
    const from = { x: place.x - x, y: place.y - y }
    return thingAt(board, from) === wall ? [] : [poseAt(board, from, direction)]
  })
}
