import type { Completion, Message, Sampling } from '../core/model.js'
import type { Address } from './address.js'
import { EndpointError } from './call-error.js'
import type { ReasoningField, ToldByReply } from './reply.js'
import { readReply } from './reply.js'
import type { RequestSettings } from './request-settings.js'
import { buildRequest } from './request.js'
import type { ServerTraits } from './traits.js'
import type { Answer, Wire } from './wire.js'

/** The options of one attempt. */
interface ClientOptions {
  readonly wire: Wire
  readonly traits: () => ServerTraits
  readonly settings?: RequestSettings | undefined
  /**
   * Called with the fingerprint in each reply.
   * @returns why no other call may be made, where it is that of another model
   */
  readonly fingerprint?: ((fingerprint: string) => string | undefined) | undefined
  /** Called with what each reply tells of its server. */
  readonly told?: ((told: ToldByReply) => void) | undefined
}

/** A reply, and the exchange that it came in. */
interface Answered extends Pick<Answer, 'status' | 'requestId'> {
  readonly completion: Completion
}

/** Makes one attempt at a call, without a time limit. */
type Client = (messages: readonly Message[], sampling: Sampling) => Promise<Answered>

export function createClient(address: Address, { wire, traits, settings, fingerprint, told }: ClientOptions): Client {
  // Reasoning of calls goes back in the field in which it came.
  let reasoningField: ReasoningField | undefined
  return async (messages, sampling) => {
    const used = traits()
    const field = reasoningField ?? (used.reasoning === 'sent back' ? 'reasoning_content' : undefined)
    const { path, body, stop } = buildRequest(address.model, messages, sampling, used, settings, field)
    const { status, text, requestId } = await wire(path, body, sampling.signal)
    const reply = {
      text,
      endpoint: path === '/completions' ? 'completions' : 'chat',
      stop,
      isReasoningOpened: used.reasoning === 'opened',
      isAsked: (mark: string) => asksFor(messages, mark),
      requestId,
      ...(sampling.logprobs && { logprobs: true as const }),
    } as const
    const { completion, told: of } = readReply(reply, address)
    told?.(of)
    reasoningField = of.reasoningField ?? reasoningField
    const why = of.fingerprint && fingerprint?.(of.fingerprint)
    if (why) throw changedModel(why, requestId)
    const answered = { status, requestId, completion }
    if (hadNoRoom(completion)) throw withoutRoom(address, requestId)
    if ('stop' in body && isReasoningAlone(completion)) {
      const failure = { outcome: 'bad-reply', status: 200, requestId, cutReasoning: true } as const
      throw new EndpointError('model', 'A stop string cut the reasoning of the model off.', failure)
    }
    return answered
  }
}

/** Whether a prompt shows a mark as part of the layout of replies. `<think>` is reasoning in any case. */
function asksFor(messages: readonly Message[], mark: string): boolean {
  return (
    !/^<\/?think>$/i.test(mark) && messages.some(({ role, content }) => role !== 'assistant' && content.includes(mark))
  )
}

/** Whether a stop string ended a reply within its reasoning; a server that separates the two then returns no text. */
function isReasoningAlone({ finish, unclosed, text, reasoning, toolCalls }: Completion): boolean {
  if (finish !== 'stop') return false
  return unclosed === true || (text.trim() === '' && reasoning !== undefined && toolCalls === undefined)
}

/** An error that stops the run, since the server has another model. */
export function changedModel(why: string, requestId?: string): EndpointError {
  return new EndpointError('model', why, { outcome: 'refused', status: 200, requestId, stops: true })
}

/**
 * Whether a reply of status 200 means that the prompt is too long: lmdeploy ends it at the token limit without a token,
 * or with the name of the error as its text.
 */
function hadNoRoom({ text, finish, reasoning, toolCalls, completionTokens = 0, promptTokens }: Completion): boolean {
  if (reasoning !== undefined || toolCalls !== undefined || completionTokens > 0) return false
  if (finish === 'length') return text === '' && promptTokens !== undefined
  return finish === 'other' && /^internal error happened, status code ResponseType\.INPUT_LENGTH_ERROR/.test(text)
}

function withoutRoom({ model, shownUrl }: Address, requestId: string | undefined): EndpointError {
  const message = `The conversation no longer fits the context of '${model}'. ${shownUrl} answered 200 with a reply of no tokens that ends at the limit of tokens.`
  return new EndpointError('context-overflow', message, { outcome: 'overflow', status: 200, requestId })
}
