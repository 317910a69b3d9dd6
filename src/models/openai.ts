import type { Attempt, Completion, Message, Model, Sampling } from '../core/model.js'
import { createRandom } from '../core/random.js'
import { type Adaptation, keepTraits } from './adapt.js'
import { type Address, type AddressOptions, readAddress } from './address.js'
import { type Failure, CallError } from './call-error.js'
import { estimateTokens } from './fit.js'
import { type Meter, joinSignals } from './limit.js'
import { type ReasoningField, type ToldByReply, readReply } from './reply.js'
import type { RequestSettings } from './request-settings.js'
import { buildRequest } from './request.js'
import { createRetry, formatDuration } from './retry-after.js'
import { type Server, createServer } from './server.js'
import { type ServerTraits, plainTraits } from './traits.js'
import { createWire } from './wire.js'

/** An OpenAI-compatible server and one of its models. */
export interface EndpointOptions extends AddressOptions {
  /** What is known of the server. */
  readonly traits?: ServerTraits
  /** What is sent with every request. */
  readonly settings?: RequestSettings
  /** Called with the traits after each one that is learned from a refusal. */
  readonly learned?: (traits: ServerTraits, adaptation: Adaptation, failure: Failure) => void
  /** Shared with other models at the same address. */
  readonly server?: Server
  /** For one attempt, from when it is sent to the end of the body. Default two minutes. */
  readonly timeoutMs?: number
  /** Attempts in all where calls break off. Default 6. */
  readonly attempts?: number
  /**
   * Maximum wait before an attempt, whatever the server asks for. Without it a backoff takes at most 30 seconds, a
   * server may ask for up to five minutes, and a call fails where the server asks for more.
   */
  readonly longestWaitMs?: number
  /** Called with the fingerprint in each reply. @returns why the run must stop, where it is that of another model */
  readonly fingerprint?: (fingerprint: string) => string | undefined
  /** Called with what each reply tells of its server. */
  readonly told?: (told: ToldByReply) => void
  /**
   * Called before the first reply after the server was gone, which may have come back with another model.
   * @returns why the run must stop, where it has
   */
  readonly verify?: () => Promise<string | undefined>
  /** Asked before each attempt at a call. */
  readonly meter?: Meter
  /** Called with each warning for the user, once; those about a server that loads its model are marked. */
  readonly warn?: (message: string, about?: 'loading') => void
}

/** Maximum number of calls at once of an endpoint with a server of its own. */
const aloneConcurrency = 256

/**
 * A model behind an OpenAI-compatible endpoint (`/chat/completions`, or `/completions` by its traits). A call is made
 * until it has a complete reply: it is changed where its server refuses a part of it, and repeated where it broke off.
 * @throws ShaketableError `usage` for an unusable base URL, or where OpenAI's own server is asked for without a key
 */
