import * as z from 'zod'
import type { Example } from '../core/environment.js'
import { hashOf } from '../core/episode.js'
import { type ActionForm, parseTemplate, readForm } from '../core/form.js'
import { type Piece, type Text, textOf } from '../core/text.js'
import { readText } from '../files/read-text.js'
import * as babyaiMoves from './babyai/moves.js'
import { wordingsOf } from './games/agentboard-wording.js'
import { wordsOf } from './games/tokens.js'
import { type ActionWording, type GameForm, type GameName, checkAction, lookAction } from './games/wording.js'
import { itemNames } from './household/examples.js'
import { allForms as householdForms } from './household/forms.js'
import { type TaskKind, taskKinds } from './household/scenes/rooms.js'
import type { Generation } from './household/text/domain.js'
import * as jerichoForms from './jericho/forms.js'
import { parsePromptFile, quoteForms, readFilledForm } from './prompts.js'
import { quoteMentions } from './quote-mentions.js'
import * as scienceForms from './scienceworld/forms.js'
import { names as scienceNames } from './scienceworld/tasks.js'

/** A prompt of AgentBoard as data. */
export interface Prompt<Form extends ActionForm = ActionForm> {
  readonly system: string
  readonly instruction: Text
  readonly examples: readonly Example[]
  /** Forms that only the file has, in its own wording: `Take {obj}`, `pick {ball} {room} {gripper}`. */
  readonly forms: readonly Form[]
}

/** One of AgentBoard's prompt files. */
export interface PromptFile<Key extends string = 'all', Form extends ActionForm = ActionForm> {
  /** By game or kind of task; `all` where the file does not tell them apart. */
  readonly prompts: Readonly<Record<Key, Prompt<Form>>>
  /** What could not be parsed and is passed on unchanged, one sentence each. */
  readonly notes: readonly string[]
  /** Hash of the file's text. */
  readonly hash: string
}

/** The prompt file of the PDDL games. */
export type GamePromptFile = PromptFile<GameName, GameForm>

/** How the prompt file of an environment is read. */
export interface PromptReader<Key extends string, Form extends ActionForm> {
  /** The environment's name in messages. */
  readonly title: string
  /** The file's name in AgentBoard's `prompts/VanillaAgent`. */
  readonly file: string
  /** What the file has, as the end of a sentence. */
  readonly parts: string
  readonly schema: z.ZodType<Readonly<Record<Key, Entry>>>
  read(
    entry: Entry,
    key: Key,
  ): Omit<Prompt<Form>, 'system' | 'forms'> & {
    readonly forms?: readonly Form[]
    readonly notes?: readonly string[]
  }
}

/** One text counts as a list of one. */
const texts = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(z.string()))
const entry = z.object({ system_msg: z.string(), instruction: z.string(), examples: texts })
type Entry = z.infer<typeof entry>
const single = { parts: "'system_msg', 'instruction' and 'examples'", schema: entry.transform((all) => ({ all })) }

/**
 * Reads one of AgentBoard's own prompt files. An agent lays it out to the byte: nothing is lost or corrected.
 * @throws ShaketableError `bad-input` if it is not such a file
 */
export function readPromptFile<Key extends string, Form extends ActionForm>(
  { title, file, parts, schema, read }: PromptReader<Key, Form>,
  path: string,
): PromptFile<Key, Form> {
  const advice = `Give the path of AgentBoard's prompts/VanillaAgent/${file}.`
  const text = readText('The prompt file', path, advice)
  const what = `AgentBoard's prompt file for ${title}`
  const entries = parsePromptFile(schema, text, path, what, `It has ${parts}. ${advice}`)
  const notes = new Set<string>()
  const prompts = (Object.entries(entries) as [Key, Entry][]).map(([key, entry]) => {
    const { notes: ownNotes = [], forms = [], ...prompt } = read(entry, key)
    for (const note of ownNotes) notes.add(note)
    return [key, { system: entry.system_msg, forms, ...prompt }] as const
  })
  return {
    prompts: Object.fromEntries(prompts) as Record<Key, Prompt<Form>>,
    notes: [...notes],
    hash: hashOf(text, 16),
  }
}

