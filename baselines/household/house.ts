import type { Exchange } from './conversation.js'
import { type Goal, classOf, searchValue } from './goal.js'
import { type Sight, readSight } from './sight.js'
import type { Form, FormHistory, Understood } from './wording.js'
import { accept, formByOutcome, learn, refuse, understand } from './wording.js'
import type { Intent } from './words.js'

/** What is known about a place in the house. */
export interface Place {
  readonly name: string
  readonly kind: string
  /** Logarithms of the value of searching here for the goal's thing, and for its lamp. */
  readonly searchScores: { readonly thing: number; readonly lamp: number }
  /** The things here; undefined until they were seen. */
  readonly holds: readonly string[] | undefined
  readonly shut: boolean
}

/** What is known about a household after the observations so far. */
export interface House {
  /** In the order in which they were first seen. */
  readonly places: readonly Place[]
  /** Names of the places within reach; several places can stand together. */
  readonly here: readonly string[]
  readonly holding: string | undefined
  /** `clean apple 1`. */
  readonly treated: readonly string[]
  /** Things that were put at a place of the goal's class. */
  readonly delivered: readonly string[]
  readonly formHistory: FormHistory
  /** Actions refused since something last changed. */
  readonly refused: readonly string[]
  /** Whether the possible actions were asked for since something last changed. */
  readonly asked: boolean
  /** Actions listed then whose meaning could not be recognised. */
  readonly unexplained: readonly string[]
  /** The last list of possible actions; undefined where none was seen here with this in hand. */
  readonly listed: readonly string[] | undefined
}

/** How a player reads and learns, where it differs from one that reads everything as it is meant. */
export interface Manner {
  /** It takes the items that any sentence mentions to be where the sentence mentions them, or else where it is. */
  readonly believes?: true
  /** It never says an action again whose answer did not show that it worked. */
  readonly givesUp?: true
  /** How many things at a place it reads, the first of their list. The overview of the room is read whole. */
  readonly maxThings?: number
}

/** The house as the first observation shows it. */
export function enter(opening: string, goal: Goal, formHistory: FormHistory): House {
  const names = [...new Set(readSight(opening).room)]
  const counts = new Map<string, number>()
  for (const name of names) counts.set(classOf(name), (counts.get(classOf(name)) ?? 0) + 1)
  const places = names.map((name) => createPlace(name, goal, counts.get(classOf(name))!))
  return {
    places,
    here: [],
    holding: undefined,
    treated: [],
    delivered: [],
    formHistory,
    refused: [],
    asked: false,
    unexplained: [],
    listed: undefined,
  }
}

/** A place known only by its name; `among` is the number of places of its class. */
function createPlace(name: string, goal: Goal, among = 1): Place {
  const kind = classOf(name)
  const searchScores = {
    thing: Math.log(searchValue(goal.thing, kind, among)),
    lamp: goal.underLamp ? Math.log(searchValue(goal.place, kind, among)) : -Infinity,
  }
  return { name, kind, searchScores, holds: undefined, shut: false }
}

/** The house after an action and its observation. */
export function after(
  house: House,
  { action, observation }: Exchange,
  goal: Goal,
  forms: readonly Form[],
  manner: Manner = {},
): House {
  const sight = readSight(observation, manner.maxThings)
  const next = learnFrom(house, action, sight, goal, forms)
  const believed = manner.believes ? believe(next, sight.unread, goal) : next
  if (!manner.givesUp) return believed
  const { done, places, commands, room, carrying } = sight
  const showed = done !== undefined || places.length + commands.length + room.length > 0 || carrying !== undefined
  return { ...believed, refused: showed ? house.refused : [...house.refused, action] }
}

