import { messageOf } from '../core/errors.js'
import type { Completion } from '../core/model.js'
import { type Target, adviseKey, showAddress } from './address.js'
import { type Failure, type OverflowCounts, CallError } from './call-error.js'

const words = [
  String.raw`content[ _-]?(?:filter|polic|management|moderat|inspect|safety|secur|exists risk)`,
  String.raw`(?:data|input|output)[ _-]?inspection`,
  'responsible[ _-]?ai|moderat(?:ion|ed)|guardrail|prohibited.content|flagged',
  String.raw`(?:usage|use|safety|content) (?:polic|guideline|system|filter|setting)|safety.?check`,
  '(?:sensitive|inappropriate|unsafe|harmful) (?:content|information|material)|considered high risk',
  '(?:prompt|input|request|content) (?:was |has been |is )?(?:blocked|filtered)',
  '敏感|不安全|违规|审核',
]
const filtered = new RegExp(words.join('|'), 'i')

/** Finish reasons of a reply that a filter has withheld: OpenAI, Gemini, Bedrock, Zhipu, Anthropic. */
const withheld = /content.?filter|safety|prohibited|blocklist|^spii$|sensitive|guardrail|moderat|flagged|^refus/i
/** Finish reasons of a provider that broke off: OpenRouter, DeepSeek, Zhipu, vLLM, SGLang, TensorRT-LLM. */
const brokenOff =
  /error|fail|abort|cancel|timed?.?out|interrupt|disconnect|unavailable|overload|insufficient|network|rate.?limit/i

/** The status that stands for a conversation that a content filter has refused. */
export const filterStatus = 451

/**
 * Whether a refusal is that of a content filter, by what servers say of theirs. All else that is refused, such as a
 * name or a parameter, the user may put right.
 */
export function isFiltered(status: number | undefined, message = ''): boolean {
  return status === filterStatus || ([400, 403, 422].includes(status ?? 0) && speaksOfFilter(message))
}

/** Whether an error is about what a content filter refuses. */
export function speaksOfFilter(message: string): boolean {
  return filtered.test(message)
}

/**
 * Errors of servers when prompt and reply do not fit the context, in lower case: OpenAI, llama.cpp's server, vLLM,
 * llama-cpp-python, TGI, SGLang, TensorRT-LLM, LM Studio, lmdeploy, Anthropic, Gemini, Mistral, Groq, xAI, Ollama,
 * DashScope, Bedrock, Moonshot, Z.ai and tabbyAPI.
 */
