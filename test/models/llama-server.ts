import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '../../src/core/random.js'
import { json, startLoopback } from './loopback.js'

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

export interface LlamaServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly received: { readonly path: string; readonly body: Body; readonly headers: IncomingHttpHeaders }[]
  /** Serves other weights under the same name from then on. */
  swap(changed: { readonly fingerprint?: string; readonly parameters?: number; readonly template?: string }): void
  close(): Promise<void>
}

type Body = Readonly<Record<string, unknown>>
type Answer = readonly [status: number, body: object]

const refusal = (code: number, message: string, type: string, more: object = {}): Answer => [
  code,
  { error: { code, message, type, ...more } },
]
const inWords = {
  'in words': 'the input length exceeds the context length',
  'in unknown words': 'The dialogue is longer than this deployment takes',
} as const

const chatTemplate =
  "{%- for message in messages -%}\n  {{- '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' -}}\n{%- endfor -%}\n{%- if add_generation_prompt -%}\n  {{- '<|im_start|>assistant\n' -}}\n{%- endif -%}"
/** As measured for household texts with the vocabulary of Llama 2. */
const charactersPerToken = 2.5
const verbs = 'go open close take put clean heat cool use examine look inventory slice check find move walk grab'
const places = ['shelf', 'drawer', 'cabinet', 'desk', 'fridge']
const created = 1795336947

/** Marks of the template are one token each, as in a real vocabulary. */
function countTokens(text: string): number {
  const parts = text.split(/<\|im_(?:start|end)\|>/)
  return Math.ceil(parts.join('').length / charactersPerToken) + parts.length - 1
}

/**
 * A server that answers like llama.cpp (build b1-de3ff81), with a model that draws words at random: paths, fields,
 * statuses and messages are those of the recordings, with which `llama.test.ts` compares it if they are present.
 */
