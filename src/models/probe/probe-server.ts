import { ShaketableError } from '../../core/errors.js'
import type { ServedIdentity } from '../../run/plan.js'
import type { AddressOptions } from '../address.js'
import { readAddress } from '../address.js'
import { EndpointError } from '../call-error.js'
import { createFetch } from '../fetch.js'
import { maxPauseMs } from '../limit.js'
import type { EndpointOptions } from '../openai.js'
import { createEndpoint } from '../openai.js'
import type { RequestSettings } from '../request-settings.js'
import { usualRetry } from '../retry-after.js'
import { createServers } from '../server.js'
import type { ServerTraits } from '../traits.js'
import { plainTraits } from '../traits.js'
import type { Finding, Probing, Question, Spoken } from './findings.js'
import { findAll, firstQuestion, refuses, sample, sampleTokens, thoughtTokens } from './findings.js'
import type { Asking, ModelList } from './identity.js'
import {
  askProps,
  createAsk,
  describeFailure,
  identify,
  nearModel,
  oneLine,
  readModelList,
  readNames,
  statusOf,
  withFingerprint,
} from './identity.js'

/** The list of models of a large gateway has about one megabyte; no other answer to a probe is longer. */
const maxBytes = 4 << 20

const defaultTimeoutMs = 60_000

/** Questions that are asked side by side. */
const maxAtOnce = 8

/** The server to probe, and the model. */
export interface ProbeOptions extends AddressOptions {
  /** The model's name in the report. Default: its name on the server. */
  readonly name?: string
  readonly settings?: RequestSettings
  /** For one call, body included. Default one minute. */
  readonly timeoutMs?: number
  /** Maximum wait before a call is made again; see EndpointOptions. */
  readonly longestWaitMs?: number
  /** Whether to request log-probabilities. Default: no. */
  readonly logprobs?: boolean
  /** Called before each long wait. */
  readonly warn?: (message: string) => void
  readonly signal?: AbortSignal
}

/** The findings about a server; plain JSON without secrets. */
export interface ProbeReport {
  readonly schema: 1
  /** Origin and path, without credentials. */
  readonly address: string
  readonly model: string
  /** The model's name on the server, where it differs. */
  readonly servedAs?: string
  readonly findings: readonly Finding[]
  readonly traits: ServerTraits
  /** What identifies the model; absent in runs of versions that did not record it. */
  readonly served?: ServedIdentity
  /** Number of HTTP exchanges. */
  readonly calls: number
}

/**
 * Probes the points in which servers differ, with at most eight short calls of the client that plays the run. The first has all that a run sends, and what a server refuses of it is learned as in a
 * run; the others are made side by side. A trait is learned from an answer, or from a refusal that names it; otherwise
 * it is `unknown`, and the default is assumed.
 * @throws ShaketableError `model` where the server does not answer; `usage` for a refused key, a model that is not
 * there, or a server of another kind
 */
export async function probeServer(options: ProbeOptions): Promise<ProbeReport> {
  const { model, name = model } = options
  return withConnection(options, async (connection) => {
    const { asking, shown } = connection
    let list = await readModelList(asking)
    const first = await speakFirst(connection, list)
    // A model may have been loaded by the first call, or while that waited.
    if (list.isUnknown || !['loaded', undefined].includes(statusOf(list.entry))) list = await readModelList(asking)
    const { findings, traits } = await findAll({ ...first, list }, options.logprobs === true)
    const fingerprint = first.first.told.fingerprint
    const served = withFingerprint(await identify(asking, list), fingerprint, asking.target.redact)
    const as = name === model ? {} : { servedAs: model }
    return { schema: 1, address: shown, model: name, ...as, findings, traits, served, calls: connection.calls() }
  })
}

/**
 * Requests only what identifies the served model, with a few small requests and no call of the model; undefined where
 * the server does not answer, refuses the key, or has no list of models.
 */
export async function identifyServed(options: ProbeOptions): Promise<ServedIdentity | undefined> {
  return withConnection(options, async ({ asking }) => {
    const list = await readModelList(asking).catch(() => undefined)
    return list?.names === undefined ? undefined : identify(asking, list)
  })
}

/** What a server says of its models in one short request. */
export interface Listed {
  /** Names of the models that it answers to; absent where it has no list. */
  readonly names?: readonly string[]
  /** Why it does not answer now. */
  readonly why?: string
}

/**
 * Requests the list of models once. A llama.cpp server answers to every name and lists the alias or the file of its one
 * model, so the file's name counts as well.
 */
export async function listServed(options: ProbeOptions): Promise<Listed> {
  return withConnection(
    options,
    async ({ asking }) => {
      try {
        const { data } = await asking.ask('/models', readNames)
        const names = data.flatMap(({ id, owned_by: owner }) => [
          id,
          ...(owner === 'llamacpp' ? [fileName(id)] : owner === 'library' ? [id.replace(/:latest$/, '')] : []),
        ])
        return { names: [...new Set(names)] }
      } catch (thrown) {
        if (!(thrown instanceof EndpointError)) throw thrown
        const isAnswer = ['refused', 'bad-reply'].includes(thrown.failure.outcome)
        return isAnswer ? {} : { why: oneLine(thrown.failure.said ?? describeFailure(thrown), 200) }
      }
    },
    0,
  )
}

/** `tuned-200` for `/models/tuned-200.gguf`. */
function fileName(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/i, '')
}

/** A server while it is asked. */
interface Connection {
  readonly asking: Asking
  /** Its address without a slash at the end. */
  readonly shown: string
  readonly calls: () => number
  /** Asks the model in the form that is known by now. */
  speak(traits: ServerTraits, question: Question, learned: NonNullable<EndpointOptions['learned']>): Promise<Spoken>
}