const spellings = [
  /context[ _-](?:length|size|window)[^]*(?:exceed|longer|greater|maximum|reached|limit)/,
  /(?:exceed|longer|greater|maximum|reached|model's|first \d)[^]*context(?:[ _-](?:length|size|window)| the overflows)/,
  /(?:prompt|input)(?: token)?(?: count| length)?[^.]{0,40}(?:too long|exceeds)/,
  /(?:max_(?:seq|input|model)_len|maximum (?:model|prompt) length|max_prompt_tokens_exceeded|model token limit)/,
  /max_tokens must be at least 1, got -\d|too many (?:input )?tokens|input length should be \[\d|input_length_error/,
  /`inputs` (?:tokens \+ `max_new_tokens` must be|must have less than \d+ tokens)/,
  /reduce the length of (?:the|your) (?:messages|prompt|input)/,
]

const number = String.raw`(\d[\d,]{0,12})`
const before = (...words: readonly string[]): RegExp => new RegExp(`(?:${words.join('|')})${number}`)

/** The numbers in those errors, in lower case. The first match counts. */
const numbers: Readonly<Record<keyof OverflowCounts, readonly RegExp[]>> = {
  promptTokens: [
    before(String.raw`n_prompt_tokens\D{1,3}`),
    new RegExp(`\\(${number} in (?:the|your) (?:messages|prompt)`),
    new RegExp(`${number} (?:tokens from the )?input (?:messages|tokens)`),
    before(String.raw`(?:request|input|input length|input token count|requested tokens) \(`, String.raw`\(length `),
    before(
      'given: ',
      'messages resulted in ',
      '(?:prompt|request) contains ',
      'keep the first ',
      'n_keep: ',
      'too long: ',
    ),
  ],
  contextTokens: [
    before(String.raw`n_ctx\D{1,3}`),
    before(String.raw`context (?:length|size|window)(?: is| of| only|:| =)* ?\(?`),
    new RegExp(`${number} maximum context length`),
    before(
      'maximum model length of ',
      'model token limit: ?',
      String.raw`max_seq_len\D{1,12}`,
      '`max_new_tokens` must be <= ',
    ),
  ],
  maxPromptTokens: [
    before(
      'must have less than ',
      String.raw`maximum (?:prompt length is|allowed length \(|number of tokens allowed \() ?`,
    ),
    new RegExp(`tokens > ${number} maximum`),
    new RegExp(`input length should be \\[\\d{1,3}, ?${number}\\]`),
  ],
}

/** Reads the token counts of an error about a conversation that is too long; undefined for any other error. */
export function readOverflow(message: string): OverflowCounts | undefined {
  const text = message.toLowerCase()
  if (!spellings.some((spelling) => spelling.test(text))) return undefined
  const counts: { -readonly [name in keyof OverflowCounts]: OverflowCounts[name] } = {}
  for (const name of Object.keys(numbers) as (keyof OverflowCounts)[]) {
    const digits = numbers[name].map((place) => place.exec(text)?.[1]).find((digitsText) => digitsText !== undefined)
    const count = Number(digits?.replaceAll(',', ''))
    if (Number.isSafeInteger(count) && count > 0) counts[name] = count
  }
  return counts
}

/** Whether a refusal speaks of what may be too long, in words that are not known: a shorter prompt may then do. */
function mayBeOverflow(status: number, message: string): boolean {
  return (
    [400, 413, 422].includes(status) &&
    /\b(?:length|long|longer|shorten|context|tokens?|too (?:large|big|many)|exceed(?:s|ed|ing)?|window|n_ctx|max_(?:model_len|seq_len|length|input|context)\w{0,20}|kv cache)\b|长度|过长|上下文/i.test(
      message,
    )
  )
}

/** An answer that is an error by its status or body. */
interface FailedAnswer {
  readonly status: number
  /** Its message, which may contain secrets. */
  readonly said: string
  readonly requestId?: string | undefined
  readonly retryAfterMs?: number | undefined
  /** The new address of a redirect. */
  readonly location?: string | undefined
}

/** Classifies an error: its outcome, whether another attempt may help, and whether every other call would fail too. */
export function describeStatus(answer: FailedAnswer, target: Target): CallError {
  const { model, shownUrl, redact } = target
  const { status, requestId, retryAfterMs } = answer
  const answerMessage = messageOf(redact(answer.said))
  const got = `${shownUrl} answered ${String(status)}${answerMessage === '' ? '' : `: ${answerMessage}`}`
  const fail = (failure: Failure, message = got): CallError => {
    const code = failure.outcome === 'overflow' ? 'context-overflow' : 'model'
    return new CallError(code, message, { status, requestId, said: answerMessage, ...failure })
  }
  const refused = (message: string, decisive = true) => fail({ outcome: 'refused', decisive }, message)
  const overflow = status === 429 ? undefined : readOverflow(answerMessage)
  if (overflow !== undefined) {
    return fail({ outcome: 'overflow', overflow }, `The conversation no longer fits the context of '${model}'. ${got}`)
  }
  const unparsed = readUnparsed(answerMessage)
  if (unparsed !== undefined) return fail({ outcome: 'bad-reply', unparsed })
  if (isFiltered(status, answerMessage))
    return refused(`The conversation was refused by a content filter. ${got}`, false)
  if (status === 402 || /insufficient_quota|exceeded your current quota|billing_hard_limit/i.test(answerMessage)) {
    return refused(`The account has nothing left to spend. ${got}`)
  }
  if (status === 429) return fail({ outcome: 'rate-limit', retryable: true, retryAfterMs })
  if ([408, 409, 425].includes(status) || status >= 500 || status < 300) {
    const isAboutRequest = aboutRequest.test(answerMessage)
    const isLoading = status === 503 && loading.test(answerMessage)
    return fail({ outcome: 'server-error', retryable: true, retryAfterMs, isAboutRequest, isLoading })
  }
  if (status === 401 || status === 403) {
    return refused(`The key was refused. ${got} ${adviseKey(target)}`)
  }
  // Of something in front of the server, for as long as that is not there.
  if (answerMessage.startsWith('an HTML page')) {
    return fail({ outcome: 'bad-reply', retryable: true, decisive: status === 404 })
  }
  if (status < 400) {
    const place = answer.location === undefined ? '' : ` to ${messageOf(showAddress(redact(answer.location)))}`
    return refused(`${got}: the server has moved${place}. Give its new address as the base URL.`)
  }
  if (status === 404) {
    const advice = "Check the model's name and the base URL, which mostly ends in /v1."
    return refused(`There is no model '${model}', or no such path. ${got} ${advice}`)
  }
  return fail({ outcome: 'refused', mayBeOverflow: mayBeOverflow(status, answerMessage) })
}

/** The failure of a reply whose finish reason says that a filter withheld it, or that its provider broke off. */
export function describeFinish(
  { finishReason = '', text, toolCalls }: Completion,
  target: Target,
  requestId: string | undefined,
): CallError | undefined {
  const reason = `the finish reason '${finishReason.slice(0, 60)}'`
  if (withheld.test(finishReason) && text.trim() === '' && toolCalls === undefined) {
    return describeStatus({ said: `an empty reply with ${reason}`, status: filterStatus, requestId }, target)
  }
  if (!brokenOff.test(finishReason)) return undefined
  return describeStatus({ said: `the reply broke off with ${reason}`, status: 502, requestId }, target)
}

/**
 * The text of a reply that its server could not parse as a function call, as far as the server gives it; undefined for
 * other errors. The messages are those of llama.cpp (status 500) and Groq (400).
 */
function readUnparsed(message: string): string | undefined {
  const output = /failed to parse input at pos \d+:?\s*([^]*)/i.exec(message)?.[1]
  if (output !== undefined) return output
  return /output that does not match the expected [\w-]+ format|tool_use_failed/i.test(message) ? '' : undefined
}

/** llama.cpp's server answers with a status of 500 where a request does not suit its template or flags. */
const aboutRequest = /requires --jinja|jinja exception|raise_exception|\broles?\b|template/i
/** llama.cpp and its router answer so with a status of 503. */
const loading = /\bload(?:ing|ed)?\b.*\bmodel\b|\bmodel\b.*\bloading\b/i

/** An error for a body of status 200 that is not a completion; it is retryable. */
export function describeBadReply(what: string, target: Target, requestId?: string): CallError {
  const whole = messageOf(target.redact(what))
  const message = `${target.shownUrl} answered for '${target.model}' with ${whole}.`
  return new CallError('model', message, { outcome: 'bad-reply', status: 200, requestId, said: whole, retryable: true })
}

/** Classifies a call that broke off before there was a whole answer. */
export function describeBreak(thrown: unknown, { shownUrl, redact }: Target): CallError {
  if (thrown instanceof CallError) return thrown
  const inner = deepest(thrown)
  const code = String((inner as { readonly code?: string }).code ?? '')
  const whole = messageOf(redact(inner.message || (thrown as Error).message))
  const why = code === '' || whole.includes(code) ? whole : `${whole} (${code})`
  const failure = { outcome: 'connection', said: why, cause: thrown } as const
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME/.test(code)) {
    const message = `The certificate of ${shownUrl} is not trusted: ${why}. Name the file of its authority in NODE_EXTRA_CA_CERTS.`
    return new CallError('model', message, { ...failure, decisive: true })
  }
  const decisive = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/.test(code)
  const message = decisive
    ? `Expected a server at ${shownUrl}, but the call failed: ${why}. Is the server running, and is the base URL right?`
    : `The call to ${shownUrl} broke off: ${why}.`
  return new CallError('model', message, { ...failure, retryable: true, decisive })
}

/** The innermost cause of an error: the SDK wraps connection errors. */
function deepest(thrown: unknown): Error {
  let inner = thrown instanceof Error ? thrown : new Error(String(thrown))
  for (let depth = 0; depth < 5; depth++) {
    const cause: unknown = inner instanceof AggregateError ? inner.errors[0] : inner.cause
    if (!(cause instanceof Error)) break
    inner = cause
  }
  return inner
}
