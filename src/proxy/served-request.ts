import * as z from 'zod'
import type { Message, ToolDefinition } from '../core/model.js'
import { ApiError } from './server.js'
import { textsOf } from './wire.js'

/** A request of either endpoint. */
export interface ModelRequest {
  readonly endpoint: 'chat' | 'completions'
  readonly model: string
  readonly messages: readonly Message[]
  readonly choices: number
  readonly seed: number
  readonly temperature: number
  readonly stop: readonly string[]
  readonly maxTokens: number | undefined
  readonly tools: readonly ToolDefinition[]
  readonly stream: boolean
  /** Whether a stream ends with a usage chunk. */
  readonly streamUsage: boolean
}

const whole = (low: number, high: number) => z.number().int().min(low).max(high)
const tokens = whole(1, 1_000_000).nullish()
const textPart = z.object({ type: z.literal('text'), text: z.string() })
const content = z.union([z.string(), z.array(textPart)], { error: 'a string, or an array of text parts' }).nullish()
const tool = z.object({
  type: z.literal('function'),
  function: z.object({
    name: z.string().regex(/^[\w-]{1,64}$/),
    description: z.string().default(''),
    parameters: z
      .object({ properties: z.record(z.string(), z.looseObject({ description: z.string().default('') })).default({}) })
      .optional(),
  }),
})
const call = z.object({
  id: z.string(),
  type: z.literal('function'),
  function: z.object({ name: z.string(), arguments: z.string() }),
})

const shared = {
  model: z.string(),
  n: whole(1, 128).nullish(),
  seed: whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER).nullish(),
  temperature: z.number().min(0).max(2).nullish(),
  stop: z
    .union([z.string(), z.array(z.string()).max(4)], { error: 'a string, or an array of at most 4 strings' })
    .nullish(),
  max_tokens: tokens,
  stream: z.boolean().nullish(),
  stream_options: z.object({ include_usage: z.boolean().nullish() }).nullish(),
}
const chat = z.object({
  ...shared,
  messages: z
    .array(
      z.object({
        role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
        content,
        tool_calls: z.array(call).max(128).nullish(),
        tool_call_id: z.string().nullish(),
      }),
    )
    .min(1),
  max_completion_tokens: tokens,
  tools: z.array(tool).max(128).nullish(),
  logprobs: z.literal(false, { error: 'false: a control model has no log probabilities' }).nullish(),
})
const completions = z.object({
  ...shared,
  prompt: z.string({ error: 'one string' }),
  logprobs: z.literal(0, { error: 'nothing: a control model has no log probabilities' }).nullish(),
})

/** Reads a request for a chat completion. @throws ApiError 400 with the wrong parameter */
export function readChatRequest(body: unknown): ModelRequest {
  const { messages, max_completion_tokens, tools, ...rest } = check(chat, body)
  return {
    endpoint: 'chat',
    messages: messages.map(readMessage),
    tools: (tools ?? []).map(({ function: { name, description, parameters } }) => ({
      name,
      description,
      parameters: Object.entries(parameters?.properties ?? {}).map(([parameter, about]) => ({
        name: parameter,
        description: about.description,
      })),
    })),
    ...readShared(rest, max_completion_tokens ?? rest.max_tokens ?? undefined),
  }
}

/** Reads a request for a plain completion, whose prompt is the only message. @throws ApiError 400 */
export function readCompletionRequest(body: unknown): ModelRequest {
  const { prompt, ...rest } = check(completions, body)
  const messages: readonly Message[] = [{ role: 'user', content: prompt }]
  // 16 is OpenAI's default for this endpoint.
  return { endpoint: 'completions', messages, tools: [], ...readShared(rest, rest.max_tokens ?? 16) }
}

type Shared = z.infer<z.ZodObject<typeof shared>>

function readShared({ model, n, seed, temperature, stop, stream, stream_options }: Shared, maxTokens?: number) {
  if (stream !== true && stream_options) {
    throw new ApiError(400, "'stream_options' goes only with 'stream': true.", { param: 'stream_options' })
  }
  return {
    model,
    choices: n ?? 1,
    seed: seed ?? 0,
    temperature: temperature ?? 1,
    stop: (typeof stop === 'string' ? [stop] : (stop ?? [])).filter((mark) => mark !== ''),
    maxTokens,
    stream: stream === true,
    streamUsage: stream_options?.include_usage === true,
  }
}

function check<T extends z.ZodType>(schema: T, body: unknown): z.infer<T> {
  const read = schema.safeParse(body)
  if (read.success) return read.data
  const { path, message } = read.error.issues[0]!
  const param = path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${String(part)}]`
    return text === '' ? String(part) : `${text}.${String(part)}`
  }, '')
  throw new ApiError(400, `Invalid value for '${param || 'body'}': ${message.replace(/^Invalid input: /, '')}.`, {
    param: param || null,
    code: 'invalid_value',
  })
}

function readMessage(message: z.infer<typeof chat>['messages'][number]): Message {
  const { role, content: rawContent, tool_calls: calls, tool_call_id: answeredCall } = message
  return {
    role: role === 'developer' ? 'system' : role,
    content: textsOf(rawContent).join(''),
    ...(calls && { toolCalls: calls.map(({ id, function: called }) => ({ id, ...called })) }),
    ...(typeof answeredCall === 'string' && { toolCallId: answeredCall }),
  }
}
