import { toolsOf } from '../agents/form-tools.js'
import { type Dose, isChanged } from '../core/dose.js'
import type { Turn, World } from '../core/environment.js'
import { ShaketableError } from '../core/errors.js'
import { type ActionForm, printForm } from '../core/form.js'
import { type PerturbedWorld, perturbWorld } from '../core/perturb.js'
import { type AppliedPerturbation, type Lens, type Scene, openLens } from '../core/perturbation.js'
import type { Random } from '../core/random.js'
import { type Text, textOf } from '../core/text.js'
import { type Json, isObject, objectsIn } from '../files/json.js'
import { refusalToken } from './memory.js'
import { type ToolWords, free, otherVerb, propertiesOf, renameKeys, spell, withVerb, wordsOf } from './tool-texts.js'
import { mapTexts } from './wire.js'

/** The perturbations of a proxy of tool servers. */
export interface ToolPerturbation {
  /** The first is nearest the server. Not empty. */
  readonly applied: readonly [AppliedPerturbation, ...AppliedPerturbation[]]
  readonly words: ToolWords
  readonly random: Random
}

/** A call of a tool. */
export interface ToolCall {
  readonly name: string
  readonly arguments: Json
}

/** What a server answers to a call: the `result` or the `error` of a JSON-RPC response. */
export type ToolAnswer = { readonly result: Json } | { readonly error: Json }

/** A call that was played. */
export interface PlayedCall {
  /** For the agent. */
  readonly answer: ToolAnswer
  /** The call as it was sent to the server; absent where it failed on its way. */
  readonly sent?: ToolCall
  readonly refused: boolean
  /** It is in the wording of the unperturbed server. */
  readonly memorised: boolean
}

/** The tools of a server as an agent sees them through perturbations. */
export type ToolWorld = ReturnType<typeof createToolWorld>

/** A tool of the server, as an action with items. */
interface Tool {
  readonly given: Json
  readonly name: string
  readonly form: ActionForm
  /** Its parameters with their slots in the form and their items, in the order of the schema. */
  readonly parameters: readonly { readonly name: string; readonly slot: string; readonly item: string }[]
  /** The action with every item in its slot. */
  readonly command: string
}

/** Between the texts of one tool, which a lens gets as one: those of its parameters, and its description last. */
const gap = '\u001e'
/** A line end within the texts of one tool, which stand in one line. */
const lineEnd = '\u001f'
/** Between the texts of the tools and the server's instructions. */
const ending = '\u001d'

/**
 * Shows the tools of a server through perturbations. Each tool is an action form, `read file {path}, {head}`, each
 * parameter an item, `path 1`, and the list of tools is a list of commands: so families of actions rename tools and
 * reorder their parameters, families of items rename parameters, and families of lists, failures and observations do
 * with tools what they do with commands.
 * @throws ShaketableError `perturbation` for perturbations that do not fit the tools, or that change nothing of them
 */
