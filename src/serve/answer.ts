import { hashOf } from '../core/episode.js'
import type { Completion, Message, Model, ToolDefinition } from '../core/model.js'
import { ApiError } from './api-error.js'
import type { ModelRequest } from './request.js'

/** One of the answers that were asked for. */
export interface Choice {
  /** What it says, piece by piece, as a stream hands it over. */
  readonly pieces: readonly string[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly toolCalls: NonNullable<Completion['toolCalls']>
}

/** Everything that a client is told. */
export interface Answer {
  /** The same for the same request. */
  readonly id: string
  readonly choices: readonly Choice[]
  readonly promptTokens: number
  readonly completionTokens: number
}

/**
 * Lets a model answer. The same request gets the same answer; the first of several choices is that of the seed itself,
 * the others have seeds that are made from it.
 * @param contextTokens the most tokens of prompt and reply together
 * @throws ApiError 400 `context_length_exceeded` where the prompt and what may be said do not fit
 */
export async function answer(request: ModelRequest, model: Model, contextTokens: number | undefined): Promise<Answer> {
  const { messages, seed, temperature, stop, tools } = request
  const promptTokens = countTokens(messages, tools)
  const room = roomFor(request, promptTokens, contextTokens)
  const choices: Choice[] = []
  for (let index = 0; index < request.choices; index++) {
    const completion = await model.complete(messages, {
      temperature,
      seed: index === 0 ? seed : seedOf(seed, index),
      maxTokens: room,
      stop,
      ...(tools.length > 0 && { tools }),
    })
    choices.push(choose(completion, stop, room))
  }
  return {
    id: hashOf(JSON.stringify(request), 24),
    choices,
    promptTokens,
    completionTokens: choices.reduce((sum, { pieces }) => sum + pieces.length, 0),
  }
}

function choose({ text, toolCalls = [] }: Completion, stop: readonly string[], room: number): Choice {
  const cut = stop.reduce((kept, mark) => (kept.includes(mark) ? kept.slice(0, kept.indexOf(mark)) : kept), text)
  const pieces = piecesOf(cut)
  if (pieces.length > room) return { pieces: pieces.slice(0, room), finish: 'length', toolCalls: [] }
  return { pieces, finish: toolCalls.length > 0 ? 'tool_calls' : 'stop', toolCalls }
}

function roomFor({ endpoint, maxTokens }: ModelRequest, promptTokens: number, contextTokens = Infinity): number {
  const wanted = promptTokens + (maxTokens ?? 1)
  if (wanted <= contextTokens) return maxTokens ?? contextTokens - promptTokens
  const param = endpoint === 'chat' ? 'messages' : 'prompt'
  throw new ApiError(
    400,
    `This model's maximum context length is ${String(contextTokens)} tokens. However, you requested ${String(wanted)} tokens (${String(promptTokens)} in the ${param}, ${String(maxTokens ?? 1)} in the completion). Please reduce the length of the ${param} or completion.`,
    { param, code: 'context_length_exceeded' },
  )
}

function seedOf(seed: number, index: number): number {
  return Number.parseInt(hashOf([seed, index], 8), 16)
}

/**
 * The tokens of what a control model says: at most four characters of a word, with the space before it. It fits no real
 * tokenizer; it is there so that limits, usage and streaming have something to count.
 */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s?[^\s]{1,4}|\s/gu) ?? []
}

/** What a chat template adds to a message. */
const tokensPerMessage = 4

/**
 * The tokens of a prompt, about as a real vocabulary of 32,000 has them: pieces of words, each digit, each sign.
 * Household texts come to some 2.5 characters a token; a client that reckons with more is told so by the usage, or
 * refused.
 */
function countTokens(messages: readonly Message[], tools: readonly ToolDefinition[]): number {
  const texts = messages.flatMap(({ content, toolCalls = [] }) => [
    content,
    ...toolCalls.flatMap((call) => [call.name, call.arguments]),
  ])
  if (tools.length > 0) texts.push(JSON.stringify(tools))
  const counts = texts.map((text) => text.match(/ ?\p{L}{1,4}|\d|[^\p{L}\d]/gu)?.length ?? 0)
  return counts.reduce((sum, count) => sum + count, tokensPerMessage * messages.length)
}
