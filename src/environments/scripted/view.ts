import type { Rules, State } from './rules.js'
import { carried, isClosed } from './rules.js'

/** All places, so that the player can name them, and then what {@link describePlace} says. */
export function describeOpening(rules: Rules, state: State): string {
  const places = rules.names.slice(0, rules.places)
  return `${places.length === 1 ? '' : `The places are: ${places.join(', ')}. `}${describePlace(rules, state)}`
}

/** Where the player stands, what is seen there, and what the player carries. */
export function describePlace(rules: Rules, state: State): string {
  const seen = inside(rules, state, state.player)
  const held = inside(rules, state, carried)
  return [
    `You are in the ${rules.names[state.player]!}.`,
    seen.length === 0 ? 'You see nothing here.' : `You see: ${list(rules, state, seen)}.`,
    ...open(rules, state, seen),
    ...(held.length === 0 ? [] : [`You carry: ${list(rules, state, held)}.`, ...open(rules, state, held)]),
  ].join(' ')
}

/** What is in a thing that is not closed. */
export function describeInside(rules: Rules, state: State, thing: number): string {
  const seen = inside(rules, state, thing)
  if (seen.length === 0) return `Nothing is in the ${rules.names[thing]!}.`
  return open(rules, state, [thing]).join(' ')
}

/** A sentence for each of the things, and for those in them at any depth, that are not closed and not empty. */
function open(rules: Rules, state: State, things: readonly number[]): readonly string[] {
  return things.flatMap((thing) => {
    const seen = isClosed(rules, state, thing) ? [] : inside(rules, state, thing)
    if (seen.length === 0) return []
    return [`In the ${rules.names[thing]!}: ${list(rules, state, seen)}.`, ...open(rules, state, seen)]
  })
}

/** In the order of the script. */
function inside({ names, places }: Rules, { locations }: State, holder: number): readonly number[] {
  return names.flatMap((_, thing) => (thing >= places && locations[thing] === holder ? [thing] : []))
}

function list({ names, flags }: Rules, state: State, things: readonly number[]): string {
  return things
    .map((thing) => {
      const states = flags.flatMap((flag, index) =>
        flag.thing === thing && state.flags[index] === 1 ? [flag.state] : [],
      )
      return states.length === 0 ? names[thing]! : `${names[thing]!} (${states.join(' and ')})`
    })
    .join(', ')
}
