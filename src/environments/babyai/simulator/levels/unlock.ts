import { addThing, colours } from '../board.js'
import type { Level, Memory } from '../level.js'
import type { Room, Rooms } from '../rooms.js'
import { subtask, placeAgentOutside, requireReachable } from '../level.js'

const nineRooms = { roomSize: 8, rows: 3, columns: 3 }

/** Levels about locked doors. */
export const goToImpUnlock: Level = {
  name: 'GoToImpUnlock',
  floor: nineRooms,
  build(rooms, memory) {
    const { column, row, room } = lockRoom(rooms, memory)
    rooms.connectAll()
    strew(rooms, memory, room, 2)
    placeAgentOutside(rooms, room)
    requireReachable(rooms)
    const [thing] = rooms.addDistractors({ column, row, count: 1, unique: false })
    return { instruction: subtask('goto', rooms, thing!) }
  },
}

export const unlock: Level = {
  name: 'Unlock',
  floor: nineRooms,
  build(rooms, memory) {
    const { door, room } = lockRoom(rooms, memory)
    const { colour } = rooms.board.things[door]!
    rooms.connectAll(rooms.flip() ? colours.filter((one) => one !== colour) : colours)
    strew(rooms, memory, room, 3)
    placeAgentOutside(rooms, room)
    requireReachable(rooms)
    return { instruction: subtask('open', rooms, door) }
  },
}

/**
 * Locks a room and lays its key somewhere. The original means to keep the key out of that room, but asks whether two
 * numbers are the same object, which numpy's never are: the key can land behind its own door.
 */
function lockRoom(rooms: Rooms, { profile }: Memory): { column: number; row: number; door: number; room: Room } {
  const draw = (): [column: number, row: number] => [rooms.random.integer(0, 3), rooms.random.integer(0, 3)]
  const [column, row] = draw()
  const door = rooms.addDoor(column, row, { locked: true })
  const room = rooms.room(column, row)
  let [keyColumn, keyRow] = draw()
  while (profile === 'fixed' && keyColumn === column && keyRow === row) [keyColumn, keyRow] = draw()
  rooms.addObject(keyColumn, keyRow, 'key', rooms.board.things[door]!.colour)
  return { column, row, door, room }
}

/** Strews things over all rooms but the locked one; for the same reason the original does not spare that either. */
function strew(rooms: Rooms, { profile }: Memory, locked: Room, count: number): void {
  for (let column = 0; column < 3; column++) {
    for (let row = 0; row < 3; row++) {
      if (profile === 'fixed' && rooms.room(column, row) === locked) continue
      rooms.addDistractors({ column, row, count, unique: false })
    }
  }
}

export const unlockLocalDist: Level = {
  name: 'UnlockLocalDist',
  floor: nineRooms,
  build(rooms) {
    const door = rooms.addDoor(1, 1, { locked: true })
    rooms.addObject(1, 1, 'key', rooms.board.things[door]!.colour)
    rooms.addDistractors({ column: 1, row: 1, count: 3, unique: true })
    rooms.placeAgent(1, 1)
    return { instruction: { verb: 'open', what: { kind: 'door' } } }
  },
}

export const keyInBox: Level = {
  name: 'KeyInBox',
  floor: nineRooms,
  build(rooms) {
    const door = rooms.addDoor(1, 1, { locked: true })
    const key = addThing(rooms.board, { kind: 'key', colour: rooms.board.things[door]!.colour })
    rooms.placeInRoom(1, 1, addThing(rooms.board, { kind: 'box', colour: rooms.pick(colours), contains: key }))
    rooms.placeAgent(1, 1)
    return { instruction: { verb: 'open', what: { kind: 'door' } } }
  },
}

export const unlockPickupDist: Level = {
  name: 'UnlockPickupDist',
  floor: { roomSize: 6, rows: 1, columns: 2 },
  build(rooms) {
    const box = rooms.addObject(1, 0, 'box')
    const door = rooms.addDoor(0, 0, { side: 0, locked: true })
    rooms.addObject(0, 0, 'key', rooms.board.things[door]!.colour)
    rooms.addDistractors({ count: 4, unique: true })
    rooms.placeAgent(0, 0)
    return { instruction: subtask('pickup', rooms, box) }
  },
}

export const blockedUnlockPickup: Level = {
  name: 'BlockedUnlockPickup',
  floor: { roomSize: 6, rows: 1, columns: 2 },
  maxSteps: 576,
  build(rooms) {
    const { board } = rooms
    rooms.addObject(1, 0, 'box')
    const door = rooms.addDoor(0, 0, { side: 0, locked: true })
    const { x, y } = board.places[door]!
    rooms.put(addThing(board, { kind: 'ball', colour: rooms.pick(colours) }), { x: x - 1, y })
    rooms.addObject(0, 0, 'key', board.things[door]!.colour)
    rooms.placeAgent(0, 0)
    return { instruction: { verb: 'pickup', what: { kind: 'box' } } }
  },
}

export const unlockToUnlock: Level = {
  name: 'UnlockToUnlock',
  floor: { roomSize: 6, rows: 1, columns: 3 },
  maxSteps: 1080,
  build(rooms) {
    const [first, second] = rooms.pickSome(colours, 2)
    rooms.addDoor(0, 0, { side: 0, colour: first!, locked: true })
    rooms.addObject(2, 0, 'key', first!)
    rooms.addDoor(1, 0, { side: 0, colour: second!, locked: true })
    rooms.addObject(1, 0, 'key', second!)
    rooms.addObject(0, 0, 'ball')
    rooms.placeAgent(1, 0)
    return { instruction: { verb: 'pickup', what: { kind: 'ball' } } }
  },
}

export const keyCorridorS6R3: Level = {
  name: 'KeyCorridorS6R3',
  floor: { roomSize: 6, rows: 3, columns: 3 },
  maxSteps: 1080,
  build(rooms) {
    rooms.removeWall(1, 1, 3)
    rooms.removeWall(1, 2, 3)
    const row = rooms.random.integer(0, 3)
    const door = rooms.addDoor(2, row, { side: 2, locked: true })
    rooms.addObject(2, row, 'ball')
    rooms.addObject(0, rooms.random.integer(0, 3), 'key', rooms.board.things[door]!.colour)
    rooms.placeAgent(1, 1)
    rooms.connectAll()
    return { instruction: { verb: 'pickup', what: { kind: 'ball' } } }
  },
}