export function createEndpoint(options: EndpointOptions): Model {
  const { model, timeoutMs = 120_000, attempts: maxAttempts = 6, longestWaitMs, traits = plainTraits, meter } = options
  const { warn = () => undefined } = options
  const clock = () => performance.now()
  const address = readAddress(options)
  const { shownUrl } = address
  const ownLimits = longestWaitMs === undefined ? {} : { longestPauseMs: longestWaitMs }
  const server = options.server ?? createServer({ concurrency: aloneConcurrency, ...ownLimits })
  const { limiter, circuit } = server
  const random = createRandom(`waits for ${model}`)
  const loading = (): void =>
    warn(`${shownUrl} is loading the model: it is asked again for up to ${formatDuration(timeoutMs)}.`, 'loading')
  const newRetry = () => createRetry({ attempts: maxAttempts, longestWaitMs, random, loadingMs: timeoutMs, loading })
  const keeper = keepTraits(traits, (learned, adaptation, failure) => {
    options.learned?.(learned, adaptation, failure)
    warn(`${shownUrl} with '${model}' ${adaptation.sentence}.`)
  })
  const exchange = createExchange(address, options, server, keeper.now)
  const verified = options.verify && createVerification(server, options.verify)
  const checkRead = createTruncationCheck(model, warn)

  /** One attempt, which waits for permission; its reply or its error has itself as the only attempt. */
  const attempt = async (messages: readonly Message[], sampling: Sampling, waitedMs: number): Promise<Completion> => {
    const reserved = await meter?.reserve(estimateTokens(messages, sampling.tools), sampling.maxTokens)
    const asked = clock()
    let sent = asked
    let reply: Completion | undefined
    const record = (of: Pick<Attempt, 'outcome'> & Pick<Failure, 'status' | 'requestId'>): readonly Attempt[] => [
      {
        outcome: of.outcome,
        ...(of.status !== undefined && { status: of.status }),
        waitMs: Math.round(waitedMs + sent - asked),
        milliseconds: Math.round(clock() - sent),
        ...(reply?.promptTokens !== undefined && { promptTokens: reply.promptTokens }),
        ...(reply?.completionTokens !== undefined && { completionTokens: reply.completionTokens }),
        ...(of.requestId !== undefined && { requestId: of.requestId }),
      },
    ]
    try {
      let ended: Pick<Failure, 'status' | 'requestId'> = {}
      reply = await limiter.run({ name: model, timeoutMs, signal: sampling.signal }, async (ending) => {
        reserved?.send()
        sent = clock()
        const { completion, ...answer } = await exchange(messages, { ...sampling, signal: ending })
        ended = answer
        return completion
      })
      return { ...reply, attempts: record({ ...ended, outcome: 'ok' }) }
    } catch (thrown) {
      if (!(thrown instanceof CallError)) throw thrown
      const { unparsed, said = '' } = thrown.failure
      const attempts = record({ outcome: 'bad-reply', ...thrown.failure })
      if (unparsed === undefined) throw thrown.with({}, thrown.message, attempts)
      return { text: unparsed, finish: 'other', unparsed: said.slice(0, 200), attempts }
    } finally {
      reserved?.end(reply)
    }
  }

  const call = async (messages: readonly Message[], sampling: Sampling): Promise<Completion> => {
    const { stop, signal } = sampling
    const before: Attempt[] = []
    let retry = newRetry()
    let waitMs = 0
    for (let tries = 1; ; tries++) {
      const used = keeper.now()
      try {
        const completion = await attempt(messages, sampling, waitMs)
        await verified?.()
        return before.length === 0
          ? completion
          : { ...completion, attempts: [...before, ...(completion.attempts ?? [])] }
      } catch (thrown) {
        signal?.throwIfAborted()
        if (!(thrown instanceof CallError)) throw thrown
        before.push(...thrown.attempts)
        const { outcome, status } = thrown.failure
        if (outcome === 'connection' || goneStatuses.includes(status)) server.outages++
        const wait = retry(thrown.failure)
        if (wait === undefined) {
          if (!keeper.learn(used, thrown.failure, { messages, stop })) {
            const tried = tries === 1 ? '' : ` (Tried ${String(tries)} times.)`
            throw thrown.with({ retryable: false }, `${thrown.message}${tried}`, before)
          }
          retry = newRetry()
          tries = 0
        }
        waitMs = wait ?? 0
      }
      if (waitMs > 0) await limiter.sleep(waitMs, signal)
    }
  }
  return {
    name: model,
    settings: { endpoint: shownUrl, model },
    ...(traits.contextTokens !== undefined && { contextTokens: traits.contextTokens }),
    ...(traits.logprobs && { logprobs: traits.logprobs }),
    async complete(messages, sampling) {
      circuit.opened.throwIfAborted()
      const joined = joinSignals(sampling.signal, circuit.opened)
      try {
        const completion = await call(messages, { ...sampling, signal: joined.signal })
        circuit.succeeded()
        checkRead(messages, sampling, completion)
        return completion
      } catch (thrown) {
        if (!joined.signal.aborted) circuit.failed(thrown)
        throw thrown
      } finally {
        joined.release()
      }
    },
  }
}

