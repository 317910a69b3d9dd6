import type { Model } from 'shaketable'
import { parseTemplate, printForm } from 'shaketable'
import { createFollower } from './_conversation.js'
import { createDraws } from './_draw.js'
import { readPrompt } from './_prompt.js'
import { reply } from './_layout.js'
import { readBabyai } from './babyai/read.js'
import { readGames } from './games/read.js'
import { readHousehold } from './household/read.js'

interface Seen {
  readonly goal: string
  readonly templates: readonly string[]
  readonly names: readonly string[]
  namesIn(observation: string): readonly string[]
}

/** How the names in an observation are told, by kind of world. */
const skills = [readBabyai(), readGames(), readHousehold()] as const

/**
 * Control model that says anything that the prompt's action forms and the names seen so far allow: a form by equal chances, then a name for
 * each of its slots by equal chances. Temperature changes nothing.
 */
export function createRandomModel(): Model {
  const drawsOf = createDraws()
  const follow = createFollower<Seen>({
    begin(head, opening) {
      const prompt = readPrompt(head)
      const { goal, forms, help } = prompt
      const skill = skills.find((one) => one.fits(prompt, opening)) ?? skills.at(-1)!
      const namesIn = (observation: string): readonly string[] => skill.names(observation)
      const templates = [...new Set([...forms.map(({ template }) => template), ...help])]
      return { goal, templates, names: namesIn(opening), namesIn }
    },
    next: (seen, { observation }) => ({ ...seen, names: [...new Set([...seen.names, ...seen.namesIn(observation)])] }),
  })
  return {
    name: 'random',
    settings: { version: 1 },
    complete(messages, { seed, tools }) {
      const { state, layout, steps } = follow(messages, tools)
      const draw = drawsOf(seed, state.goal, steps)
      const one = (list: readonly string[]): string => list[Math.floor(draw() * list.length)] ?? ''
      const template = one(state.templates)
      const filling = Object.fromEntries(parseTemplate(template).slots.map((slot) => [slot, one(state.names)]))
      return reply(layout, 'Anything will do.', printForm(template, filling), tools)
    },
  }
}
