import * as z from 'zod'
import type { ActionForm } from '../../core/form.js'
import { readForm } from '../../core/form.js'
import type { Piece, Text } from '../../core/text.js'
import { allForms as babyaiForms } from '../babyai/moves.js'
import { advertisedForms as householdForms } from '../household/forms.js'
import { vocabulary } from '../household/scenes/rooms.js'
import { packagedData } from '../../files/packaged.js'
import { formList } from '../prompts.js'
import { quoteMentions } from '../quote-mentions.js'
import { fold, isRefusal, quote, unknownInput } from '../scienceworld/forms.js'
import { taskTypes } from '../scienceworld/tasks.js'

/** The first answer of an episode. */
interface Begun {
  readonly goal: string
  readonly opening: Text
  readonly admissible?: readonly string[]
}

/** The answer to an action. */
interface Stepped {
  readonly observation: Text
  /** Score of the episode so far, 0 to 1. */
  readonly progress: number
  readonly ended: false | 'success' | 'failure'
  readonly admissible?: readonly string[]
}

/** A game of AgentGym: the requests to its server and the reading of its answers. */
export interface Game {
  /** The answer to `GET /`. */
  readonly banner: string
  /** The key of a session in requests. */
  readonly sessionKey: 'id' | 'env_idx'
  /** The body of `POST /create`. */
  readonly createBody?: object
  readonly created: z.ZodType<number>
  /** Whether sessions can be closed; others are reused. */
  readonly closes: boolean
  resetBody(index: number): object
  /** Whether the first observation needs a request of its own. */
  readonly observe?: true
  /** @throws ZodError for an answer of another shape */
  begin(reply: unknown): Begun
  /** @throws ZodError for an answer of another shape */
  step(reply: unknown): Stepped
  /** An action as AgentGym's own client for the game would send it. */
  clean(action: string): string
  /** An action as the server compares it with its own actions. */
  fold(action: string): string
  /**
   * Whether a folded action is understood, given the actions that were possible before it and its observation. The
   * observation is undefined only for games that list the possible actions.
   */
  understood(action: string, before: readonly string[] | undefined, observation: string | undefined): boolean
  /** The server's answer to an action that it does not understand. */
  refusal(action: string, admissible: readonly string[] | undefined, last: Text): Text
  readonly system: string
  /** The instruction above the list of forms. */
  readonly rules: string
  readonly forms: readonly ActionForm[]
  /** Templates outside of `forms` that a perturbation may have rules for. */
  readonly otherForms?: readonly string[]
  /** All names that can occur; empty where they are unknown. */
  names(): readonly string[]
  readonly help: readonly string[]
  /** The default tasks, with the family of each. */
  readonly tasks: readonly { readonly index: number; readonly kind?: string }[]
  /** The number of tasks; absent where it is unlimited. */
  readonly end?: number
  readonly measure: string
  /** The environment of this package with the same action forms, whose perturbations can be used. */
  readonly sameActionsAs?: string
}

const range = (from: number, count: number): readonly { readonly index: number }[] =>
  Array.from({ length: count }, (_, place) => ({ index: from + place }))
const unit = (score: number): number => Math.min(1, Math.max(0, score))
const templatesOf = (forms: readonly ActionForm[]): readonly string[] => forms.map(({ template }) => template)
const form = (template: string, meaning: string): ActionForm => ({ template, meaning })
const id = z.object({ id: z.number().int() }).transform((reply) => reply.id)
/** Keeps the letters, digits, commas and single blanks of an action, as AgentGym's clients for some games. */
const plainWords = (action: string): string =>
  action
    .replace(/[^A-Za-z0-9, ]+/g, '')
    .replace(/ +/g, ' ')
    .trim()

/** Names with the numbers from 1 to `max`. */
function numbered(kinds: readonly string[], max: number): readonly string[] {
  return kinds.flatMap((kind) => Array.from({ length: max }, (_, place) => `${kind} ${String(place + 1)}`))
}

const colours = ['red', 'green', 'blue', 'purple', 'yellow', 'grey']
const things = ['key', 'ball', 'box', 'open door', 'closed door', 'locked door']
const babyaiNames = numbered(
  colours.flatMap((colour) => things.map((thing) => `${colour} ${thing}`)),
  12,
)
const listed = '\nAvailable actions: ['

/** Reads a text of BabyAI, whose last line lists the possible actions. */
function readBabyai(text: string): { readonly observation: Text; readonly admissible?: readonly string[] } {
  const at = text.lastIndexOf(listed)
  const body = at === -1 ? text : text.slice(0, at)
  const possible = 'You can take the following actions: '
  const prose: Text = body.startsWith(possible)
    ? [possible, { list: body.slice(possible.length).split(', ') }]
    : quoteMentions(body, templatesOf(babyaiForms), babyaiNames)
  if (at === -1) return { observation: prose }
  const list = text.slice(at + listed.length)
  const inner = /^"(.*)"\]$/s.exec(list)?.[1]
  // Without any action the original leaves the bracket open.
  if (inner === undefined) return { observation: [...prose, listed + list], admissible: [] }
  const admissible = inner.split('", "')
  return { observation: [...prose, `${listed}"`, { list: admissible, separator: '", "' }, '"]'], admissible }
}

