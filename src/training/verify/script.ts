import { RE2JS, RE2JSException } from 're2js'
import { z } from 'zod'
import { ShaketableError, messageOf } from '../../core/errors.js'

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

const spaces = '\\t-\\r\\x{1c}- \\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}'
/** Python's classes, as written in brackets. */
const classes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  w: '\\p{L}_\\p{N}',
  s: spaces,
}
/** The classes that have a short form only outside of brackets. */
const complements: Readonly<Record<string, string>> = { W: '[^\\p{L}_\\p{N}]', S: `[^${spaces}]`, Z: '\\z' }

const escape = String.raw`\\(?:u([\da-fA-F]{4})|([^]))`
const brackets = String.raw`\[\^?\]?(?:\\[^]|[^\]\\])*\]`
const piece = new RegExp(String.raw`${escape}|(${brackets})|\{,(?=\d*\})`, 'g')
const member = new RegExp(`${escape}|(?<!^)\\[`, 'g')

/**
 * Translates a regular expression of Python's `re` into the dialect of RE2, whose matching time grows only with the
 * length of the text. RE2 itself refuses most of what it lacks; what it would read in another way than Python is
 * translated here: the classes are those of Unicode, `{,n}` is a repeat, and `[:alpha:]` in brackets is no class.
 * Differences that remain: `\b`, and `\W` and `\S` in brackets, treat only ASCII letters and blanks as such; `$` does
 * not match before a final line break; and a repeated group that can be empty holds its last text that is not empty.
 */
function translatePython(source: string): string {
  return source.replace(piece, (escaped, code?: string, letter?: string, list?: string) => {
    if (list !== undefined) return list.replace(member, translateMember)
    if (code !== undefined) return `\\x{${code}}`
    if (letter === undefined) return '{0,'
    return Object.hasOwn(classes, letter) ? `[${classes[letter]!}]` : (complements[letter] ?? escaped)
  })
}

function translateMember(escaped: string, code?: string, letter?: string): string {
  if (code !== undefined) return `\\x{${code}}`
  if (letter === undefined) return '\\['
  return letter === 'b' ? '\\x{8}' : (classes[letter] ?? escaped)
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

const action = z.object({
  'verification code': z.string().optional().catch(undefined),
  parameters: z.record(z.string(), z.unknown()).default({}).catch({}),
})
const script = z.object({
  'Available Actions': z
    .record(z.string(), action.catch({ parameters: {} }))
    .refine((actions) => Object.keys(actions).length > 0, 'got none')
    .refine((actions) => Object.keys(actions).length <= maxActions, `got more than ${String(maxActions)}`),
})
/** Texts and numbers, or a single one. */
const values = z.union([
  z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .max(maxValues),
  z.string(),
  z.number(),
])

/**
 * Reads a script: an object with `Environment`, `Goal`, `Completion Conditions` and `Available Actions`. The
 * `verification code` of each action is compiled; if it is missing, a pattern is made from the template.
 * @param where its place, for messages
 * @throws ShaketableError `bad-input` if the script cannot verify anything
 */
export function readScript(value: unknown, where = ''): Script {
  const read = script.safeParse(value)
  if (!read.success) {
    throw new ShaketableError(
      'bad-input',
      `${where}Expected a script with actions under "Available Actions": ${read.error.issues[0]!.message.slice(0, 200)}. docs/training-data.md shows what a script looks like.`,
    )
  }
  const problems: string[] = []
  let steps = 0
  const actions = Object.entries(read.data['Available Actions']).map(([template, fields]): ScriptAction => {
    const name = template.slice(0, 80)
    const names = Array.from(template.matchAll(/\{([^{}]+)\}/g), (match) => match[1]!.trim())
    const slots = Array.from(new Set(names), (slot): Slot => {
      const list = Object.hasOwn(fields.parameters, slot) ? values.safeParse(fields.parameters[slot]) : undefined
      if (list?.success === true) return { name: slot, values: [list.data].flat().map(String) }
      problems.push(`The action '${name}' has no list of values for '${slot.slice(0, 60)}'; any value is allowed.`)
      return { name: slot }
    })
    const pattern = compilePattern(fields['verification code'] ?? patternOf(template))
    const isLong = 'steps' in pattern && steps + pattern.steps > maxSteps
    if ('problem' in pattern || isLong) {
      const problem = 'problem' in pattern ? pattern.problem : 'is too long together with that of the other actions'
      problems.push(`The verification code of '${name}' ${problem}; no action is matched with it.`)
      return { template, slots }
    }
    steps += pattern.steps
    const stray = pattern.groups.find((group) => group !== undefined && !names.includes(group))
    if (stray !== undefined)
      problems.push(`The verification code of '${name}' has a group '${stray}', which is not one of its slots.`)
    return { template, slots, pattern }
  })
  return { actions, longestAction: Math.floor(maxWork / Math.max(steps, 100)), problems }
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
