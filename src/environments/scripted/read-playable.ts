import * as z from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { type ActionForm, parseTemplate, slotNames } from '../../core/form.js'
import { type ActionSchema, type StartThing, advice, compileRules, holds, statePattern } from './rules.js'

/** The command by which a player asks for the actions that are possible now. */
export const checkActions = 'check valid actions'

const maxNameLength = 60
const maxDepth = 8
const maxValues = 200
const maxConditions = 20
const maxStates = 20

const line = (max: number) =>
  z
    .string()
    .max(max)
    .refine((text) => !/\p{Cc}/u.test(text), 'Invalid input: expected text without control characters')
const conditions = z.array(line(300)).max(maxConditions)
const action = z.strictObject({
  'verification code': z.string().max(2000).optional(),
  parameters: z
    .record(
      z.string(),
      z
        .array(z.union([line(maxNameLength).min(1), z.number()]))
        .min(1)
        .max(maxValues),
    )
    .optional(),
  meaning: line(500).optional(),
  preconditions: conditions.optional(),
  effects: conditions.optional(),
  observation: line(1000).min(1),
})
const shape = z.looseObject({
  Environment: z.record(z.string(), z.unknown()),
  Start: z.string().optional(),
  Goal: line(2000).regex(/\S/),
  'Completion Conditions': conditions.min(1),
  'Available Actions': z.record(z.string(), action),
})

/**
 * Reads a playable script; docs/benchmarks.md describes the format.
 * @throws ShaketableError `bad-input`, one sentence, for the first thing that is wrong
 */
export function readPlayable(value: unknown) {
  const checked = shape.safeParse(value)
  if (!checked.success) {
    const { path, message } = checked.error.issues[0]!
    const place = path.length === 0 ? '' : ` at '${path.map((key) => String(key).slice(0, 80)).join(' → ')}'`
    const what = message.replace(/^Invalid input: /, '').slice(0, 200)
    throw new ShaketableError('bad-input', `A playable script cannot be read${place}: ${what}. ${advice}`)
  }
  const script = checked.data!
  const { places, things } = readEnvironment(script.Environment)
  const names = new Set([...places, ...things.map(({ name }) => name)])
  const start = script.Start ?? places[0]!
  if (!places.includes(start)) fail(`a place of the environment as 'Start'`, `'${start.slice(0, 60)}'`)
  const entries = Object.entries(script['Available Actions'])
  if (entries.length === 0) fail('at least one action', 'none')
  const schemas = entries.map(([template, fields]) => readAction(template, fields))
  const rules = compileRules(places, things, start, script['Completion Conditions'], schemas)
  if (rules.byText.has(checkActions)) {
    fail(`actions other than '${checkActions}', which asks for those that are possible`, 'one with this text')
  }
  if (rules.completion.every((fact) => holds(fact, rules.start))) {
    fail('completion conditions that do not all hold at the start', 'ones that do')
  }
  const isName = (text: string): boolean => names.has(text)
  return {
    /** The JSON as given. */
    source: value as Readonly<Record<string, unknown>>,
    goal: script.Goal.trim(),
    places,
    things: things.map(({ name }) => name),
    /** Meanings list the words that slots take besides names. */
    forms: schemas.map((schema): ActionForm => ({ template: schema.template, meaning: meaningOf(schema, isName) })),
    /** Values of slots that are names of nothing, such as numbers and colours. */
    words: [...new Set(schemas.flatMap(({ slots }) => [...slots.values()].flat()))].filter((value) => !isName(value)),
    /** What the engine and the solver use. */
    rules,
  }
}

/** A script that can be played. */
export type PlayableScript = ReturnType<typeof readPlayable>

const shownWords = 20

/** What an action does, with the words that its slots take besides names: these are seen nowhere else. */
function meaningOf({ meaning, slots }: ActionSchema, isName: (text: string) => boolean): string {
  const lists = [...slots].flatMap(([slot, values]) => {
    const words = values.filter((value) => !isName(value))
    const more = words.length > shownWords ? ', …' : ''
    return words.length === 0 ? [] : [`${slot}: ${words.slice(0, shownWords).join(', ')}${more}`]
  })
  return lists.length === 0 ? meaning : `${meaning} (${lists.join('; ')})`.trimStart()
}

function fail(expected: string, got: string): never {
  throw new ShaketableError('bad-input', `Expected ${expected}, got ${got}. ${advice}`)
}

const states = z.array(z.string().max(maxNameLength).regex(statePattern)).max(maxStates)

