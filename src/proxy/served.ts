import type { ServerResponse } from 'node:http'
import * as z from 'zod'
import { hashOf } from '../core/episode.js'
import { unknownName } from '../core/errors.js'
import type { Message, Model, ToolDefinition } from '../core/model.js'
import { parseJson } from '../files/json.js'
import { estimateTokens } from '../models/fit.js'
import { streamChoices } from './replies.js'
import { type Handle, type Listening, type Serving, ApiError, readBody, serveWith } from './server.js'

/** What a server serves, and where. */
export interface ServeOptions extends Listening {
  readonly models: readonly Model[]
}

const text = z.object({ type: z.literal('text'), text: z.string() })
const described = z.object({ description: z.string().default('') })
const call = z.object({ id: z.string(), function: z.object({ name: z.string(), arguments: z.string() }) })
const message = z.object({
  role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
  content: z.union([z.string(), z.array(text)], { error: 'a string, or an array of text parts' }).nullish(),
  tool_calls: z.array(call).nullish(),
  tool_call_id: z.string().nullish(),
})
const tool = z.object({
  function: described.extend({
    name: z.string(),
    parameters: z.object({ properties: z.record(z.string(), described).default({}) }).optional(),
  }),
})
const tokens = z.int().min(1).nullish()
/** A request of either endpoint. */
const request = z.object({
  model: z.string(),
  messages: z.array(message).min(1).optional(),
  prompt: z.string({ error: 'one string' }).optional(),
  tools: z.array(tool).nullish(),
  n: z.literal(1, { error: '1: a control model gives one reply' }).nullish(),
  seed: z.int().nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  stop: z.union([z.string(), z.array(z.string())], { error: 'a string, or an array of strings' }).nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
  logprobs: z.literal([false, 0], { error: 'nothing: a control model has no log probabilities' }).nullish(),
})
type Request = z.infer<typeof request>

/**
 * Serves models as an OpenAI-compatible server.
 * @throws ShaketableError `usage` if it cannot listen on the address
 */
export function serve(options: ServeOptions): Promise<Serving> {
  return serveWith(createHandler(options), options)
}

/** The field with what is asked for, by the path. */
const endpoints = { '/v1/chat/completions': 'messages', '/v1/completions': 'prompt' } as const

function createHandler({ models }: ServeOptions): Handle {
  const find = (name: string): Model => {
    const model = models.find((candidate) => candidate.name === name)
    if (model !== undefined) return model
    const known = models.map((candidate) => candidate.name)
    throw new ApiError(404, unknownName('model', name, known), { param: 'model', code: 'model_not_found' })
  }
  const list = models.map(({ name }) => ({ id: name, object: 'model', created: 0, owned_by: 'shaketable' }))
  const pages = new Map<string, unknown>([
    ['/health', { status: 'ok' }],
    ['/v1/models', { object: 'list', data: list }],
  ])
  return async (incoming, response) => {
    const [path = ''] = (incoming.url ?? '').split('?')
    const { method = 'GET' } = incoming
    const page = method === 'GET' ? pages.get(path) : undefined
    if (page !== undefined) return send(response, 'application/json', JSON.stringify(page))
    const field =
      method === 'POST' && Object.hasOwn(endpoints, path) ? endpoints[path as keyof typeof endpoints] : undefined
    if (field === undefined) {
      const known = [...pages.keys(), ...Object.keys(endpoints)].join(', ')
      const message = `There is nothing for ${method} at ${path.slice(0, 200)}. Known: ${known}.`
      throw new ApiError(404, message, { code: 'unknown_url' })
    }
    const asked = read(parseJson(await readBody(incoming)), field)
    const body = await answer(asked, find(asked.model))
    if (response.destroyed) return
    if (asked.stream === true) send(response, 'text/event-stream; charset=utf-8', streamChoices(body))
    else send(response, 'application/json', JSON.stringify(body))
  }
}

