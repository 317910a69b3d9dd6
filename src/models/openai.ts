import { estimateTokens } from './fit.js'
import type { Completion, Model } from '../core/model.js'
import type { Random } from '../core/random.js'
import { createRandom } from '../core/random.js'
import type { Lesson } from './adapt.js'
import { keepTraits, withAdaptation } from './adapt.js'
import type { AddressOptions } from './address.js'
import { readAddress } from './address.js'
import { withCircuit } from './circuit.js'
import { changedModel, createClient } from './client.js'
import { withDeadline } from './deadline.js'
import type { Failure } from './endpoint-error.js'
import { EndpointError } from './endpoint-error.js'
import type { Meter } from './limit.js'
import { withLimit } from './limit.js'
import { proxyFor } from './proxy.js'
import type { ToldByReply } from './reply.js'
import { formatDuration } from './retry-after.js'
import type { RetryOptions } from './retry.js'
import { usualRetry, withRetry } from './retry.js'
import type { RequestSettings } from './request-settings.js'
import type { Server } from './server.js'
import { createServer } from './server.js'
import { joinSignals, sleep } from './signals.js'
import type { ServerTraits } from './traits.js'
import { plainTraits } from './traits.js'
import { createWire } from './wire.js'

/** An OpenAI-compatible server and one of its models. */
export interface EndpointOptions extends AddressOptions {
  /** What is known of the server. */
  readonly traits?: ServerTraits
  /** What is sent with every request. */
  readonly settings?: RequestSettings
  /** Called with the traits after each one that is learned from a refusal. */
  readonly learned?: (traits: ServerTraits, lesson: Lesson, failure: Failure) => void
  /** Shared with other models at the same address. */
  readonly server?: Server
  /** For one attempt, from when it is sent to the end of the body. Default two minutes. */
  readonly timeoutMs?: number
  /** Attempts in all where calls break off. Default 6. */
  readonly attempts?: number
  /** The same after one kind of failure, where that is fewer. */
  readonly attemptsAfter?: RetryOptions['attemptsAfter']
  /**
   * Maximum wait before an attempt, whatever the server asks for. Without it a backoff takes at most 30 seconds, a
   * server may ask for up to five minutes, and a call fails where the server asks for more.
   */
  readonly longestWaitMs?: number
  /** For the jitter of waits; it has no effect on replies. */
  readonly random?: Random
  /** Waits before an attempt. */
  readonly sleep?: (ms: number) => Promise<void>
  /** Milliseconds since any fixed moment. */
  readonly clock?: () => number
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
 * A model behind an OpenAI-compatible endpoint (`/chat/completions`, or `/completions` by its traits).
 * @throws ShaketableError `usage` for an unusable base URL, where OpenAI's own server is asked for without a key, or
 * for an unusable proxy in the environment
 */
export function createEndpoint(options: EndpointOptions): Model {
  const { model, timeoutMs = 120_000, attempts = usualRetry.attempts, longestWaitMs } = options
  const { clock = () => performance.now(), warn = () => undefined, traits = plainTraits } = options
  const address = readAddress(options)
  proxyFor(new URL(address.baseUrl), process.env)
  const server =
    options.server ??
    createServer({
      concurrency: aloneConcurrency,
      ...(longestWaitMs !== undefined && { longestPauseMs: longestWaitMs }),
      clock,
    })
  const { limiter } = server
  const random = options.random ?? createRandom(`waits for ${model}`)
  const keeper = keepTraits(traits, (learned, lesson, failure) => {
    options.learned?.(learned, lesson, failure)
    warn(`${address.shownUrl} with '${model}' ${lesson.sentence}.`)
  })
  const client = createClient(address, {
    wire: createWire(address, server.fetch),
    traits: keeper.now,
    clock,
    ...(options.settings && { settings: options.settings }),
    fingerprint: options.fingerprint,
    told: options.told,
  })
  const limited = withLimit(withDeadline(client, timeoutMs, clock, limiter), limiter, clock, options.meter)
  const attempt = options.verify === undefined ? limited : withVerification(limited, server, options.verify)
  const tried = withRetry(attempt, {
    ...usualRetry,
    attempts,
    ...(options.attemptsAfter && { attemptsAfter: options.attemptsAfter }),
    loadingMs: timeoutMs,
    loading: () => {
      const most = formatDuration(timeoutMs)
      warn(`${address.shownUrl} is loading the model: it is asked again for up to ${most}.`, 'loading')
    },
    ...(longestWaitMs !== undefined && { longestWaitMs }),
    random,
    sleep: async (ms, signal) => {
      if (options.sleep) return options.sleep(ms)
      const joined = joinSignals(signal, limiter.leaving)
      return sleep(ms, joined.signal).finally(joined.release)
    },
  })
  const endpoint = withCircuit(withTruncationWarning(withAdaptation(tried, keeper), warn), server.circuit)
  return {
    ...endpoint,
    ...(traits.contextTokens !== undefined && { contextTokens: traits.contextTokens }),
    ...(traits.logprobs && { logprobs: traits.logprobs }),
  }
}

/** Statuses of a server that is gone, or of a proxy in front of it. */
const goneStatuses: readonly unknown[] = [502, 503, 504]

/** A model whose replies after an outage of its server are held back until its identity was asked for again. */
function withVerification(model: Model, server: Server, verify: () => Promise<string | undefined>): Model {
  let verified = server.outages
  let verifying: Promise<string | undefined> | undefined
  return {
    ...model,
    async complete(messages, sampling) {
      let completion: Completion
      try {
        completion = await model.complete(messages, sampling)
      } catch (thrown) {
        const { outcome, status } = thrown instanceof EndpointError ? thrown.failure : {}
        if (outcome === 'connection' || goneStatuses.includes(status)) server.outages++
        throw thrown
      }
      while (verified !== server.outages) {
        const outages = server.outages
        verifying ??= verify().finally(() => {
          verified = outages
          verifying = undefined
        })
        const why = await verifying
        if (why !== undefined) throw changedModel(why)
      }
      return completion
    },
  }
}

/** Below this share of the estimate, which is at most a third too high, the server did not read the whole prompt. */
const minReadShare = 0.5
/** The estimate is too rough for shorter prompts. */
const minEstimate = 500

/** Warns once when the server counts far fewer tokens than it was sent, as servers do that cut prompts silently. */
function withTruncationWarning(model: Model, warn: (message: string) => void): Model {
  let warned = false
  return {
    ...model,
    async complete(messages, sampling) {
      const completion = await model.complete(messages, sampling)
      const { promptTokens } = completion
      if (warned || promptTokens === undefined) return completion
      const estimate = estimateTokens(messages, sampling.tools)
      if (estimate >= minEstimate && promptTokens < estimate * minReadShare) {
        warned = true
        warn(
          `The server of '${model.name}' counted ${String(promptTokens)} tokens in a prompt of about ${String(estimate)}: it may be cutting prompts without saying so. Give it a longer context (Ollama: num_ctx).`,
        )
      }
      return completion
    },
  }
}
