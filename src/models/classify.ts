import { messageOf } from '../core/errors.js'
import type { Target } from './address.js'
import { adviseKey, showAddress } from './address.js'
import { isFiltered } from './content-filter.js'
import { EndpointError } from './endpoint-error.js'
import { mayBeOverflow, readOverflow } from './overflow.js'

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
export function describeStatus(answer: FailedAnswer, target: Target): EndpointError {
  const { model, shownUrl, redact } = target
  const { status, requestId, retryAfterMs } = answer
  const said = messageOf(redact(answer.said))
  const got = `${shownUrl} answered ${String(status)}${said === '' ? '' : `: ${said}`}`
  const known = { status, requestId, said }
  const overflow = status === 429 ? undefined : readOverflow(said)
  if (overflow !== undefined) {
    const message = `The conversation no longer fits the context of '${model}'. ${got}`
    return new EndpointError('context-overflow', message, { ...known, outcome: 'overflow', overflow })
  }
  const unparsed = readUnparsed(said)
  if (unparsed !== undefined) return new EndpointError('model', got, { ...known, outcome: 'bad-reply', unparsed })
  const refused = (message: string, decisive = false): EndpointError =>
    new EndpointError('model', message, { ...known, outcome: 'refused', decisive })
  if (isFiltered(status, said)) return refused(`The conversation was refused by a content filter. ${got}`)
  if (status === 402 || /insufficient_quota|exceeded your current quota|billing_hard_limit/i.test(said)) {
    return refused(`The account has nothing left to spend. ${got}`, true)
  }
  if (status === 429) {
    return new EndpointError('model', got, { ...known, outcome: 'rate-limit', retryable: true, retryAfterMs })
  }
  if (status === 408 || status === 409 || status === 425 || status >= 500 || status < 300) {
    const kind = {
      ...(isAboutRequest(said) && { isAboutRequest: true }),
      ...(status === 503 && isLoading(said) && { isLoading: true }),
    }
    return new EndpointError('model', got, {
      ...known,
      outcome: 'server-error',
      retryable: true,
      retryAfterMs,
      ...kind,
    })
  }
  if (status !== 401 && status !== 403 && said.startsWith('an HTML page')) {
    // Of something in front of the server, for as long as that is not there.
    return new EndpointError('model', got, {
      ...known,
      outcome: 'bad-reply',
      retryable: true,
      decisive: status === 404,
    })
  }
  if (status < 400) {
    const place = answer.location === undefined ? '' : ` to ${messageOf(showAddress(redact(answer.location)))}`
    return refused(`${got}: the server has moved${place}. Give its new address as the base URL.`, true)
  }
  if (status === 401 || status === 403)
    return refused(`The key was refused. ${got} ${adviseKey(target, (variable) => `Check ${variable}.`)}`, true)
  if (status === 404) {
    return refused(
      `There is no model '${model}', or no such path. ${got} Check the model's name and the base URL, which mostly ends in /v1.`,
      true,
    )
  }
  return new EndpointError('model', got, { ...known, outcome: 'refused', mayBeOverflow: mayBeOverflow(status, said) })
}

/**
 * The text of a reply that its server could not parse as a function call, as far as the server gives it; undefined for
 * other errors. The messages are those of llama.cpp (status 500) and Groq (400).
 */
export function readUnparsed(said: string): string | undefined {
  const given = /failed to parse input at pos \d+:?\s*([^]*)/i.exec(said)?.[1]
  if (given !== undefined) return given
  return /output that does not match the expected [\w-]+ format|tool_use_failed/i.test(said) ? '' : undefined
}

/** llama.cpp's server answers with a status of 500 where a request does not suit its template or flags. */
function isAboutRequest(said: string): boolean {
  return /requires --jinja|jinja exception|raise_exception|\broles?\b|template/i.test(said)
}

/** llama.cpp and its router answer so with a status of 503. */
function isLoading(said: string): boolean {
  return /\bload(?:ing|ed)?\b.*\bmodel\b|\bmodel\b.*\bloading\b/i.test(said)
}

/** An error for a body of status 200 that is not a completion; it is retryable. */
export function describeBadReply(what: string, target: Target, requestId?: string): EndpointError {
  const said = messageOf(target.redact(what))
  const message = `${target.shownUrl} answered for '${target.model}' with ${said}.`
  return new EndpointError('model', message, { outcome: 'bad-reply', status: 200, requestId, said, retryable: true })
}

/** Classifies a call that broke off before there was a whole answer. */
export function describeBreak(thrown: unknown, { shownUrl, redact }: Target): EndpointError {
  if (thrown instanceof EndpointError) return thrown
  const code = codeOf(thrown)
  const said = messageOf(redact(wordsOf(deepest(thrown)) || wordsOf(thrown)))
  const why = code === '' || said.includes(code) ? said : `${said} (${code})`
  const failure = { outcome: 'connection', said: why, cause: thrown } as const
  if (/CERT|SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET)|ALTNAME/.test(code)) {
    const message = `The certificate of ${shownUrl} is not trusted: ${why}. Name the file of its authority in NODE_EXTRA_CA_CERTS.`
    return new EndpointError('model', message, { ...failure, decisive: true })
  }
  const decisive = /^(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)$/.test(code)
  const message = decisive
    ? `Expected a server at ${shownUrl}, but the call failed: ${why}. Is the server running, and is the base URL right?`
    : `The call to ${shownUrl} broke off: ${why}.`
  return new EndpointError('model', message, { ...failure, retryable: true, decisive })
}

function wordsOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The innermost cause of an error: the SDK wraps connection errors. */
function deepest(thrown: unknown): unknown {
  let inner = thrown
  for (let depth = 0; depth < 5 && inner instanceof Error; depth++) {
    const [first] = inner instanceof AggregateError ? (inner.errors as unknown[]) : [inner.cause]
    if (first === undefined || first === null) break
    inner = first
  }
  return inner
}

function codeOf(thrown: unknown): string {
  const code = (deepest(thrown) as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}
