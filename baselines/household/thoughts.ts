import type { Goal } from './goal.js'
import { classOf } from './goal.js'
import type { House } from './house.js'
import type { Intent, Verb } from './words.js'

/** What a thing is after a treatment. */
const states: Partial<Record<Verb, string>> = { clean: 'clean', heat: 'hot', cool: 'cool' }

/**
 * The reason for an action in one or two sentences: what was seen, and what follows from it for the goal. It names
 * items as they were seen and uses no verb of an action, so that it fits every wording.
 */
export function thoughtOn(intent: Intent, house: House, goal: Goal): string {
  const { verb, thing, place } = intent
  const { holding } = house
  if (verb === 'look' || verb === 'inventory' || verb === 'list') return 'I am not sure where I stand.'
  if (holding === undefined) return thoughtOnSearch(intent, house, goal.thing)
  if (classOf(holding) !== goal.thing) return `I have the ${holding}, which I do not need.`
  if (goal.underLamp) {
    if (verb === 'use') return `I have the ${holding}, and the ${thing ?? goal.place} is here.`
    return `I have the ${holding}. ${thoughtOnSearch(intent, house, goal.place)}`
  }
  const { treatment } = goal
  const isTreated = treatment !== undefined && house.treated.includes(`${treatment} ${holding}`)
  if (treatment !== undefined && !isTreated) {
    return `I have the ${holding}. It is not ${states[treatment]!} yet; the ${place ?? ''} is for that.`
  }
  const now = isTreated ? `I have the ${holding}, and it is ${states[treatment]!}.` : `I have the ${holding}.`
  const isShut = house.places.some(({ name, shut }) => name === place && shut)
  return `${now} It belongs at the ${place ?? goal.place}${isShut && verb === 'open' ? ', which is closed' : ''}.`
}

function thoughtOnSearch({ verb, thing, place }: Intent, { places, here, delivered }: House, wanted: string): string {
  const where = places.find(({ name }) => name === place)
  const seen = where?.holds?.find((one) => classOf(one) === wanted && !delivered.includes(one))
  if (verb === 'take') return `I need a ${wanted}, and the ${thing ?? wanted} is here.`
  if (verb === 'open') return `The ${place ?? ''} is closed. A ${wanted} may be in it.`
  if (seen !== undefined) return `I need a ${wanted}, and I saw the ${seen} at the ${place ?? ''}.`
  const isSeen = places.some(({ name, holds }) => here.includes(name) && holds !== undefined)
  return `${isSeen ? `There is no ${wanted} here.` : `I need a ${wanted}.`} It may be at the ${place ?? ''}.`
}
