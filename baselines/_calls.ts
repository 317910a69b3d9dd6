import type { Completion, ToolCall, ToolDefinition } from 'shaketable'
import { parseTemplate, printForm, readForm, wordCall } from 'shaketable'

type Call = NonNullable<Completion['toolCalls']>[number]

interface Offer {
  readonly tool: ToolDefinition
  /** The action form that the description quotes. */
  readonly template: string
  readonly slots: readonly string[]
}

const read = new WeakMap<readonly ToolDefinition[], readonly Offer[]>()

/**
 * The call that says an action: of the function whose form it is of, or else of one that is not on offer and is called
 * by the action's words.
 */
export function callFor(action: string, tools: readonly ToolDefinition[]): Call {
  for (const { tool, template, slots } of offersOf(tools)) {
    const filling = readForm(template, action)
    if (filling === undefined) continue
    const given = tool.parameters.map(({ name }, index) => [name, filling[slots[index]!] ?? ''])
    return { name: tool.name, arguments: JSON.stringify(Object.fromEntries(given)) }
  }
  const parts = action.split(/\b([a-z]+ ?\d+)\b/i)
  const words = parts.filter((_, index) => index % 2 === 0).join(' ')
  const items = parts.filter((_, index) => index % 2 === 1)
  const names = items.length === 1 ? ['recep'] : ['obj', 'recep']
  const given = items.map((item, index) => [names[index] ?? `item${String(index)}`, item])
  return {
    name: words
      .trim()
      .replace(/\//g, '-')
      .replace(/[^A-Za-z0-9-]+/g, '_'),
    arguments: JSON.stringify(Object.fromEntries(given)),
  }
}

/** The action that a call in a history was. */
export function actionOf(call: ToolCall, tools: readonly ToolDefinition[]): string {
  const given = Object.entries(JSON.parse(call.arguments) as Record<string, string>)
  const offer = offersOf(tools).find(({ tool }) => tool.name === call.name)
  if (offer === undefined) return wordCall(call.name, given)
  const { tool, template, slots } = offer
  const values = new Map(given)
  const filling = tool.parameters.map(({ name }, index) => [slots[index]!, values.get(name) ?? ''])
  return printForm(template, Object.fromEntries(filling) as Record<string, string>)
}

/** What is on offer, the forms with most words first. */
function offersOf(tools: readonly ToolDefinition[]): readonly Offer[] {
  const known = read.get(tools)
  if (known !== undefined) return known
  const offers = tools
    .map((tool): Offer => {
      const quoted = /^'(.+?)': /.exec(tool.description)?.[1]
      const open = tool.parameters.map(({ name }): [string, string] => [name, `{${name}}`])
      const template = quoted ?? wordCall(tool.name, open)
      return { tool, template, slots: [...new Set(parseTemplate(template).slots)] }
    })
    .filter(({ tool, slots }) => slots.length === tool.parameters.length)
    .sort((a, b) => wordsIn(b) - wordsIn(a))
  read.set(tools, offers)
  return offers
}

function wordsIn({ template }: Offer): number {
  return parseTemplate(template).literals.join('').length
}
