import type { Model } from 'shaketable'
import type { Draw } from '../_draw.js'
import { createDraws, drawIndex } from '../_draw.js'
import { reply } from '../_reply.js'
import { createConversationReader } from './conversation.js'
import type { Goal } from './goal.js'
import { readGoal } from './goal.js'
import type { House } from './house.js'
import { after, enter } from './house.js'
import type { Choice } from './housekeeper.js'
import { choose } from './housekeeper.js'
import { readPrompt } from './prompt.js'
import type { Speaker } from './speakers.js'
import type { Form } from './wording.js'

interface State {
  readonly sentence: string
  readonly goal: Goal
  readonly forms: readonly Form[]
  readonly house: House
}

/** A model that plays the household from its messages alone: the same skill for every speaker. */
export function createHouseholdPlayer(card: Pick<Model, 'name' | 'settings'>, speaker: Speaker): Model {
  const drawsOf = createDraws()
  const read = createConversationReader<State>({
    begin(head, opening) {
      const prompt = readPrompt(head)
      const goal = readGoal(prompt.goal)
      return {
        sentence: prompt.goal,
        goal,
        forms: speaker.forms(prompt),
        house: enter(opening, goal, speaker.lessons),
      }
    },
    next: (state, exchange) => ({ ...state, house: after(state.house, exchange, state.goal, state.forms) }),
  })
  return {
    ...card,
    complete(messages, { seed, temperature, tools }) {
      const { state, phrase, steps } = read(messages, tools)
      const { sentence, goal, forms, house } = state
      const draw = drawsOf(seed, sentence, steps)
      const text = decide(choose(house, goal), temperature, draw, (intent) => speaker.speak(intent, forms, house))
      return reply({ text: text ?? 'look' }, `My task is to ${sentence}`, phrase, tools)
    },
  }
}

/** Draws choices until one can be worded. */
function decide(
  choices: readonly Choice[],
  temperature: number,
  draw: Draw,
  speak: (intent: Choice['intents'][number]) => string | undefined,
): string | undefined {
  const scores = choices.map(({ score }) => score)
  for (let left = choices.length; left > 0; left--) {
    const index = drawIndex(scores, temperature, draw)
    const { intents } = choices[index]!
    const intent = intents[intents.length === 1 ? 0 : Math.floor(draw() * intents.length)]
    const text = intent && speak(intent)
    if (text !== undefined) return text
    scores[index] = -Infinity
  }
  return undefined
}
