import { hashOf } from '../core/episode.js'
import type { Completion, Message, Model, ToolDefinition } from '../core/model.js'
import { ApiError } from './server.js'
import { streamChoices } from './replies.js'
import type { ModelRequest } from './served-request.js'

/** The body of an answer. */
export interface Payload {
  readonly contentType: string
  readonly text: string
}

/** One of the `n` requested choices. */
interface Choice {
  /** Its text in pseudo-tokens. */
  readonly pieces: readonly string[]
  readonly finish: 'stop' | 'length' | 'tool_calls'
  readonly toolCalls: NonNullable<Completion['toolCalls']>
}

/** The whole answer to a request. */
interface Answer {
  /** A hash of the request. */
  readonly id: string
  readonly choices: readonly Choice[]
  readonly promptTokens: number
  readonly completionTokens: number
}

/**
 * The answer of a model. Equal requests get equal answers; the first of several choices uses the seed itself, the
 * others seeds derived from it.
 * @param contextTokens the token limit of prompt and reply together
 * @throws ApiError 400 `context_length_exceeded` if prompt and `max_tokens` exceed it
 */
export async function answer(request: ModelRequest, model: Model, contextTokens: number | undefined): Promise<Payload> {
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
  return layOut(request, {
    id: hashOf(JSON.stringify(request), 24),
    choices,
    promptTokens,
    completionTokens: choices.reduce((sum, { pieces }) => sum + pieces.length, 0),
  })
}

function choose({ text, toolCalls = [] }: Completion, stop: readonly string[], room: number): Choice {
  const cut = stop.reduce((kept, mark) => (kept.includes(mark) ? kept.slice(0, kept.indexOf(mark)) : kept), text)
  const pieces = piecesOf(cut)
  if (pieces.length > room) return { pieces: pieces.slice(0, room), finish: 'length', toolCalls: [] }
  return { pieces, finish: toolCalls.length > 0 ? 'tool_calls' : 'stop', toolCalls }
}

function roomFor({ endpoint, maxTokens }: ModelRequest, promptTokens: number, contextTokens = Infinity): number {
  const requested = promptTokens + (maxTokens ?? 1)
  if (requested <= contextTokens) return maxTokens ?? contextTokens - promptTokens
  const param = endpoint === 'chat' ? 'messages' : 'prompt'
  throw new ApiError(
    400,
    `This model's maximum context length is ${String(contextTokens)} tokens. However, you requested ${String(requested)} tokens (${String(promptTokens)} in the ${param}, ${String(maxTokens ?? 1)} in the completion). Please reduce the length of the ${param} or completion.`,
    { param, code: 'context_length_exceeded' },
  )
}

function seedOf(seed: number, index: number): number {
  return Number.parseInt(hashOf([seed, index], 8), 16)
}

/**
 * Pseudo-tokens of a reply: at most four characters of a word, with the space before it. They match no real tokenizer;
 * limits and usage need something to count.
 */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s?[^\s]{1,4}|\s/gu) ?? []
}

/** Tokens that a chat template adds to a message. */
const tokensPerMessage = 4

/**
 * The tokens of a prompt, approximating a vocabulary of 32,000: pieces of words, each digit, each sign. Household texts
 * have about 2.5 characters a token.
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

/** Formats an answer as OpenAI does: one JSON object, or a stream of server-sent events. It contains no time. */
function layOut(request: ModelRequest, { id, choices, promptTokens, completionTokens }: Answer): Payload {
  const { endpoint, model, stream, streamUsage } = request
  const isChat = endpoint === 'chat'
  const usage = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
  const body = {
    id: `${isChat ? 'chatcmpl' : 'cmpl'}-${id}`,
    object: isChat ? `chat.completion${stream ? '.chunk' : ''}` : 'text_completion',
    created: 0,
    model,
    choices: choices.map((choice, index) => ({
      index,
      ...(isChat ? { message: messageOf(choice, id, index) } : { text: choice.pieces.join('') }),
      logprobs: null,
      finish_reason: choice.finish,
    })),
    ...((!stream || streamUsage) && { usage }),
  }
  if (stream) return { contentType: 'text/event-stream; charset=utf-8', text: streamChoices(body) }
  return { contentType: 'application/json', text: JSON.stringify(body) }
}

function messageOf({ pieces, toolCalls }: Choice, id: string, choice: number) {
  const text = pieces.join('')
  // Clients take two calls of a conversation with one id for the same; the id of an answer depends on the conversation.
  const calls = toolCalls.map((call, index) => ({
    id: `call_${hashOf([id, choice, index], 20)}`,
    type: 'function',
    function: call,
  }))
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(calls.length > 0 && { tool_calls: calls }),
  }
}