const babyaiGoal = /^Your goal: ([^\n]*)\n/
const babyaiStep = z.object({ observation: z.string(), reward: z.number(), score: z.number(), done: z.boolean() })

const babyai: Game = {
  banner: 'This is environment BabyAI.',
  sameActionsAs: 'babyai',
  sessionKey: 'id',
  created: id,
  closes: true,
  resetBody: (data_idx) => ({ data_idx }),
  begin(reply) {
    const { observation } = babyaiStep.parse(reply)
    const goal = babyaiGoal.exec(observation)
    const { observation: opening, ...rest } = readBabyai(observation.slice(goal?.[0].length ?? 0))
    return { goal: goal?.[1] ?? '', opening, ...rest }
  },
  step(reply) {
    const { observation, score, done } = babyaiStep.parse(reply)
    return { ...readBabyai(observation), progress: unit(score), ended: done && 'success' }
  },
  clean: plainWords,
  fold: (action) => action.toLowerCase(),
  understood: (action, before = []) => action.includes('check') || before.includes(action),
  refusal(_, admissible = []) {
    const text = 'The action is not recognized. Please check valid actions.'
    const { observation } = readBabyai(text)
    if (admissible.length === 0) return [...observation, listed]
    return [...observation, `${listed}"`, { list: admissible, separator: '", "' }, '"]']
  },
  system: 'You find your way through rooms that you see only in part, by short lines of text.',
  rules: 'Reply with one action a time. Name things as they are listed, colour and number included.',
  forms: babyaiForms,
  names: () => babyaiNames,
  help: ['check available actions'],
  tasks: range(0, 90).map(({ index }) => ({ index, kind: `level ${String((index % 40) + 1)}` })),
  measure: "progress is the server's score, success is its end; AgentGym's BabyAI",
}

/** The types of ScienceWorld's tasks that AgentGym leaves out; the others have the order of its indices. */
const leftOut = /^(?:grow|inclined|mendelian)-/
const sciworldTasks = () => taskTypes().filter(({ name }) => !leftOut.test(name))

/** The first `count` tasks by variation: the first variation of every task, then the second, and so on. */
function spreadSciworld(count: number): readonly { readonly index: number; readonly kind: string }[] {
  const chosen: { index: number; kind: string }[] = []
  for (let variation = 0; chosen.length < count; variation++) {
    let first = 0
    for (const { name: kind, variations } of sciworldTasks()) {
      if (variation < variations && chosen.length < count) chosen.push({ index: first + variation, kind })
      first += variations
    }
  }
  return chosen
}

const sciworldForms = packagedData('src/environments/agentgym/sciworld-forms.yaml', formList)

const sciworldStep = z.object({ observation: z.string(), score: z.number(), done: z.boolean() })

const sciworld: Game = {
  banner: 'This is environment ScienceWorld.',
  sessionKey: 'id',
  created: id,
  closes: true,
  resetBody: (data_idx) => ({ data_idx }),
  begin(reply) {
    const { task_description, observation } = sciworldStep.extend({ task_description: z.string() }).parse(reply)
    return { goal: task_description, opening: [observation] }
  },
  step(reply) {
    const { observation, score, done } = sciworldStep.parse(reply)
    return {
      observation: quote(observation),
      progress: unit(score / 100),
      ended: done && (score >= 100 ? 'success' : 'failure'),
    }
  },
  clean: (action) => action.trim(),
  fold,
  understood: (_action, _before, observation = '') => !isRefusal(observation),
  refusal: () => [unknownInput],
  system: 'You do experiments in a house with a laboratory, by short lines of text.',
  rules: 'Reply with one action a time. Name objects as the observations do.',
  get forms() {
    return sciworldForms()
  },
  names: () => [],
  help: [],
  get tasks() {
    return spreadSciworld(200)
  },
  get end() {
    return sciworldTasks().reduce((sum, { variations }) => sum + variations, 0)
  },
  measure: "progress is ScienceWorld's score, success a score of 100",
}

const craftForms = [
  form('craft {output} using {ingredients}', 'make something by one of the crafting commands, with its numbers'),
  form('get {item}', 'fetch what no command makes, with a number, as in get 1 oak log'),
  form('inventory', 'be told what you have'),
]
const textcraftStep = z.object({ observation: z.string(), reward: z.number(), done: z.boolean() })
const couldNot = 'Could not execute '

/** Quotes the lines that are commands. */
function readTextcraft(text: string): Text {
  if (text.startsWith(couldNot)) return [couldNot, { command: text.slice(couldNot.length) }]
  const pieces: Piece[] = text
    .split('\n')
    .flatMap((line): Piece[] => [
      '\n',
      readForm(craftForms[0]!.template, line) === undefined ? line : { command: line },
    ])
  return pieces.slice(1).filter((piece) => piece !== '')
}

