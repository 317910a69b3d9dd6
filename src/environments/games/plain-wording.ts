import { z } from 'zod'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { parseTemplate } from '../../core/form.js'
import { expectJson } from '../../files/read-json.js'
import { readText } from '../../files/read-text.js'
import type { ActionSchema, Domain } from '../pddl/domain.js'
import { quote, rootType } from '../pddl/expression.js'
import { verbAmong } from './read-loosely.js'
import { readPattern } from './say.js'
import { wordsOf } from './tokens.js'
import type { ActionWording, Wording } from './wording.js'

/**
 * Words for a user's domain: its names, or the texts of a template file.
 * @throws ShaketableError `bad-input` where a text leaves a parameter out, or two actions would have the same text
 */
export function plainWording(domain: Domain, templates?: Templates): Wording {
  const actions = domain.actions.map((schema): [string, ActionWording] => {
    const text = templates?.actions.get(schema.name)
    return [schema.name, text === undefined ? plainAction(schema) : templateAction(schema, text, templates!.path)]
  })
  const facts = new Map<string, string>()
  for (const [name, arity] of domain.predicates) {
    const text = templates?.predicates.get(name)
    if (text === undefined) continue
    checkFact(name, arity, text, templates!.path)
    facts.set(name, text)
  }
  return {
    facts,
    actions: new Map(withVerbs(actions, domain.source.where)),
    reports: 'everything',
    offersLookAround: false,
    style: 'plain',
  }
}

/** The wording of an action by its name and arguments: `pick-up {ball} {room}`. */
export function plainAction(schema: ActionSchema): ActionWording {
  const slots = slotNames(schema)
  return {
    template: [schema.name, ...slots.map((slot) => `{${slot}}`)].join(' '),
    ending: '',
    verb: schema.name,
    parameters: [...slots.keys()],
    meaning: meaningOf(schema, slots),
  }
}

function templateAction(schema: ActionSchema, text: string, path: string): ActionWording {
  const slots = slotNames(schema)
  const parameters: number[] = []
  let next = 0
  const whole = text.trimStart().replace(/\{(\w*)\}/g, (gap, name: string) => {
    const place = name === '' ? next++ : /^\d+$/.test(name) ? Number(name) : slots.indexOf(name)
    if (slots[place] === undefined || parameters.includes(place)) {
      throw unusable(
        path,
        schema.name,
        text,
        `${gap} is not one of its ${String(slots.length)} parameters, or is used twice`,
      )
    }
    parameters.push(place)
    return `{${slots[place]}}`
  })
  const template = whole.replace(/(?<![\s.])[\s.]+$/, '')
  if (parameters.length < slots.length) {
    throw unusable(path, schema.name, text, `it leaves out ${slots.find((_, place) => !parameters.includes(place))!}`)
  }
  const { literals } = parseTemplate(template)
  if (/[\r\n]/.test(whole) || literals.slice(1, -1).includes('') || literals.join('').trim() === '') {
    throw unusable(path, schema.name, text, 'it is not one line with words between its arguments')
  }
  return {
    template,
    ending: whole.slice(template.length),
    verb: schema.name,
    parameters,
    meaning: meaningOf(schema, slots),
  }
}

/**
 * The verb of each action is its name where its text has that as a word, otherwise the first word that no other
 * action's text has.
 */
function withVerbs(actions: readonly [string, ActionWording][], where: string): [string, ActionWording][] {
  const words = actions.map(([, { template }]) => wordsOf(parseTemplate(template).literals.join(' ').toLowerCase()))
  const shapes = new Map<string, string>()
  return actions.map(([name, wording], index) => {
    const shape = parseTemplate(wording.template).literals.join('{}').toLowerCase()
    const other = shapes.get(shape)
    if (other !== undefined) {
      throw new ShaketableError(
        'bad-input',
        `${where}: the actions ${quote(other)} and ${quote(name)} would both read '${wording.template}'. Give them different texts.`,
      )
    }
    shapes.set(shape, name)
    const others = new Set(words.filter((_, at) => at !== index).flat())
    return [name, { ...wording, verb: verbAmong(name, words[index]!, others) ?? name }]
  })
}

function checkFact(name: string, arity: number, text: string, path: string): void {
  const { literals, places } = readPattern(text)
  const bad = places.find((place) => place >= arity)
  if (bad !== undefined)
    throw unusable(path, name, text, `it refers to argument {${String(bad)}}, but there are ${String(arity)} arguments`)
  if (/[\r\n]/.test(literals.join(''))) throw unusable(path, name, text, 'it is not one line')
}

function unusable(path: string, name: string, text: string, why: string): ShaketableError {
  return new ShaketableError(
    'bad-input',
    `${path}: the text ${quote(text)} for ${quote(name)} cannot be used: ${why}. Correct it.`,
  )
}

function meaningOf({ parameters }: ActionSchema, slots: readonly string[]): string {
  return parameters
    .flatMap(({ types }, index) =>
      types.includes(rootType) ? [] : [`{${slots[index]!}} is of type ${types.join(' or ')}`],
    )
    .join(', ')
}

/** Unique names for the slots of an action, from the letters and digits of its parameters' names. */
function slotNames({ parameters }: ActionSchema): readonly string[] {
  const taken = new Set<string>()
  return parameters.map((parameter) => {
    const name = parameter.name.replace(/\W+/g, '') || 'item'
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name}${String(number)}`
    taken.add(free)
    return free
  })
}

/** A template file's texts for the predicates and actions of a domain, by name. */
export interface Templates {
  readonly predicates: ReadonlyMap<string, string>
  readonly actions: ReadonlyMap<string, string>
  /** The file, for messages. */
  readonly path: string
  readonly hash: string
}

const text = z.string().max(1000)
const table = z.record(z.string(), text)
const schema = z.union([z.strictObject({ predicates: table.optional(), actions: table.optional() }), table])

const advice =
  'Give a JSON object such as {"at": "{} is in {}.", "pick": "Pick up {} in {}."}, or one with such objects as "predicates" and "actions".'

/**
 * Reads texts for predicates and actions: one table for both, as AgentBoard's is, or one for each. In a text `{}` is
 * the next argument, `{0}` the first; in an action's text `{ball}` is the parameter `?ball`.
 * @throws ShaketableError `bad-input` where the file has another shape
 */
export function readTemplates(path: string): Templates {
  const content = readText('The template file', path, advice)
  const parsed = schema.safeParse(expectJson(content, `The template file ${path}`, advice))
  if (!parsed.success) {
    throw new ShaketableError('bad-input', `The template file ${path} must contain texts by name only. ${advice}`)
  }
  const isSplit = Object.values(parsed.data).some((value) => typeof value === 'object')
  const tables = parsed.data as Record<'predicates' | 'actions', Record<string, string> | undefined>
  const whole = parsed.data as Record<string, string>
  return {
    predicates: toMap(isSplit ? tables.predicates : whole),
    actions: toMap(isSplit ? tables.actions : whole),
    path,
    hash: hashOf(content, 16),
  }
}

/** By lower-case name: PDDL ignores case. */
function toMap(entries: Readonly<Record<string, string>> = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(entries).map(([name, value]) => [name.toLowerCase(), value]))
}
