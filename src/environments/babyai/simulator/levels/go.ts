import type { Colour } from '../board.js'
import type { Level } from '../level.js'
import { Rejection } from '../rejection.js'
import type { Rooms } from '../rooms.js'
import { addFourDoors, subtask, requireReachable } from '../level.js'

const oneRoom = { roomSize: 8, rows: 1, columns: 1 }

/** Levels about going somewhere. */
export const goToRedBallGrey: Level = redBall('GoToRedBallGrey', 7, 'grey')
export const goToRedBall: Level = redBall('GoToRedBall', 7)
export const goToRedBallNoDists: Level = redBall('GoToRedBallNoDists', 0)

function redBall(name: string, count: number, recoloured?: Colour): Level {
  return {
    name,
    floor: oneRoom,
    build(rooms) {
      rooms.placeAgent()
      const ball = rooms.addObject(0, 0, 'ball', 'red')
      for (const thing of rooms.addDistractors({ count, unique: false })) {
        const { things } = rooms.board
        if (recoloured !== undefined) things[thing] = { ...things[thing]!, colour: recoloured }
      }
      requireReachable(rooms)
      return { instruction: subtask('goto', rooms, ball) }
    },
  }
}

/** Registered with rooms of size 4 in Minigrid 2.3.0, whatever its name says. */
export const goToObjS6: Level = goToObject(4)
/** The same with rooms of the size in its name. */
export const goToObjS6Fixed: Level = goToObject(6)

function goToObject(roomSize: number): Level {
  return {
    name: 'GoToObjS6',
    floor: { roomSize, rows: 1, columns: 1 },
    build(rooms) {
      rooms.placeAgent()
      const [thing] = rooms.addDistractors({ count: 1, unique: true })
      return { instruction: subtask('goto', rooms, thing!) }
    },
  }
}

export const goToLocalS8N7: Level = {
  name: 'GoToLocalS8N7',
  floor: oneRoom,
  build(rooms) {
    rooms.placeAgent()
    return goToOne(rooms, 7)
  },
}

export const goToObjMazeS7: Level = {
  name: 'GoToObjMazeS7',
  floor: { roomSize: 7, rows: 3, columns: 3 },
  build(rooms) {
    rooms.placeAgent()
    rooms.connectAll()
    return goToOne(rooms, 1)
  },
}

function goToOne(rooms: Rooms, count: number): ReturnType<Level['build']> {
  const things = rooms.addDistractors({ count, unique: false })
  requireReachable(rooms)
  return { instruction: subtask('goto', rooms, rooms.pick(things)) }
}

export const goToRedBlueBall: Level = {
  name: 'GoToRedBlueBall',
  floor: oneRoom,
  build(rooms) {
    rooms.placeAgent()
    for (const thing of rooms.addDistractors({ count: 7, unique: false })) {
      const { kind, colour } = rooms.board.things[thing]!
      if (kind === 'ball' && (colour === 'red' || colour === 'blue')) {
        throw new Rejection('rejected', 'can only have one blue or red ball')
      }
    }
    const ball = rooms.addObject(0, 0, 'ball', rooms.pick(['red', 'blue'] as const))
    requireReachable(rooms)
    return { instruction: subtask('goto', rooms, ball) }
  },
}

export const goToDoor: Level = {
  name: 'GoToDoor',
  floor: { roomSize: 7, rows: 3, columns: 3 },
  build(rooms) {
    const doors = addFourDoors(rooms)
    rooms.placeAgent(1, 1)
    return { instruction: subtask('goto', rooms, rooms.pick(doors)) }
  },
}

export const goToObjDoor: Level = {
  name: 'GoToObjDoor',
  floor: { roomSize: 8, rows: 3, columns: 3 },
  build(rooms) {
    rooms.placeAgent(1, 1)
    const things = rooms.addDistractors({ column: 1, row: 1, count: 8, unique: false })
    things.push(...addFourDoors(rooms))
    requireReachable(rooms)
    return { instruction: subtask('goto', rooms, rooms.pick(things)) }
  },
}

export const actionObjDoor: Level = {
  name: 'ActionObjDoor',
  floor: { roomSize: 7, rows: 3, columns: 3 },
  build(rooms) {
    const things = rooms.addDistractors({ column: 1, row: 1, count: 5, unique: true })
    things.push(...addFourDoors(rooms, { locked: false }))
    rooms.placeAgent(1, 1)
    const thing = rooms.pick(things)
    const other = rooms.board.things[thing]!.kind === 'door' ? 'open' : 'pickup'
    return { instruction: subtask(rooms.flip() ? 'goto' : other, rooms, thing) }
  },
}
