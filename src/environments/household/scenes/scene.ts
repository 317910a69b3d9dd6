import type { Random } from '../../../core/random.js'
import { type Room, type Stock, floor, holds, isOpenable } from './rooms.js'

/** One receptacle of a room. */
export interface Receptacle {
  readonly id: string
  readonly kind: string
  /** The location from which the agent uses it. */
  readonly location: string
  readonly openable: boolean
  readonly point: Point
}

/** One object of a room. It can be in two receptacles at once, like a pan on two burners. */
export interface Item {
  readonly id: string
  readonly kind: string
  readonly location: string
  /** Ids of the receptacles that hold it; empty on the floor. */
  readonly inside: readonly string[]
}

/** This share of the objects in one receptacle is also in another. */
export interface Overlap {
  readonly of: Receptacle
  readonly also: Receptacle
  readonly share: number
}

/** A room with its furniture and fixed objects. The tasks of a scene differ in the other objects. */
export interface Scene {
  readonly room: Room
  /** Corresponds to ALFRED's floor plan number. */
  readonly number: number
  readonly receptacles: readonly Receptacle[]
  /** The classes of its receptacles. */
  readonly kinds: ReadonlySet<string>
  readonly overlaps: readonly Overlap[]
  readonly fixtures: readonly Item[]
}

/** Half the width of a room, in centimetres. */
const reach = 300

/** A point in the room at a given height. */
export function anywhere(random: Random, height: number): Point {
  return { x: random.int(2 * reach + 1) - reach, y: height, z: random.int(2 * reach + 1) - reach }
}

/** A point on or in a receptacle. */
export function upon({ x, y, z }: Point, random: Random): Point {
  return { x: x + random.int(61) - 30, y: y + 2 + random.int(20), z: z + random.int(61) - 30 }
}

/** A location from which the point can be reached, at most two steps (25 cm) off on each axis, tilted to its height. */
export function standingBy(point: Point, random: Random, ids: Identifiers): string {
  const tilt = point.y < 60 ? 60 : point.y < 120 ? 45 : point.y < 160 ? 15 : -30
  const step = (): number => random.int(5) - 2
  return ids.location(Math.round(point.x / 25) + step(), Math.round(point.z / 25) + step(), random.int(4), tilt)
}

/** A weighted draw; weights are not negative and not all 0. */
export function weighted<T>(list: readonly (readonly [value: T, weight: number])[], random: Random): T {
  let left = random.next() * list.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [value, weight] of list) {
    left -= weight
    if (left < 0) return value
  }
  return list.at(-1)![0]
}

/** A point in a room, in whole centimetres. `y` is up. */
interface Point {
  readonly x: number
  readonly y: number
  readonly z: number
}

/**
 * Creates unique ids in ALFWorld's form: a taken one moves a centimetre, or a step, aside.
 * @param taken those that exist already
 */
export function identifiers(taken: Iterable<string> = []) {
  const takenNames = new Set(taken)
  const first = (make: (aside: number) => string): string => {
    let aside = 0
    while (takenNames.has(make(aside))) aside++
    const id = make(aside)
    takenNames.add(id)
    return id
  }
  return {
    /**
     * `Apple_bar__minus_02_dot_10_bar__plus_00_dot_93_bar__plus_01_dot_20`; a basin ends in its class:
     * `Sink_bar_…_bar_SinkBasin`.
     */
    thing(name: string, { x, y, z }: Point): string {
      const [before, behind] = name.endsWith('Basin') ? [name.slice(0, -'Basin'.length), `_bar_${name}`] : [name, '']
      return first((aside) => `${before}_bar_${metres(x + aside)}_bar_${metres(y)}_bar_${metres(z)}${behind}`)
    },
    /** The position and view of the agent: `loc_bar__minus_4_bar_7_bar_1_bar_45`. */
    location: (cellX: number, cellZ: number, turn: number, tilt: number): string =>
      first((aside) => ['loc', whole(cellX + aside), whole(cellZ), whole(turn), whole(tilt)].join('_bar_')),
  }
}

/** See {@link identifiers}. */
export type Identifiers = ReturnType<typeof identifiers>

function metres(centimetres: number): string {
  const digits = String(Math.abs(centimetres)).padStart(4, '0')
  return `${centimetres < 0 ? '_minus_' : '_plus_'}${digits.slice(0, -2)}_dot_${digits.slice(-2)}`
}

function whole(number: number): string {
  return number < 0 ? `_minus_${-number}` : String(number)
}

/** Constraints on a placement. */
interface PlaceConstraints {
  /** A receptacle class that the object must not be in. */
  readonly avoid?: string
  /** The object must be in a receptacle, where an agent can take it. */
  readonly reachable?: boolean
  /** Not in a receptacle that can be closed, if the room allows. */
  readonly open?: boolean
}

type Furnished = Pick<Scene, 'receptacles' | 'kinds' | 'overlaps'>

/**
 * The receptacle classes that an object class can be put in, with weights: those of its stock that the room has, else
 * all that can hold it, else the floor. Empty where the constraints cannot be met.
 */
export function placesFor(
  kind: string,
  stock: Stock,
  { kinds }: Furnished,
  constraints: PlaceConstraints = {},
): Stock['places'] {
  const isAllowed = (place: string): boolean =>
    place !== constraints.avoid && (place === floor ? constraints.reachable !== true : kinds.has(place))
  const usual = stock.places.filter(([place]) => isAllowed(place))
  const open = constraints.open === true ? usual.filter(([place]) => !isOpenable(place)) : []
  if (usual.length > 0) return open.length > 0 ? open : usual
  const possible = [...kinds]
    .filter((place) => isAllowed(place) && holds(place, kind))
    .map((place) => [place, 1] as const)
  return possible.length > 0 || constraints.reachable === true ? possible : [[floor, 1]]
}

/** Puts one object into a room. */
export function placeItem(
  kind: string,
  places: Stock['places'],
  { receptacles, overlaps }: Furnished,
  ids: Identifiers,
  random: Random,
  avoid?: string,
): Item {
  const place = weighted(places, random)
  if (place === floor) {
    const point = anywhere(random, random.int(120))
    return { id: ids.thing(kind, point), kind, location: standingBy(point, random, ids), inside: [] }
  }
  const first = random.pick(receptacles.filter((receptacle) => receptacle.kind === place))
  const also = overlaps
    .filter(({ of, also, share }) => of === first && also.kind !== avoid && random.next() < share)
    .map((overlap) => overlap.also.id)
  const id = ids.thing(kind, upon(first.point, random))
  return { id, kind, location: first.location, inside: [first.id, ...also] }
}