/** The key of AgentBoard's example for each kind of task. */
const exampleKeys = {
  pick_and_place_simple: 'put',
  look_at_obj_in_light: 'examine',
  pick_clean_then_place_in_recep: 'clean',
  pick_heat_then_place_in_recep: 'heat',
  pick_cool_then_place_in_recep: 'cool',
  pick_two_obj_and_place: 'puttwo',
} as const satisfies Record<TaskKind, string>

/** The household's, whose forms depend on the generation. */
export function householdPrompt(generation: Generation): PromptReader<TaskKind, ActionForm> {
  const forms = householdForms(generation)
  return {
    title: 'ALFWorld',
    file: 'alfworld_base.json',
    parts: "'system_msg', 'instruction', and 'examples' with put, clean, heat, cool, puttwo and examine",
    schema: entry
      .extend({
        examples: z.object({ put: texts, clean: texts, heat: texts, cool: texts, puttwo: texts, examine: texts }),
      })
      .transform(({ examples, ...rest }) => {
        const prompts = taskKinds.map((kind) => [kind, { ...rest, examples: [examples[exampleKeys[kind]].join('')] }])
        return Object.fromEntries(prompts) as Record<TaskKind, Entry>
      }),
    read({ instruction: text, examples }, kind) {
      const notes: string[] = []
      // Lines read `- 'take {obj} from {recep}'`; a slot can be `{recep}/{obj}`.
      const lines = /^([^\S\n]*- ')([^'\n]+)(?=')|^[^\S\n]*-.*$/gm
      const instruction = quoteForms(text, lines, (form, line) => {
        if (form !== undefined) return readFilledForm(form, forms, /^\{\w+\}(?:\/\{\w+\})*$/) ?? noForm(form, notes)
        notes.push(`The instruction's line '${line.trim()}' quotes no action form and is left as prose.`)
        return undefined
      })
      if (instruction.every((piece) => typeof piece === 'string')) {
        notes.push(`The instruction advertises no action in a line such as "- 'open {recep}'".`)
      }
      const example = readExample(examples[0]!, itemNames(examples))
      if (example.exchanges.length === 0) {
        notes.push(
          `Example '${exampleKeys[kind]}' is not a series of 'Action: …' and 'Observation: …' lines; it is shown as prose. Rewordings of actions do not reach it.`,
        )
      }
      return { instruction, examples: [example], notes }
    },
  }
}

const movesList = 'You can take the following actions: '
const moveTemplates = babyaiMoves.allForms.map(({ template }) => template)

/** BabyAI's, with lines such as `- go to <obj> <id>: …`. */
export const babyaiPrompt: PromptReader<'all', ActionForm> = {
  title: 'BabyAI',
  file: 'babyai_vanilla_prompt.json',
  ...single,
  read({ instruction: text, examples }) {
    const notes: string[] = []
    const pieces = quoteForms(text, /^([^\S\n]*- )([^:\n]*[^:\s])/gm, (form) => {
      const read = readFilledForm(form!, babyaiMoves.allForms, /^<\w+> <\w+>$/)
      if (read === undefined) noForm(form!, notes)
      return read
    })
    return {
      instruction: quoteAll(pieces, moveTemplates, []),
      examples: examples.map((example) => {
        const names = babyaiMoves.itemNames([example])
        return readExample(example, names, (prose) =>
          prose.startsWith(movesList)
            ? [movesList, { list: prose.slice(movesList.length).split(', ') }]
            : quoteMentions(prose, moveTemplates, names),
        )
      }),
      notes,
    }
  },
}

const storyTemplates = (): readonly string[] => [
  ...jerichoForms.allForms().map(({ template }) => template),
  'put down {obj}',
]

