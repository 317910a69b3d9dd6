import type { Description } from '../descriptions.js'
import type { Deed } from '../instructions.js'
import { Rejection } from '../rejection.js'
import type { Rooms } from '../rooms.js'

/** A thing described by kind and colour. */
export function described({ board }: Rooms, thing: number): Description {
  const { kind, colour } = board.things[thing]!
  return { kind, colour }
}

/** A deed on a thing described by kind and colour. */
export function deed(verb: 'goto' | 'open' | 'pickup', rooms: Rooms, thing: number): Deed {
  return { verb, what: described(rooms, thing) }
}

/** Puts one thing, described by kind and colour, beside another. */
export function putNext(rooms: Rooms, thing: number, beside: number): Deed {
  return { verb: 'putnext', what: described(rooms, thing), beside: described(rooms, beside) }
}

/** @throws Rejection where things are walled in by others */
export function requireReachable(rooms: Rooms): void {
  const place = rooms.findUnreachable()
  if (place !== undefined)
    throw new Rejection('rejected', `unreachable object at (${String(place.x)}, ${String(place.y)})`)
}

/** Places the agent until it stands outside a room. */
export function placeAgentOutside(rooms: Rooms, room: unknown): void {
  do rooms.placeAgent()
  while (rooms.roomAt(rooms.board.agent) === room)
}

/** Adds as many doors to the middle room of a three by three floor. */
export function addFourDoors(rooms: Rooms, options: Parameters<Rooms['addDoor']>[2] = {}): number[] {
  return Array.from({ length: 4 }, () => rooms.addDoor(1, 1, options))
}
