import type { Level } from '../level.js'
import { Rejection } from '../rejection.js'
import { subtask, described, putNext, requireReachable } from '../level.js'

const nineRooms = { roomSize: 8, rows: 3, columns: 3 }

/** Levels about picking something up. */
export const pickup: Level = {
  name: 'Pickup',
  floor: nineRooms,
  build(rooms) {
    rooms.placeAgent()
    rooms.connectAll()
    const things = rooms.addDistractors({ count: 18, unique: false })
    requireReachable(rooms)
    return { instruction: subtask('pickup', rooms, rooms.pick(things)) }
  },
}

export const unblockPickup: Level = {
  name: 'UnblockPickup',
  floor: nineRooms,
  build(rooms) {
    rooms.placeAgent()
    rooms.connectAll()
    const things = rooms.addDistractors({ count: 20, unique: false })
    if (rooms.findUnreachable() === undefined) throw new Rejection('rejected', 'all objects reachable')
    return { instruction: subtask('pickup', rooms, rooms.pick(things)) }
  },
}

export const pickupDistDebug: Level = {
  name: 'PickupDistDebug',
  floor: { roomSize: 7, rows: 1, columns: 1 },
  build(rooms) {
    const things = rooms.addDistractors({ count: 5, unique: true })
    rooms.placeAgent(0, 0)
    const { kind, colour } = rooms.board.things[rooms.pick(things)]!
    const by = rooms.pick(['type', 'color', 'both'] as const)
    const what = { ...(by !== 'color' && { kind }), ...(by !== 'type' && { colour }) }
    return { instruction: { verb: 'pickup', what, strict: true } }
  },
}

export const pickupAbove: Level = {
  name: 'PickupAbove',
  floor: { roomSize: 6, rows: 3, columns: 3 },
  maxSteps: 288,
  build(rooms) {
    const thing = rooms.addObject(1, 0)
    rooms.addDoor(1, 1, { side: 3, locked: false })
    rooms.placeAgent(1, 1)
    rooms.connectAll()
    return { instruction: subtask('pickup', rooms, thing) }
  },
}

export const findObjS7: Level = {
  name: 'FindObjS7',
  floor: { roomSize: 7, rows: 3, columns: 3 },
  maxSteps: 980,
  build(rooms) {
    const [column, row] = [rooms.random.integer(0, 3), rooms.random.integer(0, 3)]
    const thing = rooms.addObject(column, row)
    rooms.placeAgent(1, 1)
    rooms.connectAll()
    return { instruction: { verb: 'pickup', what: { kind: described(rooms, thing).kind! } } }
  },
}

export const oneRoomS20: Level = {
  name: 'OneRoomS20',
  floor: { roomSize: 20, rows: 1, columns: 1 },
  build(rooms) {
    rooms.addObject(0, 0, 'ball')
    rooms.placeAgent()
    return { instruction: { verb: 'pickup', what: { kind: 'ball' } } }
  },
}

/** Levels about putting one thing beside another. */
export const putNextLocalS6N4: Level = {
  name: 'PutNextLocalS6N4',
  floor: { roomSize: 6, rows: 1, columns: 1 },
  build(rooms) {
    rooms.placeAgent()
    const things = rooms.addDistractors({ count: 4, unique: true })
    requireReachable(rooms)
    const [thing, beside] = rooms.pickSome(things, 2)
    return { instruction: putNext(rooms, thing!, beside!) }
  },
}

export const putNextS7N4Carrying: Level = {
  name: 'PutNextS7N4Carrying',
  floor: { roomSize: 7, rows: 1, columns: 2 },
  maxSteps: 392,
  build(rooms) {
    rooms.placeAgent(0, 0)
    const left = rooms.addDistractors({ column: 0, row: 0, count: 4, unique: true })
    const right = rooms.addDistractors({ column: 1, row: 0, count: 4, unique: true })
    rooms.removeWall(0, 0, 0)
    const [a, b] = [rooms.pick(left), rooms.pick(right)]
    const [thing, beside] = rooms.flip() ? [b, a] : [a, b]
    return { instruction: putNext(rooms, thing, beside), carrying: thing }
  },
}

export const moveTwoAcrossS8N9: Level = {
  name: 'MoveTwoAcrossS8N9',
  floor: { roomSize: 8, rows: 1, columns: 2 },
  maxSteps: 1024,
  build(rooms) {
    rooms.placeAgent(0, 0)
    const left = rooms.addDistractors({ column: 0, row: 0, count: 9, unique: true })
    const right = rooms.addDistractors({ column: 1, row: 0, count: 9, unique: true })
    rooms.removeWall(0, 0, 0)
    const [a, c] = rooms.pickSome(left, 2)
    const [b, d] = rooms.pickSome(right, 2)
    return { instruction: { verb: 'before', first: putNext(rooms, a!, b!), second: putNext(rooms, d!, c!) } }
  },
}
