import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../../src/core/random.js'
import { listen } from './loopback.js'

/** The options and the model with which a llama.cpp server is started. */
export interface LlamaOptions {
  readonly model?: string
  /**
   * `text`: short lines of text. `reasoning`: reasons first; the chat template opens the reasoning. `caller`: calls
   * `take_from`, whichever functions are offered.
   */
  readonly speaks?: 'text' | 'reasoning' | 'caller'
  /** Whether the server separates reasoning from the content. Default: yes. */
  readonly separates?: boolean
  /** Tokens of prompt and reply together. Default 4,096. */
  readonly context?: number
  /** Delay per reply in milliseconds. Default 0. */
  readonly milliseconds?: number
  readonly key?: string
  /** `true`: refuses calls in the history without their reasoning, with DeepSeek's message. */
  readonly wantsReasoning?: boolean
  /** Replies with this text instead of random words. */
  readonly says?: (prompt: string) => string
  /** The likeliest tokens at each place after the one that was drawn. */
  readonly alternatives?: readonly string[]
  /** How a prompt that is too long is refused. Default: like llama.cpp, with numbers. */
  readonly refuses?: 'in words' | 'in unknown words' | 'with nothing'
}

/** A request as it came. */
export interface LlamaRequest {
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly headers: IncomingMessage['headers']
}

/** The fixture while it runs. */
export interface LlamaServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly received: LlamaRequest[]
  /** Serves other weights under the same name from then on. */
  swap(changed: { readonly fingerprint?: string; readonly parameters?: number; readonly template?: string }): void
  close(): Promise<void>
}

interface Body {
  readonly model?: string
  readonly messages?: readonly Message[]
  readonly prompt?: string
  readonly max_tokens?: number
  readonly temperature?: number
  readonly seed?: number
  readonly stop?: readonly string[]
  readonly tools?: readonly { readonly function: { readonly name: string } }[]
  readonly logprobs?: boolean | number
  readonly top_logprobs?: number
}

interface Message {
  readonly role: string
  readonly content?: string | null
  readonly tool_calls?: unknown
}

type Answer = readonly [status: number, body: unknown]

const refusal = (code: number, message: string, type: string, more: object = {}): Answer => [
  code,
  { error: { code, message, type, ...more } },
]

/**
 * A server that answers like llama.cpp (build b1-de3ff81), with a model that draws words at random: paths, fields,
 * statuses and messages are those of the recordings, with which `llama-server.test.ts` compares it if they are present.
 */
export async function startLlama(options: LlamaOptions = {}): Promise<LlamaServer> {
  const { milliseconds = 0, key } = options
  const received: LlamaRequest[] = []
  const served = { fingerprint: 'b1-de3ff81', parameters: 292_800, template: chatTemplate }
  const server = createServer((request, response) => {
    void (async () => {
      const body = await read(request)
      const path = request.url ?? ''
      received.push({ path, body: body as Record<string, unknown>, headers: request.headers })
      if (key !== undefined && request.headers.authorization !== `Bearer ${key}`) {
        send(response, 401, { error: { message: 'Invalid API Key', type: 'authentication_error', code: 401 } })
        return
      }
      const asked = { options, served, body }
      const isWork = path.endsWith('completions')
      if (isWork && milliseconds > 0) await wait(milliseconds)
      const [status, answer] = isWork ? complete(path, asked) : look(path, asked)
      send(response, status, answer)
    })().catch(() => response.destroy())
  })
  const { origin, close } = await listen(server)
  return {
    baseUrl: `${origin}/v1`,
    model: nameOf(options),
    received,
    swap: (changed) => void Object.assign(served, changed),
    close,
  }
}

interface Asked {
  readonly options: LlamaOptions
  readonly served: { readonly fingerprint: string; readonly parameters: number; readonly template: string }
  readonly body: Body
}

const nameOf = ({ model = 'stories' }: LlamaOptions): string => model
const contextOf = ({ context = 4096 }: LlamaOptions): number => context

