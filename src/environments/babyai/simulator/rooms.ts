import type { Board, Colour, Direction, Kind, Place, Thing } from './board.js'
import { addThing, colours, createBoard, doorStates, empty, frontOf, setThing, thingAt, wall } from './board.js'
import type { NumpyRandom } from './numpy-random.js'

/**
 * Thrown while a level is built, to start again with the next random numbers: Minigrid's RejectSampling and
 * RecursionError.
 */
export class Rejection extends Error {
  /** The line that Minigrid prints for it. */
  readonly line: string

  constructor(kind: 'rejected' | 'timeout', reason: string) {
    super(reason)
    this.line = `${kind === 'rejected' ? 'Sampling rejected' : 'Timeout during mission generation'}: ${reason}`
  }
}

/** The size of a level's rooms, walls included, and how many it has. */
export interface Floor {
  readonly roomSize: number
  readonly rows: number
  readonly columns: number
}

/**
 * A room: its corner, and for each side (0 right, 1 down, 2 left, 3 up) the place of a door and the door, or true if
 * the wall was removed.
 */
export interface Room {
  readonly top: Place
  readonly size: number
  readonly doorPlaces: (Place | undefined)[]
  readonly neighbours: (Room | undefined)[]
  readonly doors: (number | true | undefined)[]
  /** Whether the last door that was added from this room is locked. */
  locked: boolean
  /** The things that were placed in this room. */
  readonly contents: number[]
}

const kinds = ['key', 'ball', 'box'] as const

/**
 * Lays out rooms: Minigrid's RoomGrid. Every method draws in the original's order. Until it is placed, the agent is in
 * the middle of the middle room.
 */
export function createRooms(random: NumpyRandom, floor: Floor) {
  const { roomSize, rows, columns } = floor
  const board = createBoard((roomSize - 1) * columns + 1, (roomSize - 1) * rows + 1)
  const grid = layOut(board, floor, random)
  board.agent = { x: middle(columns, roomSize), y: middle(rows, roomSize) }

  const whole = (below: number): number => random.integer(0, below)
  /** One element; draws nothing if there is only one. */
  const pick = <T>(list: readonly T[]): T => list[whole(list.length)]!
  const room = (column: number, row: number): Room => grid[row]![column]!
  const roomAt = ({ x, y }: Place): Room => room(Math.floor(x / (roomSize - 1)), Math.floor(y / (roomSize - 1)))

  const drawPlace = ({ top, size }: Room, maxTries: number, isFree: (place: Place) => boolean): Place => {
    for (let tries = 0; tries <= maxTries; tries++) {
      const x = random.integer(top.x, Math.min(top.x + size, board.width))
      const y = random.integer(top.y, Math.min(top.y + size, board.height))
      const place = { x, y }
      if (thingAt(board, place) === empty && !isSame(place, board.agent) && isFree(place)) return place
    }
    throw new Rejection('timeout', 'rejection sampling failed in place_obj')
  }
  const put = (thing: number, place: Place): void => {
    setThing(board, place, thing)
    board.places[thing] = place
  }
  const addObject = (column: number, row: number, kind: Kind = pick(kinds), colour = pick(colours)): number => {
    const thing = addThing(board, { kind, colour })
    const chosen = room(column, row)
    const place = drawPlace(chosen, 1000, ({ x, y }) => Math.abs(x - board.agent.x) + Math.abs(y - board.agent.y) >= 2)
    put(thing, place)
    chosen.contents.push(thing)
    return thing
  }
  const addDoor = (column: number, row: number, options: DoorOptions = {}): number => {
    const from = room(column, row)
    let { side } = options
    while (side === undefined) {
      const drawn = whole(4)
      if (from.neighbours[drawn] !== undefined && from.doors[drawn] === undefined) side = drawn
    }
    const colour = options.colour ?? pick(colours)
    const locked = options.locked ?? whole(2) === 0
    from.locked = locked
    const door = addThing(board, { kind: 'door', colour }, locked ? doorStates.locked : doorStates.closed)
    put(door, from.doorPlaces[side]!)
    from.doors[side] = door
    from.neighbours[side]!.doors[(side + 2) % 4] = door
    return door
  }

  return {
    board,
    floor,
    random,
    room,
    roomAt,
    pick,
    /** Several different elements, one after the other. */
    pickSome<T>(list: readonly T[], count: number): T[] {
      const left = [...list]
      return Array.from({ length: count }, () => left.splice(whole(left.length), 1)[0]!)
    },
    flip: (): boolean => whole(2) === 0,
    addObject,
    put,
    addDoor,
    removeWall(column: number, row: number, side: number): void {
      const chosen = room(column, row)
      const { top, size } = chosen
      for (let along = 1; along < size - 1; along++) {
        const across = side === 0 || side === 1 ? size - 1 : 0
        const place = side % 2 === 0 ? { x: top.x + across, y: top.y + along } : { x: top.x + along, y: top.y + across }
        setThing(board, place, empty)
      }
      chosen.doors[side] = true
      chosen.neighbours[side]!.doors[(side + 2) % 4] = true
    },
    placeAgent(column = whole(columns), row = whole(rows)): void {
      const chosen = room(column, row)
      do {
        board.agent = { x: -1, y: -1 }
        board.agent = drawPlace(chosen, 1000, () => true)
        board.direction = whole(4) as Direction
      } while (thingAt(board, frontOf(board)) > wall)
    },
    /** Adds doors until every room can be reached. */
    connectAll(doorColours: readonly Colour[] = colours): void {
      const start = roomAt(board.agent)
      for (let tries = 0; tries <= 5000; tries++) {
        if (countReached(start) === rows * columns) return
        const [column, row, side] = [whole(columns), whole(rows), whole(4)]
        const chosen = room(column, row)
        if (chosen.doorPlaces[side] === undefined || chosen.doors[side] !== undefined) continue
        if (chosen.locked || chosen.neighbours[side]!.locked) continue
        addDoor(column, row, { side, colour: pick(doorColours), locked: false })
      }
      throw new Rejection('timeout', 'connect_all failed')
    },
    addDistractors({ column, row, count, unique }: DistractorOptions): number[] {
      const appearances = new Set(
        grid.flat().flatMap(({ contents }) => contents.map((thing) => appearanceOf(board.things[thing]!))),
      )
      const added: number[] = []
      while (added.length < count) {
        const colour = pick(colours)
        const kind = pick(kinds)
        if (unique && appearances.has(appearanceOf({ kind, colour }))) continue
        added.push(addObject(column ?? whole(columns), row ?? whole(rows), kind, colour))
        appearances.add(appearanceOf({ kind, colour }))
      }
      return added
    },
    /** The place of the first thing, column by column, that other things block; undefined if none is blocked. */
    findUnreachable: () => findUnreachable(board),
  }
}

