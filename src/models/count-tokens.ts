import * as z from 'zod'
import type { Completion, Message, Sampling } from '../core/model.js'
import { EndpointError } from './endpoint-error.js'
import { readFrames } from './frames.js'
import { renderText, shapeMessages, wireMessages, wireTools } from './request.js'
import type { RequestSettings } from './request-settings.js'
import type { ServerTraits } from './traits.js'
import type { Wire } from './wire.js'
import { besideApi } from './wire.js'

/** These paths are beside `/v1`, not below it; the address is normalised in the call. */
export const countingPaths = { tokenize: `${besideApi}tokenize`, template: `${besideApi}apply-template` } as const

const rendered = z.object({ prompt: z.string() })
const tokens = z.object({ tokens: z.array(z.unknown()) })
const counted = z.object({ count: z.number().int().nonnegative() })

/** The number of tokens in an answer to `/tokenize`: vLLM returns a count, llama.cpp a list; otherwise undefined. */
export function readCount(json: unknown): { readonly count: number; readonly by: 'vllm' | 'llama.cpp' } | undefined {
  const vllm = counted.safeParse(json)
  if (vllm.success) return { count: vllm.data.count, by: 'vllm' }
  const llama = tokens.safeParse(json)
  return llama.success ? { count: llama.data.tokens.length, by: 'llama.cpp' } : undefined
}

/**
 * Makes a function that requests the number of tokens of a prompt after its chat template: llama.cpp's
 * `/apply-template` and `/tokenize`, vLLM's `/tokenize`. The completion is empty and has `promptTokens`.
 * @throws EndpointError where the server gives no count
 */
export function createCounter(
  model: string,
  wire: Wire,
  traits: () => ServerTraits,
  settings: RequestSettings = {},
): (messages: readonly Message[], sampling: Sampling, signal: AbortSignal) => Promise<Completion> {
  const ask = async <T>(path: string, body: object, signal: AbortSignal, read: (json: unknown) => T | undefined) => {
    const { status, text } = await wire(path, body, signal)
    const value = read(readFrames(text))
    if (value !== undefined) return value
    throw new EndpointError('model', `The server of '${model}' did not count tokens.`, { outcome: 'bad-reply', status })
  }
  return async (messages, sampling, signal) => {
    const { tokenizer, endpoint, ...shape } = traits()
    const shaped = shapeMessages(messages, shape)
    const plain = renderText(shaped, sampling, { endpoint }, settings)
    const { chat_template_kwargs } = settings.extraBody ?? {}
    const chat = {
      messages: wireMessages(shaped),
      ...(sampling.tools && { tools: wireTools(sampling.tools) }),
      ...(chat_template_kwargs !== undefined && { chat_template_kwargs }),
    }
    let body: object
    if (tokenizer === 'vllm') {
      body = { model, ...(plain ? { prompt: plain.text } : chat) }
    } else {
      const content = plain
        ? plain.text
        : (await ask(countingPaths.template, chat, signal, (json) => rendered.safeParse(json).data)).prompt
      body = { content, add_special: true, parse_special: true }
    }
    const { count } = await ask(countingPaths.tokenize, body, signal, readCount)
    return { text: '', promptTokens: count }
  }
}
