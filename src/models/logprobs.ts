import * as z from 'zod'
import type { Completion } from '../core/model.js'

type Tokens = NonNullable<Completion['logprobs']>

/** Maximum number of tokens of a reply whose log-probabilities are kept; a longer reply is kept without them. */
const maxTokens = 1 << 14
/** Rounding on a server may give a value slightly above 0. */
const logprob = z
  .number()
  .max(1e-3)
  .transform((value) => Math.min(0, value))
const one = z.object({ token: z.string().max(1000), logprob })
/** Tokens with their log-probabilities as stored in replies; other fields are dropped. */
export const logprobsSchema = z.array(one.extend({ top: z.array(one).max(20).optional() })).max(maxTokens)

/** The format of chat completions; llama.cpp uses it for completions too. */
const listed = z.object({
  content: z.array(one.extend({ top_logprobs: z.array(one).max(20).nullish() })).max(maxTokens),
})
/** The format of OpenAI's legacy completions, vLLM and SGLang. */
const inColumns = z.object({
  tokens: z.array(z.string().max(1000)).max(maxTokens),
  token_logprobs: z.array(logprob),
  top_logprobs: z.array(z.record(z.string(), logprob).nullable()).nullish().catch(undefined),
})
/** Reads the log-probabilities of generated tokens; undefined if none can be read. */
export function readLogprobs(given: unknown): Tokens | undefined {
  const list = listed.safeParse(given)
  if (list.success) {
    return list.data.content.map(({ token, logprob, top_logprobs: top }) => ({ token, logprob, ...topOf(top) }))
  }
  const columns = inColumns.safeParse(given)
  if (!columns.success) return undefined
  const { tokens, token_logprobs: logprobs, top_logprobs: top } = columns.data
  if (tokens.length !== logprobs.length) return undefined
  return tokens.map((token, at) => {
    const likeliest = Object.entries(top?.[at] ?? {}).map(([token, logprob]) => ({ token, logprob }))
    return { token, logprob: logprobs[at]!, ...topOf(likeliest) }
  })
}

function topOf(top: Tokens[number]['top'] | null): Pick<Tokens[number], 'top'> {
  return top && top.length > 0 ? { top: top.slice(0, 20).map(({ token, logprob }) => ({ token, logprob })) } : {}
}