export async function startLlama(options: LlamaOptions = {}): Promise<LlamaServer> {
  const { model = 'stories', context = 4096, speaks, separates = true, milliseconds = 0, key } = options
  const received: LlamaServer['received'] = []
  const served = { fingerprint: 'b1-de3ff81', parameters: 292_800, template: chatTemplate }

  const look = (path: string): Answer => {
    if (path === '/props') {
      const template = speaks === 'reasoning' ? `${served.template}{{- '<think>\\n' -}}` : served.template
      const shown = { model_path: `models/${model}.gguf`, chat_template: template, eos_token: '</s>' }
      const settings = { default_generation_settings: { n_ctx: context }, total_slots: 4 }
      return [200, { ...settings, ...shown, build_info: served.fingerprint }]
    }
    if (!/^(?:\/v1)?\/models$/.test(path)) return refusal(404, 'File Not Found', 'not_found_error')
    const sizes = { n_vocab: 512, n_ctx: context, n_ctx_train: 4096, n_embd: 64, vocab_type: 1, ftype: 'all F32' }
    const meta = { ...sizes, n_params: served.parameters, size: 4 * served.parameters }
    const about = { id: model, aliases: [model], tags: [], object: 'model', created, owned_by: 'llamacpp' }
    return [200, { object: 'list', data: [{ ...about, meta }] }]
  }

  const generate = (prompt: string, { temperature = 0.8, seed = 0 }: Body): string => {
    const random = createRandom(temperature === 0 ? prompt : `${prompt} seed ${String(seed)}`)
    const action = `${random.pick(verbs.split(' '))} to ${random.pick(places)} ${String(random.int(6) + 1)}`
    if (speaks !== 'reasoning') return action
    return `I am in a room. I should look around.\nObservation: there are shelves.\nSo I go there.\n</think>\n\nThought: I look.\nAction: ${action}`
  }
  const contentOf = (text: string): object => {
    if (speaks !== 'reasoning' || !separates) return { content: text }
    const [thought = '', content = ''] = text.split('</think>')
    return { content, reasoning_content: `\n${thought}` }
  }
  const tokensOf = (text: string, most: number): object[] =>
    (text.match(/\s*\S+/g) ?? []).map((token, id) => {
      const one = { id, token, bytes: [...Buffer.from(token)], logprob: -0.25 }
      const { alternatives = verbs.split(' ') } = options
      const others = Array.from({ length: most - 1 }, (_, rank) => {
        const word = alternatives[rank % alternatives.length]!
        return { ...one, token: `${token.startsWith(' ') ? ' ' : ''}${word}`, logprob: -2 - rank }
      })
      return { ...one, top_logprobs: most > 0 ? [one, ...others] : [] }
    })

  const complete = (path: string, body: Body): Answer => {
    const messages = (body['messages'] ?? []) as { role: string; content?: string | null }[]
    const tools = (body['tools'] ?? []) as { function: { name: string } }[]
    const isChat = path.endsWith('/chat/completions')
    const at = messages.findIndex((message) => 'tool_calls' in message && !('reasoning_content' in message))
    if (options.wantsReasoning && at !== -1) {
      const message = `Missing \`reasoning_content\` field in the assistant message at message index ${String(at)}.`
      return refusal(400, message, 'invalid_request_error')
    }
    const turns = messages.map(({ role, content }) => `<|im_start|>${role}\n${content ?? ''}<|im_end|>\n`).join('')
    const offered = tools.length > 0 ? JSON.stringify(tools) : ''
    const opened = `<|im_start|>assistant\n${speaks === 'reasoning' ? '<think>\n' : ''}`
    const prompt = isChat ? `${offered}${turns}${opened}` : String(body['prompt'])
    const promptTokens = countTokens(prompt)
    const isCalled = isChat && tools.length > 0 && speaks === 'caller'
    const layOut = (text: string, tokens: number, finish: string): Answer => {
      const asked = body['logprobs']
      const logprobs = { content: tokensOf(text, Number(body['top_logprobs'] ?? asked)) }
      const call = { name: 'take_from', arguments: '{"obj": "pen 1", "recep": "shelf 2"}' }
      const calls = { content: '', tool_calls: [{ type: 'function', function: call, id: 'a' }] }
      const message = { role: 'assistant', ...(isCalled ? calls : contentOf(text)) }
      const said = isChat ? { message, ...(asked ? { logprobs } : {}) } : { text, logprobs: asked ? logprobs : null }
      const counts = { completion_tokens: tokens, prompt_tokens: promptTokens, total_tokens: promptTokens + tokens }
      const choices = [{ finish_reason: isCalled ? 'tool_calls' : finish, index: 0, ...said }]
      const object = isChat ? 'chat.completion' : 'text_completion'
      const usage = { ...counts, prompt_tokens_details: { cached_tokens: 0 } }
      return [200, { choices, created, model, system_fingerprint: served.fingerprint, id: 'chatcmpl-a', object, usage }]
    }
    if (promptTokens >= context) {
      if (options.refuses === 'with nothing') return layOut('', 0, 'length')
      if (options.refuses !== undefined) return refusal(400, inWords[options.refuses], 'invalid_request_error')
      const message = `request (${String(promptTokens)} tokens) exceeds the available context size (${String(context)} tokens), try increasing it`
      const counts = { n_prompt_tokens: promptTokens, n_ctx: context }
      return refusal(400, message, 'exceed_context_size_error', counts)
    }
    if (isCalled && !tools.some(({ function: { name } }) => name === 'take_from')) {
      const message = 'The model produced output that does not match the expected peg-native format'
      return refusal(500, message, 'server_error')
    }
    // Stop strings and limits apply to all that is generated, including reasoning.
    const room = Math.min(Number(body['max_tokens'] ?? Infinity), context - promptTokens)
    const whole = options.says?.(prompt) ?? generate(prompt, body)
    const ended = ((body['stop'] ?? []) as string[]).reduce((text, mark) => text.split(mark, 1)[0]!, whole)
    const text = ended.slice(0, Math.floor(room * charactersPerToken))
    return layOut(text, countTokens(text), text.length < ended.length ? 'length' : 'stop')
  }

  const { baseUrl, close } = await startLoopback((response, { headers }, sent) => {
    const { url: path, body, authorization } = sent!
    received.push({ path, body, headers })
    const isWork = path.endsWith('completions')
    void wait(isWork ? milliseconds : 0).then(() => {
      const isRefused = key !== undefined && authorization !== `Bearer ${key}`
      const wrongKey = (): Answer => refusal(401, 'Invalid API Key', 'authentication_error')
      const [status, answer] = isRefused ? wrongKey() : isWork ? complete(path, body) : look(path)
      json(answer, status)(response)
    })
  })
  return { baseUrl, model, received, swap: (changed) => void Object.assign(served, changed), close }
}
