import { RE2JS, RE2JSException } from 're2js'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { translatePython } from './python-pattern.js'
import { isObject, nameOf } from './turn.js'

/** A regular expression from an untrusted source that is safe to match with. */
interface Pattern {
  /** Names of its groups, in order; undefined for a group without a name. */
  readonly groups: readonly (string | undefined)[]
  /**
   * Its length with repeats written out: the time of a match is at most proportional to this and to the text's length.
   */
  readonly steps: number
  /** The texts of its groups if it matches the whole text or its start; undefined otherwise. */
  match(text: string, extent: 'all' | 'start'): readonly (string | undefined)[] | undefined
}

/** Characters of a pattern, and those times its largest repeat; they bound the time to compile it. */
const [maxPattern, maxRepeated] = [2000, 100_000]

/**
 * Compiles a pattern of Python's `re`. Compiling and matching take bounded time, whatever the pattern.
 * @returns the pattern, or what is wrong with it, worded to follow a subject
 */
export function compilePattern(source: string): Pattern | { readonly problem: string } {
  const repeats = Math.max(1, ...(source.match(/\d{1,9}(?=,?\d*\})/g) ?? []).map(Number))
  if (source.length > maxPattern || source.length * repeats > maxRepeated)
    return { problem: 'is too long, or its repeats are' }
  let compiled: RE2JS
  try {
    compiled = RE2JS.compile(translatePython(source))
  } catch (thrown) {
    if (thrown instanceof RE2JSException) return { problem: `cannot be read (${messageOf(thrown)})` }
    throw thrown
  }
  const names = new Map(Object.entries(compiled.namedGroups()).map(([name, group]) => [group, name]))
  const groups = Array.from({ length: compiled.groupCount() }, (_, place) => names.get(place + 1))
  return {
    groups,
    steps: compiled.programSize(),
    match(text, extent) {
      const matcher = compiled.matcher(text)
      if (!(extent === 'all' ? matcher.matches() : matcher.lookingAt())) return undefined
      return groups.map((_, place) => matcher.group(place + 1) ?? undefined)
    },
  }
}

/** An action that a script offers. */
export interface ScriptAction {
  /** Such as `take {obj} from {recep}`. */
  readonly template: string
  /** Its slots, in order, each with the allowed values; a slot without a list allows any value. */
  readonly slots: readonly Slot[]
  /** Compiled from its verification code; absent if that cannot be used. */
  readonly pattern?: Pattern
}

/** A place for a parameter in an action. */
interface Slot {
  readonly name: string
  readonly values?: readonly string[]
}

/** The part of an AgentRefine script that verification needs. */
export interface Script {
  readonly goal: string
  readonly actions: readonly ScriptAction[]
  /** Characters of the longest action that is matched with its patterns. */
  readonly longestAction: number
  /** What cannot be used in it, a sentence each. */
  readonly problems: readonly string[]
}

const maxActions = 1000
/** Maximum steps of all patterns together; patterns beyond it are not used. */
const maxSteps = 20_000
/**
 * Maximum product of the steps of all patterns and the characters of an action; matching that takes less than half a
 * second.
 */
const maxWork = 10_000_000
const maxValues = 100_000

/**
 * Reads a script: an object with `Environment`, `Goal`, `Completion Conditions` and `Available Actions`. The
 * `verification code` of each action is compiled; if it is missing, a pattern is made from the template.
 * @throws ShaketableError `bad-input` if the script cannot verify anything
 */
export function readScript(value: unknown): Script {
  const actions = isObject(value) ? value['Available Actions'] : undefined
  if (!isObject(value) || !isObject(actions) || Object.keys(actions).length === 0) {
    const got = !isObject(value) ? nameOf(value) : actions === undefined ? 'none' : nameOf(actions)
    throw new ShaketableError(
      'bad-input',
      `Expected a script with actions under "Available Actions", got ${got}. docs/training-data.md shows what a script looks like.`,
    )
  }
  const templates = Object.entries(actions)
  if (templates.length > maxActions) {
    throw new ShaketableError(
      'bad-input',
      `Expected a script of at most ${String(maxActions)} actions, got ${String(templates.length)}. Split it.`,
    )
  }
  const problems = ['Environment', 'Goal', 'Completion Conditions']
    .filter((key) => !Object.hasOwn(value, key))
    .map((key) => `It lacks "${key}".`)
  let steps = 0
  const read = templates.map(([template, described]): ScriptAction => {
    const { pattern, ...action } = readAction(template, described, problems)
    if (pattern === undefined) return action
    if (steps + pattern.steps > maxSteps) {
      problems.push(`The verification code of '${template.slice(0, 80)}' is not used: that of all actions is too long.`)
      return action
    }
    steps += pattern.steps
    return { ...action, pattern }
  })
  const longestAction = Math.floor(maxWork / Math.max(steps, 100))
  return { goal: typeof value['Goal'] === 'string' ? value['Goal'] : '', actions: read, longestAction, problems }
}

function readAction(template: string, value: unknown, problems: string[]): ScriptAction {
  const name = template.slice(0, 80)
  const names = [...template.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1]!.trim())
  if (!isObject(value))
    problems.push(`The action '${name}' is ${nameOf(value)}, expected an object; its template is used.`)
  const fields = isObject(value) ? value : {}
  const slots = readSlots(name, names, fields['parameters'], problems)
  const code = fields['verification code']
  if (code !== undefined && typeof code !== 'string') {
    problems.push(`The verification code of '${name}' is ${nameOf(code)}, expected a text; its template is used.`)
  }
  const compiled = compilePattern(typeof code === 'string' ? code : patternOf(template))
  if ('problem' in compiled) {
    problems.push(`The verification code of '${name}' ${compiled.problem}; no action is matched with it.`)
    return { template, slots }
  }
  const stray = compiled.groups.find((group) => group !== undefined && !names.includes(group))
  if (stray !== undefined)
    problems.push(`The verification code of '${name}' has a group '${stray}', which is not one of its slots.`)
  return { template, slots, pattern: compiled }
}

function readSlots(name: string, names: readonly string[], parameters: unknown, problems: string[]): Slot[] {
  if (parameters !== undefined && !isObject(parameters)) {
    problems.push(`The parameters of '${name}' are ${nameOf(parameters)}, expected an object; any value is allowed.`)
  }
  const lists = isObject(parameters) ? parameters : {}
  for (const other of Object.keys(lists).filter((key) => !names.includes(key))) {
    problems.push(`The action '${name}' has values for '${other.slice(0, 60)}', which is not one of its slots.`)
  }
  return [...new Set(names)].map((slot) => {
    const values = Object.hasOwn(lists, slot) ? readValues(lists[slot]) : undefined
    if (values === undefined) {
      problems.push(`The action '${name}' has no list of values for '${slot.slice(0, 60)}'; any value is allowed.`)
    }
    return { name: slot, ...(values && { values }) }
  })
}

/** Reads a list of texts and numbers, or a single one. */
function readValues(value: unknown): string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  const values = list.filter((one) => typeof one === 'string' || typeof one === 'number').map(String)
  return values.length === list.length && list.length > 0 && list.length <= maxValues ? values : undefined
}

/**
 * A pattern for a template without verification code: its words literally, any text for a slot, and optional white
 * space at both ends.
 */
function patternOf(template: string): string {
  const parts = template
    .trim()
    .split(/(\{[^{}]+\})/)
    .map((part, index) => (index % 2 === 1 ? '(.+?)' : part.replace(/[^A-Za-z0-9_]/g, (sign) => `\\${sign}`)))
  return `\\s*${parts.join('')}\\s*\\Z`
}
