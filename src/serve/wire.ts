import { hashOf } from '../core/episode.js'
import type { Answer, Choice } from './answer.js'
import type { ModelRequest } from './request.js'

/** The body of an answer, in the pieces in which it is sent. */
export interface Payload {
  readonly contentType: string
  readonly pieces: readonly string[]
}

/** Formats an answer as OpenAI does: one JSON object, or a stream of server-sent events. It contains no time. */
export function layOut(request: ModelRequest, answer: Answer): Payload {
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