/** A house in which the items that sentences mention are where the sentences mention them. */
function believe(house: House, sentences: readonly string[], goal: Goal): House {
  const places = [...house.places]
  for (const sentence of sentences) {
    const words = sentence.toLowerCase().match(/[a-z]+(?: ?\d+)?/g) ?? []
    const meant = (place: Place): boolean => words.some((word) => word === place.name || word === place.kind)
    const where = places.find(meant) ?? places.find(({ name }) => house.here.includes(name))
    const things = words.filter((word) => classOf(word) === goal.thing || /\d/.test(word))
    const named = things.map((word) => (/\d/.test(word) ? word : `${word} 1`))
    if (where === undefined) continue
    for (const [index, place] of places.entries()) {
      if (place.holds === undefined && place !== where) continue
      const others = (place.holds ?? []).filter((thing) => !named.includes(thing))
      const isThere = (name: string): boolean =>
        place === where && name !== house.holding && places.every((seenPlace) => seenPlace.name !== name)
      places[index] = { ...place, holds: [...others, ...named.filter(isThere)] }
    }
  }
  return { ...house, places }
}

/** The house after an action, with the wordings that its answer taught. */
function learnFrom(house: House, action: string, sight: Sight, goal: Goal, forms: readonly Form[]): House {
  const nameOf = (text: string): string | undefined => nameIn(house, text)
  const { formHistory } = house
  if (sight.commands.length > 0) {
    const names = house.places.flatMap(({ name, holds }) => [name, ...(holds ?? [])])
    const places = house.places.map(({ name }) => name)
    const things = names.filter((name) => !places.includes(name)).concat(house.holding ?? [])
    const listed = sight.commands
    return { ...house, asked: true, listed, ...learn(sight.commands, forms, formHistory, { places, things, nameOf }) }
  }
  const meant = understand(action, [...formHistory.learned, ...forms], nameOf)
  if (sight.refused) return afterRefusal(house, action, meant)
  if (meant !== undefined) {
    return apply({ ...house, formHistory: accept(formHistory, meant.form.template) }, sight, meant.intent, goal)
  }
  const tried = { ...house, unexplained: house.unexplained.filter((command) => command !== action) }
  const nextForm = formByOutcome(action, sight)
  if (nextForm === undefined) return apply(tried, sight, undefined, goal)
  const stayed = sight.places.some(({ name }) => house.here.includes(name))
  const form: Form = nextForm.verb === 'go' && stayed ? { ...nextForm, verb: 'examine' } : nextForm
  const learned = accept({ ...formHistory, learned: [...formHistory.learned, form] }, form.template)
  return apply({ ...tried, formHistory: learned }, sight, undefined, goal)
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
  const action = sight.done ?? (sight.places.length === 0 ? intent : undefined)
  if (action?.thing !== undefined) {
    const { verb, thing, place } = action
    if (verb === 'take') {
      holding = thing
      delivered = delivered.filter((delivery) => delivery !== thing)
      if (place !== undefined) change(place, ({ holds }) => ({ holds: holds?.filter((held) => held !== thing) }))
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
  const moved = here !== house.here || holding !== house.holding
  const reset = moved || sight.done !== undefined ? { refused: [], asked: false, unexplained: [] } : {}
  const listed = moved ? undefined : house.listed
  return { ...house, places, here, holding, treated, delivered, listed, ...reset }
}

function afterRefusal(house: House, action: string, meant: Understood | undefined): House {
  const refused = [...house.refused, action]
  if (meant === undefined) return { ...house, refused }
  const { form, intent } = meant
  if (!house.formHistory.accepted.includes(form.template)) {
    return { ...house, refused, formHistory: refuse(house.formHistory, form.template) }
  }
  // The wording is known to be accepted, so the situation differs: the place is already reached, or the thing is gone.
  const { verb, thing, place } = intent
  if (verb === 'go' && place !== undefined && house.here.length > 0) {
    return { ...house, refused, here: [...house.here, place] }
  }
  if (verb !== 'take' && verb !== 'examine') return { ...house, refused }
  const places = house.places.map((known) =>
    known.name === place ? { ...known, holds: (known.holds ?? []).filter((held) => held !== thing) } : known,
  )
  return { ...house, refused, places }
}

/** The seen name that a text stands for, whatever its blanks: `sofa 1` for `sofa1`. */
function nameIn(house: House, text: string): string | undefined {
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
