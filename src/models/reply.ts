import * as z from 'zod'
import type { Completion } from '../core/model.js'
import type { Target } from './address.js'
import { readJson } from './error-body.js'
import { separateReasoning } from './reasoning.js'
import { describeBadReply, describeFinish } from './refusals.js'
import { boundReply } from './bounds.js'

/** A count of tokens; a larger one is not one. */
const count = z.int().min(0).max(1e9).optional().catch(undefined)
const text = z.string().nullish().catch(undefined)
const part = z.object({ type: text, text, thinking: z.unknown().optional() })
const callArguments = z.looseObject({}).transform((parsed, { addIssue }) => {
  try {
    return JSON.stringify(parsed)
  } catch {
    addIssue('expected arguments that are not nested so deeply')
    return z.NEVER
  }
})
const toolCall = z.object({
  function: z.object({ name: z.string(), arguments: z.union([z.string(), callArguments]) }),
})
const message = z.object({
  content: z.union([z.string(), z.array(part)]).nullish(),
  reasoning_content: text,
  reasoning: text,
  refusal: text,
  tool_calls: z.array(toolCall).nullish(),
})
const choice = z.object({
  finish_reason: text,
  message: message.optional(),
  text: z.string().optional(),
  logprobs: z.unknown().optional(),
})
/** One choice is requested; others are ignored. */
const body = z.object({
  choices: z.tuple([choice]).rest(z.unknown()),
  usage: z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined),
  system_fingerprint: text,
  model: text,
})

/** The body of an answer with a status of success, and how to read it. */
interface ReplyBody {
  readonly text: string
  readonly endpoint: 'chat' | 'completions'
  /** Where the text has to end, in case the server did not end it there. */
  readonly stop: readonly string[]
  /** The chat template opens reasoning in the text. */
  readonly isReasoningOpened?: boolean
  /** Whether the prompt asks for a mark of reasoning, which is then part of the answer. */
  readonly isAsked?: (mark: string) => boolean
  /** Whether to read the log-probabilities of the reply. */
  readonly logprobs?: boolean
  readonly requestId?: string | undefined
}

/** What a reply tells of the server that gave it. */
export interface ToldByReply {
  /** `system_fingerprint`. */
  readonly fingerprint?: string
  /** The field in which the reasoning came. */
  readonly reasoningField?: ReasoningField
  /** The text as it came, without secrets. */
  readonly content?: string
}

/** A field of a message with reasoning apart from its content. */
export type ReasoningField = 'reasoning_content' | 'reasoning'

/**
 * Reads a completion, whatever content type it came with, within the bounds of a reply. An empty reply is a reply.
 * Secrets are removed before anything cuts one in two.
 * @throws CallError for an error in the body, a reply that was withheld or broke off, and for a body that is not a
 * completion
 */
export function readReply(
  reply: ReplyBody,
  target: Target,
): { readonly completion: Completion; readonly told: ToldByReply } {
  const { endpoint, stop, isReasoningOpened = false, isAsked, requestId } = reply
  const { redact } = target
  const read = body.safeParse(readJson(reply.text, target, requestId))
  const spoken = read.data?.choices[0]
  const from = endpoint === 'chat' ? spoken?.message : spoken?.text === undefined ? undefined : { content: spoken.text }
  if (!read.success || from === undefined) {
    const { path, message } = read.error?.issues[0] ?? {
      path: ['choices', 0, endpoint === 'chat' ? 'message' : 'text'],
      message: 'expected what was said',
    }
    const place = path.join('.') || 'its top'
    throw describeBadReply(`JSON that is not a completion: at '${place}', ${message}`, target, requestId)
  }
  const { content, refusal, tool_calls: calls }: z.infer<typeof message> = from
  const reasoningField = (['reasoning_content', 'reasoning'] as const).find((field) => field in from && from[field])
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : (content ?? [])
  const answer = parts.map((part) => (part.type === 'thinking' ? '' : (part.text ?? ''))).join('')
  const field = reasoningField === undefined ? '' : String((from as z.infer<typeof message>)[reasoningField])
  const reasoning = redact(`${field}${parts.map(thinkingOf).join('')}`)
  const text = redact(answer === '' ? (refusal ?? '') : answer)
  const separated = separateReasoning(text, isReasoningOpened && reasoning === '', isAsked)
  const thought = `${reasoning}${separated.reasoning ?? ''}`
  const toolCalls = calls?.map(({ function: called }) => ({
    name: redact(called.name),
    arguments: redact(called.arguments),
  }))
  const { usage, system_fingerprint: fingerprint, model } = read.data
  // Two counts of 0 mean that the server does not count.
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } =
    usage?.prompt_tokens === 0 && usage.completion_tokens === 0 ? {} : (usage ?? {})
  const logprobs = reply.logprobs ? readLogprobs(spoken!.logprobs) : undefined
  const spelled = logprobs?.map(({ token }) => token).join('') ?? ''
  const completion: Completion = {
    text: cutAt(thought === '' ? separated.text : separated.text.trimStart(), stop),
    ...(thought !== '' && { reasoning: thought }),
    ...(separated.unclosed && { unclosed: true }),
    ...(toolCalls && toolCalls.length > 0 && { toolCalls }),
    ...readFinish(redact(spoken!.finish_reason ?? '')),
    // Tokens that spell a secret are left out.
    ...(logprobs && redact(spelled) === spelled && { logprobs }),
    ...(model && { servedBy: withoutFolder(redact(model)) }),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
  }
  const failure = describeFinish(completion, target, requestId)
  if (failure !== undefined) throw failure
  const told: ToldByReply = {
    ...(fingerprint && { fingerprint: redact(fingerprint) }),
    ...(reasoningField && { reasoningField }),
    ...(typeof content === 'string' && { content: redact(content) }),
  }
  return { completion: boundReply(completion), told }
}

