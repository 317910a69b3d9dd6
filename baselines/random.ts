import { type Model, createNameFinder, parseTemplate, printForm, textOf } from '../src/define.js'
import { type Draw, drawsOf } from './_draw.js'
import { formsIn, originalOf } from './_informed.js'
import { reply } from './_reply.js'
import { readConversation } from './household/conversation.js'
import { readPrompt } from './household/prompt.js'
import { namesIn } from './household/sight.js'

const thought = 'Anything will do.'

/**
 * Control model that plays anything that the prompt's action forms and the names seen so far allow: a form with equal
 * probability, then a name for each of its slots with equal probability. Temperature changes nothing. Forms and names
 * come as data; behind a server, where it has text alone, it recognises those of the household.
 */
export function createRandomModel(): Model {
  const card = { name: 'random', settings: { version: 2 } }
  return {
    ...card,
    complete(messages, { seed, tools }) {
      const { head, opening, exchanges, phrase } = readConversation(messages, tools)
      const { goal, forms, help } = readPrompt(head)
      const templates = [...new Set([...forms.map(({ template }) => template), ...help])]
      const seen = [opening, ...exchanges.map(({ observation }) => observation)].flatMap(namesIn)
      const names = exchanges.length === 0 ? seen : [...new Set(seen)]
      const action = drawAction(templates, names, drawsOf(seed, goal, exchanges.length))
      return reply({ text: action }, thought, phrase, tools)
    },
    withWorld(world, phrase) {
      const { goal } = originalOf(world).briefing
      const { instruction, forms, help } = world.briefing
      const advertised = formsIn(instruction)
      const known = advertised.length > 0 ? advertised : forms.map(({ template }) => template)
      const templates = [...new Set([...known, ...help])]
      const finder = createNameFinder(world.names)
      const names = new Set<string>()
      const addNames = (text: string): void => void finder.replace(text, (name) => (names.add(name), name))
      addNames(textOf(world.opening))
      let previous = ''
      let steps = 0
      return {
        ...card,
        complete(messages, { seed, tools }) {
          const last = messages.at(-1)?.content ?? ''
          if (steps > 0) addNames(last.slice(Math.max(0, last.lastIndexOf(previous))))
          previous = drawAction(templates, [...names], drawsOf(seed, goal, steps++))
          return reply({ text: previous }, thought, phrase, tools)
        },
      }
    },
  }
}

function drawAction(templates: readonly string[], names: readonly string[], draw: Draw): string {
  const pick = (list: readonly string[]): string => list[Math.floor(draw() * list.length)] ?? ''
  const template = pick(templates)
  return printForm(template, Object.fromEntries(parseTemplate(template).slots.map((slot) => [slot, pick(names)])))
}
