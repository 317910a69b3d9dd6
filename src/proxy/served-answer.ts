import { hashOf } from '../core/episode.js'
import type { Completion, Message, Model, ToolDefinition } from '../core/model.js'
import { ApiError } from './server.js'
import type { ModelRequest } from './served-request.js'

/** The body of an answer, in the pieces in which it is sent. */
export interface Payload {
  readonly contentType: string
  readonly pieces: readonly string[]
}

/** One of the `n` requested choices. */
interface Choice {
  /** Its text in pieces, as a stream sends it. */
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
 * limits, usage and streaming need something to count.
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
function layOut(request: ModelRequest, answer: Answer): Payload {
  if (request.stream) return { contentType: 'text/event-stream; charset=utf-8', pieces: eventsOf(request, answer) }
  const { endpoint } = request
  const body = {
    ...headOf(request, answer, endpoint === 'chat' ? 'chat.completion' : 'text_completion'),
    choices: answer.choices.map((choice, index) => ({
      index,
      ...(endpoint === 'chat' ? { message: messageOf(choice, answer, index) } : { text: choice.pieces.join('') }),
      logprobs: null,
      finish_reason: choice.finish,
    })),
    usage: usageOf(answer),
  }
  return { contentType: 'application/json', pieces: [JSON.stringify(body)] }
}

function headOf({ endpoint, model }: ModelRequest, { id }: Answer, object: string) {
  return { id: `${endpoint === 'chat' ? 'chatcmpl' : 'cmpl'}-${id}`, object, created: 0, model }
}

function usageOf({ promptTokens, completionTokens }: Answer) {
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
  }
}

function messageOf({ pieces, toolCalls }: Choice, answer: Answer, index: number) {
  const text = pieces.join('')
  return {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    ...(toolCalls.length > 0 && { tool_calls: toolCallsOf(toolCalls, answer, index) }),
  }
}

/** Clients take two calls of a conversation with one id for the same; the id of an answer depends on the conversation. */
function toolCallsOf(calls: Choice['toolCalls'], { id }: Answer, choice: number) {
  return calls.map((call, index) => ({
    id: `call_${hashOf([id, choice, index], 20)}`,
    type: 'function',
    function: call,
  }))
}

function eventsOf(request: ModelRequest, answer: Answer): string[] {
  const { endpoint, streamUsage } = request
  const head = headOf(request, answer, endpoint === 'chat' ? 'chat.completion.chunk' : 'text_completion')
  const event = (index: number, content: object, finish: string | null): object => ({
    ...head,
    choices: [{ index, ...content, logprobs: null, finish_reason: finish }],
    ...(streamUsage && { usage: null }),
  })
  const chunks = answer.choices.flatMap(({ pieces, finish, toolCalls }, index): object[] => {
    if (endpoint === 'completions') {
      return [...pieces.map((text) => event(index, { text }, null)), event(index, { text: '' }, finish)]
    }
    const calls = toolCallsOf(toolCalls, answer, index).map((call, place) => ({ index: place, ...call }))
    return [
      event(index, { delta: { role: 'assistant', content: '' } }, null),
      ...pieces.map((content) => event(index, { delta: { content } }, null)),
      ...(calls.length > 0 ? [event(index, { delta: { tool_calls: calls } }, null)] : []),
      event(index, { delta: {} }, finish),
    ]
  })
  const usage = streamUsage ? [{ ...head, choices: [], usage: usageOf(answer) }] : []
  return [...[...chunks, ...usage].map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n']
}
