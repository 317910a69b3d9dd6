import type { Reading } from '../core/agent.js'
import { messageOf } from '../core/errors.js'
import { printForm } from '../core/form.js'
import type { Completion } from '../core/model.js'
import { type FormTool, wordCall } from './form-tools.js'
import { parseJson } from '../files/json.js'
import { plainText } from './_dress.js'
import { maxActionLength } from './agentboard-parser.js'
import { readReactReply } from './react-parser.js'

type Call = NonNullable<Completion['toolCalls']>[number]

/** A reading, and the call behind it in a form that servers accept in the history. */
export interface ToolReading extends Reading {
  readonly action: string
  readonly call?: { readonly name: string; readonly arguments: string }
}

const maxArguments = 16

/**
 * Reads a reply that should be one call of one offered function. A call of another function is not a format error: it
 * is read as the words of its name with its arguments between them, and the environment answers that action.
 */
export function readToolReply(
  reply: string,
  calls: readonly Call[],
  tools: ReadonlyMap<string, FormTool>,
): ToolReading {
  const [first] = calls
  if (first !== undefined) {
    const reading = readCall(first, tools)
    const thought = reply.trim()
    const several = calls.length > 1 ? `${String(calls.length)} calls in one reply; the first one is taken` : undefined
    const formatError = [several, reading.formatError].filter((fault) => fault !== undefined).join('; ')
    return { ...reading, ...(thought !== '' && { thought }), ...(formatError !== '' && { formatError }) }
  }
  if (reply.trim() === '') return { action: '', formatError: 'the reply is empty' }
  const written = readWrittenCall(reply)
  if (written !== undefined) return { action: readCall(written, tools).action, formatError: 'a call written as text' }
  const { actions, firstLine, thought } = readReactReply(reply)
  return {
    action: actions[0] ?? firstLine,
    ...(thought !== '' && { thought }),
    formatError: 'no function was called',
  }
}

function readCall({ name, arguments: text }: Call, tools: ReadonlyMap<string, FormTool>): ToolReading {
  const { given, fault } = readArguments(text)
  const tool = tools.get(name)
  const call = { name: serverName(name), arguments: JSON.stringify(Object.fromEntries(given)) }
  if (tool === undefined) {
    return {
      action: tidy(wordCall(name.slice(0, maxActionLength), [...given])),
      call,
      ...(fault && { formatError: fault }),
    }
  }
  const { definition, template, slots } = tool
  const extra = [...given.keys()].filter((key) => !definition.parameters.some((parameter) => parameter.name === key))
  const missing = definition.parameters.filter((parameter) => !given.has(parameter.name))
  const spare = extra.map((key) => given.get(key)!)
  const filling = definition.parameters.map((parameter, index) => [
    slots[index]!,
    given.get(parameter.name) ?? spare.shift() ?? '',
  ])
  const faults = [
    fault,
    missing.length > 0 ? `no argument ${missing.map((parameter) => `'${parameter.name}'`).join(', ')}` : undefined,
    extra.length > 0 ? `no parameter ${extra.map((key) => `'${key.slice(0, 40)}'`).join(', ')}` : undefined,
  ].filter((kind) => kind !== undefined)
  return {
    action: tidy(printForm(template, Object.fromEntries(filling) as Record<string, string>)),
    call,
    ...(faults.length > 0 && { formatError: `${definition.name}: ${faults.join('; ')}` }),
  }
}

/**
 * The arguments of a call as text; values that are not strings are written as JSON. Some servers encode the text of the
 * object once more.
 */
function readArguments(text: string): { readonly given: ReadonlyMap<string, string>; readonly fault?: string } {
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
    for (let times = 0; typeof value === 'string' && times < 3; times++) value = JSON.parse(value)
  } catch (thrown) {
    return { given: new Map(), fault: `the arguments are not JSON (${messageOf(thrown).slice(0, 100)})` }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { given: new Map(), fault: 'the arguments are not a JSON object' }
  }
  const entries = Object.entries(value as Record<string, unknown>).slice(0, maxArguments)
  const given = new Map(
    entries.map(([key, value]) => [
      key,
      typeof value === 'string' ? value.slice(0, maxActionLength) : JSON.stringify(value),
    ]),
  )
  const odd = entries.find(([, value]) => typeof value !== 'string' && typeof value !== 'number')
  return { given, ...(odd && { fault: `the argument '${odd[0].slice(0, 40)}' is not text` }) }
}