export function createToolWorld(
  offered: readonly Json[],
  instructions: string | undefined,
  { applied, words, random }: ToolPerturbation,
) {
  const tools = readTools(offered)
  const byCommand = new Map(tools.map((tool) => [tool.command, tool]))
  /** The call that is being played: a world is given its action alone. */
  let current: {
    readonly call: ToolCall
    readonly send: (call: ToolCall) => Promise<ToolAnswer>
    answer?: ToolAnswer
    sent?: ToolCall
    /** In a refused call: what the agent said, for the word that the server is asked for. */
    said?: string
  }
  const send = async (call: ToolCall, isKnown: boolean): Promise<Turn> => {
    const mine = current
    mine.sent = call
    mine.answer = await mine.send(call)
    return turnOf(mine.answer, isKnown ? call.name : undefined)
  }
  const world: World = {
    briefing: {
      ...{ system: '', examples: [], goal: '', help: [] },
      instruction: [
        { list: tools.map(({ command }) => command) },
        ...tools.flatMap(({ form: { template, meaning } }): Text => ['\n', { form: template }, `: ${meaning}`]),
        ...['\n', ending, instructions ?? ''],
      ],
      forms: tools.map(({ form }) => form),
      knownForms: tools.map(({ form }) => form.template),
    },
    opening: [],
    originalOpening: '',
    names: [...new Set(tools.flatMap(({ parameters }) => parameters.map(({ item }) => item)))],
    environment: { name: 'tools', vocabulary: vocabularyFor(tools, words) },
    understands: (command) => byCommand.has(command),
    step(command) {
      const tool = byCommand.get(command)
      return send(tool === undefined ? current.call : { ...current.call, name: tool.name }, tool !== undefined)
    },
    refuse() {
      const { name, arguments: args } = current.call
      const old = Object.keys(args).find((key) => !naming.isParameter(name, key) && tools.some(hasParameter(key)))
      current.said = naming.tools.has(name) && old !== undefined ? `${name}(${old})` : name
      return send({ name: refusalToken(current.said), arguments: {} }, false)
    },
  }
  const scoped = applied.map((perturbation) => keepProse(perturbation, world, random))
  const seen: PerturbedWorld = perturbWorld(world, scoped as unknown as ToolPerturbation['applied'], random)
  const naming = nameTools(tools, world, seen, words)
  const listing = showTools(tools, seen, naming)
  checkChange(scoped, world, seen.dose!(), random)
  const { leaks } = seen.dose!()

  return {
    tools: listing.tools,
    instructions: listing.instructions,
    // A result is data of the user's, so that words in it are no leaks.
    dose: (): Dose => ({ ...seen.dose!(), leaks }),
    /** Plays a call of the agent. `send` sends one to the server. */
    async call(call: ToolCall, send: (call: ToolCall) => Promise<ToolAnswer>): Promise<PlayedCall> {
      const { action, args } = naming.read(call, listing.decoys)
      current = { call: { name: call.name, arguments: args }, send }
      const mine = current
      // The world reaches `step` or `refuse` before it first waits.
      const turn = await seen.step(action)
      const { answer, sent, said } = mine
      const shown = showAnswer(answer, turn, naming.reword)
      const unveil = (text: string): string => text.replaceAll(refusalToken(said!), said!)
      return {
        answer: said === undefined ? shown : (mapTexts(shown, /./, unveil) as ToolAnswer),
        ...(sent && { sent }),
        refused: said !== undefined,
        memorised: turn.memorised === true,
      }
    },
  }
}

/** Reads the tools of a server. @throws ShaketableError `environment` for one without a name */
function readTools(tools: readonly Json[]): readonly Tool[] {
  const taken = new Set<string>()
  return tools.map((tool): Tool => {
    const { name, description = '', inputSchema } = tool
    if (typeof name !== 'string' || name === '') {
      throw new ShaketableError('environment', 'The MCP server lists a tool without a name.')
    }
    const properties = Object.entries(propertiesOf(inputSchema))
    const [items, slots] = [new Set<string>(), new Set<string>()]
    const parameters = properties.map(([key]) => {
      const slot = free(key.replace(/\W/g, '_'), '_', slots)
      return { name: key, slot, item: free(wordsOf(key), ' ', items, 1) }
    })
    const start = free(wordsOf(name), ' ', taken)
    const template = [start, parameters.map(({ slot }) => `{${slot}}`).join(', ')].join(' ').trim()
    const texts = [...properties.map(([, property]) => (isObject(property) ? property.description : '')), description]
    const meaning = texts.map((text) => (typeof text === 'string' ? text : '').replaceAll('\n', lineEnd)).join(gap)
    const command = printForm(template, Object.fromEntries(parameters.map(({ slot, item }) => [slot, item])))
    return { given: tool, name, form: { template, meaning }, parameters, command }
  })
}