function send(response: ServerResponse, type: string, text: string): void {
  response.writeHead(200, { 'content-type': type, 'content-length': Buffer.byteLength(text) }).end(text)
}

/** @throws ApiError 400 with the wrong parameter */
function read(body: unknown, field: 'messages' | 'prompt'): Request {
  const wrong = (param: string, message: string): ApiError =>
    new ApiError(400, `Invalid value for '${param || 'body'}': ${message}.`, {
      param: param || null,
      code: 'invalid_value',
    })
  const { data, error } = request.safeParse(body)
  if (data === undefined) {
    const { path, message } = error.issues[0]!
    const param = path.map((part) => (typeof part === 'number' ? `[${String(part)}]` : `.${String(part)}`)).join('')
    throw wrong(param.slice(1), message.replace(/^Invalid input: /, ''))
  }
  if (data.stream !== true && data.stream_options) throw wrong('stream_options', "it goes only with 'stream': true")
  if (data[field] === undefined) throw wrong(field, 'expected something to answer')
  return field === 'messages' ? data : { ...data, messages: undefined }
}

function messagesOf({ messages, prompt }: Request): readonly Message[] {
  if (messages === undefined) return [{ role: 'user', content: prompt! }]
  return messages.map(({ role, content, tool_calls: calls, tool_call_id: answered }) => ({
    role: role === 'developer' ? 'system' : role,
    content: [content ?? []]
      .flat()
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join(''),
    ...(calls && { toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) }),
    ...(typeof answered === 'string' && { toolCallId: answered }),
  }))
}

function toolsOf({ tools }: Request): readonly ToolDefinition[] {
  return (tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    parameters: Object.entries(parameters?.properties ?? {}).map(([parameter, about]) => ({
      name: parameter,
      description: about.description,
    })),
  }))
}

/** The answer of a model, in OpenAI's format. It contains no time, and equal requests get equal answers. */
async function answer(request: Request, model: Model) {
  const isChat = request.messages !== undefined
  const messages = messagesOf(request)
  const tools = toolsOf(request)
  // 16 is OpenAI's default for completions.
  const room = request.max_completion_tokens ?? request.max_tokens ?? (isChat ? Infinity : 16)
  const promptTokens = estimateTokens(messages, tools)
  const stop = [request.stop ?? []].flat().filter((mark) => mark !== '')
  const { text, toolCalls = [] } = await model.complete(messages, {
    temperature: request.temperature ?? 1,
    seed: request.seed ?? 0,
    maxTokens: room,
    stop,
    ...(tools.length > 0 && { tools }),
  })
  // Pseudo-tokens, at most four characters of a word: limits and usage need something to count.
  const pieces = stop.reduce((kept, mark) => kept.split(mark, 1)[0]!, text).match(/\s?[^\s]{1,4}|\s/gu) ?? []
  const isCut = pieces.length > room
  const begun = pieces.slice(0, room).join('')
  const id = hashOf(JSON.stringify(request), 24)
  // Clients take two calls of a conversation with one id for the same; that of an answer depends on the conversation.
  const calls = (isCut ? [] : toolCalls).map((called, index) => ({
    ...{ id: `call_${hashOf([id, index], 20)}`, type: 'function', function: called },
  }))
  const content = begun === '' && calls.length > 0 ? null : begun
  const completionTokens = Math.min(pieces.length, room)
  const isStream = request.stream === true
  return {
    id: `${isChat ? 'chatcmpl' : 'cmpl'}-${id}`,
    object: isChat ? `chat.completion${isStream ? '.chunk' : ''}` : 'text_completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        ...(isChat
          ? { message: { role: 'assistant', content, ...(calls.length > 0 && { tool_calls: calls }) } }
          : { text: begun }),
        logprobs: null,
        finish_reason: isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop',
      },
    ],
    ...((!isStream || request.stream_options?.include_usage) && {
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: promptTokens + completionTokens,
      },
    }),
  }
}
