import type { Example } from '../../core/environment.js'
import type { Piece, Text } from '../../core/text.js'
import { textOf } from '../../core/text.js'
import type { ActionWording } from './wording.js'
import { wordsOf } from './tokens.js'

/**
 * Reads a worked example laid out as AgentBoard writes it: goal and first observation, then lines `Action: …` and `Observation: …` in turn. Commands
 * that an observation quotes, in a list or after an `Action:` that is set in, are quoted as such. An example that this layout cannot give back to the
 * byte stays prose.
 */
export function readPromptExample(text: string, actions: ReadonlyMap<string, ActionWording>): Example {
  const verbs = new Set(Array.from(actions.values(), ({ verb }) => verb))
  const names = namesIn(text)
  const ending = text.endsWith('\n') ? '\n' : ''
  const body = text.slice(0, text.length - ending.length)
  const [opening = '', ...turns] = body.split('\nAction: ')
  const exchanges = turns.map((turn) => {
    const [action = '', ...rest] = turn.split('\nObservation: ')
    return { action, observation: quoteActions(rest.join('\nObservation: '), verbs) }
  })
  const lines = exchanges.flatMap(({ action, observation }) => [
    `Action: ${action}`,
    `Observation: ${textOf(observation)}`,
  ])
  const whole = [opening, ...lines].join('\n') === body
  return { opening: [whole ? opening : body], exchanges: whole ? exchanges : [], names, ending }
}

/** Everything in a text that is called as things are in these games: words with a number, rooms, hands, tools and the boot. */
export function namesIn(text: string): readonly string[] {
  const found = text.match(/\b(?:[a-z]+(?:-[a-z]+)*\d+|room[a-z]|left|right|wrench|pump|jack|boot)\b/g)
  return [...new Set(found ?? [])].sort()
}

/** Lists (`Valid actions are: …`) and actions in the midst of an observation. */
function quoteActions(observation: string, verbs: ReadonlySet<string>): Text {
  const parts = observation.split(/(valid actions are: |\n ?Action: )/i)
  return parts.flatMap((part, index): Piece[] => {
    const lead = index === 0 ? '' : parts[index - 1]!
    if (index % 2 === 1) return [part]
    if (lead.trim().toLowerCase() === 'action:') {
      const [action = '', ...rest] = part.split(/(?=\n)/)
      return [{ command: action }, ...rest]
    }
    return lead === '' ? [part] : quoteList(part, verbs)
  })
}

/** Quotes a list up to the first line break, as far as its items are actions. */
function quoteList(list: string, verbs: ReadonlySet<string>): Piece[] {
  const end = list.indexOf('\n') === -1 ? list.length : list.indexOf('\n')
  const items = list.slice(0, end).split(/(, |\. (?=[A-Z]))/)
  const isAction = (item: string): boolean =>
    /check|look around/i.test(item) || wordsOf(item.toLowerCase()).some((word) => verbs.has(word))
  return [
    ...items.map((item, index): Piece => (index % 2 === 0 && isAction(item) ? { command: item } : item)),
    list.slice(end),
  ]
}
