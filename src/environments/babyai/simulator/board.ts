/** Colours in the order in which Minigrid sorts their names and draws from them. */
export const colours = ['blue', 'green', 'grey', 'purple', 'red', 'yellow'] as const
/** One of {@link colours}. */
export type Colour = (typeof colours)[number]
/** Kinds of things in a cell. */
export type Kind = 'wall' | 'door' | 'key' | 'ball' | 'box'
/** 0 right, 1 down, 2 left, 3 up. */
export type Direction = 0 | 1 | 2 | 3

/** The constant properties of a thing. Its place and the state of a door are on the board. */
export interface Thing {
  readonly kind: Kind
  readonly colour: Colour
}

/** A cell of the grid. */
export interface Place {
  readonly x: number
  readonly y: number
}

/** The states of a door, by Minigrid's numbers. */
export const doorStates = { open: 0, closed: 1, locked: 2 } as const

/** Steps to the right, down, left and up. */
export const directions: readonly Place[] = [
  { x: 1, y: 0 },
  { x: 0, y: 1 },
  { x: -1, y: 0 },
  { x: 0, y: -1 },
]

/** The number of an empty cell. */
export const empty = -1
/** The number of the wall: one thing in many cells. */
export const wall = 0

/** A grid with things and an agent, changed in place. Things are numbers, indices of `things`. */
export interface Board {
  readonly width: number
  readonly height: number
  /** Number of the thing in each cell, row by row. */
  readonly cells: Int16Array
  readonly things: Thing[]
  /** Per thing: {@link doorStates} of a door. */
  readonly doors: number[]
  /** Per thing: where it was last placed; undefined for the wall and for things that are carried. */
  readonly places: (Place | undefined)[]
  agent: Place
  direction: Direction
  /** Number of the thing that is carried. */
  carrying: number | undefined
}

/** An empty board, with the agent outside it. */
export function createBoard(width: number, height: number): Board {
  return {
    width,
    height,
    cells: new Int16Array(width * height).fill(empty),
    things: [{ kind: 'wall', colour: 'grey' }],
    doors: [0],
    places: [undefined],
    agent: { x: -1, y: -1 },
    direction: 0,
    carrying: undefined,
  }
}

/** A copy that shares only the things, which never change after a level is made. */
export function copyBoard(board: Board): Board {
  return { ...board, cells: board.cells.slice(), doors: [...board.doors], places: [...board.places] }
}

/** Number of the thing in a cell; a wall beyond the edge. */
export function thingAt({ width, height, cells }: Board, { x, y }: Place): number {
  return x < 0 || y < 0 || x >= width || y >= height ? wall : cells[y * width + x]!
}

/** Puts a thing into a cell, or empties it. */
export function setThing(board: Board, { x, y }: Place, thing: number): void {
  board.cells[y * board.width + x] = thing
}

/** Adds a thing without a place. @returns its number */
export function addThing(board: Board, thing: Thing, doorState = 0): number {
  board.doors.push(doorState)
  board.places.push(undefined)
  return board.things.push(thing) - 1
}

/** The cell that the agent faces. */
export function frontOf({ agent, direction }: Pick<Board, 'agent' | 'direction'>): Place {
  const { x, y } = directions[direction]!
  return { x: agent.x + x, y: agent.y + y }
}
