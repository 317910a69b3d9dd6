import * as z from 'zod'
import type { Completion } from '../core/model.js'
import { separateReasoning } from './reasoning.js'
import type { Target } from './address.js'
import { describeBadReply } from './refusals.js'
import { readJson } from './error-body.js'
import { readLogprobs } from './logprobs.js'
import { boundReply } from './reply-bounds.js'

/** A count of tokens; a larger one is not one. */
const count = z.int().min(0).max(1e9).optional().catch(undefined)
const text = z.string().nullish().catch(undefined)
const part = z.object({ type: text, text, thinking: z.unknown().optional() })
const callArguments = z.looseObject({}).transform((given, { addIssue }) => {
  try {
    return JSON.stringify(given)
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
const usage = z.object({ prompt_tokens: count, completion_tokens: count }).nullish().catch(undefined)
/** One choice is requested; others are ignored. */
const first = <Choice extends z.ZodType>(choice: Choice) => z.tuple([choice]).rest(z.unknown())
const more = { usage, system_fingerprint: text, model: text }
const logprobs = z.unknown().optional()
const chat = z.object({ choices: first(z.object({ finish_reason: text, message, logprobs })), ...more })
const plain = z.object({ choices: first(z.object({ finish_reason: text, text: z.string(), logprobs })), ...more })

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
  readonly logprobs?: true
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
 * @throws EndpointError for an error in the body, and for a body that is not a completion
 */
export function readReply(
  reply: ReplyBody,
  target: Target,
): { readonly completion: Completion; readonly told: ToldByReply } {
  const { text: body, endpoint, requestId } = reply
  const json = readJson(body, target, requestId)
  const read = endpoint === 'chat' ? chat.safeParse(json) : plain.safeParse(json)
  if (!read.success) {
    const issue = read.error.issues[0]!
    const place = issue.path.join('.') || 'its top'
    throw describeBadReply(`JSON that is not a completion: at '${place}', ${issue.message}`, target, requestId)
  }
  const choice = read.data.choices[0]
  const { system_fingerprint: fingerprint } = read.data
  const reasoningField = 'message' in choice ? reasoningFieldOf(choice.message) : undefined
  const content = 'message' in choice ? choice.message.content : choice.text
  const told: ToldByReply = {
    ...(fingerprint && { fingerprint: target.redact(fingerprint) }),
    ...(reasoningField && { reasoningField }),
    ...(typeof content === 'string' && { content: target.redact(content) }),
  }
  const { prompt_tokens: promptTokens, completion_tokens: completionTokens } = read.data.usage ?? {}
  // Two counts of 0 mean that the server does not count.
  const isCounted = promptTokens !== 0 || completionTokens !== 0
  const tokens = {
    ...(read.data.model && { servedBy: withoutFolder(target.redact(read.data.model)) }),
    ...(isCounted && promptTokens !== undefined && { promptTokens }),
    ...(isCounted && completionTokens !== undefined && { completionTokens }),
  }
  const said = {
    ...('message' in choice
      ? readMessage(choice.message, reply, target)
      : readText({ content: choice.text, reasoning: '' }, reply, target)),
    ...readFinish(choice.finish_reason, target),
    ...(reply.logprobs && withoutSecrets(readLogprobs(choice.logprobs), target)),
  }
  return { completion: boundReply({ ...said, ...tokens }), told }
}

/** A model's name; of the path of a file its last part, since the rest identifies a machine. */
function withoutFolder(name: string): string {
  return /^(?:\/|[A-Za-z]:\\)/.test(name)
    ? name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1)
    : name
}

/** Log-probabilities, unless their tokens spell a secret. */
function withoutSecrets(logprobs: Completion['logprobs'], { redact }: Target): Pick<Completion, 'logprobs'> {
  const text = logprobs?.map(({ token }) => token).join('')
  return text === undefined || redact(text) !== text ? {} : { logprobs: logprobs! }
}

function reasoningFieldOf(message: z.infer<typeof chat>['choices'][0]['message']): ReasoningField | undefined {
  return (['reasoning_content', 'reasoning'] as const).find((field) => message[field])
}

function readMessage(
  message: z.infer<typeof chat>['choices'][0]['message'],
  reply: ReplyBody,
  target: Target,
): Completion {
  const { content, refusal, tool_calls: calls } = message
  const parts = typeof content === 'string' ? [{ type: 'text', text: content, thinking: undefined }] : (content ?? [])
  const answer = parts.map((one) => (one.type === 'thinking' ? '' : (one.text ?? ''))).join('')
  const thought = parts.map((one) => (one.type === 'thinking' ? thinkingOf(one.thinking) : '')).join('')
  const field = reasoningFieldOf(message)
  const reasoning = `${field === undefined ? '' : message[field]!}${thought}`
  return {
    ...readText({ content: answer === '' ? (refusal ?? '') : answer, reasoning }, reply, target),
    ...(calls &&
      calls.length > 0 && {
        toolCalls: calls.map(({ function: { name, arguments: given } }) => ({
          name: target.redact(name),
          arguments: target.redact(given),
        })),
      }),
  }
}

/** Mistral's models return their thoughts as a list of pieces of text. */
function thinkingOf(thinking: unknown): string {
  if (typeof thinking === 'string') return thinking
  const pieces = z.array(z.object({ text: z.string() })).safeParse(thinking)
  return pieces.success ? pieces.data.map((piece) => piece.text).join('') : ''
}

/** Text and reasoning without secrets, which are removed before anything cuts one in two. */
function readText(
  { content, reasoning }: { content: string; reasoning: string },
  { stop, isReasoningOpened = false, isAsked }: ReplyBody,
  { redact }: Target,
): Completion {
  const separated = separateReasoning(redact(content), isReasoningOpened && reasoning === '', isAsked)
  const all = `${redact(reasoning)}${separated.reasoning ?? ''}`
  return {
    text: cutAt(all === '' ? separated.text : separated.text.trimStart(), stop),
    ...(all !== '' && { reasoning: all }),
    ...(separated.unclosed && { unclosed: true }),
  }
}

/** Maximum length of a finish reason. */
const maxFinish = 100

/** Finish reasons by their meaning, in the words of OpenAI, Anthropic, Gemini, Cohere, Mistral, TGI and others. */
const finishes = {
  stop: /^(?:stop(?:_sequence|_token|ped)?|eos(?:_token)?|end_turn|end|completed?|finished|done)$/i,
  length: /^(?:length|max_(?:output_)?tokens?|max_length|model_length|token_limit|context_length(?:_exceeded)?)$/i,
  tool: /^(?:tool_calls?|function_call|tool_use|functions?)$/i,
} as const

function readFinish(
  reason: string | null | undefined,
  { redact }: Target,
): Pick<Completion, 'finish' | 'finishReason'> {
  const given = reason ?? ''
  const known = (['stop', 'length', 'tool'] as const).find((finish) => finishes[finish].test(given))
  if (known !== undefined) return { finish: known }
  return { finish: 'other', ...(given !== '' && { finishReason: redact(given).slice(0, maxFinish) }) }
}

function cutAt(reply: string, stop: readonly string[]): string {
  return stop.reduce((kept, mark) => {
    const at = mark === '' ? -1 : kept.indexOf(mark)
    return at === -1 ? kept : kept.slice(0, at)
  }, reply)
}
