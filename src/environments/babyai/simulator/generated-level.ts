import type { Kind } from './board.js'
import { colours } from './board.js'
import type { Subtask, Description, Instruction } from './instructions.js'
import { locations, match } from './instructions.js'
import type { Level, Memory } from './level.js'
import { placeAgentOutside, requireReachable } from './level.js'
import type { Floor, Room, Rooms } from './rooms.js'
import { Rejection } from './rooms.js'

type Shape = 'action' | 'and' | 'seq'

/** The options of a level with a random instruction (BabyAI's LevelGen), with BabyAI's defaults. */
interface Traits {
  readonly distractors?: number
  readonly lockedShare?: number
  readonly locations?: boolean
  /** Whether things may block the way. */
  readonly unblocking?: boolean
  /** Whether the task may need a door unlocked that the instruction does not mention. */
  readonly implicitUnlock?: boolean
  readonly verbs?: readonly Subtask['verb'][]
  readonly shapes?: readonly Shape[]
}

const boxesFirst: readonly Kind[] = ['box', 'ball', 'key', 'door']
const movable: readonly Kind[] = ['box', 'ball', 'key']

/** A level whose instruction is drawn at random. */
export function generatedLevel(name: string, floor: Floor, traits: Traits): Level {
  const { distractors = 18, lockedShare = 0.5, unblocking = true, shapes = ['action', 'and', 'seq'] } = traits
  return {
    name,
    floor,
    ...(unblocking && { unblocking }),
    build(rooms, memory) {
      if (rooms.random.float() < lockedShare) memory.locked = lockRoom(rooms)
      rooms.connectAll()
      rooms.addDistractors({ count: distractors, unique: false })
      placeAgentOutside(rooms, memory.locked)
      if (!unblocking) requireReachable(rooms)
      return { instruction: drawInstruction(rooms, memory, traits, shapes) }
    },
  }
}

function lockRoom(rooms: Rooms): Room {
  const { columns, rows } = rooms.floor
  const { random } = rooms
  const draw = (): [column: number, row: number] => [random.integer(0, columns), random.integer(0, rows)]
  for (;;) {
    const [column, row] = draw()
    const side = random.integer(0, 4)
    const locked = rooms.room(column, row)
    if (locked.neighbours[side] === undefined) continue
    const door = rooms.addDoor(column, row, { side, locked: true })
    for (;;) {
      const [keyColumn, keyRow] = draw()
      if (rooms.room(keyColumn, keyRow) === locked) continue
      rooms.addObject(keyColumn, keyRow, 'key', rooms.board.things[door]!.colour)
      return locked
    }
  }
}

function drawInstruction(rooms: Rooms, memory: Memory, traits: Traits, shapes: readonly Shape[]): Instruction {
  const part = (inner: readonly Shape[]): Instruction => drawInstruction(rooms, memory, traits, inner)
  switch (rooms.pick(shapes)) {
    case 'action':
      return drawSubtask(rooms, memory, traits)
    case 'and':
      return { first: part(['action']), second: part(['action']), verb: 'and' }
    case 'seq': {
      const parts = { first: part(['action', 'and']), second: part(['action', 'and']) }
      return { ...parts, verb: rooms.pick(['before', 'after'] as const) }
    }
  }
}

function drawSubtask(rooms: Rooms, memory: Memory, traits: Traits): Subtask {
  const draw = (kinds: readonly Kind[]): Description => drawDescription(rooms, memory, traits, kinds)
  const verb = rooms.pick(traits.verbs ?? (['goto', 'pickup', 'open', 'putnext'] as const))
  switch (verb) {
    case 'goto':
      return { verb, what: draw(boxesFirst) }
    case 'pickup':
      return { verb, what: draw(movable) }
    case 'open':
      return { verb, what: draw(['door']) }
    case 'putnext':
      return { verb, what: draw(movable), beside: draw(boxesFirst) }
  }
}

/** Draws until something matches; without implicit unlocking, something outside the locked room. */
function drawDescription(rooms: Rooms, { locked }: Memory, traits: Traits, kinds: readonly Kind[]): Description {
  const { locations: located = true, implicitUnlock = true } = traits
  const { board } = rooms
  for (let tries = 0; tries <= 100; tries++) {
    const colour = rooms.pick([undefined, ...colours])
    const kind = rooms.pick(kinds)
    const location = located && rooms.flip() ? rooms.pick(locations) : undefined
    const what = { kind, ...(colour && { colour }), ...(location && { location }) }
    const { places } = match(board, what, rooms.roomAt(board.agent))
    if (places.length === 0) continue
    if (!implicitUnlock && locked !== undefined && places.every(({ x, y }) => isInside(locked, x, y))) continue
    return what
  }
  throw new Rejection('timeout', 'failed to find suitable object')
}

function isInside({ top, size }: Room, x: number, y: number): boolean {
  return x >= top.x && y >= top.y && x < top.x + size && y < top.y + size
}