const chatTemplate =
  "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n{%- endfor -%}\n{%- if add_generation_prompt -%}\n  {{- '<|im_start|>assistant\n' -}}\n{%- endif -%}"

function renderTemplate({ messages = [], tools = [] }: Body, { speaks }: LlamaOptions): string {
  const offered = tools.length > 0 ? JSON.stringify(tools) : ''
  const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content ?? ''}<|im_end|>\n`)
  return `${offered}${turns.join('')}<|im_start|>assistant\n${speaks === 'reasoning' ? '<think>\n' : ''}`
}

/** As measured for household texts with the vocabulary of Llama 2. */
const charactersPerToken = 2.5

/** Marks of the template are one token each, as in a real vocabulary. */
function countTokens(text: string): number {
  const [first = '', ...others] = text.split(/<\|im_(?:start|end)\|>/)
  const characters = others.reduce((sum, part) => sum + part.length, first.length)
  return Math.ceil(characters / charactersPerToken) + others.length
}

/** Everything but completions. */
function look(path: string, { options, served }: Asked): Answer {
  if (/^(?:\/v1)?\/models$/.test(path)) return [200, listOf(options, served.parameters)]
  if (path === '/props') return [200, propsOf(options, served)]
  return refusal(404, 'File Not Found', 'not_found_error')
}

function listOf(options: LlamaOptions, parameters: number): object {
  const name = nameOf(options)
  const meta = {
    vocab_type: 1,
    n_vocab: 512,
    n_ctx: contextOf(options),
    n_ctx_train: 4096,
    n_embd: 64,
    n_params: parameters,
    size: 4 * parameters,
    ftype: 'all F32',
  }
  return {
    object: 'list',
    data: [{ id: name, aliases: [name], tags: [], object: 'model', created: 1795336947, owned_by: 'llamacpp', meta }],
  }
}

function propsOf(options: LlamaOptions, { fingerprint, template }: Asked['served']): object {
  const name = nameOf(options)
  const reasons = options.speaks === 'reasoning'
  return {
    default_generation_settings: { n_ctx: contextOf(options) },
    total_slots: 4,
    model_path: `models/${name}.gguf`,
    chat_template: reasons ? `${template}{{- '<think>\\n' -}}` : template,
    eos_token: '</s>',
    build_info: fingerprint,
  }
}

function complete(path: string, asked: Asked): Answer {
  const { body, options } = asked
  const { messages = [], tools = [] } = body
  const isChat = path.endsWith('/chat/completions')
  const at = messages.findIndex((message) => 'tool_calls' in message && !('reasoning_content' in message))
  if (options.wantsReasoning && at !== -1) {
    const message = `Missing \`reasoning_content\` field in the assistant message at message index ${String(at)}.`
    return refusal(400, message, 'invalid_request_error')
  }
  const prompt = isChat ? renderTemplate(body, options) : (body.prompt ?? '')
  const promptTokens = countTokens(prompt)
  const context = contextOf(options)
  if (promptTokens >= context) {
    if (options.refuses === 'with nothing') {
      return [200, layOut(isChat, false, promptTokens, { text: '', tokens: 0, finish: 'length' }, asked)]
    }
    if (options.refuses !== undefined) return refusal(400, refusalsInWords[options.refuses], 'invalid_request_error')
    const message = `request (${String(promptTokens)} tokens) exceeds the available context size (${String(context)} tokens), try increasing it`
    const counts = { n_prompt_tokens: promptTokens, n_ctx: context }
    return refusal(400, message, 'exceed_context_size_error', counts)
  }
  const called = isChat && tools.length > 0 && options.speaks === 'caller'
  if (called && !tools.some(({ function: { name } }) => name === 'take_from')) {
    return refusal(500, 'The model produced output that does not match the expected peg-native format', 'server_error')
  }
  const room = Math.min(body.max_tokens ?? Infinity, context - promptTokens)
  const said = cutReply(options.says?.(prompt) ?? generate(prompt, body, options), room, body.stop ?? [])
  return [200, layOut(isChat, called, promptTokens, said, asked)]
}

