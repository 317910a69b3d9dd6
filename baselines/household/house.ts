import type { Goal } from './goal.js'
import { classOf } from './goal.js'
import { hope } from './habits.js'
import { readSight } from './sight.js'
import type { Lessons } from './wording.js'
import type { Intent } from './words.js'

/** A place in the house, and what is known of it. */
export interface Place {
  readonly name: string
  readonly kind: string
  readonly visit: readonly [Intent]
  /** How much is to be hoped from looking here for the goal's thing, and for its lamp. */
  readonly hopes: { readonly thing: number; readonly lamp: number }
  /** What lies here; undefined where it was not seen yet. */
  readonly holds: readonly string[] | undefined
  readonly shut: boolean
}

/** What is known of a household at some moment, from what was said and seen. */
export interface House {
  /** In the order in which they were first seen. */
  readonly places: readonly Place[]
  /** Going to any of them. */
  readonly visits: readonly Intent[]
  /** Names of the places within reach; several places can stand together. */
  readonly here: readonly string[]
  readonly holding: string | undefined
  /** `clean apple 1`. */
  readonly treated: readonly string[]
  /** Things that were brought to a place of the goal's class. */
  readonly delivered: readonly string[]
  readonly lessons: Lessons
  /** Actions refused since something last changed. */
  readonly refused: readonly string[]
  /** Whether the possible actions were asked for since something last changed. */
  readonly asked: boolean
  /** Possible actions that were listed then and make no sense. */
  readonly strange: readonly string[]
}

/** The house as the first observation shows it. */
export function enter(opening: string, goal: Goal, lessons: Lessons): House {
  const names = [...new Set(readSight(opening).room)]
  const counts = new Map<string, number>()
  for (const name of names) counts.set(classOf(name), (counts.get(classOf(name)) ?? 0) + 1)
  const places = names.map((name) => createPlace(name, goal, counts.get(classOf(name))!))
  return {
    places,
    visits: places.map(({ visit }) => visit[0]),
    here: [],
    holding: undefined,
    treated: [],
    delivered: [],
    lessons,
    refused: [],
    asked: false,
    strange: [],
  }
}

/** A place of which nothing but the name is known; `among` is how many there are of its class. */
export function createPlace(name: string, goal: Goal, among = 1): Place {
  const kind = classOf(name)
  const hopes = {
    thing: Math.log(hope(goal.thing, kind, among)),
    lamp: goal.underLamp ? Math.log(hope(goal.place, kind, among)) : -Infinity,
  }
  return { name, kind, visit: [{ verb: 'go', place: name }], hopes, holds: undefined, shut: false }
}

/** The shown name that a text stands for, whatever its blanks: `sofa 1` for `sofa1`. */
export function nameIn(house: House, text: string): string | undefined {
  const exact = findName(house, (name) => name === text)
  if (exact !== undefined) return exact
  const key = keyOf(text)
  return findName(house, (name) => keyOf(name) === key)
}

function findName({ holding, places }: House, same: (name: string) => boolean): string | undefined {
  if (holding !== undefined && same(holding)) return holding
  const place = places.find(({ name }) => same(name))
  if (place !== undefined) return place.name
  for (const { holds } of places) {
    const thing = holds?.find(same)
    if (thing !== undefined) return thing
  }
  return undefined
}

const keyOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '')
