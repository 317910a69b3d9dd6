import { readToolReply } from '../agents/tool-call.js'
import { readForm } from '../core/form.js'
import { type FormTool, toolsOf } from '../agents/form-tools.js'
import { type Json, isObject } from '../files/json.js'
import { type Call, fieldsOf, mapTexts, readArguments, toldKeys } from './wire.js'
import { refusalToken } from './memory.js'
import type { Acted, View } from './view.js'

/** The functions of a request, translated between harness and model. */
export type Offered = ReturnType<typeof offerTools>

/** A call for the harness. */
export interface AnsweredCall extends Acted {
  readonly action: string
  readonly call: Call
  /** In a refused call: the word that no environment understands, and the model's own word in its place. */
  readonly token?: string
  readonly own?: string
}

/** @param show rewords a text of the harness as in its prompts */
export function offerTools(offered: readonly unknown[], view: View, show: (text: string) => string) {
  const below = toolsOf(view.forms)
  const above = toolsOf(view.perturbedForms)
  const nameAbove = new Map<string, string>()
  const found = new Map<string, { readonly own: string; readonly from: FormTool; readonly to: FormTool }>()
  let known = 0
  const tools = offered.map((tool) => {
    const own = nameOf(tool)
    const index = below.findIndex(({ definition }) => own !== undefined && plain(definition.name) === plain(own))
    const [from, to] = [below[index], above[index]]
    if (own === undefined || from === undefined || to === undefined) return mapTexts(tool, toldKeys, show)
    known++
    const name = from.definition.name === to.definition.name ? own : to.definition.name
    nameAbove.set(own, name)
    found.set(name, { own, from, to })
    const shown = structuredClone(tool)
    Object.assign(fieldsOf(shown)!, { name, ...orderedParameters(tool, to) })
    return mapTexts(shown, toldKeys, show)
  })
  const toolsAbove = new Map([...found].map(([name, { to }]) => [name, to]))

  /** Whether a name is that of a function for a known action, in either wording. */
  const isAction = (name: string): boolean => found.has(name) || nameAbove.has(name)
  /** Whether a text calls such a function as code does: `take_from(obj="mug 1")`. */
  const hasCode = (text: string): boolean =>
    [...text.matchAll(/(?<![\w-])([\w-]{1,64})\(/g)].some(([, name]) => isAction(name!))
  const isForeign = (name: string): boolean => !isAction(name) && offered.some((tool) => nameOf(tool) === name)
  /**
   * Translates a call of the model for the harness. Undefined for a function that is no action, whose arguments may
   * contain some.
   */
  const answer = (call: Call): AnsweredCall | undefined => {
    if (isForeign(call.name)) return undefined
    const { action } = readToolReply('', [call], toolsAbove)
    const acted = view.act(action)
    const tool = found.get(call.name)
    if (tool === undefined && !acted.refused) return undefined
    if (acted.refused) return { ...acted, action, ...refuse(call) }
    const values = readForm(tool!.from.template, acted.command)
    const args = readArguments(call.arguments)
    const isSame = acted.command === action && tool!.own === call.name
    if (isSame || args === undefined) return { ...acted, action, call: { ...call, name: tool!.own } }
    return { ...acted, action, call: { name: tool!.own, arguments: fill(args, tool!.to, values) } }
  }
  /** Harnesses end at a call of a function that they did not offer, so the first slot of an offered one says it. */
  const refuse = (call: Call) => {
    const token = refusalToken(`${call.name} ${call.arguments}`)
    const own = found.get(call.name)?.own ?? call.name
    const all = offered.flatMap((tool) => {
      const [name, slots] = [nameOf(tool), Object.keys(parametersOf(tool)?.properties ?? {})]
      return name === undefined || slots.length === 0 ? [] : [{ name, slots }]
    })
    const target = all.find(({ name }) => name === own) ?? all.find(({ name }) => nameAbove.has(name)) ?? all[0]
    if (target === undefined) return { call: { name: token, arguments: '{}' } }
    const args = readArguments(call.arguments) ?? {}
    const values = target.slots.map((slot, at) => [slot, at === 0 ? token : (args[slot] ?? token)])
    const first = args[target.slots[0]!]
    return {
      call: { name: target.name, arguments: JSON.stringify(Object.fromEntries(values)) },
      token,
      ...(typeof first === 'string' && { own: first }),
    }
  }
  /** Translates a call in the harness's history for the model. */
  const history = (call: Call): Call => {
    const name = nameAbove.get(call.name)
    const tool = name === undefined ? undefined : found.get(name)
    const args = readArguments(call.arguments)
    if (name === undefined || tool === undefined || args === undefined) return call
    const { action } = readToolReply('', [call], new Map([[call.name, tool.from]]))
    const values = readForm(tool.to.template, view.command(action))
    const filled = fill(args, tool.from, values)
    return { name, arguments: filled === JSON.stringify(args) ? call.arguments : filled }
  }
  /** The name of a harness's function for the model. */
  const renamed = (name: string): string => nameAbove.get(name) ?? name
  return { tools, known, isAction, hasCode, renamed, answer, history }
}

/** Arguments with other values. Those under other names than the form's are for the slots that have none, in order. */
function fill(
  tool: Json,
  { definition, slots }: FormTool,
  values: Readonly<Record<string, string>> | undefined,
): string {
  const open = definition.parameters.flatMap(({ name }, index) => (name in tool ? [] : [slots[index]!]))
  const slotOf = new Map(definition.parameters.map(({ name }, index) => [name, slots[index]!]))
  const filled = Object.entries(tool).map(([key, value]) => {
    const slot = slotOf.get(key) ?? open.shift()
    return [key, (slot === undefined ? undefined : values?.[slot]) ?? value]
  })
  return JSON.stringify(Object.fromEntries(filled))
}

function nameOf(tool: unknown): string | undefined {
  const name = fieldsOf(tool)?.name
  return typeof name === 'string' ? name : undefined
}

function parametersOf(tool: unknown): (Json & { readonly properties: Json }) | undefined {
  const parameters = fieldsOf(tool)?.parameters
  return isObject(parameters) && isObject(parameters.properties)
    ? { ...parameters, properties: parameters.properties }
    : undefined
}

/** The parameters of a function in the order of its new form, where they are the form's parameters. */
function orderedParameters(tool: unknown, { definition }: FormTool): { readonly parameters?: Json } {
  const order = definition.parameters.map((parameter) => parameter.name)
  const parameters = parametersOf(tool)
  if (parameters === undefined || !isSame(Object.keys(parameters.properties), order)) return {}
  const { properties, required } = parameters
  return {
    parameters: {
      ...parameters,
      properties: Object.fromEntries(order.map((key) => [key, properties[key]])),
      ...(Array.isArray(required) && isSame(required, order) && { required: order }),
    },
  }
}

function isSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value))
}

/** A name in lower case, with letters and digits only. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}