/** The names of tools and parameters in both wordings. */
function nameTools(tools: readonly Tool[], { names }: World, seen: PerturbedWorld, words: ToolWords) {
  const [below, above] = [toolsOf(tools.map(({ form }) => form)), toolsOf(seen.briefing.forms)]
  const itemAbove = new Map(names.map((name, index) => [name, seen.names[index]!]))
  const taken = new Set<string>()
  const named = tools.map((tool, index) => {
    // Beside the form of each tool there may be forms of decoys.
    const action = seen.fromEnvironment(tool.command)
    const fill = Object.fromEntries(tool.parameters.map(({ slot, item }) => [slot, itemAbove.get(item)!]))
    const place = seen.briefing.forms.findIndex(({ template }) => printForm(template, fill) === action)
    const [from, to] = [below[index]!, above[place]!]
    const isSame = tool.form.template === to.template || from.definition.name === to.definition.name
    const keys = new Set<string>()
    const parameters = tool.parameters.map((parameter) => {
      const item = itemAbove.get(parameter.item)!
      const key = item === parameter.item ? parameter.name : spell(item.replace(/ 1$/, ''), parameter.name)
      return { ...parameter, shown: free(key, '_', keys), itemAbove: item }
    })
    const name = free(isSame ? tool.name : spell(to.definition.name.replaceAll('_', ' '), tool.name), '_', taken)
    const verb = otherVerb(tool.form.template, to.template, words)
    return { tool, place, name, parameters, slots: to.slots, template: to.template, verb }
  })
  type Named = (typeof named)[number]
  const byName = new Map(named.map((tool) => [tool.name, tool]))
  const changes = new Map(
    named
      .flatMap(({ tool, name, parameters }) => [
        ...parameters.map((parameter) => [parameter.name, parameter.shown] as const),
        [tool.name, name] as const,
      ])
      .filter(([old, other]) => old !== other),
  )
  /** The action of a call: an old key puts its old item into the slot. */
  const print = ({ tool, template, parameters }: Named, isNew: boolean, keys: readonly string[]): string => {
    const isOld = (parameter: Named['parameters'][number]): boolean =>
      parameter.name !== parameter.shown &&
      keys.includes(parameter.name) &&
      !parameters.some(({ shown }) => shown === parameter.name)
    const fill = parameters.map((parameter) => [
      parameter.slot,
      isOld(parameter) ? parameter.item : parameter.itemAbove,
    ])
    return printForm(isNew ? template : tool.form.template, Object.fromEntries(fill) as Record<string, string>)
  }
  return {
    named,
    tools: byName,
    isParameter: (name: string, key: string): boolean =>
      byName.get(name)?.parameters.some(({ shown }) => shown === key) === true,
    /** The action of a call, and its arguments under the server's own names. */
    read({ name, arguments: args }: ToolCall, decoys: ReadonlyMap<string, string>) {
      const [shown, old] = [byName.get(name), named.find(({ tool }) => tool.name === name)]
      const keyBelow = (key: string): string =>
        shown?.parameters.find((parameter) => parameter.shown === key)?.name ?? key
      const action =
        decoys.get(name) ??
        (shown && print(shown, true, Object.keys(args))) ??
        (old && print(old, false, Object.keys(args))) ??
        JSON.stringify(name)
      return { action, args: Object.fromEntries(Object.entries(args).map(([key, value]) => [keyBelow(key), value])) }
    },
    /**
     * Puts the names of tools and parameters in a text into the agent's wording, where they are quoted or no words, and
     * everywhere in what a server says of wrong arguments.
     */
    reword: (text: string, isOfArguments = false): string =>
      text.replace(/[\w$]+(?:[.-][\w$]+)*/g, (word, at: number) => {
        const isName = isOfArguments || /[-_.]|\p{Ll}\p{Lu}/u.test(word) || /["'`]/.test(text[at - 1] ?? '')
        return (isName ? changes.get(word) : undefined) ?? word
      }),
  }
}

type Naming = ReturnType<typeof nameTools>

/** The list of tools and the server's instructions as the agent sees them, and the actions of the decoys. */
function showTools(tools: readonly Tool[], seen: PerturbedWorld, { named, reword, tools: taken }: Naming) {
  const { forms, instruction } = seen.briefing
  const at = instruction.findIndex((piece) => typeof piece !== 'string' && 'list' in piece)
  const list = (instruction[at] as { readonly list?: readonly string[] } | undefined)?.list
  const [, rest = ''] = textOf(instruction).split(ending)
  const decoys = new Map<string, string>()
  const names = new Set(taken.keys())
  const addDecoy = (
    words: string,
    command: string,
    description: string,
    keys: readonly string[],
    others: readonly string[] = [],
  ): Json => {
    const name = free(spell(words, tools[0]!.name), '_', names)
    decoys.set(name, command)
    const properties = keys.map((key, at) => [key, { type: 'string', ...(others[at] && { description: others[at] }) }])
    const inputSchema = { type: 'object', properties: Object.fromEntries(properties) as Json, required: keys }
    return { name, description, inputSchema }
  }
  const shown = (list ?? tools.map(({ command }) => seen.fromEnvironment(command))).map((command): Json => {
    const { command: action } = seen.toEnvironment(command)
    const index = tools.findIndex((tool) => tool.command === action)
    if (index !== -1) return showTool(named[index]!, forms[named[index]!.place]!.meaning, reword)
    const [verb, item = ''] = command.split(/ (.*)/s)
    const shownAs = named.flatMap((tool) => tool.parameters).find(({ itemAbove }) => itemAbove === item)?.shown
    const keys = shownAs === undefined ? [] : [shownAs]
    return addDecoy(command.replace(/ 1$/, ''), command, [wordsOf(verb!), ...keys].join(' '), keys)
  })
  const places = new Map(named.map(({ place }, index) => [place, index]))
  for (const [place, { template, meaning }] of forms.entries()) {
    if (places.has(place)) continue
    const { definition, slots } = toolsOf(forms)[place]!
    const { parameters } = named[places.get(place - 1) ?? places.get(place + 1)!]!
    const keys = slots.map((slot) => parameters.find((parameter) => parameter.slot === slot)?.shown ?? slot)
    const { description, others } = readTexts(meaning)
    const command = printForm(template, Object.fromEntries(slots.map((slot) => [slot, slot])))
    const decoy = addDecoy(
      definition.name.replaceAll('_', ' '),
      command,
      reword(description),
      keys,
      others.map((other) => reword(other)),
    )
    shown.splice(Math.min(place, shown.length), 0, decoy)
  }
  const instructions = reword((textOf(instruction.slice(0, Math.max(0, at))) + rest).trim())
  return { tools: shown, decoys, instructions: instructions === '' ? undefined : instructions }
}

/** The description of a tool, and those of its parameters. */
function readTexts(text: string): { readonly description: string; readonly others: readonly string[] } {
  const texts = text.replaceAll(lineEnd, '\n').split(gap)
  return { description: texts.at(-1)!, others: texts.slice(0, -1) }
}

function showTool(
  { tool, name, parameters, slots, verb }: Naming['named'][number],
  text: string,
  reword: Naming['reword'],
) {
  const { given } = tool
  const { description: plain, others } = readTexts(text)
  const description = verb === undefined ? plain : withVerb(plain, verb)
  const title = name === tool.name ? {} : { title: name }
  const described = { ...given, ...(given.description !== undefined && { description: reword(description) }) }
  const isRenamed = (key: 'title' | 'annotations', holder: Json): boolean => key in holder && name !== tool.name
  const shown = {
    ...described,
    name,
    ...(isRenamed('title', given) && title),
    ...(isObject(given.annotations) &&
      isRenamed('title', given.annotations) && { annotations: { ...given.annotations, ...title } }),
  }
  if (!isObject(given.inputSchema) || parameters.length === 0) return shown
  const keys = new Map(parameters.map((parameter) => [parameter.name, parameter.shown]))
  const schema = renameKeys(given.inputSchema, keys)
  const properties = parameters.map(({ shown: key, ...rest }, index): [string, unknown] => {
    const property = propertiesOf(schema)[key]
    if (!isObject(property)) return [key, property]
    return [
      key,
      {
        ...property,
        ...(typeof property.title === 'string' && key !== rest.name && { title: key }),
        ...(typeof property.description === 'string' && { description: reword(others[index] ?? property.description) }),
      },
    ]
  })
  const order = slots.map((slot) => parameters.findIndex((parameter) => parameter.slot === slot))
  return { ...shown, inputSchema: { ...schema, properties: Object.fromEntries(order.map((at) => properties[at]!)) } }
}

/** The answer of a server as an observation. */
function turnOf(answer: ToolAnswer, command: string | undefined): Turn {
  const observation = [textIn(answer)]
  return { observation, original: '', command, understood: command !== undefined, progress: 0, ended: false }
}

function textIn(answer: ToolAnswer): string {
  if ('error' in answer) return String(answer.error.message)
  return objectsIn(answer.result.content)
    .flatMap(({ type, text }) => (type === 'text' && typeof text === 'string' ? [text] : []))
    .join('\n')
}

/** An answer with the text of a turn. In errors the names of tools and parameters are reworded; results are data. */
function showAnswer(answer: ToolAnswer | undefined, turn: Turn, reword: Naming['reword']): ToolAnswer {
  const text = textOf(turn.observation)
  const inError = (text: string): string => reword(text, /argument|parameter|validation|required|-32602/i.test(text))
  if (answer === undefined || turn.failed !== undefined) {
    return { result: { content: [{ type: 'text', text }], isError: true } }
  }
  if ('error' in answer) return { error: { ...answer.error, message: inError(text) } }
  const { result } = answer
  const others = objectsIn(result.content).filter(({ type }) => type !== 'text')
  const content = text === textIn(answer) ? result.content : [{ type: 'text', text }, ...others]
  if (result.isError === true) return { result: { ...result, content: mapTexts(content, /^text$/, inError) } }
  return content === result.content ? answer : { result: { ...result, content } }
}

/**
 * A family of items as it is used here: prose and results stay as they are, since the name of a parameter may be any
 * word there.
 */
function keepProse(appliedPerturbation: AppliedPerturbation, world: World, random: Random): AppliedPerturbation {
  if (openOn(appliedPerturbation, world, random).name === undefined) return appliedPerturbation
  const { perturbation, scope = ['instruction', 'examples', 'admissible'] } = appliedPerturbation
  const open = (scene: Scene): Lens => {
    const { text, ...lens } = perturbation.open(scene)
    return text === undefined || lens.name !== undefined ? lens : { ...lens, text }
  }
  return { ...appliedPerturbation, scope, perturbation: { ...perturbation, open } }
}

function openOn(perturbation: AppliedPerturbation, { briefing, names, environment }: World, random: Random) {
  return openLens(perturbation, { briefing, names, random, ...(environment && { environment }) })
}

/** @throws ShaketableError `perturbation` for rewordings that change nothing of the tools */
function checkChange(applied: readonly AppliedPerturbation[], world: World, dose: Dose, random: Random): void {
  const isWording = ({ promise }: AppliedPerturbation['perturbation']): boolean => promise !== 'identity'
  const isOnlyWording = applied.every((perturbation) =>
    Object.keys(openOn(perturbation, world, random)).every((hook) =>
      ['rules', 'form', 'name', 'brief', 'wrap'].includes(hook),
    ),
  )
  if (isChanged(dose) || !isOnlyWording || !applied.every((perturbation) => isWording(perturbation.perturbation)))
    return
  const names = applied.map(({ perturbation }) => `'${perturbation.name}'`).join(' + ')
  throw new ShaketableError(
    'perturbation',
    `${names} changes nothing of the tools of this server: ${world.briefing.forms
      .map(({ template }) => template)
      .join('; ')
      .slice(0, 300)}. Choose another perturbation, such as pseudo-verbs.`,
  )
}

function hasParameter(key: string): (tool: Tool) => boolean {
  return ({ parameters }) => parameters.some(({ name }) => name === key)
}

/** Other words for the tools and parameters here, as a vocabulary. */
function vocabularyFor(tools: readonly Tool[], { verbs, items }: ToolWords) {
  const actions = tools.flatMap(({ form: { template } }) => {
    const words = template.split('{')[0]!.trim().split(' ')
    const at = words.findIndex((word) => Object.hasOwn(verbs, word))
    if (at === -1) return []
    const rest = template.slice(words.join(' ').length)
    return [[template, verbs[words[at]!]!.map((other) => words.with(at, other).join(' ') + rest)] as const]
  })
  return { actions: Object.fromEntries(actions), items }
}
