import { type Board, type Colour, type Kind, type Place, directions, empty } from './board.js'
import type { Room } from './rooms.js'

/** An instruction in BabyAI's language. */
export type Instruction = Subtask | Pair

/** A single subtask. `strict`: doing it to another thing fails the task. */
export interface Subtask {
  readonly verb: 'goto' | 'open' | 'pickup'
  readonly what: Description
  readonly strict?: boolean
}

/** Two instructions in order (`before`: the first one first; `after`: the second one first), or in any order. */
export interface Pair {
  readonly verb: 'before' | 'after' | 'and'
  readonly first: Instruction
  readonly second: Instruction
}

/** The instruction in BabyAI's words; `room` is the agent's at the start. */
export function wordInstruction(instruction: Instruction, board: Board, room: Room): string {
  if (isPair(instruction)) {
    const first = wordInstruction(instruction.first, board, room)
    const second = wordInstruction(instruction.second, board, room)
    if (instruction.verb === 'before') return `${first}, then ${second}`
    return `${first} ${instruction.verb === 'after' ? 'after you' : 'and'} ${second}`
  }
  const { verb, what } = instruction
  return `${verbs[verb]} ${wordDescription(what, match(board, what, room).things.length)}`
}

const verbs: Readonly<Record<Subtask['verb'], string>> = { goto: 'go to', open: 'open', pickup: 'pick up' }

/** Whether an instruction has two parts. */
export function isPair(instruction: Instruction): instruction is Pair {
  return instruction.verb === 'before' || instruction.verb === 'after' || instruction.verb === 'and'
}

/** How often an instruction may lead across the level; its step limit is a multiple of this. */
export function countCrossings(instruction: Instruction): number {
  return isPair(instruction) ? countCrossings(instruction.first) + countCrossings(instruction.second) : 1
}

/** The single subtasks of an instruction, in the order of its words. */
export function subtasksOf(instruction: Instruction): readonly Subtask[] {
  return isPair(instruction) ? [...subtasksOf(instruction.first), ...subtasksOf(instruction.second)] : [instruction]
}

/** Where a thing is from the agent's point of view at the start. */
export const locations = ['left', 'right', 'front', 'behind'] as const
/** One of {@link locations}. */
type Location = (typeof locations)[number]

/** Properties that things match; omitted ones match anything, and a wall matches as something grey. */
export interface Description {
  readonly kind?: Kind
  readonly colour?: Colour
  readonly location?: Location
}

/** The things on the grid that match a description, and their places, column by column. */
export interface Matches {
  readonly things: readonly number[]
  readonly places: readonly Place[]
}

/**
 * Everything that matches a description; a location matches only inside `room`, the agent's. A thing that is carried
 * matches nothing.
 */
export function match(board: Board, { kind, colour, location }: Description, room: Room): Matches {
  const things: number[] = []
  const places: Place[] = []
  const isAtLocation = location === undefined ? () => true : isLocatedAt(board, location, room)
  eachThing(board, (thing, place) => {
    const it = board.things[thing]!
    if (kind !== undefined && it.kind !== kind) return
    if (colour !== undefined && it.colour !== colour) return
    if (!isAtLocation(place)) return
    things.push(thing)
    places.push(place)
  })
  return { things: things, places }
}

/** The current places of those things that are on the grid; for the wall all its cells. */
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

function isLocatedAt({ agent, direction }: Board, location: Location, { top, size }: Room): (place: Place) => boolean {
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
function wordDescription({ kind, colour, location }: Description, matches: number): string {
  const words = `${colour === undefined ? '' : `${colour} `}${kind ?? 'object'}`
  return `${matches > 1 ? 'a' : 'the'} ${words}${location === undefined ? '' : ` ${locationWords[location]}`}`
}

const locationWords: Readonly<Record<Location, string>> = {
  front: 'in front of you',
  behind: 'behind you',
  left: 'on your left',
  right: 'on your right',
}
