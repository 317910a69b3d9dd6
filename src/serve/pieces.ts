import type { Message, ToolDefinition } from '../core/model.js'

/**
 * The tokens of what a control model says: at most four characters of a word, with the space before it. It fits no real tokenizer; it
 * is there so that limits, usage and streaming have something to count.
 */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\s?[^\s]{1,4}|\s/gu) ?? []
}

/** What a chat template adds to a message. */
const tokensPerMessage = 4

/**
 * The tokens of a prompt, about as a real vocabulary of 32,000 has them: pieces of words, each digit, each sign. Household
 * texts come to some 2.5 characters a token; a client that reckons with more is told so by the usage, or refused.
 */
export function countTokens(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
  const texts = messages.flatMap(({ content, toolCalls = [] }) => [
    content,
    ...toolCalls.flatMap((call) => [call.name, call.arguments]),
  ])
  if (tools.length > 0) texts.push(JSON.stringify(tools))
  const counts = texts.map((text) => text.match(/ ?\p{L}{1,4}|\d|[^\p{L}\d]/gu)?.length ?? 0)
  return counts.reduce((sum, count) => sum + count, tokensPerMessage * messages.length)
}
