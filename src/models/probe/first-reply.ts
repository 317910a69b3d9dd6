import { ShaketableError } from '../../core/errors.js'
import { adviseKey } from '../address.js'
import { oneLine } from './error-text.js'
import type { ModelList } from './identity.js'
import { nearModel, readNames } from './identity.js'
import type { ProbeReply, RequestStyle } from './reply.js'
import { requestReply } from './reply.js'
import type { Failed, Refused, Session } from './session.js'
import { describeFailure } from './session.js'

/** The first reply of a model, and the request style that the server accepts. */
export interface FirstReply {
  readonly style: RequestStyle
  readonly reply: ProbeReply
  /** Fields that were refused before, with the server's message. */
  readonly refused: readonly { readonly field: 'max_tokens' | 'temperature'; readonly message: string }[]
  /** Why the chat endpoint cannot be used; absent where it can. */
  readonly noChat?: string
}

const plain: RequestStyle = { endpoint: 'chat', maxTokensField: 'max_tokens', maxTokens: 16, greedy: true }
/** For models that reason first and return an error where the limit cuts them short. */
const moreTokens = 512

/**
 * Requests a first reply, in the plainest style that the server accepts.
 * @throws ShaketableError `model` where no reply comes now; `usage` for a refused key, an unknown model, or a server
 * of another kind
 */
export async function requestFirstReply(
  session: Session,
  shown: string,
  model: string,
  list: ModelList,
): Promise<FirstReply> {
  let style = plain
  const refused: FirstReply['refused'][number][] = []
  for (;;) {
    const answer = await requestReply(session, model, style)
    if (answer.kind === 'answered') return { style, reply: answer.value, refused }
    const other = answer.kind === 'refused' ? alternativeStyle(style, answer.message) : undefined
    if (other === undefined) return requestWithoutChat(session, shown, model, list, { style, refused, failed: answer })
    if (other.field !== undefined) refused.push({ field: other.field, message: describeFailure(answer) })
    style = other.style
  }
}

/**
 * Whether a failure is a refusal of one thing: its status marks the request as wrong, and its message names the thing.
 * @param isPath the thing is the path itself, which 404 and 405 name
 */
export function refuses(answer: Failed, thing: RegExp, isPath = false): answer is Refused {
  if (answer.kind !== 'refused') return false
  if (isPath && (answer.status === 404 || answer.status === 405)) return true
  return [400, 404, 405, 413, 415, 422, 500].includes(answer.status) && thing.test(answer.message)
}

/** Another style that the refusal suggests; each is tried once. */
function alternativeStyle(
  style: RequestStyle,
  message: string,
): { readonly style: RequestStyle; readonly field?: 'max_tokens' | 'temperature' } | undefined {
  if (
    style.maxTokensField === 'max_tokens' &&
    /max_(?:completion_)?tokens/.test(message) &&
    /unsupported|not supported|instead|unrecognized|unknown|extra|not permitted/i.test(message)
  ) {
    return { style: { ...style, maxTokensField: 'max_completion_tokens' }, field: 'max_tokens' }
  }
  if (/temperature/i.test(message) && style.greedy) return { style: { ...style, greedy: false }, field: 'temperature' }
  if (/could not finish|output limit was reached/i.test(message) && style.maxTokens < moreTokens) {
    return { style: { ...style, maxTokens: moreTokens } }
  }
  return undefined
}

/** Some servers accept plain text only, and refuse the path or the template; any other failure is thrown. */
async function requestWithoutChat(
  session: Session,
  shown: string,
  model: string,
  list: ModelList,
  { style, refused, failed }: Pick<FirstReply, 'style' | 'refused'> & { readonly failed: Failed },
): Promise<FirstReply> {
  const isElsewhere = failed.kind === 'unexpected' || (failed.kind === 'refused' && [404, 405].includes(failed.status))
  if (isElsewhere && !/\/v\d+$/.test(shown)) {
    const { kind } = await session.ask('/v1/models', readNames, undefined, { tries: 1 })
    if (kind === 'answered') {
      const got = `${shown}/chat/completions answered with ${describeFailure(failed)}`
      throw usage(`${got}, but ${shown}/v1/models lists models: add /v1 to the base URL (${shown}/v1).`)
    }
  }
  const error = explain(session, shown, model, list, failed)
  if (!refuses(failed, /chat|template/i, true)) throw error
  const asText: RequestStyle = { ...style, endpoint: 'completions', maxTokensField: 'max_tokens' }
  const again = await requestReply(session, model, asText)
  if (again.kind === 'answered') {
    return { style: asText, reply: again.value, refused, noChat: describeFailure(failed) }
  }
  throw again.kind === 'unavailable' ? explain(session, shown, model, list, again) : error
}

function explain(session: Session, shown: string, model: string, list: ModelList, failed: Failed): ShaketableError {
  if (failed.kind === 'unavailable') {
    if (failed.why !== 'limit' && failed.why !== 'server') return unreachable(shown, failed.message)
    const message = `The server at ${shown} answers, but not with a reply: ${failed.message}. Look at the server's log, or try again later.`
    return new ShaketableError('model', message, { retryable: true })
  }
  if (failed.kind === 'unexpected') return notCompatible(shown, failed.message)
  const { status, message } = failed
  if (status === 401 || status === 403) {
    const advice = adviseKey(session.target, (variable) => `Set ${variable} to a key of this server.`)
    return usage(`The key was refused: ${shown} answered ${String(status)}: ${message}. ${advice}`)
  }
  const isUnknownModel = list.names ? !list.names.includes(model) : status === 404 && /model/i.test(message)
  if (isUnknownModel) return unknownModel(shown, model, list, message)
  if (status === 404 || status === 405) return notCompatible(shown, describeFailure(failed))
  return usage(
    `${shown} refuses the plainest call (status ${String(status)}): ${message}. Check the model's name, its chat template and the server's settings.`,
  )
}

/** No connection, or no answer in time. */
export function unreachable(shown: string, message: string): ShaketableError {
  return new ShaketableError(
    'model',
    `Expected a server at ${shown}, but the call failed: ${message}. Is the server running, and is the base URL right?`,
    { retryable: true },
  )
}

function notCompatible(shown: string, got: string): ShaketableError {
  return usage(
    `Expected an OpenAI-compatible server at ${shown}, but it answered a chat completion with ${got}. Check the base URL; it mostly ends in /v1.`,
  )
}

function unknownModel(shown: string, model: string, { names }: ModelList, message: string): ShaketableError {
  const near = names && nearModel(model, names)
  const known = names?.slice(0, 10).map((name) => oneLine(name, 100))
  const more = names !== undefined && names.length > 10 ? ` and ${String(names.length - 10)} more` : ''
  return usage(
    `${shown} has no model '${oneLine(model, 100)}': ${message}.` +
      (near === undefined || message.includes(`'${near}'`) ? '' : ` Did you mean '${oneLine(near, 100)}'?`) +
      (known === undefined ? ' Check the name of the model.' : ` It has: ${known.join(', ')}${more}.`),
  )
}

function usage(message: string): ShaketableError {
  return new ShaketableError('usage', message)
}
