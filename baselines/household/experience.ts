import type { Goal } from './goal.js'
import type { House, Place } from './house.js'
import { createPlace, nameIn } from './house.js'
import type { Exchange } from '../_layout.js'
import { accept, discover, doubt } from '../_lessons.js'
import { formByOutcome } from './outcome.js'
import type { Sight } from './sight.js'
import { readSight } from './sight.js'
import type { Form, Understood } from './wording.js'
import { learn, understand } from './wording.js'
import type { Intent } from './words.js'

/** The house after an action and what came of it. */
export function after(house: House, { action, observation }: Exchange, goal: Goal, forms: readonly Form[]): House {
  const sight = readSight(observation)
  const nameOf = (text: string): string | undefined => nameIn(house, text)
  const { lessons } = house
  if (sight.commands.length > 0) {
    const names = house.places.flatMap(({ name, holds }) => [name, ...(holds ?? [])])
    const places = house.places.map(({ name }) => name)
    const things = names.filter((name) => !places.includes(name)).concat(house.holding ?? [])
    return { ...house, asked: true, ...learn(sight.commands, forms, lessons, { places, things, nameOf }) }
  }
  const meant = understand(action, [...lessons.learned, ...forms], nameOf)
  if (sight.refused) return afterRefusal(house, action, meant)
  if (meant !== undefined)
    return apply({ ...house, lessons: accept(lessons, meant.form.template) }, sight, meant.intent, goal)
  const tried = { ...house, strange: house.strange.filter((command) => command !== action) }
  const found = formByOutcome(action, sight)
  if (found === undefined) return apply(tried, sight, undefined, goal)
  const stayed = sight.places.some(({ name }) => house.here.includes(name))
  const form: Form = found.verb === 'go' && stayed ? { ...found, verb: 'examine' } : found
  return apply({ ...tried, lessons: discover(lessons, form) }, sight, undefined, goal)
}

function apply(house: House, sight: Sight, intent: Intent | undefined, goal: Goal): House {
  const places = [...house.places]
  let { here, holding, treated, delivered } = house
  const change = (name: string, changes: (place: Place) => Partial<Place>): void => {
    let at = places.findIndex((place) => place.name === name)
    if (at === -1) at = places.push(createPlace(name, goal)) - 1
    places[at] = { ...places[at]!, ...changes(places[at]!) }
  }
  for (const { name, shut, holds } of sight.places) {
    if (shut !== undefined) change(name, () => ({ shut }))
    if (holds !== undefined) change(name, () => ({ holds, shut: false }))
    if (!here.includes(name)) here = [name]
  }
  if (intent?.verb === 'go' && intent.place !== undefined && !here.includes(intent.place)) here = [intent.place]
  if (sight.carrying !== undefined) holding = sight.carrying === '' ? undefined : sight.carrying
  const act = sight.done ?? (sight.places.length === 0 ? intent : undefined)
  if (act?.thing !== undefined) {
    const { verb, thing, place } = act
    if (verb === 'take') {
      holding = thing
      delivered = delivered.filter((one) => one !== thing)
      if (place !== undefined) change(place, ({ holds }) => ({ holds: holds?.filter((one) => one !== thing) }))
    } else if (verb === 'put' && place !== undefined) {
      holding = undefined
      change(place, ({ holds, kind }) => {
        if (kind === goal.place) delivered = [...delivered, thing]
        return { holds: [...(holds ?? []), thing] }
      })
    } else if (verb === 'clean' || verb === 'heat' || verb === 'cool') {
      treated = [...treated, `${verb} ${thing}`]
    }
  }
  const changed = sight.done !== undefined || here !== house.here || holding !== house.holding
  const visits = places.length === house.places.length ? house.visits : places.map(({ visit }) => visit[0])
  const quiet = changed ? { refused: [], asked: false, strange: [] } : {}
  return { ...house, places, visits, here, holding, treated, delivered, ...quiet }
}

function afterRefusal(house: House, action: string, meant: Understood | undefined): House {
  const refused = [...house.refused, action]
  if (meant === undefined) return { ...house, refused }
  const { form, intent } = meant
  if (!house.lessons.accepted.includes(form.template)) {
    return { ...house, refused, lessons: doubt(house.lessons, form.template) }
  }
  // The wording is known to be right, so it is the situation that is wrong: a place that one stands at already, or a
  // thing that is gone.
  const { verb, thing, place } = intent
  if (verb === 'go' && place !== undefined && house.here.length > 0) {
    return { ...house, refused, here: [...house.here, place] }
  }
  if (verb !== 'take' && verb !== 'examine') return { ...house, refused }
  const places = house.places.map((one) =>
    one.name === place ? { ...one, holds: (one.holds ?? []).filter((held) => held !== thing) } : one,
  )
  return { ...house, refused, places }
}