/** Jericho's, with lines such as `Take <obj>: pickup obj`. */
export const jerichoPrompt: PromptReader<'all', ActionForm> = {
  title: 'Jericho',
  file: 'jericho_vanilla_prompt.json',
  ...single,
  read({ instruction: text, examples }) {
    const forms: ActionForm[] = []
    const pieces = quoteForms(text, /^([^\S\n]*)([A-Z][^:<\n]*(?:<[^>\n]*>)?)/gm, (form = '') => {
      const [slot] = /<[^>]*>/.exec(form) ?? []
      const template = slot === undefined ? form : form.replace(slot, '{obj}')
      if (!storyTemplates().includes(template.toLowerCase())) return undefined
      forms.push({ template, meaning: '' })
      return { form: template, ...(slot !== undefined && { fill: { obj: slot } }) }
    })
    return {
      instruction: quoteAll(pieces, [jerichoForms.checkAction], []),
      examples: examples.map((example) => {
        const read = readExample(example, [], (prose, action) =>
          action !== undefined && jerichoForms.isCheck(action) ? [{ list: prose.split(', ') }] : [prose],
        )
        const commands = read.exchanges.flatMap(({ action, observation }) => [
          action,
          ...observation.flatMap((piece) => (typeof piece === 'object' && 'list' in piece ? piece.list : [])),
        ])
        return { ...read, names: [...new Set(commands.flatMap(storyNames))].filter((name) => !name.includes(' ')) }
      }),
      forms,
    }
  },
}

/** What an action is about, by the forms of all stories. */
function storyNames(action: string): readonly string[] {
  const fillings = storyTemplates().map((template) => readForm(template, action.trim().toLowerCase()))
  return Object.values(fillings.find((filling) => filling !== undefined && Object.keys(filling).length > 0) ?? {}).map(
    (name) => name.replace(/^(?:the|an?) /, ''),
  )
}

/** Wordings of the file that are quoted as forms, although the engine takes them only in another wording. */
const looseForms = ['use {obj} [on {other}]', 'wait [DURATION]'].map((template) => ({ template, meaning: '' }))

/** ScienceWorld's, with forms between backticks: `open {OBJ}`. */
export const scienceworldPrompt: PromptReader<'all', ActionForm> = {
  title: 'ScienceWorld',
  file: 'scienceworld_base.json',
  ...single,
  read({ instruction: text, examples }) {
    const notes: string[] = []
    const instruction = text.split('`').flatMap((part, index): Piece[] => {
      const mark = index === 0 ? [] : ['`']
      if (index % 2 === 0 || /^[{[]\w+[}\]]$/.test(part)) return [...mark, part]
      const form = readFilledForm(part, scienceForms.allForms(), /^\{\w+\}$/)
      if (form !== undefined) return [...mark, form]
      noForm(part, notes)
      return [...mark, readFilledForm(part, looseForms, /^\{\w+\}$/) ?? part]
    })
    return { instruction: instruction.filter((piece) => piece !== ''), examples: examples.map(readScript), notes }
  },
}

/**
 * A worked example whose turns are lines `ACTION: …` and `OBSERVATION: …`. No agent lays out turns like that, so it is
 * one text, in which the actions are pieces.
 */
function readScript(text: string): Example {
  const { body, ...ending } = withoutEnd(text)
  const pieces = body.split(/^(ACTION: )(.*)$/m).flatMap((part, index): Piece[] => {
    if (index % 3 === 1) return [part]
    return index % 3 === 2 ? [{ command: part }] : [...scienceForms.quote(part)]
  })
  return { opening: pieces.filter((piece) => piece !== ''), exchanges: [], names: scienceNames(), ...ending }
}

