import { type Colour, type Kind, addThing, colours } from './board.js'
import { type Description, type Instruction, type Subtask, locations, match } from './instructions.js'
import { type Floor, type Room, type Rooms, Rejection } from './rooms.js'

/** How a level is made. */
export interface Level {
  /** Minigrid's name between `BabyAI-` and `-v0`. */
  readonly name: string
  readonly floor: Floor
  /** Default: computed from the floor and the instruction. */
  readonly maxSteps?: number
  /**
   * Fills the rooms and draws an instruction, in the original's order of draws. @throws Rejection to start again
   */
  build(rooms: Rooms): Instruction
}

const floor = (roomSize: number, rows = 1, columns = rows): Floor => ({ roomSize, rows, columns })
const nineRooms = floor(8, 3)
const colourOf = ({ board }: Rooms, thing: number): Colour => board.things[thing]!.colour

/** AgentBoard's numbers of the levels that it plays, in its order. */
export const levelNumbers: readonly number[] = [
  ...Array.from({ length: 21 }, (_, index) => index + 1),
  ...[24, 25, 27, 28, 29, 31, 32],
]

/** The levels, in the order of {@link levelNumbers}. */
const levels: readonly Level[] = [
  redBall('GoToRedBallGrey', 7, 'grey'),
  redBall('GoToRedBall', 7),
  redBall('GoToRedBallNoDists', 0),
  // Minigrid 2.3.0 registers it with rooms of size 4, despite its name.
  level('GoToObjS6', floor(4), (rooms) => {
    rooms.placeAgent()
    const [thing] = rooms.addDistractors({ count: 1, unique: true })
    return subtask('goto', rooms, thing!)
  }),
  level('GoToLocalS8N7', floor(8), (rooms) => {
    rooms.placeAgent()
    return subtaskOnDistractor('goto', rooms, 7)
  }),
  level('GoToObjMazeS7', floor(7, 3), (rooms) => {
    rooms.placeAgent()
    rooms.connectAll()
    return subtaskOnDistractor('goto', rooms, 1)
  }),
  level('GoToImpUnlock', nineRooms, (rooms) => {
    const { column, row, room } = lockRoom(rooms)
    rooms.connectAll()
    addDistractorsPerRoom(rooms, 2)
    placeAgentOutside(rooms, room)
    requireReachable(rooms)
    const [thing] = rooms.addDistractors({ column, row, count: 1, unique: false })
    return subtask('goto', rooms, thing!)
  }),
  drawnLevel('GoToSeqS5R2', floor(5, 2), 4, (rooms) => {
    const part = (shapes: readonly Shape[]): Instruction => {
      const shape = rooms.pick(shapes)
      if (shape === 'action') return drawSubtask('goto', rooms, ['box', 'ball', 'key', 'door'], false)
      if (shape === 'and') return { first: part(['action']), second: part(['action']), verb: 'and' }
      const parts = { first: part(['action', 'and']), second: part(['action', 'and']) }
      return { ...parts, verb: rooms.pick(['before', 'after'] as const) }
    }
    return part(['action', 'and', 'seq'])
  }),
  level('GoToRedBlueBall', floor(8), (rooms) => {
    rooms.placeAgent()
    for (const thing of rooms.addDistractors({ count: 7, unique: false })) {
      const { kind, colour } = rooms.board.things[thing]!
      if (kind === 'ball' && (colour === 'red' || colour === 'blue')) {
        throw new Rejection('rejected', 'can only have one blue or red ball')
      }
    }
    const ball = rooms.addObject(0, 0, 'ball', rooms.pick(['red', 'blue'] as const))
    requireReachable(rooms)
    return subtask('goto', rooms, ball)
  }),
  level('GoToDoor', floor(7, 3), (rooms) => {
    const doors = addFourDoors(rooms)
    rooms.placeAgent(1, 1)
    return subtask('goto', rooms, rooms.pick(doors))
  }),
  level('GoToObjDoor', nineRooms, (rooms) => {
    rooms.placeAgent(1, 1)
    const things = rooms.addDistractors({ column: 1, row: 1, count: 8, unique: false })
    things.push(...addFourDoors(rooms))
    requireReachable(rooms)
    return subtask('goto', rooms, rooms.pick(things))
  }),
  level('Open', nineRooms, (rooms) => {
    rooms.placeAgent()
    rooms.connectAll()
    rooms.addDistractors({ count: 18, unique: false })
    requireReachable(rooms)
    return subtask('open', rooms, rooms.pick(listDoors(rooms)))
  }),
  level('OpenRedDoor', floor(5, 1, 2), (rooms) => {
    const door = rooms.addDoor(0, 0, { side: 0, colour: 'red', locked: false })
    rooms.placeAgent(0, 0)
    return subtask('open', rooms, door)
  }),
  level('OpenDoorLoc', nineRooms, (rooms) => {
    rooms.pickSome(colours, 4).forEach((colour, side) => rooms.addDoor(1, 1, { side, colour, locked: false }))
    const location = rooms.pick(locations)
    rooms.placeAgent(1, 1)
    return { verb: 'open', what: { kind: 'door', location } }
  }),
  level('OpenRedBlueDoorsDebug', { ...floor(6, 3), maxSteps: 720 }, (rooms) => {
    // The original draws two colours although the doors have fixed ones.
    rooms.pickSome(colours, 2)
    const red = rooms.addDoor(1, 1, { side: 2, colour: 'red', locked: false })
    const blue = rooms.addDoor(1, 1, { side: 0, colour: 'blue', locked: false })
    rooms.placeAgent(1, 1)
    return { verb: 'before', first: openStrictly(rooms, red), second: subtask('open', rooms, blue) }
  }),
  level('OpenDoorsOrderN4Debug', { ...floor(6, 3), maxSteps: 720 }, (rooms) => {
    const doors = rooms.pickSome(colours, 4).map((colour) => rooms.addDoor(1, 1, { colour, locked: false }))
    rooms.placeAgent(1, 1)
    const [first, second] = rooms.pickSome(doors, 2).map((door) => openStrictly(rooms, door))
    const verb = ([undefined, 'before', 'after'] as const)[rooms.random.integer(0, 3)]
    return verb === undefined ? first! : { verb, first: first!, second: second! }
  }),
  level('Pickup', nineRooms, (rooms) => {
    rooms.placeAgent()
    rooms.connectAll()
    return subtaskOnDistractor('pickup', rooms, 18)
  }),
  level('UnblockPickup', nineRooms, (rooms) => {
    rooms.placeAgent()
    rooms.connectAll()
    const things = rooms.addDistractors({ count: 20, unique: false })
    if (rooms.findUnreachable() === undefined) throw new Rejection('rejected', 'all objects reachable')
    return subtask('pickup', rooms, rooms.pick(things))
  }),
  drawnLevel('PickupLoc', floor(8), 8, (rooms) => drawSubtask('pickup', rooms, ['box', 'ball', 'key'], true)),
  level('PickupDistDebug', floor(7), (rooms) => {
    const things = rooms.addDistractors({ count: 5, unique: true })
    rooms.placeAgent(0, 0)
    const { kind, colour } = rooms.board.things[rooms.pick(things)]!
    const by = rooms.pick(['type', 'color', 'both'] as const)
    const what = { ...(by !== 'color' && { kind }), ...(by !== 'type' && { colour }) }
    return { verb: 'pickup', what, strict: true }
  }),
  level('PickupAbove', { ...floor(6, 3), maxSteps: 288 }, (rooms) => {
    const thing = rooms.addObject(1, 0)
    rooms.addDoor(1, 1, { side: 3, locked: false })
    rooms.placeAgent(1, 1)
    rooms.connectAll()
    return subtask('pickup', rooms, thing)
  }),
  level('Unlock', nineRooms, (rooms) => {
    const { door, room } = lockRoom(rooms)
    rooms.connectAll(rooms.flip() ? colours.filter((colour) => colour !== colourOf(rooms, door)) : colours)
    addDistractorsPerRoom(rooms, 3)
    placeAgentOutside(rooms, room)
    requireReachable(rooms)
    return subtask('open', rooms, door)
  }),
  level('UnlockLocalDist', nineRooms, (rooms) => {
    const door = rooms.addDoor(1, 1, { locked: true })
    rooms.addObject(1, 1, 'key', colourOf(rooms, door))
    rooms.addDistractors({ column: 1, row: 1, count: 3, unique: true })
    rooms.placeAgent(1, 1)
    return { verb: 'open', what: { kind: 'door' } }
  }),
  level('UnlockPickupDist', floor(6, 1, 2), (rooms) => {
    const box = rooms.addObject(1, 0, 'box')
    const door = rooms.addDoor(0, 0, { side: 0, locked: true })
    rooms.addObject(0, 0, 'key', colourOf(rooms, door))
    rooms.addDistractors({ count: 4, unique: true })
    rooms.placeAgent(0, 0)
    return subtask('pickup', rooms, box)
  }),
  level('BlockedUnlockPickup', { ...floor(6, 1, 2), maxSteps: 576 }, (rooms) => {
    rooms.addObject(1, 0, 'box')
    const door = rooms.addDoor(0, 0, { side: 0, locked: true })
    const { x, y } = rooms.board.places[door]!
    rooms.put(addThing(rooms.board, { kind: 'ball', colour: rooms.pick(colours) }), { x: x - 1, y })
    rooms.addObject(0, 0, 'key', colourOf(rooms, door))
    rooms.placeAgent(0, 0)
    return { verb: 'pickup', what: { kind: 'box' } }
  }),
  level('UnlockToUnlock', { ...floor(6, 1, 3), maxSteps: 1080 }, (rooms) => {
    const [first, second] = rooms.pickSome(colours, 2)
    rooms.addDoor(0, 0, { side: 0, colour: first!, locked: true })
    rooms.addObject(2, 0, 'key', first!)
    rooms.addDoor(1, 0, { side: 0, colour: second!, locked: true })
    rooms.addObject(1, 0, 'key', second!)
    rooms.addObject(0, 0, 'ball')
    rooms.placeAgent(1, 0)
    return { verb: 'pickup', what: { kind: 'ball' } }
  }),
  level('FindObjS7', { ...floor(7, 3), maxSteps: 980 }, (rooms) => {
    const [column, row] = [rooms.random.integer(0, 3), rooms.random.integer(0, 3)]
    const { kind } = rooms.board.things[rooms.addObject(column, row)]!
    rooms.placeAgent(1, 1)
    rooms.connectAll()
    return { verb: 'pickup', what: { kind } }
  }),
  level('KeyCorridorS6R3', { ...floor(6, 3), maxSteps: 1080 }, (rooms) => {
    rooms.removeWall(1, 1, 3)
    rooms.removeWall(1, 2, 3)
    const row = rooms.random.integer(0, 3)
    const door = rooms.addDoor(2, row, { side: 2, locked: true })
    rooms.addObject(2, row, 'ball')
    rooms.addObject(0, rooms.random.integer(0, 3), 'key', colourOf(rooms, door))
    rooms.placeAgent(1, 1)
    rooms.connectAll()
    return { verb: 'pickup', what: { kind: 'ball' } }
  }),
]

