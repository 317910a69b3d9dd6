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
/**
 * The format of OpenAI's legacy completions, vLLM and SGLang. The first token of an echoed prompt has no
 * log-probability.
 */
const inColumns = z.object({
  tokens: z.array(z.string().max(1000)).max(1 << 20),
  token_logprobs: z.array(logprob.nullable()),
  top_logprobs: z.array(z.record(z.string(), logprob).nullable()).nullish().catch(undefined),
})
/** vLLM's format for prompts: for each position, entries by token number. */
const places = z.array(z.record(z.string(), z.object({ logprob, decoded_token: z.string() })).nullable()).max(1 << 20)

interface Columns {
  readonly tokens: readonly string[]
  readonly logprobs: readonly (number | null)[]
}

/** Reads the log-probabilities of generated tokens; undefined if none can be read. */
export function readLogprobs(given: unknown): Tokens | undefined {
  const list = listed.safeParse(given)
  if (list.success) {
    return list.data.content.map(({ token, logprob, top_logprobs: top }) => ({ token, logprob, ...topOf(top) }))
  }
  const columns = inColumns.safeParse(given)
  if (!columns.success || columns.data.tokens.length > maxTokens) return undefined
  const { tokens, token_logprobs: logprobs, top_logprobs: top } = columns.data
  if (tokens.length !== logprobs.length || logprobs.includes(null)) return undefined
  return tokens.map((token, at) => {
    const likeliest = Object.entries(top?.[at] ?? {}).map(([token, logprob]) => ({ token, logprob }))
    return { token, logprob: logprobs[at]!, ...topOf(likeliest) }
  })
}

function topOf(top: Tokens[number]['top'] | null): Pick<Tokens[number], 'top'> {
  return top && top.length > 0 ? { top: top.slice(0, 20).map(({ token, logprob }) => ({ token, logprob })) } : {}
}

/**
 * Reads the log-probabilities of a text at the end of a prompt, including a token that begins before the text.
 * Undefined if the server does not return them, or returns those of another text.
 * @param given the text at the end of the prompt
 * @param generated number of tokens that follow the prompt
 */
export function readGiven(body: unknown, given: string, generated = 1): Tokens | undefined {
  const columns = promptOf(body, generated)
  if (columns === undefined) return undefined
  const expected = withoutSpace(given)
  const found: { token: string; logprob: number }[] = []
  let text = ''
  for (let at = columns.tokens.length - 1; at >= 0 && text.length < expected.length; at--) {
    const [token, logprob] = [columns.tokens[at]!, columns.logprobs[at]]
    if (typeof logprob !== 'number') return undefined
    text = withoutSpace(token) + text
    found.unshift({ token, logprob })
  }
  return expected !== '' && text.endsWith(expected) && found.length <= maxTokens ? found : undefined
}

const echoed = z.object({ choices: z.tuple([z.object({ logprobs: inColumns })]).rest(z.unknown()) })
const ofVllm = z.object({ prompt_logprobs: places })

function promptOf(body: unknown, generated: number): Columns | undefined {
  const vllm = ofVllm.safeParse(body)
  if (vllm.success) {
    const tokens = vllm.data.prompt_logprobs.map((place) => Object.values(place ?? {})[0])
    return {
      tokens: tokens.map((one) => one?.decoded_token ?? ''),
      logprobs: tokens.map((one) => one?.logprob ?? null),
    }
  }
  const echo = echoed.safeParse(body)
  if (!echo.success) return undefined
  const { tokens, token_logprobs: logprobs } = echo.data.choices[0].logprobs
  const end = Math.max(0, tokens.length - generated)
  return { tokens: tokens.slice(0, end), logprobs: logprobs.slice(0, end) }
}

/**
 * A text without white space and the characters that vocabularies use for it, since a token that is decoded alone may
 * lose its white space.
 */
function withoutSpace(text: string): string {
  return text.replace(/[\s\u0120\u010a\u2581]/g, '')
}
