import type { ShaketableError } from '../../core/errors.js'
import type { ModelList } from './identity.js'
import { readNames } from './identity.js'
import {
  inTrouble,
  notCompatible,
  refusedPlainly,
  unreachable,
  withoutVersion,
  wrongKey,
  wrongModel,
} from './refusals.js'
import type { Failed, Refused, Session } from './session.js'
import { sayFailed } from './session.js'
import type { Manner, Spoken } from './speak.js'
import { speak } from './speak.js'

/** How a model was brought to speak, and what it said. */
export interface FirstWords {
  readonly manner: Manner
  readonly first: Spoken
  /** What was refused on the way, in the server's words. */
  readonly refused: readonly { readonly field: 'max_tokens' | 'temperature'; readonly said: string }[]
  /** Why a chat is not to be had, where it is not. */
  readonly noChat?: string
}

const plain: Manner = { endpoint: 'chat', maxTokensField: 'max_tokens', maxTokens: 16, greedy: true }
/** For models that think first and call it an error to be cut short. */
const moreTokens = 512

/**
 * Brings a model to speak in the plainest way that its server takes.
 * @throws ShaketableError `model` where no reply is to be had now; `usage` for a refused key, a model that is not
 * there, or a server of another kind
 */
export async function firstWords(session: Session, shown: string, model: string, list: ModelList): Promise<FirstWords> {
  let manner = plain
  const refused: FirstWords['refused'][number][] = []
  for (;;) {
    const heard = await speak(session, model, manner)
    if (heard.kind === 'spoken') return { manner, first: heard.spoken, refused }
    const other = heard.kind === 'refused' ? gentler(manner, heard.said) : undefined
    if (other === undefined) return withoutChat(session, shown, model, list, { manner, refused, heard })
    if (other.field !== undefined) refused.push({ field: other.field, said: sayFailed(heard) })
    manner = other.manner
  }
}

/**
 * Whether a failure is a refusal of one thing: its status says that the request was wrong, and its words name the
 * thing.
 * @param isPath the thing is the path itself, which 404 and 405 name
 */
export function refuses(heard: Failed, thing: RegExp, isPath = false): heard is Refused {
  if (heard.kind !== 'refused') return false
  if (isPath && (heard.status === 404 || heard.status === 405)) return true
  return [400, 404, 405, 413, 415, 422, 500].includes(heard.status) && thing.test(heard.said)
}

/** Another way to ask, where the refusal tells one; each is tried once. */
function gentler(
  manner: Manner,
  said: string,
): { readonly manner: Manner; readonly field?: 'max_tokens' | 'temperature' } | undefined {
  if (
    /max_(?:completion_)?tokens/.test(said) &&
    /unsupported|not supported|instead|unrecognized|unknown|extra|not permitted/i.test(said)
  ) {
    if (manner.maxTokensField === 'max_tokens') {
      return { manner: { ...manner, maxTokensField: 'max_completion_tokens' }, field: 'max_tokens' }
    }
  }
  if (/temperature/i.test(said) && manner.greedy) return { manner: { ...manner, greedy: false }, field: 'temperature' }
  if (/could not finish|output limit was reached/i.test(said) && manner.maxTokens < moreTokens) {
    return { manner: { ...manner, maxTokens: moreTokens } }
  }
  return undefined
}

interface Attempted {
  readonly manner: Manner
  readonly refused: FirstWords['refused']
  readonly heard: Failed
}

/**
 * Some servers take plain text only, and say so of the path or the template; all others are given up with the reason.
 */
async function withoutChat(
  session: Session,
  shown: string,
  model: string,
  list: ModelList,
  { manner, refused, heard }: Attempted,
): Promise<FirstWords> {
  const isElsewhere = heard.kind === 'strange' || (heard.kind === 'refused' && [404, 405].includes(heard.status))
  if (isElsewhere && !/\/v\d+$/.test(shown)) {
    const { kind } = await session.ask('/v1/models', readNames, undefined, { tries: 1 })
    if (kind === 'answered') throw withoutVersion(shown, sayFailed(heard))
  }
  const failure = explain(session, shown, model, list, heard)
  if (!refuses(heard, /chat|template/i, true)) throw failure
  const asText: Manner = { ...manner, endpoint: 'completions', maxTokensField: 'max_tokens' }
  const again = await speak(session, model, asText)
  if (again.kind === 'silent') throw explain(session, shown, model, list, again)
  if (again.kind !== 'spoken') throw failure
  return { manner: asText, first: again.spoken, refused, noChat: sayFailed(heard) }
}

function explain({ target }: Session, shown: string, model: string, list: ModelList, heard: Failed): ShaketableError {
  if (heard.kind === 'silent') {
    return heard.why === 'limit' || heard.why === 'server'
      ? inTrouble(shown, heard.said)
      : unreachable(shown, heard.said)
  }
  if (heard.kind === 'strange') return notCompatible(shown, heard.said)
  const { status, said } = heard
  if (status === 401 || status === 403) return wrongKey(target, shown, status, said)
  if (list.names !== undefined && !list.names.includes(model)) return wrongModel(shown, model, list, said)
  if (list.names === undefined && status === 404 && /model/i.test(said)) return wrongModel(shown, model, list, said)
  if (status === 404 || status === 405) return notCompatible(shown, sayFailed(heard))
  return refusedPlainly(shown, status, said)
}
