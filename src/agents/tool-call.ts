import type { Reading } from '../core/agent.js'
import { messageOf } from '../core/errors.js'
import { printForm } from '../core/form.js'
import type { Completion } from '../core/model.js'
import type { FormTool } from '../core/form-tools.js'
import { wordCall } from '../core/form-tools.js'
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
  const written = writtenCall(reply)
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
  ].filter((one) => one !== undefined)
  return {
    action: tidy(printForm(template, Object.fromEntries(filling) as Record<string, string>)),
    call,
    ...(faults.length > 0 && { formatError: `${definition.name}: ${faults.join('; ')}` }),
  }
}

/** The arguments of a call as text; values that are not strings are written as JSON. */
function readArguments(text: string): { readonly given: ReadonlyMap<string, string>; readonly fault?: string } {
  let value: unknown
  try {
    value = text.trim() === '' ? {} : JSON.parse(text)
  } catch (thrown) {
    return { given: new Map(), fault: `the arguments are not JSON (${messageOf(thrown).slice(0, 100)})` }
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return { given: new Map(), fault: 'the arguments are not a JSON object' }
  }
  const entries = Object.entries(value as Record<string, unknown>).slice(0, maxArguments)
  const given = new Map(
    entries.map(([key, one]) => [key, typeof one === 'string' ? one.slice(0, maxActionLength) : JSON.stringify(one)]),
  )
  const odd = entries.find(([, one]) => typeof one !== 'string' && typeof one !== 'number')
  return { given, ...(odd && { fault: `the argument '${odd[0].slice(0, 40)}' is not text` }) }
}

/**
 * A call that a model wrote into its text, where a server does not parse calls: `{"name": …, "arguments": {…}}`.
 */
function writtenCall(reply: string): Call | undefined {
  const [start, end] = [reply.indexOf('{'), reply.lastIndexOf('}')]
  if (start === -1 || end < start) return undefined
  try {
    const value = JSON.parse(reply.slice(start, end + 1)) as Record<string, unknown>
    const given = value.arguments ?? value.parameters
    if (typeof value.name !== 'string') return undefined
    return { name: value.name, arguments: typeof given === 'string' ? given : JSON.stringify(given ?? {}) }
  } catch {
    return undefined
  }
}

/** An action is one line. */
function tidy(action: string): string {
  return action
    .replace(/[\r\n]+/g, ' ')
    .trim()
    .slice(0, maxActionLength)
}

/** A function name that every server accepts. */
function serverName(name: string): string {
  const safe = name.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
  return safe === '' ? 'action' : safe
}
