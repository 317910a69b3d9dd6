import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import * as z from 'zod'
import { hashOf } from '../core/episode.js'
import { messageOf, unknownName } from '../core/errors.js'
import type { Completion, Message, Model, ToolDefinition } from '../core/model.js'
import { estimateTokens } from '../models/fit.js'
import { streamChoices } from './replies.js'
import type { Handle, Listening, Serving } from './server.js'
import { ApiError, readBody, serveWith } from './server.js'

/** What a server serves, and its limits. */
export interface ServeOptions extends Listening {
  readonly models: readonly Model[]
  /** The bearer token that clients need; none if absent. */
  readonly apiKey?: string
  /** Delay of each answer in milliseconds. */
  readonly latencyMs?: number
}

/** The body of an answer. */
interface Payload {
  readonly contentType: string
  readonly text: string
}

const whole = (low: number, high: number) => z.number().int().min(low).max(high)
const tokens = whole(1, 1_000_000).nullish()
const described = z.object({ description: z.string().default('') })
const shared = {
  model: z.string(),
  n: z.literal(1, { error: '1: a control model gives one reply' }).nullish(),
  seed: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  stop: z
    .union([z.string(), z.array(z.string()).max(4)], { error: 'a string, or an array of at most 4 strings' })
    .nullish(),
  max_tokens: tokens,
  max_completion_tokens: tokens,
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
}
/** The requests of both endpoints. */
const requests = {
  chat: z.object({
    ...shared,
    messages: z
      .array(
        z.object({
          role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
          content: z
            .union([z.string(), z.array(z.object({ type: z.literal('text'), text: z.string() }))], {
              error: 'a string, or an array of text parts',
            })
            .nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string(),
                type: z.literal('function'),
                function: z.object({ name: z.string(), arguments: z.string() }),
              }),
            )
            .max(128)
            .nullish(),
          tool_call_id: z.string().nullish(),
        }),
      )
      .min(1),
    tools: z
      .array(
        z.object({
          type: z.literal('function'),
          function: described.extend({
            name: z.string().regex(/^[\w-]{1,64}$/),
            parameters: z.object({ properties: z.record(z.string(), described).default({}) }).optional(),
          }),
        }),
      )
      .max(128)
      .nullish(),
    logprobs: z.literal(false, { error: 'false: a control model has no log probabilities' }).nullish(),
  }),
  completions: z.object({
    ...shared,
    prompt: z.string({ error: 'one string' }),
    logprobs: z.literal(0, { error: 'nothing: a control model has no log probabilities' }).nullish(),
  }),
}

type ChatRequest = z.infer<typeof requests.chat>
type AnyRequest = ChatRequest | z.infer<typeof requests.completions>

/**
 * Serves models as an OpenAI-compatible server.
 * @throws ShaketableError `usage` if it cannot listen on the address
 */
export function serve(options: ServeOptions): Promise<Serving> {
  return serveWith(createHandler(options), options)
}

const endpoints: Readonly<Record<string, (body: unknown) => AnyRequest>> = {
  '/v1/chat/completions': (body) => check(requests.chat, body),
  '/v1/completions': (body) => check(requests.completions, body),
}
const modelPath = '/v1/models/'

function createHandler({ models, apiKey, latencyMs = 0 }: ServeOptions): Handle {
  const checkKey = createKeyCheck(apiKey)
  const describe = ({ name }: Model) => ({ id: name, object: 'model', created: 0, owned_by: 'shaketable' })
  const find = (name: string): Model => {
    const model = models.find((one) => one.name === name)
    if (model !== undefined) return model
    const known = models.map((one) => one.name)
    throw new ApiError(404, unknownName('model', name, known), { param: 'model', code: 'model_not_found' })
  }
  const pageOf = (path: string): unknown => {
    if (path === '/health') return { status: 'ok' }
    if (path === '/v1/models') return { object: 'list', data: models.map(describe) }
    if (path.startsWith(modelPath)) return describe(find(decodeURIComponent(path.slice(modelPath.length))))
    const known = ['/health', '/v1/models', ...Object.keys(endpoints)].join(', ')
    throw new ApiError(404, `There is nothing at ${path.slice(0, 200)}. Known: ${known}.`, { code: 'unknown_url' })
  }
  return async (request, response) => {
    const [path = ''] = (request.url ?? '').split('?')
    const read = Object.hasOwn(endpoints, path) ? endpoints[path] : undefined
    const page = read === undefined ? pageOf(path) : undefined
    const method = read === undefined ? 'GET' : 'POST'
    if (request.method !== method) {
      throw new ApiError(405, `${path} takes ${method} only, got ${String(request.method)}.`, {}, { allow: method })
    }
    if (path !== '/health') checkKey(request)
    if (read === undefined) {
      send(response, { contentType: 'application/json', text: JSON.stringify(page) })
      return
    }
    const asked = read(parseBody(await readBody(request)))
    const payload = await answer(asked, find(asked.model))
    if (latencyMs > 0) await wait(latencyMs)
    if (!response.destroyed) send(response, payload)
  }
}

