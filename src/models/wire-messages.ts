import type OpenAI from 'openai'
import type { Message, ToolDefinition } from '../core/model.js'

/**
 * Messages as chat completions takes them: calls of functions with their ids, and what came of each as a message that
 * names its call.
 * @param withReasoning whether calls are sent back with their reasoning, in DeepSeek's field
 */
export function wireMessages(messages: readonly Message[], withReasoning = false): OpenAI.ChatCompletionMessageParam[] {
  return messages.map(({ role, content, toolCalls, toolCallId, reasoning = '' }) => {
    if (role === 'tool') return { role, content, tool_call_id: toolCallId ?? '' }
    if (role !== 'assistant' || toolCalls === undefined) return { role, content }
    return {
      role,
      content: content === '' ? null : content,
      ...(withReasoning && { reasoning_content: reasoning }),
      tool_calls: toolCalls.map(({ id, name, arguments: given }) => ({
        id,
        type: 'function',
        function: { name, arguments: given },
      })),
    }
  })
}

/** Functions as chat completions takes them: every parameter is a string and required. */
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
