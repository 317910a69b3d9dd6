import { type Goal, classOf, stations } from './goal.js'
import type { House, Place } from './house.js'
import type { Intent } from './words.js'

/** A possible next action with its score: a logarithm of odds, the best near 0. */
export interface Choice {
  /** Several where they are equally good. */
  readonly intents: readonly Intent[]
  readonly score: number
}

/** Log odds of an idle action against the best one: the slips of a housekeeper at temperature 1. */
const idle: readonly Choice[] = [
  { intents: [{ verb: 'look' }], score: -2 },
  { intents: [{ verb: 'inventory' }], score: -2 },
]
const wandering = -0.5

/** The sensible next actions given what was seen, and a few idle ones. */
export function choose(house: House, goal: Goal): readonly Choice[] {
  const sensible = plan(house, goal)
  const best = sensible.reduce((highest, { score }) => Math.max(highest, score), -Infinity)
  const scored = best === 0 ? sensible : sensible.map(({ intents, score }) => ({ intents, score: score - best }))
  const wander = house.places.length === 0 ? [] : [{ intents: house.places.map(goTo), score: wandering }]
  return [...scored, ...wander, ...idle]
}

function plan(house: House, goal: Goal): readonly Choice[] {
  const { holding, places } = house
  if (holding === undefined) return obtain(house, goal)
  if (classOf(holding) !== goal.thing) return putDown(house, holding)
  if (goal.underLamp) return light(house, goal)
  const { treatment } = goal
  if (treatment !== undefined && !house.treated.includes(`${treatment} ${holding}`)) {
    const suitable = places.filter(({ kind }) => kind === stations[treatment])
    if (suitable.length > 0)
      return suitable.map((place) => at(house, place, { verb: treatment, thing: holding, place: place.name }))
  }
  return deliver(house, goal, holding)
}

/** Puts what is held at a place of the goal's class; two things go to the same place. */
function deliver(house: House, goal: Goal, holding: string): readonly Choice[] {
  const first = house.delivered[0]
  const targets = house.places.filter(({ kind }) => kind === goal.place)
  const started = targets.filter(({ holds }) => first !== undefined && holds?.includes(first) === true)
  return (started.length > 0 ? started : targets).map((target) =>
    at(house, target, target.shut ? open(target) : { verb: 'put', thing: holding, place: target.name }),
  )
}

function light(house: House, goal: Goal): readonly Choice[] {
  const lamps = choicesFor(house, goal.place, (thing) => ({ verb: 'use', thing }))
  return lamps.length > 0 ? lamps : search(house, ({ searchScores }) => searchScores.lamp)
}

/** Takes the goal's thing where it was seen, or searches for it. */
function obtain(house: House, goal: Goal): readonly Choice[] {
  const wanted = choicesFor(house, goal.thing, (thing, place) => {
    if (house.delivered.includes(thing)) return undefined
    return place.shut ? open(place) : { verb: 'take', thing, place: place.name }
  })
  return wanted.length > 0 ? wanted : search(house, ({ searchScores }) => searchScores.thing)
}

/** Searches the places that were not seen yet, by score; one within reach comes first. */
function search({ places, here }: House, scoreOf: (place: Place) => number): readonly Choice[] {
  const choices: Choice[] = []
  for (const place of places) {
    if (place.holds !== undefined) continue
    if (here.includes(place.name)) {
      return [{ intents: [place.shut ? open(place) : { verb: 'examine', place: place.name }], score: 0 }]
    }
    choices.push({ intents: [goTo(place)], score: scoreOf(place) })
  }
  return choices
}

function putDown({ here, places }: House, thing: string): readonly Choice[] {
  return places
    .filter(({ name, shut }) => !shut && here.includes(name))
    .map(({ name }) => ({ intents: [{ verb: 'put', thing, place: name }], score: 0 }))
}

/** An action for each seen thing of a class. */
function choicesFor(
  house: House,
  wanted: string,
  intentFor: (thing: string, place: Place) => Intent | undefined,
): readonly Choice[] {
  return house.places.flatMap((place) =>
    (place.holds ?? []).flatMap((thing) => {
      const intent = classOf(thing) === wanted ? intentFor(thing, place) : undefined
      return intent === undefined ? [] : [at(house, place, intent)]
    }),
  )
}

/** Acts at a place, or goes there first; a place within reach scores higher. */
function at({ here }: House, place: Place, intent: Intent): Choice {
  return here.includes(place.name) ? { intents: [intent], score: 0 } : { intents: [goTo(place)], score: -1 }
}

function goTo({ name }: Place): Intent {
  return { verb: 'go', place: name }
}

function open({ name }: Place): Intent {
  return { verb: 'open', place: name }
}