/** See {@link createRooms}. */
export type Rooms = ReturnType<typeof createRooms>

type DoorOptions = { readonly side?: number; readonly colour?: Colour; readonly locked?: boolean }
type DistractorOptions = Partial<Record<'column' | 'row', number>> & {
  readonly count: number
  readonly unique: boolean
}

function middle(count: number, roomSize: number): number {
  return Math.floor(count / 2) * (roomSize - 1) + Math.floor(roomSize / 2)
}

function layOut(board: Board, { roomSize, rows, columns }: Floor, random: NumpyRandom): Room[][] {
  const grid = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column): Room => {
      const top = { x: column * (roomSize - 1), y: row * (roomSize - 1) }
      for (let along = 0; along < roomSize; along++) {
        for (const across of [0, roomSize - 1]) {
          setThing(board, { x: top.x + along, y: top.y + across }, wall)
          setThing(board, { x: top.x + across, y: top.y + along }, wall)
        }
      }
      const none = (): undefined[] => [undefined, undefined, undefined, undefined]
      return { top, size: roomSize, doorPlaces: none(), neighbours: none(), doors: none(), locked: false, contents: [] }
    }),
  )
  grid.forEach((line, row) => {
    line.forEach((room, column) => {
      const { x, y } = room.top
      const join = (side: number, other: Room, place: Place): void => {
        room.neighbours[side] = other
        room.doorPlaces[side] = place
        other.neighbours[side + 2] = room
        other.doorPlaces[side + 2] = place
      }
      const edge = roomSize - 1
      if (column < columns - 1) join(0, line[column + 1]!, { x: x + edge, y: random.integer(y + 1, y + edge) })
      if (row < rows - 1) join(1, grid[row + 1]![column]!, { x: random.integer(x + 1, x + edge), y: y + edge })
    })
  })
  return grid
}

function countReached(start: Room): number {
  const reached = new Set<Room>()
  const open = [start]
  for (let room = open.pop(); room !== undefined; room = open.pop()) {
    if (reached.has(room)) continue
    reached.add(room)
    room.doors.forEach((door, side) => {
      if (door !== undefined) open.push(room.neighbours[side]!)
    })
  }
  return reached.size
}

/** Doors in any state are passable; any other thing is reached but not passed. */
function findUnreachable(board: Board): Place | undefined {
  const { width, height, cells, things, agent } = board
  const reached = new Uint8Array(width * height)
  const open = [agent.y * width + agent.x]
  for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
    if (reached[cell] === 1) continue
    reached[cell] = 1
    const thing = cells[cell]!
    if (thing !== empty && things[thing]!.kind !== 'door') continue
    for (const next of [cell - 1, cell + 1, cell - width, cell + width]) {
      if (reached[next] === 0) open.push(next)
    }
  }
  for (let x = 0; x < width; x++) {
    for (let y = 0; y < height; y++) {
      const cell = y * width + x
      if (cells[cell]! > wall && reached[cell] === 0) return { x, y }
    }
  }
  return undefined
}

function appearanceOf({ kind, colour }: Pick<Thing, 'kind' | 'colour'>): string {
  return `${colour} ${kind}`
}

function isSame(a: Place, b: Place): boolean {
  return a.x === b.x && a.y === b.y
}
