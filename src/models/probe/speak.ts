import * as z from 'zod'
import type { Asking, Failed, Session } from './session.js'

/** A message of a probe. */
interface ProbeMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** How a model behind a server can be talked to at all; found out with the first call. */
export interface Manner {
  readonly endpoint: 'chat' | 'completions'
  readonly maxTokensField: 'max_tokens' | 'max_completion_tokens'
  readonly maxTokens: number
  /** Whether temperature 0 is taken; otherwise none is sent. */
  readonly greedy: boolean
}

/** What came of asking a model to speak. */
export type Heard = { readonly kind: 'spoken'; readonly spoken: Spoken } | Failed

/** A request as small as they come, with whatever is being tried. */
export interface Words {
  readonly messages?: readonly ProbeMessage[]
  readonly extra?: Readonly<Record<string, unknown>>
  readonly how?: Asking
}

/** Long enough that two samples of it differ, short enough to cost nothing. */
export const opening: readonly ProbeMessage[] = [{ role: 'user', content: 'Write one short sentence about a kitchen.' }]

/** Asks a model to speak. */
export async function speak(
  session: Session,
  model: string,
  { endpoint, maxTokensField, maxTokens, greedy }: Manner,
  { messages = opening, extra = {}, how }: Words = {},
): Promise<Heard> {
  const limits = { [maxTokensField]: maxTokens, ...(greedy && { temperature: 0 }) }
  const answer =
    endpoint === 'chat'
      ? await session.ask('/chat/completions', readSpoken, { model, messages, ...limits, ...extra }, how)
      : await session.ask('/completions', readSpoken, { model, prompt: asText(messages), ...limits, ...extra }, how)
  return answer.kind === 'answered' ? { kind: 'spoken', spoken: answer.value } : answer
}

function asText(messages: readonly ProbeMessage[]): string {
  return messages.map(({ content }) => content).join('\n')
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

/** A completion as a probe looks at it, of a chat or of plain text. */
export interface Spoken {
  /** Everything that was said, reasoning included, so that short replies of a reasoning model can be compared. */
  readonly all: string
  readonly text: string
  readonly reasoning: 'reasoning_content' | 'reasoning' | 'think' | undefined
  readonly finish: string
  readonly choices: number
  readonly toolCalls: number
  readonly logprobs: boolean
  /** What the server calls the model. */
  readonly model: string | undefined
  /** What the server calls the state that it is in. */
  readonly fingerprint: string | undefined
  readonly promptTokens: number | undefined
  readonly completionTokens: number | undefined
}

/** Reads a completion; undefined where the body is none. */
function readSpoken(json: unknown): Spoken | undefined {
  const read = body.safeParse(json)
  if (!read.success) return undefined
  const first = read.data.choices[0]!
  const { message } = first
  if (typeof first.text !== 'string' && (message === undefined || message === null)) return undefined
  const said = message?.content ?? first.text ?? ''
  const apart = message?.reasoning_content ?? message?.reasoning ?? ''
  const { prompt_tokens, completion_tokens } = read.data.usage ?? {}
  return {
    all: `${apart}${said}`,
    text: said,
    reasoning: message?.reasoning_content
      ? 'reasoning_content'
      : message?.reasoning
        ? 'reasoning'
        : /<think>|<\/think>/.test(said)
          ? 'think'
          : undefined,
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
