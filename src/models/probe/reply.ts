import * as z from 'zod'
import { reasoningMark } from '../reasoning.js'
import type { Answer, AskOptions, Session } from './session.js'

interface ProbeMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** The fields of a request that a server accepts; found out with the first call. */
export interface RequestStyle {
  readonly endpoint: 'chat' | 'completions'
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  readonly maxTokens: number
  /** Whether temperature 0 is sent; otherwise no temperature is. */
  readonly greedy: boolean
}

/** What a request for a reply contains beside the style. */
export interface ProbeRequest {
  readonly messages?: readonly ProbeMessage[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly options?: AskOptions
}

/** Long enough that two samples of a reply differ, short enough to cost nothing. */
export const samplePrompt: readonly ProbeMessage[] = [
  { role: 'user', content: 'Write one short sentence about a kitchen.' },
]

/** Requests one reply of a model. */
export function requestReply(
  session: Session,
  model: string,
  { endpoint, maxTokensField, maxTokens, greedy }: RequestStyle,
  { messages = samplePrompt, extra = {}, options }: ProbeRequest = {},
): Promise<Answer<ProbeReply>> {
  const limits = { stream: false, [maxTokensField]: maxTokens, ...(greedy && { temperature: 0 }) }
  const prompt = endpoint === 'chat' ? { messages } : { prompt: messages.map(({ content }) => content).join('\n') }
  const path = endpoint === 'chat' ? '/chat/completions' : '/completions'
  return session.ask(path, readReply, { model, ...prompt, ...limits, ...extra }, options)
}

const count = z.number().int().nonnegative().nullish().catch(undefined)
const text = z.string().nullish().catch(undefined)
const choices = z
  .array(
    z.object({
      finish_reason: text,
      text,
      message: z
        .object({
          content: text,
          reasoning_content: text,
          reasoning: text,
          tool_calls: z.array(z.unknown()).nullish().catch(undefined),
        })
        .nullish(),
      logprobs: z.unknown().optional(),
    }),
  )
  .min(1)
const body = z.object({
  model: text,
  system_fingerprint: text,
  choices,
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined),
})

/** A completion, from either endpoint, as a probe looks at it. */
export interface ProbeReply {
  /** Reasoning and text, so that short replies of a reasoning model can be compared. */
  readonly all: string
  readonly text: string
  /** The field with the reasoning; `think` where it is marked in the text. */
  readonly reasoning: 'reasoning_content' | 'reasoning' | 'think' | undefined
  readonly finish: string
  readonly choices: number
  readonly toolCalls: number
  readonly logprobs: boolean
  /** The model's name in the reply. */
  readonly model: string | undefined
  /** `system_fingerprint`. */
  readonly fingerprint: string | undefined
  readonly promptTokens: number | undefined
  readonly completionTokens: number | undefined
}

/** Reads a completion; undefined where the body is not one. */
function readReply(json: unknown): ProbeReply | undefined {
  const read = body.safeParse(json)
  if (!read.success) return undefined
  const first = read.data.choices[0]!
  const { message } = first
  if (typeof first.text !== 'string' && (message === undefined || message === null)) return undefined
  const content = message?.content ?? first.text ?? ''
  const separate = message?.reasoning_content ?? message?.reasoning ?? ''
  const { prompt_tokens, completion_tokens } = read.data.usage ?? {}
  return {
    all: `${separate}${content}`,
    text: content,
    reasoning: message?.reasoning_content
      ? 'reasoning_content'
      : message?.reasoning
        ? 'reasoning'
        : reasoningMark(content) && 'think',
    finish: first.finish_reason ?? 'none',
    choices: read.data.choices.length,
    toolCalls: message?.tool_calls?.length ?? 0,
    logprobs: first.logprobs !== undefined && first.logprobs !== null,
    model: read.data.model ?? undefined,
    fingerprint: read.data.system_fingerprint ?? undefined,
    promptTokens: prompt_tokens ?? undefined,
    completionTokens: completion_tokens ?? undefined,
  }
}
