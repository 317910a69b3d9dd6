import type { Chart } from './chart.js'
import { isWithinSight, outlookOn } from './chart.js'
import type { Pose } from './place.js'
import { cellFrom, isOnMap } from './place.js'
import type { Sight } from './sight.js'

/** A pose that one may have come to, and how likely it is beforehand: logarithm of odds. */
export interface Guess {
  readonly pose: Pose
  readonly prior: number
}

/** The pose that explains best what is seen; undefined where none explains it. */
export function locate(chart: Chart, guesses: readonly Guess[], sight: Sight): Pose | undefined {
  const { isWall, from } = outlookOn(chart)
  let best: Pose | undefined
  let most = worst
  for (const { pose, prior } of guesses) {
    if (!isOnMap(pose)) continue
    let score = isWall(cellFrom(pose, 0, 0)) ? prior - 4 : prior
    const met = new Set<number>()
    for (const { kind, ahead, aside } of sight.things) {
      const cell = cellFrom(pose, ahead, aside)
      met.add(cell)
      const there = chart.things.get(cell)?.kind
      if (there !== undefined) score += there.type === kind.type && there.colour === kind.colour ? 3 : -3
      else if (isWall(cell) && kind.type !== 'door') score -= 2
      else if (kind.type !== 'door' && chart.things.size > 0 && isSeenBefore(chart, cell)) score -= 1
    }
    if (sight.wall !== undefined) {
      if (isWall(cellFrom(pose, sight.wall, 0))) score += 1
      else score -= 0.5
      for (let ahead = 1; ahead < sight.wall; ahead++) if (isWall(cellFrom(pose, ahead, 0))) score -= 1
    }
    for (const cell of from(pose)) if (chart.things.has(cell) && !met.has(cell) && !isHere(pose, cell)) score -= 2
    if (score > most) {
      most = score
      best = pose
    }
  }
  return best
}

const worst = -12

const isHere = (pose: Pose, cell: number): boolean => cellFrom(pose, 0, 0) === cell

function isSeenBefore({ views }: Chart, cell: number): boolean {
  return views.some(({ pose }) => isWithinSight(pose, cell))
}
