import type { Outlook } from './chart.js'
import { isWithinSight } from './chart.js'
import type { Pose } from './place.js'
import { bearing, cellFrom, cellOf, moved, poseOn, strides } from './place.js'
import type { Move } from './routes.js'
import type { Trip } from './trip.js'
import type { Intent } from './words.js'

/** What could be said now, and where it would lead: turns, steps, and walks to what is in sight, or would be after a turn. */
export function movesFrom(trip: Trip, outlook: Outlook, stuck: ReadonlySet<number>): readonly Move<Intent>[] {
  const { chart, sight, carrying, blocked } = trip
  const { pose } = chart
  const moves: Move<Intent>[] = [
    { label: { verb: 'left' }, pose: moved(pose, 3, 0), cost: 1 },
    { label: { verb: 'right' }, pose: moved(pose, 1, 0), cost: 1 },
  ]
  const ahead = cellFrom(pose, 1, 0)
  const faced = chart.things.get(ahead)?.kind
  const isOpen = faced === undefined || (faced.type === 'door' && faced.state === 'open')
  if (isOpen && !outlook.isWall(ahead) && !blocked.has(ahead)) {
    moves.push({ label: { verb: 'forward' }, pose: moved(pose, 0, 1), cost: 1 })
  }
  const ground = groundIn(pose, outlook)
  for (const { name, kind, ahead: steps, aside } of sight.things) {
    const cell = cellFrom(pose, steps, aside)
    if (blocked.has(cell)) continue
    const near = endAt(pose, cell, false, ground, trip)
    if (near !== undefined && !(steps === 1 && aside === 0))
      moves.push({ label: { verb: 'go', name }, pose: near, cost: 1 })
    if (kind.type !== 'door' || stuck.has(cell) || (kind.state === 'locked' && !isKeyFor(carrying, kind.colour)))
      continue
    const verb = kind.state === 'open' ? 'through' : 'unlock'
    const onto = endAt(pose, cell, true, ground, trip)
    if (onto !== undefined) moves.push({ label: { verb, name }, pose: onto, cost: 1 })
  }
  for (const quarters of [1, 2, 3]) {
    const turned = moved(pose, quarters, 0)
    const turnedGround = groundIn(turned, outlook)
    const label: Intent = { verb: quarters === 1 ? 'right' : 'left' }
    const cost = quarters === 2 ? 3 : 2
    for (const { cell, kind } of chart.things.values()) {
      if (!isWithinSight(turned, cell) || blocked.has(cell) || cellOf(pose.x, pose.y) === cell) continue
      const isDoor =
        kind.type === 'door' && !stuck.has(cell) && (kind.state !== 'locked' || isKeyFor(carrying, kind.colour))
      for (const isOnto of isDoor ? [false, true] : [false]) {
        const end = endAt(turned, cell, isOnto, turnedGround, trip)
        if (end !== undefined) moves.push({ label, pose: end, cost })
      }
    }
  }
  return moves
}

function isKeyFor(carrying: Trip['carrying'], colour: string): boolean {
  return carrying?.type === 'key' && carrying.colour === colour
}

/** Where a walk to a thing, or onto it, most likely ends: by the shorter way, on a cell in sight that is free. */
function endAt(
  pose: Pose,
  cell: number,
  isOnto: boolean,
  sight: ReadonlySet<number>,
  { chart }: Trip,
): Pose | undefined {
  const here = cellOf(pose.x, pose.y)
  let best: Pose | undefined
  let most = -Infinity
  for (let heading = 0; heading < 4; heading++) {
    const before = cell - strides[heading]!
    if (before !== here && (!sight.has(before) || chart.things.has(before))) continue
    const there = bearing(pose, before)
    const turn = (heading - pose.heading) & 3
    const turns = turn === 0 ? (there.aside === 0 ? 0 : 2) : turn === 2 ? 2 : 1
    const score = -(there.ahead + Math.abs(there.aside) + turns)
    if (score > most) {
      most = score
      best = poseOn(isOnto ? cell : before, heading)
    }
  }
  return best
}

/** The cells in sight that are no wall. */
const groundIn = (pose: Pose, { from, isWall }: Outlook): ReadonlySet<number> =>
  new Set(from(pose).filter((cell) => !isWall(cell)))
