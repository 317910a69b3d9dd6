import { isRefusal, listedCommands } from '../_prompt.js'
import type { Kind } from './thing.js'
import { readKind } from './thing.js'

/** A thing that is seen, so many steps straight ahead and to the right (below 0: to the left). */
export interface Sighting {
  readonly name: string
  readonly kind: Kind
  readonly ahead: number
  readonly aside: number
}

/** What an observation tells. */
export interface Sight {
  /** The wording was not understood. */
  readonly refused: boolean
  /** The wording was understood, and it can't be done, or changes nothing. */
  readonly denied: boolean
  /** Whether it says what is seen. */
  readonly isView: boolean
  readonly things: readonly Sighting[]
  /** Steps to the wall straight ahead; undefined where something else comes first. */
  readonly wall: number | undefined
  /** What is carried, in words; undefined for empty hands. */
  readonly carrying: string | undefined
  readonly commands: readonly string[]
}

/** Farther than anything that can be seen. */
const farthest = 25
const mostThings = 60

const thing =
  /There (?:is|are) (?:an? |the )?(.{1,60}?) (?:right in front of you (\d+) steps?|(\d+) steps? in front of you and (\d+) steps? to your (left|right))/g

/** Reads an observation: what stands where, as seen from where one stands. */
export function readSight(observation: string): Sight {
  const text = observation.slice(0, 10_000)
  const things: Sighting[] = []
  const carried = /You are carrying (?:an? |the )?([^.]{1,60})\./.exec(text)?.[1]
  const isView = carried !== undefined || /You are not carrying/.test(text)
  if (isView) {
    for (const [, name, straight, ahead, aside, side] of text.matchAll(thing)) {
      const sighting = {
        name: name!,
        kind: readKind(name!),
        ahead: Number(straight ?? ahead),
        aside: (side === 'left' ? -1 : 1) * Number(aside ?? 0),
      }
      if (sighting.ahead <= farthest && Math.abs(sighting.aside) <= farthest) things.push(sighting)
      if (things.length >= mostThings) break
    }
  }
  const wall = /You are facing (?:an? |the )?wall (\d{1,2}) steps?/.exec(text)?.[1]
  const refused = !isView && isRefusal(observation)
  const commands = isView || refused ? [] : listedCommands(text)
  return {
    refused,
    denied: !isView && !refused && commands.length === 0,
    isView,
    things,
    wall: wall === undefined ? undefined : Math.min(Number(wall), farthest),
    carrying: carried,
    commands,
  }
}
