import type { Model } from 'shaketable'
import { createFollower } from './_conversation.js'
import type { Draw } from './_draw.js'
import { createDraws, drawIndex } from './_draw.js'
import { readPrompt } from './_prompt.js'
import { reply } from './_layout.js'
import type { Option, Position, Skill } from './_skill.js'

interface Stand {
  readonly goal: string
  readonly position: Position
}

/** What it says when it can put nothing into words. */
const stuck = 'look'

/** A model that plays one kind of world by its messages alone. */
export function createPlayer(card: Pick<Model, 'name' | 'settings'>, skill: Skill): Model {
  const drawsOf = createDraws()
  const follow = createFollower<Stand>({
    begin(head, opening) {
      const prompt = readPrompt(head)
      return { goal: prompt.goal, position: skill.begin(prompt, opening) }
    },
    next: ({ goal, position }, exchange) => ({ goal, position: position.after(exchange) }),
  })
  return {
    ...card,
    complete(messages, { seed, temperature, tools }) {
      const { state, layout, steps } = follow(messages, tools)
      const { goal, position } = state
      const action = decide(position.options(), temperature, drawsOf(seed, goal, steps)) ?? stuck
      return reply(layout, `My task is to ${goal}`, action, tools)
    },
  }
}

/** Draws options until one can be put into words. */
function decide(options: readonly Option[], temperature: number, draw: Draw): string | undefined {
  const scores = options.map(({ score }) => score)
  for (let left = options.length; left > 0; left--) {
    const index = drawIndex(scores, temperature, draw)
    const { ways } = options[index]!
    const words = ways[ways.length === 1 ? 0 : Math.floor(draw() * ways.length)]?.()
    if (words !== undefined) return words
    scores[index] = -Infinity
  }
  return undefined
}