/** A level by AgentBoard's number. @throws RangeError for one that it does not play */
export function levelOf(number: number): Level {
  const level = levels[levelNumbers.indexOf(number)]
  if (level === undefined) throw new RangeError(`AgentBoard does not play the level ${String(number)}.`)
  return level
}

function level(
  name: string,
  { maxSteps, ...size }: Floor & Pick<Level, 'maxSteps'>,
  build: (rooms: Rooms) => Instruction,
): Level {
  return { name, floor: size, ...(maxSteps !== undefined && { maxSteps }), build }
}

type Shape = 'action' | 'and' | 'seq'

/** A level with a random instruction (BabyAI's LevelGen). */
function drawnLevel(name: string, size: Floor, count: number, draw: (rooms: Rooms) => Instruction): Level {
  return level(name, size, (rooms) => {
    // The original draws here whether it locks a room, which these levels never do.
    rooms.random.float()
    rooms.connectAll()
    rooms.addDistractors({ count, unique: false })
    rooms.placeAgent()
    requireReachable(rooms)
    return draw(rooms)
  })
}

/** Draws a description until something matches it. */
function drawSubtask(verb: Subtask['verb'], rooms: Rooms, kinds: readonly Kind[], isLocated: boolean): Subtask {
  for (let tries = 0; tries <= 100; tries++) {
    const colour = rooms.pick([undefined, ...colours])
    const kind = rooms.pick(kinds)
    const location = isLocated && rooms.flip() ? rooms.pick(locations) : undefined
    const what = { kind, ...(colour && { colour }), ...(location && { location }) }
    if (match(rooms.board, what, rooms.roomAt(rooms.board.agent)).places.length > 0) return { verb, what }
  }
  throw new Rejection('timeout', 'failed to find suitable object')
}

