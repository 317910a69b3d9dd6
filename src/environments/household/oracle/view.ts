import { factsOf } from '../../pddl/play.js'
import type { Task } from '../../pddl/task.js'
import type { Engine } from '../engine/engine.js'

/** A receptacle for planning. Things, locations and types are object numbers of the task. */
export interface Spot {
  readonly receptacle: number
  readonly type: number
  readonly location: number
  /** Whether it has to be opened before anything can be put in or taken out. */
  readonly closed: boolean
}

/** The part of the state of a game that planning needs. */
export interface View {
  readonly agent: number
  readonly location: number
  readonly held: number | undefined
  /** Every receptacle, by its number. */
  readonly spots: ReadonlyMap<number, Spot>
  /** The receptacles that hold an object. */
  inside(object: number): readonly Spot[]
  /** Objects of a type, in the order of their ids. */
  objectsOf(type: string): readonly number[]
  typeOf(object: number): number | undefined
  /** Whether a fact about one thing holds. */
  is(predicate: string, thing: number): boolean
  canContain(spot: Spot, object: number): boolean
}

/** The facts that never change in a game; cached, as reading them takes a fifth of the planning time. */
interface Fixed {
  readonly objectTypes: ReadonlyMap<number, number>
  readonly receptacleTypes: ReadonlyMap<number, number>
  readonly locations: ReadonlyMap<number, number>
  readonly openable: ReadonlySet<number>
  /** Receptacle type and object type, joined. */
  readonly fits: ReadonlySet<string>
}

const fixedOf = new WeakMap<Task, Fixed>()

/** The current state of a game. */
export function viewOf({ game: { task }, facts }: Engine): View {
  const list = (predicate: string, from = facts): readonly (readonly number[])[] => {
    const number = task.predicate(predicate)
    return number === undefined ? [] : factsOf(task, from, number)
  }
  const pairs = (predicate: string): Map<number, number> =>
    new Map(list(predicate, task.init).map(([left, right]) => [left!, right!]))
  let fixed = fixedOf.get(task)
  if (fixed === undefined) {
    fixed = {
      objectTypes: pairs('objecttype'),
      receptacleTypes: pairs('receptacletype'),
      locations: pairs('receptacleatlocation'),
      openable: new Set(list('openable', task.init).map(([receptacle]) => receptacle!)),
      fits: new Set(list('cancontain', task.init).map((pair) => pair.join())),
    }
    fixedOf.set(task, fixed)
  }
  const { objectTypes, receptacleTypes, locations, openable, fits } = fixed
  const opened = new Set(list('opened').map(([receptacle]) => receptacle!))
  const spots = new Map<number, Spot>()
  for (const [receptacle, location] of locations) {
    const type = receptacleTypes.get(receptacle)
    if (type === undefined) continue
    spots.set(receptacle, { receptacle, type, location, closed: openable.has(receptacle) && !opened.has(receptacle) })
  }
  const inside = new Map<number, Spot[]>()
  for (const [object, receptacle] of list('inreceptacle')) {
    const spot = spots.get(receptacle!)
    if (spot === undefined) continue
    const others = inside.get(object!)
    if (others === undefined) inside.set(object!, [spot])
    else others.push(spot)
  }
  const known = new Map<string, ReadonlySet<number>>()
  const [agent, location] = list('atlocation')[0] ?? [-1, -1]
  return {
    agent: agent!,
    location: location!,
    held: list('holds')[0]?.[1],
    spots,
    inside: (object) => inside.get(object) ?? [],
    objectsOf: (type) => {
      const number = task.object(type)
      return [...objectTypes].flatMap(([object, its]) => (its === number ? [object] : []))
    },
    typeOf: (object) => objectTypes.get(object),
    is(predicate, thing) {
      let things = known.get(predicate)
      if (things === undefined) {
        things = new Set(list(predicate).map(([one]) => one!))
        known.set(predicate, things)
      }
      return things.has(thing)
    },
    canContain: (spot, object) => fits.has(`${spot.type},${objectTypes.get(object) ?? -1}`),
  }
}
