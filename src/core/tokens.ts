import type { Message, ToolDefinition } from './model.js'

/** Characters of English a token, about in the middle: a tokenizer of our own would fit no model. */
const charactersPerToken = 3.5
/** What roles and separators take, for each message. */
const tokensPerMessage = 4

/**
 * About how many tokens messages and functions are, for want of the model's own tokenizer; createFitting() is more
 * careful.
 */
export function estimateTokens(messages: readonly Message[], tools: readonly ToolDefinition[] = []): number {
  const called = messages.reduce((sum, { toolCalls = [] }) => sum + toolCalls.length, 0)
  return Math.ceil(charactersOf(messages, tools) / charactersPerToken) + tokensPerMessage * (messages.length + called)
}

/** Characters of messages, the functions called in them, and the functions that are offered. */
export function charactersOf(messages: readonly Message[], tools: readonly ToolDefinition[] = []): number {
  const said = messages.reduce(
    (sum, { content, toolCalls = [] }) =>
      toolCalls.reduce((all, call) => all + call.name.length + call.arguments.length, sum + content.length),
    0,
  )
  return said + (tools.length === 0 ? 0 : JSON.stringify(tools).length)
}