function redBall(name: string, count: number, recoloured?: Colour): Level {
  return level(name, floor(8), (rooms) => {
    rooms.placeAgent()
    const ball = rooms.addObject(0, 0, 'ball', 'red')
    for (const thing of rooms.addDistractors({ count, unique: false })) {
      const { things } = rooms.board
      if (recoloured !== undefined) things[thing] = { ...things[thing]!, colour: recoloured }
    }
    requireReachable(rooms)
    return subtask('goto', rooms, ball)
  })
}

/** The doors room by room, so that a door between two rooms is listed twice. */
function listDoors({ floor: { columns, rows }, room }: Rooms): number[] {
  const doors: number[] = []
  for (let column = 0; column < columns; column++) {
    for (let row = 0; row < rows; row++) {
      for (const door of room(column, row).doors) if (typeof door === 'number') doors.push(door)
    }
  }
  return doors
}

function openStrictly(rooms: Rooms, door: number): Subtask {
  return { verb: 'open', what: described(rooms, door), strict: true }
}

/**
 * Locks a room and places its key. The original means to keep the key out of that room, but tests two numbers for
 * object identity, which numpy's numbers never have: the key can lie behind its own door.
 */
function lockRoom(rooms: Rooms): { column: number; row: number; door: number; room: Room } {
  const draw = (): [column: number, row: number] => [rooms.random.integer(0, 3), rooms.random.integer(0, 3)]
  const [column, row] = draw()
  const door = rooms.addDoor(column, row, { locked: true })
  const [keyColumn, keyRow] = draw()
  rooms.addObject(keyColumn, keyRow, 'key', colourOf(rooms, door))
  return { column, row, door, room: rooms.room(column, row) }
}