/** The PDDL games', with lines such as `pick <obj> <room> <gripper>: …`. */
export const pddlPrompt: PromptReader<GameName, GameForm> = {
  title: 'the PDDL games',
  file: 'pddl_vanilla_prompt.json',
  parts: "'system_msg', 'instruction' and a list 'examples' for each game",
  schema: z.object({ gripper: entry, blockworld: entry, barman: entry, tyreworld: entry }),
  read({ instruction, examples }, game) {
    const actions = wordingsOf(game)
    const forms: GameForm[] = []
    const advertised = new Set<string>()
    const pieces = quoteForms(instruction, /^([^\S\n]*)([^:\s][^:\n]*)(?=:)/gm, (text = '') => {
      const read = /^[\w-]+$|<[^<]*>/.test(text) ? readAdvertised(text, actions) : undefined
      if (read === undefined) return undefined
      advertised.add(read.form.action)
      if (actions.get(read.form.action)!.template !== read.form.template) forms.push(read.form)
      return { form: read.form.template, fill: read.fill }
    })
    const inLists = Array.from(actions.values(), ({ template }) => template)
    const templates = [...inLists, ...forms.map(({ template }) => template), checkAction, lookAction]
    const names = gameItems([instruction, ...examples].join('\n'))
    const verbs = new Set(Array.from(actions.values(), ({ verb }) => verb))
    return {
      instruction: quoteAll(pieces, templates, names),
      examples: examples.map((example) =>
        readExample(example, gameItems(example), (prose, action) =>
          quoteAll(action === undefined ? [prose] : quoteActions(prose, verbs), templates, names),
        ),
      ),
      forms,
      notes: [...actions.keys()]
        .filter((action) => !advertised.has(action))
        .map(
          (action) =>
            `The instruction for ${game} does not advertise '${action}' in a line such as 'open <container>: …'.`,
        ),
    }
  },
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

/** The item names of these games in a text: words with a number, rooms, hands, tools and the boot. */
function gameItems(text: string): readonly string[] {
  const match = text.match(/\b(?:[a-z]+(?:-[a-z]+)*\d+|room[a-z]|left|right|wrench|pump|jack|boot)\b/g)
  return [...new Set(match ?? [])].sort()
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

/** A form that the environment lacks, with a note. */
function noForm(form: string, notes: string[]): Piece {
  notes.push(`The instruction advertises '${form}', which is no action of this environment; it is left as it stands.`)
  return { form }
}

/** Pieces in whose prose the commands are quoted too. */
function quoteAll(pieces: Text, templates: readonly string[], names: readonly string[]): Text {
  return pieces.flatMap((piece) => (typeof piece === 'string' ? quoteMentions(piece, templates, names) : [piece]))
}

/** A text without the line break that follows an example unless it has an `ending` of its own. */
function withoutEnd(text: string): { readonly body: string; readonly ending?: '' } {
  return text.endsWith('\n') ? { body: text.slice(0, -1) } : { body: text, ending: '' }
}

/**
 * Reads a worked example in AgentBoard's layout: goal and first observation, then lines `Action: …` and
 * `Observation: …` in turn; lines with neither belong to what came before. An example that this layout cannot
 * reproduce to the byte has no exchanges and is an opening as a whole.
 * @param names items that the example mentions
 * @param quote finds the commands in its prose, which answers an action or is the opening
 */
function readExample(
  text: string,
  names: readonly string[],
  quote: (prose: string, action?: string) => Text = (prose) => [prose],
): Example {
  const { body, ...ending } = withoutEnd(text)
  const [opening = '', ...turns] = body.split('\nAction: ')
  const exchanges = turns.map((turn) => {
    const [action = '', ...rest] = turn.split('\nObservation: ')
    return { action, observation: quote(rest.join('\nObservation: '), action) }
  })
  const layout = exchanges.map(({ action, observation }) => `\nAction: ${action}\nObservation: ${textOf(observation)}`)
  const isLaidOut = `${opening}${layout.join('')}` === body
  return { opening: quote(isLaidOut ? opening : body), exchanges: isLaidOut ? exchanges : [], names, ...ending }
}