/** Mistral's models return their thoughts as a list of pieces of text. */
function thinkingOf({ type, thinking }: { readonly type?: string | null | undefined; readonly thinking?: unknown }) {
  if (type !== 'thinking') return ''
  if (typeof thinking === 'string') return thinking
  return (
    z
      .array(z.object({ text: z.string() }))
      .safeParse(thinking)
      .data?.map((piece) => piece.text)
      .join('') ?? ''
  )
}

/** A model's name; of the path of a file its last part, since the rest identifies a machine. */
function withoutFolder(name: string): string {
  return /^(?:\/|[A-Za-z]:\\)/.test(name) ? name.split(/[/\\]/).at(-1)! : name
}

/** Maximum length of a finish reason. */
const maxFinish = 100

/** Finish reasons by their meaning, in the words of OpenAI, Anthropic, Gemini, Cohere, Mistral, TGI and others. */
const finishes = {
  stop: /^(?:stop(?:_sequence|_token|ped)?|eos(?:_token)?|end_turn|end|completed?|finished|done)$/i,
  length: /^(?:length|max_(?:output_)?tokens?|max_length|model_length|token_limit|context_length(?:_exceeded)?)$/i,
  tool: /^(?:tool_calls?|function_call|tool_use|functions?)$/i,
} as const

function readFinish(reason: string): Pick<Completion, 'finish' | 'finishReason'> {
  const known = (['stop', 'length', 'tool'] as const).find((finish) => finishes[finish].test(reason))
  if (known !== undefined) return { finish: known }
  return { finish: 'other', ...(reason !== '' && { finishReason: reason.slice(0, maxFinish) }) }
}

function cutAt(reply: string, stop: readonly string[]): string {
  return stop.reduce((kept, mark) => (mark === '' ? kept : kept.split(mark, 1)[0]!), reply)
}

type Tokens = NonNullable<Completion['logprobs']>

/** Maximum number of tokens of a reply whose log-probabilities are kept; a longer reply is kept without them. */
const maxTokens = 1 << 14
/** Rounding on a server may give a value slightly above 0. */
const logprob = z
  .number()
  .max(1e-3)
  .transform((value) => Math.min(0, value))
const token = z.object({ token: z.string().max(1000), logprob })
/** The format of chat completions; llama.cpp uses it for completions too. */
const listed = z.object({
  content: z.array(token.extend({ top_logprobs: z.array(token).nullish() })).max(maxTokens),
})
/** The format of OpenAI's legacy completions, vLLM and SGLang. */
const inColumns = z.object({
  tokens: z.array(z.string().max(1000)).max(maxTokens),
  token_logprobs: z.array(logprob),
  top_logprobs: z.array(z.record(z.string(), logprob).nullable()).nullish().catch(undefined),
})

/** Reads the log-probabilities of generated tokens; undefined if none can be read. */
export function readLogprobs(value: unknown): Tokens | undefined {
  const withTop = (token: string, logprob: number, top: Tokens[number]['top'] | null): Tokens[number] => ({
    token,
    logprob,
    ...(top && top.length > 0 && { top: top.slice(0, 20) }),
  })
  const list = listed.safeParse(value)
  if (list.success) return list.data.content.map((entry) => withTop(entry.token, entry.logprob, entry.top_logprobs))
  const { tokens, token_logprobs: logprobs, top_logprobs: top } = inColumns.safeParse(value).data ?? {}
  if (tokens === undefined || tokens.length !== logprobs?.length) return undefined
  return tokens.map((token, at) => {
    const likeliest = Object.entries(top?.[at] ?? {}).map(([word, logprob]) => ({ token: word, logprob }))
    return withTop(token, logprobs[at]!, likeliest)
  })
}
