import type { Colour } from './board.js'
import { addThing, colours } from './board.js'
import { generatedLevel } from './generated-level.js'
import type { Instruction, Subtask } from './instructions.js'
import { locations } from './instructions.js'
import type { Level, Mission } from './level.js'
import {
  addFourDoors,
  described,
  placeAgentOutside,
  putNext,
  requireReachable,
  subtask,
  subtaskOnDistractor,
} from './level.js'
import type { Floor, Room, Rooms } from './rooms.js'
import { Rejection } from './rooms.js'

const floor = (roomSize: number, rows = 1, columns = rows): Floor => ({ roomSize, rows, columns })
const nineRooms = floor(8, 3)
const colourOf = ({ board }: Rooms, thing: number): Colour => board.things[thing]!.colour

/** The forty levels by AgentBoard's numbers, from 1. */
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
  generatedLevel('GoToSeqS5R2', floor(5, 2), {
    distractors: 4,
    lockedShare: 0,
    locations: false,
    unblocking: false,
    verbs: ['goto'],
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
  generatedLevel('PickupLoc', floor(8), {
    distractors: 8,
    lockedShare: 0,
    unblocking: false,
    verbs: ['pickup'],
    shapes: ['action'],
  }),
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
  level('PutNextLocalS6N4', floor(6), (rooms) => {
    rooms.placeAgent()
    const things = rooms.addDistractors({ count: 4, unique: true })
    requireReachable(rooms)
    const [thing, beside] = rooms.pickSome(things, 2)
    return putNext(rooms, thing!, beside!)
  }),
  level('PutNextS7N4Carrying', { ...floor(7, 1, 2), maxSteps: 392 }, (rooms) => {
    const { left, right } = fillTwoRooms(rooms, 4)
    const [a, b] = [rooms.pick(left), rooms.pick(right)]
    const [thing, beside] = rooms.flip() ? [b, a] : [a, b]
    return { instruction: putNext(rooms, thing, beside), carrying: thing }
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
  level('KeyInBox', nineRooms, (rooms) => {
    const door = rooms.addDoor(1, 1, { locked: true })
    const key = addThing(rooms.board, { kind: 'key', colour: colourOf(rooms, door) })
    rooms.placeInRoom(1, 1, addThing(rooms.board, { kind: 'box', colour: rooms.pick(colours), contains: key }))
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
  level('ActionObjDoor', floor(7, 3), (rooms) => {
    const things = rooms.addDistractors({ column: 1, row: 1, count: 5, unique: true })
    things.push(...addFourDoors(rooms, { locked: false }))
    rooms.placeAgent(1, 1)
    const thing = rooms.pick(things)
    const other = rooms.board.things[thing]!.kind === 'door' ? 'open' : 'pickup'
    return subtask(rooms.flip() ? 'goto' : other, rooms, thing)
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
  level('OneRoomS20', floor(20), (rooms) => {
    rooms.addObject(0, 0, 'ball')
    rooms.placeAgent()
    return { verb: 'pickup', what: { kind: 'ball' } }
  }),
  level('MoveTwoAcrossS8N9', { ...floor(8, 1, 2), maxSteps: 1024 }, (rooms) => {
    const { left, right } = fillTwoRooms(rooms, 9)
    const [a, c] = rooms.pickSome(left, 2)
    const [b, d] = rooms.pickSome(right, 2)
    return { verb: 'before', first: putNext(rooms, a!, b!), second: putNext(rooms, d!, c!) }
  }),
  generatedLevel('SynthS5R2', floor(5, 2, 3), { locations: false, implicitUnlock: false, shapes: ['action'] }),
  generatedLevel('SynthLoc', nineRooms, { implicitUnlock: false, shapes: ['action'] }),
  generatedLevel('SynthSeq', nineRooms, { implicitUnlock: false }),
  generatedLevel('MiniBossLevel', floor(5, 2), { distractors: 7, lockedShare: 0.25 }),
  generatedLevel('BossLevel', nineRooms, {}),
  generatedLevel('BossLevelNoUnlock', nineRooms, { lockedShare: 0, implicitUnlock: false }),
]

/** How many levels there are. */
export const levelCount = levels.length

/** A level by AgentBoard's number, 1 to 40. @throws RangeError for any other number */
export function levelOf(number: number): Level {
  const found = levels[number - 1]
  if (found === undefined) {
    throw new RangeError(`Expected a level from 1 to ${String(levelCount)}, got ${String(number)}.`)
  }
  return found
}

/** A level whose `build` may return an instruction alone, if the agent carries nothing at the start. */
function level(
  name: string,
  { maxSteps, ...size }: Floor & Pick<Level, 'maxSteps'>,
  build: (rooms: Rooms) => Instruction | Mission,
): Level {
  return {
    name,
    floor: size,
    ...(maxSteps !== undefined && { maxSteps }),
    build(rooms) {
      const built = build(rooms)
      return 'instruction' in built ? built : { instruction: built }
    },
  }
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

/** Places the agent in the left one of two rooms, fills both, and removes the wall between them. */
function fillTwoRooms(rooms: Rooms, count: number): { readonly left: number[]; readonly right: number[] } {
  rooms.placeAgent(0, 0)
  const left = rooms.addDistractors({ column: 0, row: 0, count, unique: true })
  const right = rooms.addDistractors({ column: 1, row: 0, count, unique: true })
  rooms.removeWall(0, 0, 0)
  return { left, right }
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
