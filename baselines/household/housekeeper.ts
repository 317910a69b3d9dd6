import type { Goal } from './goal.js'
import { classOf } from './goal.js'
import { stations } from './habits.js'
import type { House, Place } from './house.js'
import type { Intent } from './words.js'

/** Something that could be done now, and how much speaks for it: logarithms of odds, the best near 0. */
export interface Choice {
  /** Several, where any of them would do as well. */
  readonly intents: readonly Intent[]
  readonly score: number
}

/**
 * Log odds of doing something idle against doing what is best: what makes a housekeeper at temperature 1 a little
 * absent-minded.
 */
const idle: readonly Choice[] = [
  { intents: [{ verb: 'look' }], score: -2 },
  { intents: [{ verb: 'inventory' }], score: -2 },
]
const wandering = -0.5

/** What a sensible person would do next, knowing no more than what was seen. */
export function choose(house: House, goal: Goal): readonly Choice[] {
  const sensible = plan(house, goal)
  const best = sensible.reduce((most, { score }) => Math.max(most, score), -Infinity)
  const scored = best === 0 ? sensible : sensible.map(({ intents, score }) => ({ intents, score: score - best }))
  const wander = house.visits.length === 0 ? [] : [{ intents: house.visits, score: wandering }]
  return [...scored, ...wander, ...idle]
}

function plan(house: House, goal: Goal): readonly Choice[] {
  const { holding, places } = house
  if (holding === undefined) return obtain(house, goal)
  if (classOf(holding) !== goal.thing) return putDown(house, holding)
  if (goal.underLamp) return light(house, goal)
  const { treatment } = goal
  if (treatment !== undefined && !house.treated.includes(`${treatment} ${holding}`)) {
    const fit = places.filter(({ kind }) => kind === stations[treatment])
    if (fit.length > 0) return fit.map((one) => at(house, one, { verb: treatment, thing: holding, place: one.name }))
  }
  return deliver(house, goal, holding)
}

/** Brings what is held to a place of the goal's class; two things go to the same place. */
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
  return lamps.length > 0 ? lamps : search(house, ({ hopes }) => hopes.lamp)
}

/** Takes what is wanted where it was seen, or looks for it. */
function obtain(house: House, goal: Goal): readonly Choice[] {
  const wanted = choicesFor(house, goal.thing, (thing, place) => {
    if (house.delivered.includes(thing)) return undefined
    return place.shut ? open(place) : { verb: 'take', thing, place: place.name }
  })
  return wanted.length > 0 ? wanted : search(house, ({ hopes }) => hopes.thing)
}

/** Looks where it was not looked yet, by what is to be hoped for; first of all at what is within reach. */
function search({ places, here }: House, hopeOf: (place: Place) => number): readonly Choice[] {
  const choices: Choice[] = []
  for (const place of places) {
    if (place.holds !== undefined) continue
    if (here.includes(place.name)) {
      return [{ intents: [place.shut ? open(place) : { verb: 'examine', place: place.name }], score: 0 }]
    }
    choices.push({ intents: place.visit, score: hopeOf(place) })
  }
  return choices
}

function putDown({ here, places }: House, thing: string): readonly Choice[] {
  return places
    .filter(({ name, shut }) => !shut && here.includes(name))
    .map(({ name }) => ({ intents: [{ verb: 'put', thing, place: name }], score: 0 }))
}

/** What could be done with each thing of a class that was seen. */
function choicesFor(
  house: House,
  wanted: string,
  doing: (thing: string, place: Place) => Intent | undefined,
): readonly Choice[] {
  const choices: Choice[] = []
  for (const place of house.places) {
    for (const thing of place.holds ?? []) {
      const intent = classOf(thing) === wanted ? doing(thing, place) : undefined
      if (intent !== undefined) choices.push(at(house, place, intent))
    }
  }
  return choices
}

/** Does something at a place, or goes there first; what is at hand comes first. */
function at({ here }: House, place: Place, intent: Intent): Choice {
  return here.includes(place.name) ? { intents: [intent], score: 0 } : { intents: place.visit, score: -1 }
}

function open({ name }: Place): Intent {
  return { verb: 'open', place: name }
}