/** Reads places and things, in their order. */
function readEnvironment(fields: Readonly<Record<string, unknown>>): {
  readonly places: readonly string[]
  readonly things: readonly StartThing[]
} {
  const places = Object.keys(fields)
  if (places.length === 0) fail('at least one place under "Environment"', 'none')
  const seen = new Map<string, string>()
  const things: StartThing[] = []
  const note = (name: string): void => {
    checkName(name)
    const other = seen.get(name.toLowerCase())
    if (other !== undefined) fail('names that are all different', `'${name}' twice`)
    seen.set(name.toLowerCase(), name)
  }
  const visit = (holder: string, value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      fail(`an object with the things in '${holder}'`, Array.isArray(value) ? 'a list' : typeof value)
    }
    if (depth > maxDepth) fail(`things in things to a depth of ${String(maxDepth)}`, `more in '${holder}'`)
    for (const [name, inside] of Object.entries(value)) {
      if (name === 'is') {
        if (depth > 1) continue
        fail(`'is' in things only`, `one in the place '${holder}'`)
      }
      note(name)
      things.push({ name, holder, states: readStates(name, inside) })
      visit(name, inside, depth + 1)
    }
  }
  for (const place of places) note(place)
  for (const [place, inside] of Object.entries(fields)) visit(place, inside, 1)
  return { places, things }
}

function readStates(name: string, value: unknown): readonly string[] {
  const state = typeof value === 'object' && value !== null ? (value as { readonly is?: unknown }).is : undefined
  if (state === undefined) return []
  const checked = states.safeParse(state)
  if (!checked.success) {
    fail(`a list of at most ${String(maxStates)} states of one word each as 'is' of '${name}'`, 'something else')
  }
  return [...new Set(checked.data)]
}

const namePattern = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}'. -]*[\p{L}\p{M}\p{N}'.])?$/u

function checkName(name: string): void {
  const shown = `'${name.slice(0, maxNameLength + 20)}'`
  if (name.length > maxNameLength) fail(`names of at most ${String(maxNameLength)} characters`, shown)
  if (!namePattern.test(name) || name.includes('  ')) {
    fail("names of letters, digits, single blanks, ', . and - that begin with a letter or digit", shown)
  }
  if (/(?:^| )(?:in|is|at|has|not)(?: |$)/i.test(name) || name.toLowerCase() === 'player') {
    fail("names without the words 'in', 'is', 'at', 'has' and 'not', and not 'player'", shown)
  }
}

function readAction(template: string, fields: z.infer<typeof action>): ActionSchema {
  checkTemplate(template)
  const { slots: wanted } = parseTemplate(template)
  const { parameters = {}, meaning = '', observation, preconditions = [], effects = [] } = fields
  const stray = Object.keys(parameters).find((slot) => !wanted.includes(slot))
  if (stray !== undefined) fail(`parameters for the slots of '${template}' only`, `'${stray.slice(0, 60)}'`)
  const slots = new Map<string, readonly string[]>()
  for (const slot of wanted) {
    if (!Object.hasOwn(parameters, slot)) fail(`a list of values for {${slot}} in '${template}'`, 'none')
    const values = [...new Set(parameters[slot]!.map(String))]
    for (const value of values) {
      if (namePattern.test(value) && !value.includes('  ')) continue
      fail(`values of letters, digits, single blanks, ', . and - for {${slot}} in '${template}'`, `'${value}'`)
    }
    slots.set(slot, values)
  }
  const unknown = slotNames(observation).find((slot) => !slots.has(slot))
  if (unknown !== undefined || /[{}]/.test(parseTemplate(observation).literals.join(''))) {
    fail(
      `only slots of '${template}' in braces in its observation`,
      unknown === undefined ? 'a stray brace' : `'{${unknown.slice(0, 60)}}'`,
    )
  }
  checkEffects(template, effects)
  return { template, meaning, slots, preconditions, effects, observation }
}

const between = /^ (?:.*[\p{L}\p{N}].*) $/u

function checkTemplate(template: string): void {
  const shown = `'${template.slice(0, 120)}'`
  const { slots, literals } = parseTemplate(template)
  if (template.length > 200 || template !== template.trim() || template.includes('  ') || /\p{Cc}/u.test(template)) {
    fail('actions of at most 200 characters in single blanks', shown)
  }
  if (/[{}]/.test(literals.join('')) || slots.some((slot) => !/^[A-Za-z]\w*$/.test(slot))) {
    fail('slots such as {thing} in actions', shown)
  }
  if (new Set(slots).size < slots.length) fail('each slot once in an action', shown)
  const [first = '', ...rest] = literals
  const last = rest.pop() ?? ''
  const isSeparated =
    (slots.length === 0 || first.endsWith(' ')) &&
    (last === '' || last.startsWith(' ')) &&
    rest.every((text) => between.test(text))
  if (!/^[\p{L}\p{N}]/u.test(first) || !isSeparated) {
    fail('actions that begin with a word and have words and blanks between their slots', shown)
  }
}

/** Refuses effects of which the result would depend on their order. */
function checkEffects(template: string, effects: readonly string[]): void {
  const moved = new Map<string, string>()
  for (const effect of effects) {
    if (effect.startsWith('not player at ')) fail(`'player at PLACE' as an effect of '${template}'`, `'${effect}'`)
    const [, player, carried, inside] = /^(?:(player) at .+|player has (.+)|(?!not )(.+?) in .+)$/.exec(effect) ?? []
    const what = player ?? carried ?? inside
    if (what === undefined) continue
    const other = moved.get(what)
    if (other !== undefined) {
      fail(`one new location of '${what}' in the effects of '${template}'`, `'${other}' and '${effect}'`)
    }
    moved.set(what, effect)
  }
}
