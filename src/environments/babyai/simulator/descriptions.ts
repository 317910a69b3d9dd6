import type { Board, Colour, Kind, Place } from './board.js'
import { directions, empty } from './board.js'
import type { Room } from './rooms.js'

/** Where something is, as the agent stands at the start. */
export const locations = ['left', 'right', 'front', 'behind'] as const
/** One of {@link locations}. */
export type Location = (typeof locations)[number]

/** Things by what they are like; what is left out may be anything (a wall is a grey something). */
export interface Description {
  readonly kind?: Kind
  readonly colour?: Colour
  readonly location?: Location
}

/** What a description stands for: which things, and where those are that lie on the grid. Column by column. */
export interface Matches {
  readonly things: readonly number[]
  readonly places: readonly Place[]
}

/** Everything that fits a description; locations hold within `room`, the agent's. A thing that is carried or in a box fits nothing. */
export function match(board: Board, { kind, colour, location }: Description, room: Room): Matches {
  const found: number[] = []
  const places: Place[] = []
  const isThere = location === undefined ? () => true : looksFrom(board, location, room)
  eachThing(board, (thing, place) => {
    const it = board.things[thing]!
    if (kind !== undefined && it.kind !== kind) return
    if (colour !== undefined && it.colour !== colour) return
    if (!isThere(place)) return
    found.push(thing)
    places.push(place)
  })
  return { things: found, places }
}

/** Where some things are now, as far as they lie on the grid; for a wall every wall. */
export function placesOf(board: Board, things: readonly number[]): Place[] {
  const places: Place[] = []
  eachThing(board, (thing, place) => {
    if (things.includes(thing)) places.push(place)
  })
  return places
}

function eachThing({ width, height, cells }: Board, visit: (thing: number, place: Place) => void): void {
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const thing = cells[y * width + x]!
      if (thing !== empty) visit(thing, { x, y })
    }
  }
}

function looksFrom({ agent, direction }: Board, location: Location, { top, size }: Room): (place: Place) => boolean {
  const ahead = directions[direction]!
  return ({ x, y }) => {
    if (x < top.x || y < top.y || x >= top.x + size || y >= top.y + size) return false
    const [right, forward] = [x - agent.x, y - agent.y]
    const along = right * ahead.x + forward * ahead.y
    const aside = right * -ahead.y + forward * ahead.x
    switch (location) {
      case 'left':
        return aside < 0
      case 'right':
        return aside > 0
      case 'front':
        return along > 0
      case 'behind':
        return along < 0
    }
  }
}

/** `the red ball`, `a grey object on your left`. */
export function wordDescription({ kind, colour, location }: Description, matches: number): string {
  const words = `${colour === undefined ? '' : `${colour} `}${kind ?? 'object'}`
  return `${matches > 1 ? 'a' : 'the'} ${words}${location === undefined ? '' : ` ${locationWords[location]}`}`
}

const locationWords: Readonly<Record<Location, string>> = {
  front: 'in front of you',
  behind: 'behind you',
  left: 'on your left',
  right: 'on your right',
}
