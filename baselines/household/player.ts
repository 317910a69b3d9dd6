import type { Model } from '../../src/define.js'
import { type Draw, drawIndex, drawsOf } from '../_draw.js'
import { reply } from '../_reply.js'
import { type Exchange, readConversation } from './conversation.js'
import { type Goal, classOf, readGoal } from './goal.js'
import { type House, type Manner, after, enter } from './house.js'
import { type Choice, choose } from './housekeeper.js'
import { readPrompt } from './prompt.js'
import type { Speaker } from './speakers.js'
import type { Intent, Verb } from './words.js'

/** {@link Manner}, and how much of the conversation is remembered. */
export interface PlayerManner extends Manner {
  /** In characters of actions and observations, the latest first; the prompt is remembered whole. */
  readonly memory?: number
}

/** A model that plays the household from its messages alone: the same skill for every speaker. */
export function createHouseholdPlayer(
  card: Pick<Model, 'name' | 'settings'>,
  speaker: Speaker,
  { memory, ...manner }: PlayerManner = {},
): Model {
  return {
    ...card,
    complete(messages, { seed, temperature, tools }) {
      const { head, opening, exchanges, phrase } = readConversation(messages, tools)
      const prompt = readPrompt(head)
      const goal = readGoal(prompt.goal)
      const forms = speaker.forms(prompt)
      const known = memory === undefined ? exchanges : latest(exchanges, memory)
      const house = known.reduce(
        (before, exchange) => after(before, exchange, goal, forms, manner),
        enter(opening, goal, speaker.formHistory),
      )
      const draw = drawsOf(seed, prompt.goal, exchanges.length)
      const { text, intent } =
        decide(choose(house, goal), temperature, draw, (wanted) => speaker.speak(wanted, forms, house)) ?? idle
      return reply({ text }, thoughtOn(intent, house, goal), phrase, tools)
    },
  }
}

/** The last exchanges that have at most so many characters together. */
function latest(exchanges: readonly Exchange[], characters: number): readonly Exchange[] {
  let left = characters
  const from = exchanges.findLastIndex(({ action, observation }) => (left -= action.length + observation.length) < 0)
  return exchanges.slice(from + 1)
}

/** Where nothing can be worded. */
const idle = { text: 'look', intent: { verb: 'look' } as Intent }

/** Draws choices until one can be worded. */
function decide(
  choices: readonly Choice[],
  temperature: number,
  draw: Draw,
  speak: (intent: Intent) => string | undefined,
): typeof idle | undefined {
  const scores = choices.map(({ score }) => score)
  for (let left = choices.length; left > 0; left--) {
    const index = drawIndex(scores, temperature, draw)
    const { intents } = choices[index]!
    const intent = intents[intents.length === 1 ? 0 : Math.floor(draw() * intents.length)]
    const text = intent && speak(intent)
    if (text !== undefined) return { text, intent: intent! }
    scores[index] = -Infinity
  }
  return undefined
}

/** What a thing is after a treatment. */
const states: Partial<Record<Verb, string>> = { clean: 'clean', heat: 'hot', cool: 'cool' }

/**
 * The reason for an action in one or two sentences: what was seen, and what follows from it for the goal. It names
 * items as they were seen and uses no verb of an action, so that it fits every wording.
 */
function thoughtOn(intent: Intent, house: House, goal: Goal): string {
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
  const seen = where?.holds?.find((thingThere) => classOf(thingThere) === wanted && !delivered.includes(thingThere))
  if (verb === 'take') return `I need a ${wanted}, and the ${thing ?? wanted} is here.`
  if (verb === 'open') return `The ${place ?? ''} is closed. A ${wanted} may be in it.`
  if (seen !== undefined) return `I need a ${wanted}, and I saw the ${seen} at the ${place ?? ''}.`
  const isSeen = places.some(({ name, holds }) => here.includes(name) && holds !== undefined)
  return `${isSeen ? `There is no ${wanted} here.` : `I need a ${wanted}.`} It may be at the ${place ?? ''}.`
}
