import { z } from 'zod'
import type { Example } from '../../core/environment.js'
import { hashOf } from '../../core/episode.js'
import { parseTemplate } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import { textOf } from '../../core/text.js'
import { readText } from '../../files/read-text.js'
import { parsePromptFile, quoteInLines } from '../prompts.js'
import { quoteMentions } from '../quote-mentions.js'
import { wordingsOf } from './agentboard-wording.js'
import { wordsOf } from './tokens.js'
import type { ActionWording, GameForm, GameName } from './wording.js'
import { checkAction, gameNames, lookAction } from './wording.js'

/** A prompt file's content for one game. */
export interface GamePrompt {
  readonly system: string
  readonly instruction: Text
  readonly examples: readonly Example[]
  /** Forms that only the file has: `pick {ball} {room} {gripper}`. */
  readonly forms: readonly GameForm[]
  /** A sentence for each action that was not found in the instruction. */
  readonly notes: readonly string[]
}

/** A prompt file, by game. */
export interface PromptFile {
  readonly games: Readonly<Record<GameName, GamePrompt>>
  /** The hash of the file's text. */
  readonly hash: string
}

const entry = z.object({ system_msg: z.string(), instruction: z.string(), examples: z.array(z.string()) })
const schema = z.object({ gripper: entry, blockworld: entry, barman: entry, tyreworld: entry })
const what = "AgentBoard's prompt file for the PDDL games"
const advice = "Give the path of AgentBoard's prompts/VanillaAgent/pddl_vanilla_prompt.json."

/**
 * Reads AgentBoard's prompt file for the PDDL games. Prompts made from it have the file's bytes; nothing is corrected.
 * @throws ShaketableError `bad-input` for any other file
 */
export function readPromptFile(path: string): PromptFile {
  const text = readText('The prompt file', path, advice)
  const layout = "It has 'system_msg', 'instruction' and a list 'examples' for each game."
  const file = parsePromptFile(schema, text, path, what, `${layout} ${advice}`)
  const games = Object.fromEntries(gameNames.map((game) => [game, readGame(game, file[game])]))
  return { games: games as PromptFile['games'], hash: hashOf(text, 16) }
}

function readGame(game: GameName, { system_msg: system, instruction, examples }: z.infer<typeof entry>): GamePrompt {
  const actions = wordingsOf(game)
  const read = readInstruction(instruction, actions)
  const inLists = Array.from(actions.values(), ({ template }) => template)
  const templates = [...inLists, ...read.forms.map(({ template }) => template), checkAction, lookAction]
  const names = namesIn([instruction, ...examples].join('\n'))
  const quote = (text: Text): Text =>
    text.flatMap((piece) => (typeof piece === 'string' ? quoteMentions(piece, templates, names) : [piece]))
  const quoteExample = ({ opening, exchanges, ...rest }: Example): Example => ({
    ...rest,
    opening: quote(opening),
    exchanges: exchanges.map(({ action, observation }) => ({ action, observation: quote(observation) })),
  })
  const missing = [...actions.keys()].filter((action) => !read.advertised.has(action))
  return {
    system,
    instruction: quote(read.text),
    forms: read.forms,
    examples: examples.map((text) => quoteExample(readPromptExample(text, actions))),
    notes: missing.map(
      (action) => `The instruction for ${game} does not advertise '${action}' in a line such as 'open <container>: …'.`,
    ),
  }
}

/** Finds the advertised forms: lines that begin `pick <obj> <room> <gripper>:`. */
function readInstruction(instruction: string, actions: ReadonlyMap<string, ActionWording>) {
  const forms: GameForm[] = []
  const advertised = new Set<string>()
  const text = quoteInLines(instruction, (line) => {
    const quoted = /^(\s*)([^:\n]*<[^:\n]*>[^:\n]*|[\w-]+)(:.*)$/s.exec(line)
    const found = quoted === null ? undefined : readAdvertised(quoted[2]!, actions)
    if (quoted === null || found === undefined) return undefined
    advertised.add(found.form.action)
    if (actions.get(found.form.action)!.template !== found.form.template) forms.push(found.form)
    return [quoted[1]!, { form: found.form.template, fill: found.fill }, quoted[3]!]
  })
  return { text, forms, advertised }
}

/** A form with the file's names in its slots, which have the order of the action's slots. */
function readAdvertised(text: string, actions: ReadonlyMap<string, ActionWording>) {
  const names = text.match(/<[^<>]*>/g) ?? []
  const words = wordsOf(text.replace(/<[^<>]*>/g, ' ').toLowerCase())
  for (const [action, { verb, template, meaning }] of actions) {
    const { slots } = parseTemplate(template)
    if (!words.includes(verb) || slots.length !== names.length) continue
    let next = 0
    const form = { template: text.replace(/<[^<>]*>/g, () => `{${slots[next++]!}}`), meaning, action }
    return { form, fill: Object.fromEntries(slots.map((slot, index) => [slot, names[index]!])) }
  }
  return undefined
}

/**
 * Reads a worked example in AgentBoard's layout: goal and first observation, then alternating lines `Action: …` and
 * `Observation: …`. Commands within an observation, in a list or after an inner `Action:`, become quoted commands. An
 * example that this layout does not reproduce to the byte stays prose.
 */
function readPromptExample(text: string, actions: ReadonlyMap<string, ActionWording>): Example {
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

/** The item names of these games in a text: words with a number, rooms, hands, tools and the boot. */
function namesIn(text: string): readonly string[] {
  const found = text.match(/\b(?:[a-z]+(?:-[a-z]+)*\d+|room[a-z]|left|right|wrench|pump|jack|boot)\b/g)
  return [...new Set(found ?? [])].sort()
}

/** Quotes lists (`Valid actions are: …`) and actions within an observation. */
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

/** Quotes the actions of a list up to the first line break: consecutive ones with commas between them as one list. */
function quoteList(list: string, verbs: ReadonlySet<string>): Piece[] {
  const end = list.indexOf('\n') === -1 ? list.length : list.indexOf('\n')
  const items = list.slice(0, end).split(/(, |\. (?=[A-Z]))/)
  const isAction = (item: string): boolean =>
    /check|look around/i.test(item) || wordsOf(item.toLowerCase()).some((word) => verbs.has(word))
  const pieces: Piece[] = []
  let run: string[] = []
  const close = (): void => {
    if (run.length > 0) pieces.push({ list: run })
    run = []
  }
  items.forEach((item, index) => {
    if (index % 2 === 0 && isAction(item)) run.push(item)
    else if (item !== ', ' || run.length === 0 || !isAction(items[index + 1] ?? '')) {
      close()
      pieces.push(item)
    }
  })
  close()
  return [...pieces, list.slice(end)]
}
