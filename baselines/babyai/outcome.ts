import { findWhole } from '../_lessons.js'
import type { Sight, Sighting } from './sight.js'
import type { Form, Verb } from './words.js'

/** The form behind an action, told by what was seen before and after it; undefined where that tells nothing. */
export function formByOutcome(action: string, before: Sight | undefined, after: Sight): Form | undefined {
  if (after.commands.length > 0) return { verb: 'list', template: action }
  if (!after.isView) return undefined
  const named = namedIn(action, [...(before?.things ?? []), ...after.things])
  if (named === undefined) {
    const verb = before && verbAlone(before, after)
    return verb && { verb, template: action }
  }
  const verb = verbWithThing(named, before, after)
  return verb && { verb, template: templateOf(action, named.name) }
}

/** The thing with the longest name that stands in an action. */
export function namedIn(action: string, things: readonly Sighting[]): Sighting | undefined {
  let named: Sighting | undefined
  for (const thing of things) {
    if (thing.name.length > (named?.name.length ?? 0) && findWhole(action, thing.name) !== -1) named = thing
  }
  return named
}

/** An action with a slot in the place of a name that stands in it. */
export function templateOf(action: string, name: string): string {
  const at = findWhole(action, name)
  return `${action.slice(0, at)}{t}${action.slice(at + name.length)}`
}

function verbWithThing({ kind }: Sighting, before: Sight | undefined, after: Sight): Verb | undefined {
  if (before?.carrying === undefined && after.carrying !== undefined && kind.type !== 'door') return 'take'
  if (facedIn(after)?.kind.type === kind.type && facedIn(after)?.kind.colour === kind.colour) return 'go'
  if (kind.type !== 'door') return undefined
  return kind.state === 'open' ? 'through' : 'unlock'
}

function verbAlone(before: Sight, after: Sight): Verb | undefined {
  if (before.carrying !== undefined && after.carrying === undefined) return 'drop'
  const door = facedIn(before)?.kind
  if (door?.type === 'door' && door.state !== 'open' && facedIn(after)?.kind.state === 'open') return 'toggle'
  const moves = (['left', 'right', 'forward'] as const).map((verb) => ({
    verb,
    fits: before.things.filter((thing) => after.things.some((other) => isMoved(thing, other, verb))).length,
  }))
  if (before.wall !== undefined && after.wall === before.wall - 1) moves[2]!.fits += 0.5
  moves.sort((one, other) => other.fits - one.fits)
  return moves[0]!.fits > moves[1]!.fits ? moves[0]!.verb : undefined
}

/** Whether one sighting is another after a move. */
function isMoved(thing: Sighting, other: Sighting, verb: 'left' | 'right' | 'forward'): boolean {
  if (thing.kind.type !== other.kind.type || thing.kind.colour !== other.kind.colour) return false
  const { ahead, aside } = thing
  if (verb === 'forward') return other.ahead === ahead - 1 && other.aside === aside
  if (verb === 'left') return other.ahead === -aside && other.aside === ahead
  return other.ahead === aside && other.aside === -ahead
}

/** What stands right in front. */
export function facedIn({ things }: Sight): Sighting | undefined {
  return things.find(({ ahead, aside }) => ahead === 1 && aside === 0)
}