/** Statuses of a server that is gone, or of a proxy in front of it. */
const goneStatuses: readonly unknown[] = [502, 503, 504]

/** Makes the exchanges of an endpoint: one request and its reply, without a time limit. */
function createExchange(
  address: Address,
  { settings, fingerprint, told }: EndpointOptions,
  { fetch }: Server,
  traits: () => ServerTraits,
) {
  const wire = createWire(address, fetch)
  // Reasoning of calls goes back in the field in which it came.
  let reasoningField: ReasoningField | undefined
  return async (messages: readonly Message[], sampling: Sampling) => {
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
      logprobs: sampling.logprobs === true,
    } as const
    const { completion, told: of } = readReply(reply, address)
    told?.(of)
    reasoningField = of.reasoningField ?? reasoningField
    const why = of.fingerprint && fingerprint?.(of.fingerprint)
    if (why) throw changedModel(why, requestId)
    if (hadNoRoom(completion)) {
      const message = `The conversation no longer fits the context of '${address.model}'. ${address.shownUrl} answered 200 with a reply of no tokens that ends at the limit of tokens.`
      throw new CallError('context-overflow', message, { outcome: 'overflow', status: 200, requestId })
    }
    if ('stop' in body && isReasoningAlone(completion)) {
      const failure = { outcome: 'bad-reply', status: 200, requestId, cutReasoning: true } as const
      throw new CallError('model', 'A stop string cut the reasoning of the model off.', failure)
    }
    return { status, requestId, completion }
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

/**
 * Whether a reply of status 200 means that the prompt is too long: lmdeploy ends it at the token limit without a token,
 * or with the name of the error as its text.
 */
function hadNoRoom({ text, finish, reasoning, toolCalls, completionTokens = 0, promptTokens }: Completion): boolean {
  if (reasoning !== undefined || toolCalls !== undefined || completionTokens > 0) return false
  if (finish === 'length') return text === '' && promptTokens !== undefined
  return finish === 'other' && /^internal error happened, status code ResponseType\.INPUT_LENGTH_ERROR/.test(text)
}

/** An error that stops the run, since the server has another model. */
function changedModel(why: string, requestId?: string): CallError {
  return new CallError('model', why, { outcome: 'refused', status: 200, requestId, stops: true })
}

/**
 * Holds replies after an outage of a server back until its identity was asked for again.
 * @returns a function that throws where it has another model
 */
function createVerification(server: Server, verify: () => Promise<string | undefined>): () => Promise<void> {
  let verifiedAt = server.outages
  let verifying: Promise<string | undefined> | undefined
  return async () => {
    while (verifiedAt !== server.outages) {
      const { outages } = server
      verifying ??= verify().finally(() => {
        verifiedAt = outages
        verifying = undefined
      })
      const why = await verifying
      if (why !== undefined) throw changedModel(why)
    }
  }
}

/** Below this share of the estimate, which is at most a third too high, the server did not read the whole prompt. */
const minReadShare = 0.5
/** The estimate is too rough for shorter prompts. */
const minEstimate = 500

/** Warns once when the server counts far fewer tokens than it was sent, as servers do that cut prompts silently. */
function createTruncationCheck(name: string, warn: (message: string) => void) {
  let warned = false
  return (messages: readonly Message[], { tools }: Sampling, { promptTokens }: Completion): void => {
    if (warned || promptTokens === undefined) return
    const estimate = estimateTokens(messages, tools)
    if (estimate < minEstimate || promptTokens >= estimate * minReadShare) return
    warned = true
    warn(
      `The server of '${name}' counted ${String(promptTokens)} tokens in a prompt of about ${String(estimate)}: it may be cutting prompts without saying so. Give it a longer context (Ollama: num_ctx).`,
    )
  }
}
