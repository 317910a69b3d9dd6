import type { Completion, Message, Model } from '../core/model.js'
import type { Address } from './address.js'
import { describeBreak } from './refusals.js'
import { EndpointError, attemptOf } from './endpoint-error.js'
import type { ReasoningField, ToldByReply } from './reply.js'
import { readReply } from './reply.js'
import type { RequestSettings } from './request-settings.js'
import { buildRequest } from './request.js'
import type { ServerTraits } from './traits.js'
import type { Wire } from './wire.js'

/** The options of one attempt. */
interface ClientOptions {
  readonly wire: Wire
  readonly traits: () => ServerTraits
  readonly clock: () => number
  readonly settings?: RequestSettings
  /**
   * Called with the fingerprint in each reply.
   * @returns why no other call may be made, where it is that of another model
   */
  readonly fingerprint?: ((fingerprint: string) => string | undefined) | undefined
  /** Called with what each reply tells of its server. */
  readonly told?: ((told: ToldByReply) => void) | undefined
}

/** One attempt at a call, without a time limit. */
export function createClient(address: Address, options: ClientOptions): Model {
  const { model, shownUrl } = address
  const { wire, traits, clock } = options
  // Reasoning of calls goes back in the field in which it came.
  let reasoningField: ReasoningField | undefined
  return {
    name: model,
    settings: { endpoint: shownUrl, model },
    async complete(messages, sampling) {
      const startedAt = clock()
      const used = traits()
      const field = reasoningField ?? (used.reasoning === 'sent back' ? 'reasoning_content' : undefined)
      const request = buildRequest(model, messages, sampling, used, options.settings, field)
      try {
        const { status, text, requestId } = await wire(request.path, request.body, sampling.signal)
        const endpoint = request.path === '/completions' ? 'completions' : 'chat'
        const isReasoningOpened = used.reasoning === 'opened'
        const { logprobs, scored } = sampling
        const told = (of: ToldByReply): void => {
          options.told?.(of)
          const { fingerprint } = of
          reasoningField = of.reasoningField ?? reasoningField
          const why = fingerprint && options.fingerprint?.(fingerprint)
          if (why) throw changedModel(why, requestId)
        }
        const isAsked = (mark: string): boolean => asksFor(messages, mark)
        const { stop } = request
        const readsMark = options.told !== undefined
        const reply = { text, endpoint, stop, isReasoningOpened, isAsked, requestId, told, readsMark } as const
        if (scored !== undefined) {
          const given = messages.at(-1)!.content.slice(-scored)
          const completion = readReply({ ...reply, given }, address)
          return withAttempt(completion, status, requestId, clock() - startedAt)
        }
        const completion = readReply({ ...reply, ...(logprobs && { logprobs }) }, address)
        if (hadNoRoom(completion)) throw withoutRoom(address, requestId)
        if ('stop' in request.body && isReasoningAlone(completion)) throw cutReasoning(requestId)
        return withAttempt(completion, status, requestId, clock() - startedAt)
      } catch (thrown) {
        const error = describeBreak(thrown, address)
        const attempts = [attemptOf(error.failure, clock() - startedAt)]
        const { unparsed: given, said = '' } = error.failure
        if (given !== undefined) return { text: given, finish: 'other', unparsed: said.slice(0, 200), attempts }
        throw error.after(attempts)
      }
    },
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

function cutReasoning(requestId: string | undefined): EndpointError {
  const failure = { outcome: 'bad-reply', status: 200, requestId, cutReasoning: true } as const
  return new EndpointError('model', 'A stop string cut the reasoning of the model off.', failure)
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

function withAttempt(
  completion: Completion,
  status: number,
  requestId: string | undefined,
  milliseconds: number,
): Completion {
  const { promptTokens, completionTokens } = completion
  const attempt = {
    outcome: 'ok',
    status,
    waitMs: 0,
    milliseconds: Math.round(milliseconds),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(requestId !== undefined && { requestId }),
  } as const
  return { ...completion, attempts: [attempt] }
}
