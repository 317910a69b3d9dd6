import * as z from 'zod'
import type { Completion, Message, Sampling } from '../core/model.js'
import type { Address } from './address.js'
import { EndpointError, attemptOf } from './endpoint-error.js'
import type { Fetch } from './fetch.js'
import { createRawCall, outsideApi } from './raw-call.js'
import { renderText, shapeMessages, wireMessages, wireTools } from './request.js'
import type { RequestSettings } from './request-settings.js'
import type { ServerTraits } from './traits.js'

/** These paths are beside `/v1`, not below it; the address is normalised in the call. */
export const countingPaths = { tokenize: `${outsideApi}tokenize`, template: `${outsideApi}apply-template` } as const

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
  address: Address,
  fetch: Fetch,
  traits: () => ServerTraits,
  settings: RequestSettings = {},
): (messages: readonly Message[], sampling: Sampling, signal: AbortSignal) => Promise<Completion> {
  const call = createRawCall(address, fetch)
  const ask = async <T>(path: string, body: object, signal: AbortSignal, read: (json: unknown) => T | undefined) => {
    const { status, json, text } = await call(path, body, signal)
    const value = status < 300 ? read(json) : undefined
    if (value !== undefined) return value
    const failure = { outcome: 'bad-reply', status } as const
    const message = `${address.shownUrl} did not count tokens: status ${String(status)}, ${text.slice(0, 200)}`
    throw new EndpointError('model', message, failure, [attemptOf(failure, 0)])
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
      body = { model: address.model, ...(plain ? { prompt: plain.text } : chat) }
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