/** An observation and the goal on its last line. */
function readCraftGoal(observation: string): { readonly goal: string; readonly opening: Text } {
  const told = observation.trimEnd()
  const at = observation.indexOf('Goal: ', told.lastIndexOf('\n') + 1)
  return at === -1
    ? { goal: '', opening: readTextcraft(observation) }
    : {
        goal: told.slice(at + 'Goal: '.length).replace(/\.$/, ''),
        opening: readTextcraft(observation.slice(0, at).replace(/(?<!\n)\n+$/, '')),
      }
}

const textcraft: Game = {
  banner: 'This is environment TextCraft.',
  sessionKey: 'id',
  createBody: {},
  created: id,
  closes: true,
  resetBody: (data_idx) => ({ data_idx }),
  begin(reply) {
    return readCraftGoal(textcraftStep.parse(reply).observation)
  },
  step(reply) {
    const { observation, reward, done } = textcraftStep.parse(reply)
    return { observation: readTextcraft(observation), progress: unit(reward), ended: done && 'success' }
  },
  clean: plainWords,
  fold: (action) => action,
  understood: (_action, _before, observation = '') => !observation.startsWith(couldNot),
  refusal: (action) => [couldNot, { command: action }],
  system: 'You make things out of other things, by short lines of text.',
  rules:
    'Reply with one action a time, with the number of every thing in it. Use only the crafting commands that are listed.',
  forms: craftForms,
  names: () => [],
  help: [],
  tasks: range(0, 100),
  measure: 'success is the goal crafted',
}

function alfworldNames(): readonly string[] {
  const { canContain, fixed } = vocabulary()
  const held = Object.values(canContain).flatMap((classes) => [...classes])
  const classes = new Set([...Object.keys(canContain), ...fixed, ...held])
  return numbered(
    Array.from(classes, (name) => name.toLowerCase()),
    30,
  )
}
const alfworldFirst = z.object({ observation: z.string(), available_actions: z.array(z.string()) })
const alfworldStep = alfworldFirst.extend({ reward: z.number(), done: z.boolean() })
const nothingHappens = 'Nothing happens.'

const alfworld: Game = {
  banner: 'This is environment AlfWorld.',
  sameActionsAs: 'household',
  sessionKey: 'id',
  created: id,
  closes: false,
  resetBody: (game) => ({ game, world_type: 'Text' }),
  begin(reply) {
    const { observation, available_actions } = alfworldFirst.parse(reply)
    const goal = /\n?Your task is to: ([^\n]*)/.exec(observation)
    const room = goal === null ? observation : observation.replace(goal[0], '')
    return {
      goal: goal?.[1] ?? '',
      opening: [`${room}\nAVAILABLE ACTIONS: `, { list: available_actions, separator: ',' }],
      admissible: available_actions,
    }
  },
  step(reply) {
    const { observation, reward, done, available_actions } = alfworldStep.parse(reply)
    return {
      observation: [observation],
      progress: unit(reward),
      ended: done && (reward >= 1 ? 'success' : 'failure'),
      admissible: available_actions,
    }
  },
  clean: (action) => action.trim(),
  fold: (action) => action,
  understood: (action, before = [], observation) =>
    observation === undefined ? before.includes(action) : observation !== nothingHappens,
  refusal: () => [nothingHappens],
  system: 'You act in a house, by short lines of text.',
  rules: 'Reply with one action a time. Name things and places as the observations do, number included.',
  forms: [
    ...householdForms('old'),
    form('slice {obj} with {tool}', 'cut a thing that lies here with the knife you hold'),
    form('help', 'be told the kinds of action'),
  ],
  otherForms: templatesOf(householdForms('new')),
  names: alfworldNames,
  help: [],
  tasks: range(2420, 200),
  end: 2620,
  measure: 'success is the task done',
}

const webshopStep = z.object({ state: z.string(), reward: z.number(), done: z.boolean() })

const webshop: Game = {
  banner: 'ok',
  sessionKey: 'env_idx',
  created: z.number().int(),
  closes: false,
  resetBody: (session_id) => ({ session_id }),
  observe: true,
  begin(reply) {
    const observation = z.string().parse(reply)
    const goal = /Instruction: \[SEP\] (.*?) \[SEP\]/s.exec(observation)
    return { goal: goal?.[1] ?? '', opening: [observation] }
  },
  step(reply) {
    const { state, reward, done } = webshopStep.parse(reply)
    return { observation: [state], progress: unit(reward), ended: done && (reward >= 1 ? 'success' : 'failure') }
  },
  clean: (action) => action.trim(),
  fold: (action) => action,
  understood: (action) => /^(?:search|click)\[.+\]$/s.test(action),
  // The server answers with the unchanged page.
  refusal: (_action, _admissible, last) => last,
  system: 'You shop on a web site, by short lines of text.',
  rules: 'Reply with one action a time. An action that is not possible changes nothing.',
  forms: [
    form('search[{keywords}]', 'search for products, where the page has a search bar'),
    form('click[{button}]', 'click a button or a link of the page'),
  ],
  names: () => [],
  help: [],
  tasks: range(0, 200),
  measure: "progress is WebShop's reward on buying, success a reward of 1",
}

/** The games of AgentGym, by the names of its server commands. */
export const games = { babyai, sciworld, textcraft, alfworld, webshop } as const satisfies Record<string, Game>
