import { colours } from '../board.js'
import { locations } from '../instructions.js'
import type { Subtask } from '../instructions.js'
import type { Level } from '../level.js'
import type { Rooms } from '../rooms.js'
import { subtask, described, requireReachable } from '../level.js'

const nineRooms = { roomSize: 8, rows: 3, columns: 3 }
const nineSmallRooms = { roomSize: 6, rows: 3, columns: 3 }

/** Levels about opening doors that are not locked. */
export const open: Level = {
  name: 'Open',
  floor: nineRooms,
  build(rooms) {
    rooms.placeAgent()
    rooms.connectAll()
    rooms.addDistractors({ count: 18, unique: false })
    requireReachable(rooms)
    return { instruction: subtask('open', rooms, rooms.pick(listDoors(rooms))) }
  },
}

/** Room by room, so that a door between two rooms is listed twice. */
function listDoors({ floor, room }: Rooms): number[] {
  const doors: number[] = []
  for (let column = 0; column < floor.columns; column++) {
    for (let row = 0; row < floor.rows; row++) {
      for (const door of room(column, row).doors) if (typeof door === 'number') doors.push(door)
    }
  }
  return doors
}

export const openRedDoor: Level = {
  name: 'OpenRedDoor',
  floor: { roomSize: 5, rows: 1, columns: 2 },
  build(rooms) {
    const door = rooms.addDoor(0, 0, { side: 0, colour: 'red', locked: false })
    rooms.placeAgent(0, 0)
    return { instruction: subtask('open', rooms, door) }
  },
}

export const openDoorLoc: Level = {
  name: 'OpenDoorLoc',
  floor: nineRooms,
  build(rooms) {
    rooms.pickSome(colours, 4).forEach((colour, side) => rooms.addDoor(1, 1, { side, colour, locked: false }))
    const location = rooms.pick(locations)
    rooms.placeAgent(1, 1)
    return { instruction: { verb: 'open', what: { kind: 'door', location } } }
  },
}

/** Draws two colours although it has its own. */
export const openRedBlueDoorsDebug: Level = {
  name: 'OpenRedBlueDoorsDebug',
  floor: nineSmallRooms,
  maxSteps: 720,
  build(rooms) {
    rooms.pickSome(colours, 2)
    const red = rooms.addDoor(1, 1, { side: 2, colour: 'red', locked: false })
    const blue = rooms.addDoor(1, 1, { side: 0, colour: 'blue', locked: false })
    rooms.placeAgent(1, 1)
    return { instruction: { verb: 'before', first: strictly(rooms, red), second: subtask('open', rooms, blue) } }
  },
}

export const openDoorsOrderN4Debug: Level = {
  name: 'OpenDoorsOrderN4Debug',
  floor: nineSmallRooms,
  maxSteps: 720,
  build(rooms) {
    const doors = rooms.pickSome(colours, 4).map((colour) => rooms.addDoor(1, 1, { colour, locked: false }))
    rooms.placeAgent(1, 1)
    const [first, second] = rooms.pickSome(doors, 2).map((door) => strictly(rooms, door))
    const verb = ([undefined, 'before', 'after'] as const)[rooms.random.integer(0, 3)]
    return { instruction: verb === undefined ? first! : { verb, first: first!, second: second! } }
  },
}

function strictly(rooms: Rooms, door: number): Subtask {
  return { verb: 'open', what: described(rooms, door), strict: true }
}