/** Adds things to every room; for the same reason the original does not leave the locked one out, as it means to. */
function addDistractorsPerRoom(rooms: Rooms, count: number): void {
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) rooms.addDistractors({ column, row, count, unique: false })
  }
}

/** A thing described by kind and colour. */
function described({ board }: Rooms, thing: number): Description {
  const { kind, colour } = board.things[thing]!
  return { kind, colour }
}

/** A subtask on a thing described by kind and colour. */
function subtask(verb: 'goto' | 'open' | 'pickup', rooms: Rooms, thing: number): Subtask {
  return { verb, what: described(rooms, thing) }
}

/** @throws Rejection if other things block the way to a thing */
function requireReachable(rooms: Rooms): void {
  const place = rooms.findUnreachable()
  if (place !== undefined)
    throw new Rejection('rejected', `unreachable object at (${String(place.x)}, ${String(place.y)})`)
}

/** Adds things and draws one of them for a subtask. @throws Rejection as {@link requireReachable} */
function subtaskOnDistractor(verb: 'goto' | 'pickup', rooms: Rooms, count: number): Subtask {
  const things = rooms.addDistractors({ count, unique: false })
  requireReachable(rooms)
  return subtask(verb, rooms, rooms.pick(things))
}

/** Places the agent until it stands outside a room. */
function placeAgentOutside(rooms: Rooms, room: unknown): void {
  do rooms.placeAgent()
  while (rooms.roomAt(rooms.board.agent) === room)
}

/** Adds four doors to the middle room of a floor of three by three. */
function addFourDoors(rooms: Rooms, options: Parameters<Rooms['addDoor']>[2] = {}): number[] {
  return Array.from({ length: 4 }, () => rooms.addDoor(1, 1, options))
}