async function withConnection<T>(
  options: ProbeOptions,
  work: (connection: Connection) => Promise<T>,
  maxRetries = 3,
): Promise<T> {
  const { model, timeoutMs = defaultTimeoutMs, warn = () => undefined, signal } = options
  const address = readAddress(options)
  const own = createFetch({ maxSockets: maxAtOnce, maxBytes })
  let calls = 0
  const fetch: typeof own.fetch = async (...request) => {
    calls++
    return own.fetch(...request)
  }
  const ask = createAsk(address, fetch, { maxRetries, timeoutMs }, signal)
  let props: ReturnType<typeof askProps> | undefined
  const asking: Asking = { ask, target: address, props: (entry) => (props ??= askProps(ask, model, entry)) }
  const shown = address.shownUrl.replace(/\/+$/, '')
  const server = { ...createServers({ concurrency: maxAtOnce }, warn).at(address.baseUrl, shown), fetch }
  const speak: Connection['speak'] = async (traits, question, learned) => {
    const { messages = sample, fields, ...asked } = question
    let told: Spoken['told'] = {}
    const endpoint = createEndpoint({
      ...options,
      attemptsAfter,
      server,
      traits,
      timeoutMs,
      learned,
      settings: { ...options.settings, ...(fields && { sampling: fields }) },
      // What a refusal taught is a finding.
      warn: (sentence, about) => {
        if (about === 'loading') warn(sentence)
      },
      told: (of) => {
        told = of
      },
    })
    const usual = { temperature: 0, seed: 1, maxTokens: sampleTokens, stop: [] }
    const reply = await endpoint.complete(messages, { ...usual, ...asked, ...(signal && { signal }) })
    return { reply, told }
  }
  try {
    return await work({ asking, shown, calls: () => calls, speak })
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    const { code, message, retryable } = thrown
    const isAway = thrown instanceof EndpointError
    throw new ShaketableError(code, address.redact(message), { retryable: retryable || isAway })
  } finally {
    own.close()
  }
}

/** A server that answers with pages, or not at all, may be the wrong one. */
function attemptsAfter({ outcome, decisive, retryAfterMs = 0 }: EndpointError['failure']): number {
  if (retryAfterMs > maxPauseMs) return 1
  if (outcome === 'timeout') return 2
  return outcome === 'bad-reply' || decisive === true ? 3 : usualRetry.attempts
}

/**
 * Asks for a first reply with all that a run sends; where there is no chat, as plain text.
 * @throws ShaketableError `model` where no reply comes now; `usage` for a refused key, an unknown model, or a server
 * of another kind
 */
async function speakFirst(connection: Connection, list: ModelList): Promise<Probing> {
  const { asking, shown } = connection
  const lessons: Probing['lessons'][number][] = []
  let traits: ServerTraits = { ...plainTraits, stop: 16 }
  const learned: NonNullable<EndpointOptions['learned']> = (_, lesson, { status, said = '' }) => {
    traits = { ...traits, ...lesson.change }
    lessons.push({ ...lesson, evidence: oneLine(`status ${String(status)}: ${said}`) })
  }
  const speak: Probing['speak'] = async (asked) => {
    const ask = async (one: Question) => connection.speak(traits, one, learned).catch(failureOf)
    const answer = await ask(asked)
    // A model that reasons in secret may return an error where the limit cuts it short.
    const isCut = answer instanceof EndpointError && refuses(answer, /could not finish|output limit was reached/i)
    return isCut ? ask({ ...asked, maxTokens: thoughtTokens }) : answer
  }
  const probing = { ...asking, list, lessons, traits: () => traits, speak }
  const chat = await speak(firstQuestion)
  if (!(chat instanceof EndpointError)) return { ...probing, first: chat }
  const { status, outcome } = chat.failure
  let failure = chat
  if ((outcome === 'refused' && (status === 404 || status === 405)) || refuses(chat, /chat|template/i)) {
    traits = { ...traits, endpoint: 'completions', maxTokensField: 'max_tokens' }
    const first = await speak(firstQuestion)
    if (!(first instanceof EndpointError)) return { ...probing, noChat: describeFailure(chat), first }
    if (first.failure.outcome !== 'refused') failure = first
  }
  throw explain(failure, asking.target, shown, list)
}

/** A failed call; anything else is thrown again. */
function failureOf(thrown: unknown): EndpointError {
  if (thrown instanceof EndpointError) return thrown
  throw thrown
}

/** Why a server cannot be used as it was given. */
function explain(
  error: EndpointError,
  { model }: Asking['target'],
  shown: string,
  { names }: ModelList,
): ShaketableError {
  const { status = 0, outcome, said = '' } = error.failure
  const usage = (message: string): ShaketableError => new ShaketableError('usage', message)
  if (outcome !== 'refused' && outcome !== 'bad-reply') {
    return new ShaketableError('model', error.message, { retryable: true })
  }
  if (outcome === 'refused' && (status < 400 || [401, 402, 403].includes(status))) return usage(error.message)
  if (outcome === 'refused' && (names ? !names.includes(model) : status === 404 && /model/i.test(said))) {
    const near = names && nearModel(model, names)
    const meant = near === undefined ? '' : ` Did you mean '${oneLine(near, 100)}'?`
    const known = names?.slice(0, 10).map((name) => oneLine(name, 100))
    const has = known === undefined ? 'Check the name of the model.' : `It has: ${known.join(', ')}.`
    return usage(`${shown} has no model '${oneLine(model, 100)}': ${oneLine(said)}.${meant} ${has}`)
  }
  return usage(
    `Expected an OpenAI-compatible server at ${shown}, but it answered the plainest chat completion with ${describeFailure(error)}. Check the base URL, which mostly ends in /v1, the name of the model, and its chat template.`,
  )
}
