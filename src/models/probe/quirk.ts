import type { ServerTraits } from '../traits.js'
import type { FirstReply } from './first-reply.js'
import { refuses } from './first-reply.js'
import type { ModelList } from './identity.js'
import type { ProbeReply, ProbeRequest } from './reply.js'
import type { Answer, Failed, Session } from './session.js'
import { describeFailure } from './session.js'

/** What a quirk may read and request. */
export interface ProbeContext {
  readonly model: string
  readonly list: ModelList
  readonly first: FirstReply
  readonly session: Session
  /** The value of a quirk that was probed before this one. */
  readonly valueOf: (name: string) => QuirkResult['value'] | undefined
  /** Requests a reply in the style that the server accepts. */
  request(request?: ProbeRequest): Promise<Answer<ProbeReply>>
}

/** The result of probing one quirk. */
export interface QuirkResult {
  /** A word of the quirk's own, or a number; `unknown` where nothing was learned. */
  readonly value: string | number
  /** The observation behind the value, in a sentence without a full stop. */
  readonly evidence: string
  /** What follows for the client. */
  readonly traits?: Partial<ServerTraits>
}

/** One way in which servers differ. */
export interface Quirk {
  readonly name: string
  /** Undefined where the quirk does not apply to this kind of server. */
  find(context: ProbeContext): QuirkResult | undefined | Promise<QuirkResult | undefined>
  /** What each value means for a run, in a sentence; `otherwise` stands for all values that are not listed. */
  readonly meanings: Readonly<Record<string, string>>
}

/** The result of a failed question: the thing is refused where the refusal names it, and otherwise unknown. */
export function fromFailure(
  answer: Failed,
  thing: RegExp,
  refused: Pick<QuirkResult, 'value' | 'traits'>,
  isPath = false,
): QuirkResult {
  return { ...(refuses(answer, thing, isPath) ? refused : { value: 'unknown' }), evidence: describeFailure(answer) }
}

/** Sends a request and judges its reply; see {@link fromFailure} where none comes. */
export async function judgeReply(
  { request }: ProbeContext,
  asked: ProbeRequest,
  judge: (reply: ProbeReply) => QuirkResult,
  thing: RegExp,
  refused: Pick<QuirkResult, 'value' | 'traits'>,
): Promise<QuirkResult> {
  const answer = await request(asked)
  return answer.kind === 'answered' ? judge(answer.value) : fromFailure(answer, thing, refused)
}

/** The result for a property of chats where the server has no chat. */
export const noChat: QuirkResult = { value: 'no chat', evidence: 'there is no chat' }

/** What a value of a quirk means for a run, in a sentence. */
export function meaningOfValue({ meanings }: Quirk, value: QuirkResult['value']): string {
  const word = String(value)
  if (Object.hasOwn(meanings, word)) return meanings[word]!
  return meanings['otherwise'] ?? (word === 'unknown' ? 'Unknown: the default is used.' : 'It does not apply.')
}
