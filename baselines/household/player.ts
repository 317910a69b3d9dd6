import type { Model } from '../../src/define.js'
import type { Draw } from '../_draw.js'
import { drawIndex, drawsOf } from '../_draw.js'
import { reply } from '../_reply.js'
import type { Exchange } from './conversation.js'
import { readConversation } from './conversation.js'
import { readGoal } from './goal.js'
import type { Manner } from './house.js'
import { after, enter } from './house.js'
import type { Choice } from './housekeeper.js'
import { choose } from './housekeeper.js'
import { readPrompt } from './prompt.js'
import type { Speaker } from './speakers.js'
import { thoughtOn } from './thoughts.js'
import type { Intent } from './words.js'

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
        decide(choose(house, goal), temperature, draw, (one) => speaker.speak(one, forms, house)) ?? idle
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