/** Where a call in the text of a reply begins, by the marks of chat templates. */
const callMark =
  /<\/?(?:tool_calls?|function_calls?)>|<\|?tool_calls?(?:_begin)?\|>|<function=|<invoke |\[TOOL_CALLS\]|<｜tool▁calls?▁begin｜>|<\|tool_calls_section_begin\|>|<\|python_tag\|>|<\|channel\|>commentary to=/i

/** A text up to the calls that a server left in it beside those that it parsed. */
export function withoutCalls(text: string): string {
  const at = text.search(callMark)
  return at === -1 ? text : text.slice(0, at)
}

const named = String.raw`(?:functions?\.)?([A-Za-z_][\w.-]{0,63}?)`
/** A name in front of arguments as JSON: Kimi, DeepSeek, Mistral, harmony, Llama. */
const nameBefore = new RegExp(
  String.raw`(?:(?:tool_call_begin\|>|tool▁call▁begin｜>)\s*(?:function<｜tool▁sep｜>)?|\[TOOL_CALLS\]\s*| to=|<function=)${named}(?::\d{1,4})?(?:\[CALL_ID\]\w{0,40})?\s*(?:[<[>][^{}]{0,80})?\s*$`,
  'u',
)
/** Calls without JSON: Qwen's coder, MiniMax, GLM. */
const tagged =
  /<(?:function=|invoke name=")([\w.-]{1,64})"?>|<tool_call>\s*([A-Za-z_][\w.-]{0,63})\s*(?=<arg_key>|<\/tool_call>)/u
const parameter =
  /<parameter(?:=| name=")([\w.-]{1,64})"?>([^]{0,4000}?)<\/parameter>|<arg_key>([^<]{1,64})<\/arg_key>\s*<arg_value>([^]{0,4000}?)<\/arg_value>/gu
const maxParameters = 2 * maxArguments

/** The first call that a model wrote into its text, where its server does not parse calls. */
export function readWrittenCall(reply: string): Call | undefined {
  for (const { value, start } of objectsIn(reply)) {
    const call = callIn(value)
    if (call !== undefined) return call
    const name = nameBefore.exec(reply.slice(Math.max(0, start - 300), start))?.[1]
    if (name !== undefined) return { name, arguments: JSON.stringify(value) }
  }
  const match = tagged.exec(reply)
  if (match === null) return undefined
  const inside = reply.slice(match.index + match[0].length).split(/<\/(?:function|invoke|tool_call)>/, 1)[0]!
  const given: Record<string, string> = {}
  for (const [, key, value, otherKey, other] of [...inside.matchAll(parameter)].slice(0, maxParameters)) {
    Object.defineProperty(given, (key ?? otherKey)!.trim(), { value: (value ?? other)!.trim(), enumerable: true })
  }
  return { name: (match[1] ?? match[2])!, arguments: JSON.stringify(given) }
}

/** `{"name": …, "arguments": {…}}` and the like, also inside of another object. */
function callIn(value: Record<string, unknown>): Call | undefined {
  const { function: called, tool_calls: calls } = value
  const inner: unknown = (Array.isArray(calls) ? calls[0] : undefined) ?? called
  if (typeof inner === 'object' && inner !== null) return callIn(inner as Record<string, unknown>)
  const key = ['name', 'tool', 'function'].find((candidate) => typeof value[candidate] === 'string')
  if (key === undefined) return undefined
  const field = ['arguments', 'parameters', 'args'].find((part) => value[part] !== undefined && value[part] !== null)
  const args = field === undefined ? {} : value[field]
  const name = (value[key] as string).replace(/^functions\./, '')
  return { name, arguments: typeof args === 'string' ? args : JSON.stringify(args) }
}

/** Maximum number of places at which an object is looked for. */
const maxObjects = 8

interface FoundObject {
  readonly value: Record<string, unknown>
  readonly start: number
}

/** The JSON objects in a text that are not inside of others, in order. */
function* objectsIn(text: string): Generator<FoundObject> {
  let start = text.indexOf('{')
  for (let tries = 0; start !== -1 && tries < maxObjects; tries++) {
    const end = endOfJson(text, start)
    const value = parseJson(text.slice(start, end))
    if (typeof value === 'object' && value !== null) yield { value: value as Record<string, unknown>, start }
    start = text.indexOf('{', value === undefined ? start + 1 : end)
  }
}

/** The place behind the bracket that closes an object or a list; the end of the text if none does. */
export function endOfJson(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\' && isQuoted) at++
    else if (character === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}

/** An action is one line of plain characters. */
function tidy(action: string): string {
  return plainText(action)
    .replace(/[\r\n]+/g, ' ')
    .trim()
    .slice(0, maxActionLength)
}

/** A function name that every server accepts. */
function serverName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  return safe === '' ? 'action' : safe
}