function send(response: ServerResponse, { contentType, text }: Payload): void {
  response.writeHead(200, { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }).end(text)
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (thrown) {
    throw new ApiError(400, `The body of the request is not JSON: ${messageOf(thrown).slice(0, 200)}.`)
  }
}

/** @throws ApiError 400 with the wrong parameter */
function check<T extends z.ZodType<AnyRequest>>(schema: T, body: unknown): AnyRequest {
  const read = schema.safeParse(body)
  if (!read.success) {
    const { path, message } = read.error.issues[0]!
    const param = path.map((part) => (typeof part === 'number' ? `[${String(part)}]` : `.${String(part)}`)).join('')
    const name = param.slice(1)
    throw new ApiError(400, `Invalid value for '${name || 'body'}': ${message.replace(/^Invalid input: /, '')}.`, {
      param: name || null,
      code: 'invalid_value',
    })
  }
  if (read.data.stream !== true && read.data.stream_options) {
    throw new ApiError(400, "'stream_options' goes only with 'stream': true.", { param: 'stream_options' })
  }
  return read.data
}

function messagesOf(request: AnyRequest): readonly Message[] {
  if ('prompt' in request) return [{ role: 'user', content: request.prompt }]
  return request.messages.map(({ role, content, tool_calls: calls, tool_call_id: answered }) => ({
    role: role === 'developer' ? 'system' : role,
    content: [content ?? '']
      .flat()
      .map((part) => (typeof part === 'string' ? part : part.text))
      .join(''),
    ...(calls && { toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) }),
    ...(typeof answered === 'string' && { toolCallId: answered }),
  }))
}

function toolsOf({ tools }: Pick<ChatRequest, 'tools'>): readonly ToolDefinition[] {
  return (tools ?? []).map(({ function: { name, description, parameters } }) => ({
    name,
    description,
    parameters: Object.entries(parameters?.properties ?? {}).map(([parameter, about]) => ({
      name: parameter,
      description: about.description,
    })),
  }))
}

/**
 * The answer of a model, in OpenAI's format: one JSON object, or a stream of server-sent events. It contains no time,
 * and equal requests get equal answers.
 */
async function answer(request: AnyRequest, model: Model): Promise<Payload> {
  const isChat = 'messages' in request
  const messages = messagesOf(request)
  const tools = isChat ? toolsOf(request) : []
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
  const pieces = piecesOf(stop.reduce((kept, mark) => kept.split(mark, 1)[0]!, text))
  const isCut = pieces.length > room
  const said = pieces.slice(0, room).join('')
  const calls = isCut ? [] : toolCalls
  const id = hashOf(JSON.stringify(request), 24)
  const completionTokens = Math.min(pieces.length, room)
  const isStream = request.stream === true
  const body = {
    id: `${isChat ? 'chatcmpl' : 'cmpl'}-${id}`,
    object: isChat ? `chat.completion${isStream ? '.chunk' : ''}` : 'text_completion',
    created: 0,
    model: request.model,
    choices: [
      {
        index: 0,
        ...(isChat ? { message: layMessage(said, calls, id) } : { text: said }),
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
  if (isStream) return { contentType: 'text/event-stream; charset=utf-8', text: streamChoices(body) }
  return { contentType: 'application/json', text: JSON.stringify(body) }
}

function layMessage(text: string, calls: NonNullable<Completion['toolCalls']>, id: string) {
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    // Clients take two calls of a conversation with one id for the same; that of an answer depends on the conversation.
    ...(calls.length > 0 && {
      tool_calls: calls.map((call, index) => ({
        id: `call_${hashOf([id, index], 20)}`,
        type: 'function',
        function: call,
      })),
    }),
  }
}

/**
 * Pseudo-tokens of a reply: at most four characters of a word, with the space before it. They match no real tokenizer;
 * limits and usage need something to count.
 */
function piecesOf(text: string): readonly string[] {
  return text.match(/\s?[^\s]{1,4}|\s/gu) ?? []
}

/** Makes a check that throws ApiError 401 for requests without the key. It compares digests, in constant time. */
function createKeyCheck(apiKey: string | undefined): (request: IncomingMessage) => void {
  if (apiKey === undefined) return () => undefined
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  const expected = digest(`Bearer ${apiKey}`)
  return ({ headers: { authorization = '' } }) => {
    if (timingSafeEqual(digest(authorization), expected)) return
    const got = authorization === '' ? "You didn't provide an API key." : 'Incorrect API key provided.'
    throw new ApiError(401, `${got} Send it as 'Authorization: Bearer KEY'.`, { code: 'invalid_api_key' })
  }
}
