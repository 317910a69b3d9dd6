import * as z from 'zod'

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
export function readSpoken(json: unknown): Spoken | undefined {
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