const refusalsInWords = {
  'in words': 'the input length exceeds the context length',
  'in unknown words': 'The dialogue is longer than this deployment takes',
} as const

interface Said {
  readonly text: string
  readonly tokens: number
  readonly finish: 'stop' | 'length'
}

const firstWords: readonly string[] =
  'go open close take put clean heat cool use examine look inventory slice check find move walk grab pick turn wait'.split(
    ' ',
  )
const places = ['shelf', 'drawer', 'cabinet', 'desk', 'fridge']

function generate(prompt: string, { temperature = 0.8, seed = 0 }: Body, { speaks }: LlamaOptions): string {
  const random = createRandom(temperature === 0 ? prompt : `${prompt} seed ${String(seed)}`)
  const action = `${random.pick(firstWords)} to ${random.pick(places)} ${String(random.int(6) + 1)}`
  if (speaks !== 'reasoning') return action
  return `I am in a room. I should look around.\nObservation: there are shelves.\nSo I go there.\n</think>\n\nThought: I look.\nAction: ${action}`
}

/** Stop strings and limits apply to all that is generated, including reasoning. */
function cutReply(whole: string, room: number, stop: readonly string[]): Said {
  const at = Math.min(...stop.map((mark) => whole.indexOf(mark)).filter((place) => place !== -1))
  const ended = whole.slice(0, at === Infinity ? whole.length : at)
  const most = Math.floor(room * charactersPerToken)
  const text = ended.slice(0, most)
  return { text, tokens: countTokens(text), finish: text.length < ended.length ? 'length' : 'stop' }
}

function layOut(isChat: boolean, called: boolean, promptTokens: number, said: Said, asked: Asked): object {
  const { body, options, served } = asked
  const asksLogprobs = body.logprobs !== undefined && body.logprobs !== false
  const logprobs = { content: tokensOf(said.text, body.top_logprobs ?? Number(body.logprobs), options) }
  const calls = [
    { type: 'function', function: { name: 'take_from', arguments: '{"obj": "pen 1", "recep": "shelf 2"}' }, id: 'a' },
  ]
  const message = called
    ? { role: 'assistant', content: '', tool_calls: calls }
    : { role: 'assistant', ...contentOf(said.text, options) }
  const choice = {
    finish_reason: called ? 'tool_calls' : said.finish,
    index: 0,
    ...(isChat
      ? { message, ...(asksLogprobs && { logprobs }) }
      : { text: said.text, logprobs: asksLogprobs ? logprobs : null }),
  }
  return {
    choices: [choice],
    created: 1795336947,
    model: nameOf(options),
    system_fingerprint: served.fingerprint,
    object: isChat ? 'chat.completion' : 'text_completion',
    usage: {
      completion_tokens: said.tokens,
      prompt_tokens: promptTokens,
      total_tokens: promptTokens + said.tokens,
      prompt_tokens_details: { cached_tokens: 0 },
    },
    id: 'chatcmpl-a',
  }
}

function contentOf(text: string, { speaks, separates = true }: LlamaOptions): object {
  if (speaks !== 'reasoning' || !separates) return { content: text }
  const end = text.indexOf('</think>')
  const reasoning = `\n${end === -1 ? text : text.slice(0, end)}`
  return { content: end === -1 ? '' : text.slice(end + '</think>'.length), reasoning_content: reasoning }
}

function tokensOf(text: string, most: number, { alternatives = firstWords }: LlamaOptions): object[] {
  return (text.match(/\s*\S+/g) ?? []).map((token, id) => {
    const one = { id, token, bytes: [...Buffer.from(token)], logprob: -0.25 }
    const others = Array.from({ length: most - 1 }, (_, rank) => ({
      ...one,
      token: `${token.startsWith(' ') ? ' ' : ''}${alternatives[rank % alternatives.length]!}`,
      logprob: -2 - rank,
    }))
    return { ...one, top_logprobs: most > 0 ? [one, ...others] : [] }
  })
}

async function read(request: IncomingMessage): Promise<Body> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text === '' ? {} : (JSON.parse(text) as Body)
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
