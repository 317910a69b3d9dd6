import type OpenAI from 'openai'
import { keptReasoning } from './reasoning.js'
import type { Message, Sampling, ToolDefinition } from '../core/model.js'
import type { RequestSettings } from './request-settings.js'
import type { ReasoningField } from './reply.js'
import type { ServerTraits } from './traits.js'

/** A request for a server with given traits. */
export interface WireRequest {
  readonly path: '/chat/completions' | '/completions'
  readonly body: Readonly<Record<string, unknown>>
  /** Where the text has to end, including stop strings that are not sent. */
  readonly stop: readonly string[]
}

/**
 * Builds the request of a call.
 * @param reasoningField the field in which the server gave the reasoning of calls, which goes back in it
 */
export function buildRequest(
  model: string,
  messages: readonly Message[],
  sampling: Sampling,
  traits: ServerTraits,
  settings: RequestSettings = {},
  reasoningField: ReasoningField | undefined = undefined,
): WireRequest {
  const { temperature, seed, sentSeed = seed, maxTokens, tools, logprobs } = sampling
  const shaped = shapeMessages(messages, traits)
  const prompt = traits.endpoint === 'completions' ? renderPrompt(shaped) : undefined
  const stop = [...sampling.stop, ...(prompt?.stop ?? [])]
  const sent = stop.slice(0, traits.stop)
  return {
    path: prompt ? '/completions' : '/chat/completions',
    stop,
    body: {
      ...settings.extraBody,
      ...settings.sampling,
      model,
      ...(prompt ? { prompt: prompt.text } : { messages: wireMessages(shaped, reasoningField) }),
      stream: false,
      temperature,
      ...(traits.seed === 'sent' && { seed: sentSeed }),
      [traits.maxTokensField]: maxTokens,
      ...(sent.length > 0 && { stop: sent }),
      ...(tools && !prompt && { tools: wireTools(tools) }),
      ...(logprobs && (prompt ? { logprobs: maxTop } : { logprobs: true, top_logprobs: maxTop })),
    },
  }
}

/** Number of likeliest tokens requested; OpenAI's completions give 5. */
const maxTop = 5

/**
 * Messages in the form that the template of a model accepts: without a system role, or without two messages of one role
 * in a row.
 */
export function shapeMessages(
  messages: readonly Message[],
  { systemRole, consecutiveRoles }: Pick<ServerTraits, 'systemRole' | 'consecutiveRoles'>,
): readonly Message[] {
  const folded = systemRole === 'fold' ? foldSystem(messages) : messages
  return consecutiveRoles === 'merge' ? mergeRoles(folded) : folded
}

function foldSystem(messages: readonly Message[]): readonly Message[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  if (system.length === 0) return messages
  const others = messages.filter(({ role }) => role !== 'system')
  const first = others.findIndex(({ role }) => role === 'user')
  if (first === -1) return [{ role: 'user', content: system.join('\n\n') }, ...others]
  return others.map((message, index) =>
    index === first ? { ...message, content: [...system, message.content].join('\n\n') } : message,
  )
}

function mergeRoles(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role !== message.role || isOfTools(last) || isOfTools(message)) merged.push(message)
    else merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
  }
  return merged
}

function isOfTools({ toolCalls, toolCallId }: Message): boolean {
  return toolCalls !== undefined || toolCallId !== undefined
}

const labels = { user: 'User', tool: 'User', assistant: 'Assistant' } as const

/** One text for a model without a chat template. Turns are labelled only where there are replies among them. */
function renderPrompt(messages: readonly Message[]): { readonly text: string; readonly stop: readonly string[] } {
  if (messages.every(({ role }) => role === 'system' || role === 'user')) {
    return { text: messages.map(({ content }) => content).join('\n\n'), stop: [] }
  }
  const turns = messages.map(({ role, content }) => (role === 'system' ? content : `${labels[role]}: ${content}`))
  return { text: [...turns, `${labels.assistant}:`].join('\n\n'), stop: [`\n${labels.user}:`] }
}

/**
 * Messages in the format of chat completions: function calls with their ids, and each result as a message with the id
 * of its call.
 * @param field the field in which calls are sent back with their reasoning; without it they are sent alone
 */
export function wireMessages(
  messages: readonly Message[],
  field?: ReasoningField,
): OpenAI.ChatCompletionMessageParam[] {
  return messages.map(({ role, content, toolCalls, toolCallId, reasoning = '' }) => {
    if (role === 'tool') return { role, content, tool_call_id: toolCallId ?? '' }
    if (role !== 'assistant' || toolCalls === undefined) return { role, content }
    const text = field === undefined ? content : withoutReasoning(content, reasoning)
    return {
      role,
      content: text === '' ? null : text,
      ...(field && { [field]: reasoning }),
      tool_calls: toolCalls.map(({ id, name, arguments: argumentText }) => ({
        id,
        type: 'function',
        function: { name, arguments: argumentText },
      })),
    }
  })
}

/** A reply without its reasoning, which the setting `reasoning: keep` puts in front of it. */
function withoutReasoning(content: string, reasoning: string): string {
  const kept = keptReasoning(reasoning)
  return content.startsWith(kept) ? content.slice(kept.length) : content
}

/** Functions in the format of chat completions: every parameter is a string and required. */
export function wireTools(tools: readonly ToolDefinition[]): OpenAI.ChatCompletionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    function: {
      name,
      description,
      parameters: {
        type: 'object',
        properties: Object.fromEntries(
          parameters.map((parameter) => [parameter.name, { type: 'string', description: parameter.description }]),
        ),
        required: parameters.map((parameter) => parameter.name),
        additionalProperties: false,
      },
    },
  }))
}
