import type { ActionForm, Completion, Filling, Sampling, ToolCall, ToolDefinition } from '../src/define.js'
import { parseTemplate, printForm, readForm, toolsOf, wordCall } from '../src/define.js'

/** A worded action, with its form where it has one. */
export interface WordedAction {
  readonly text: string
  readonly form?: { readonly of: ActionForm; readonly among: readonly ActionForm[]; readonly filling: Filling }
}

/** A reply in the agent's layout, or a function call where functions are offered. */
export function reply(
  { text, form }: WordedAction,
  thought: string | undefined,
  phrase: (action: string, thought?: string) => string,
  tools: Sampling['tools'] = [],
): Completion {
  if (tools.length === 0) return { text: phrase(text, thought), finish: 'stop' }
  const tool = form && toolsOf(form.among)[form.among.indexOf(form.of)]
  const call =
    tool === undefined
      ? callFor(text, tools)
      : callOf(tool.definition.name, tool.definition.parameters, (index) => form!.filling[tool.slots[index]!])
  return { text: '', finish: 'tool', toolCalls: [call] }
}

type Call = NonNullable<Completion['toolCalls']>[number]

function callOf(
  name: string,
  parameters: ToolDefinition['parameters'],
  valueAt: (index: number) => string | undefined,
): Call {
  const values = parameters.map((parameter, index) => [parameter.name, valueAt(index) ?? ''])
  return { name, arguments: JSON.stringify(Object.fromEntries(values)) }
}

interface OfferedTool {
  readonly tool: ToolDefinition
  /** The action form that the description quotes. */
  readonly template: string
  readonly slots: readonly string[]
}

/** The call of the offered function whose form matches, or else of a function named after the words of the action. */
function callFor(action: string, tools: readonly ToolDefinition[]): Call {
  for (const { tool, template, slots } of offeredTools(tools)) {
    const filling = readForm(template, action)
    if (filling !== undefined) return callOf(tool.name, tool.parameters, (index) => filling[slots[index]!])
  }
  const items = action.match(item) ?? []
  const words = action.replace(item, ' ').trim()
  const names = items.length === 1 ? ['recep'] : ['obj', 'recep']
  const values = items.map((value, index) => [names[index] ?? `item${String(index)}`, value])
  const name = words.replace(/\//g, '-').replace(/[^A-Za-z0-9-]+/g, '_')
  return { name, arguments: JSON.stringify(Object.fromEntries(values)) }
}

const item = /\b[a-z]+ ?\d+\b/gi

/** The action that a call in a history stands for. */
export function actionOf(call: ToolCall, tools: readonly ToolDefinition[]): string {
  const values = Object.entries(JSON.parse(call.arguments) as Record<string, string>)
  const offered = offeredTools(tools).find(({ tool }) => tool.name === call.name)
  if (offered === undefined) return wordCall(call.name, values)
  const { tool, template, slots } = offered
  const valueOf = new Map(values)
  const filling = tool.parameters.map(({ name }, index) => [slots[index]!, valueOf.get(name) ?? ''])
  return printForm(template, Object.fromEntries(filling) as Record<string, string>)
}

/** The offered functions, those with the longest literal text first. */
function offeredTools(tools: readonly ToolDefinition[]): readonly OfferedTool[] {
  return tools
    .map((tool): OfferedTool => {
      const quoted = /^'(.+?)': /.exec(tool.description)?.[1]
      const unfilled = tool.parameters.map(({ name }): [string, string] => [name, `{${name}}`])
      const template = quoted ?? wordCall(tool.name, unfilled)
      return { tool, template, slots: [...new Set(parseTemplate(template).slots)] }
    })
    .filter(({ tool, slots }) => slots.length === tool.parameters.length)
    .sort((a, b) => literalLength(b) - literalLength(a))
}

function literalLength({ template }: OfferedTool): number {
  return parseTemplate(template).literals.join('').length
}
