import { ShaketableError } from '../../core/errors.js'
import { createRandom } from '../../core/random.js'
import type { ServedIdentity } from '../../run/plan.js'
import { type AddressOptions, readAddress } from '../address.js'
import { CallError } from '../call-error.js'
import { readJson } from '../error-body.js'
import { createFetch } from '../fetch.js'
import { type EndpointOptions, createEndpoint } from '../openai.js'
import { describeBadReply } from '../refusals.js'
import type { RequestSettings } from '../request-settings.js'
import { createRetry } from '../retry-after.js'
import { createServers } from '../server.js'
import { type ServerTraits, plainTraits } from '../traits.js'
import { createWire } from '../wire.js'
import type { Finding, Probing, Question, Spoken } from './findings.js'
import { findAll, firstQuestion, refuses, sample, sampleTokens, thoughtTokens } from './findings.js'
import type { Asking, ModelList } from './identity.js'
import {
  askProps,
  describeFailure,
  failureOf,
  identify,
  isUnknown,
  nearModel,
  oneLine,
  readModelList,
  statusOf,
  withFingerprint,
} from './identity.js'

/** The list of models of a large gateway has about one megabyte; no other answer to a probe is longer. */
const maxBytes = 4 << 20
/** Questions that are asked side by side. */
const maxAtOnce = 8
/** A server that answers with pages, or not at all, may be the wrong one. */
const maxAttempts = 4

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
  /** What identifies the model; absent in older recordings. */
  readonly served?: ServedIdentity
  /** Number of HTTP exchanges. */
  readonly calls: number
}

/**
 * Probes the points in which servers differ, with at most eight short calls of the client that plays the run. The first
 * has all that a run sends, and what a server refuses of it is learned as in a run; the others are made side by side. A
 * trait is learned from an answer, or from a refusal that names it; otherwise it is `unknown`, and the default is
 * assumed.
 * @throws ShaketableError `model` where the server does not answer; `usage` for a refused key, a model that is not
 * there, or a server of another kind
 */
export async function probeServer(options: ProbeOptions): Promise<ProbeReport> {
  const { model, name = model } = options
  return withConnection(options, async (connection) => {
    let list = await readModelList(connection)
    const { failure } = list
    if (failure?.failure.decisive === true && failure.failure.status === undefined) throw failure
    const first = await speakFirst(connection, list)
    // A model may have been loaded by the first call, or while that waited.
    if (isUnknown(list) || !['loaded', undefined].includes(statusOf(list.entry))) list = await readModelList(connection)
    const { findings, traits } = await findAll({ ...first, list }, options.logprobs === true)
    const served = withFingerprint(await identify(connection, list), first.first.told.fingerprint)
    const { target, calls } = connection
    const as = name === model ? {} : { servedAs: model }
    return { schema: 1, address: shownOf(target), model: name, ...as, findings, traits, served, calls: calls() }
  })
}

/**
 * Requests only what identifies the served model, with a few small requests and no call of the model; undefined where
 * the server does not answer, refuses the key, or has no list of models.
 */
export async function identifyServed(options: ProbeOptions): Promise<ServedIdentity | undefined> {
  return withConnection(options, async (connection) => {
    const list = await readModelList(connection)
    return list.entries && identify(connection, list)
  })
}

/**
 * Requests the names of the models that a server answers to, once; undefined where it gives none. A llama.cpp server
 * answers to every name and lists the alias or the file of its one model, so `tuned-200` is one for
 * `/models/tuned-200.gguf`.
 */
export async function listServed(options: ProbeOptions): Promise<readonly string[] | undefined> {
  const { entries } = await withConnection(options, readModelList, 1)
  const names = entries?.flatMap(({ id, owned_by: owner }) => {
    if (owner === 'llamacpp')
      return [
        id,
        id
          .split(/[/\\]/)
          .at(-1)!
          .replace(/\.gguf$/i, ''),
      ]
    return owner === 'library' ? [id, id.replace(/:latest$/, '')] : [id]
  })
  return names && [...new Set(names)]
}

/** A server while it is asked. */
interface Connection extends Asking {
  calls(): number
  /** Asks the model in the form that is known by now. */
  speak(traits: ServerTraits, question: Question, learned: NonNullable<EndpointOptions['learned']>): Promise<Spoken>
}

async function withConnection<T>(
  options: ProbeOptions,
  work: (connection: Connection) => Promise<T>,
  attempts = maxAttempts,
): Promise<T> {
  const { model, timeoutMs = 60_000, longestWaitMs, warn = () => undefined, signal } = options
  const address = readAddress(options)
  const network = createFetch({ maxSockets: maxAtOnce, maxBytes })
  let calls = 0
  const fetch: typeof network.fetch = async (...request) => {
    calls++
    return network.fetch(...request)
  }
  const wire = createWire(address, fetch)
  const server = { ...createServers({ concurrency: maxAtOnce }, warn).at(address.baseUrl, shownOf(address)), fetch }
  let props: ReturnType<Asking['props']> | undefined
  const connection: Connection = {
    target: address,
    calls: () => calls,
    async ask(path, schema) {
      const random = createRandom(path)
      const retry = createRetry({ attempts, longestWaitMs, random, loadingMs: 0, loading: () => undefined })
      for (;;) {
        try {
          const limits = { name: model, timeoutMs, signal }
          const { text, requestId } = await server.limiter.run(limits, (ending) => wire(path, undefined, ending))
          const read = schema.safeParse(readJson(text, address, requestId))
          if (read.success) return read.data
          throw describeBadReply('other JSON', address, requestId)
        } catch (thrown) {
          const wait = retry(failureOf(thrown).failure)
          if (wait === undefined) throw thrown
          await server.limiter.sleep(wait, signal)
        }
      }
    },
    props: (entry) => (props ??= askProps(connection, entry)),
    async speak(traits, question, learned) {
      const { messages = sample, fields, ...asked } = question
      let told: Spoken['told'] = {}
      const endpoint = createEndpoint({
        ...options,
        attempts,
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
    },
  }
  try {
    return await work(connection)
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    const { code, message, retryable } = thrown
    const isAway = thrown instanceof CallError
    throw new ShaketableError(code, address.redact(message), { retryable: retryable || isAway })
  } finally {
    network.close()
  }
}

/** Its address without a slash at the end. */
function shownOf({ shownUrl }: Asking['target']): string {
  return shownUrl.replace(/\/+$/, '')
}

/**
 * Asks for a first reply with all that a run sends; where there is no chat, as plain text.
 * @throws ShaketableError `model` where no reply comes now; `usage` for a refused key, an unknown model, or a server
 * of another kind
 */
async function speakFirst(connection: Connection, list: ModelList): Promise<Probing> {
  const adaptations: Probing['adaptations'][number][] = []
  let traits: ServerTraits = { ...plainTraits, stop: 16 }
  const learned: NonNullable<EndpointOptions['learned']> = (_, adaptation, { status, said = '' }) => {
    traits = { ...traits, ...adaptation.change }
    adaptations.push({ ...adaptation, evidence: oneLine(`status ${String(status)}: ${said}`) })
  }
  const speak: Probing['speak'] = async (asked) => {
    const ask = async (question: Question) => connection.speak(traits, question, learned).catch(failureOf)
    const answer = await ask(asked)
    // A model that reasons in secret may return an error where the limit cuts it short.
    const isCut = answer instanceof CallError && refuses(answer, /could not finish|output limit was reached/i)
    return isCut ? ask({ ...asked, maxTokens: thoughtTokens }) : answer
  }
  const probing = { ...connection, list, adaptations, traits: () => traits, speak }
  const chat = await speak(firstQuestion)
  if (!(chat instanceof CallError)) return { ...probing, first: chat }
  const { status, outcome } = chat.failure
  let failure = chat
  if ((outcome === 'refused' && (status === 404 || status === 405)) || refuses(chat, /chat|template/i)) {
    traits = { ...traits, endpoint: 'completions', maxTokensField: 'max_tokens' }
    const first = await speak(firstQuestion)
    if (!(first instanceof CallError)) return { ...probing, noChat: describeFailure(chat), first }
    if (first.failure.outcome !== 'refused') failure = first
  }
  throw explain(failure, connection.target, list)
}

/** Why a server cannot be used as it was given. */
function explain(error: CallError, target: Asking['target'], { entries }: ModelList): ShaketableError {
  const { status = 0, outcome, said = '' } = error.failure
  const shown = shownOf(target)
  if (outcome !== 'refused' && outcome !== 'bad-reply') {
    return new ShaketableError('model', error.message, { retryable: true })
  }
  const usage = (message: string): ShaketableError => new ShaketableError('usage', message)
  if (outcome === 'refused' && (status < 400 || [401, 402, 403].includes(status))) return usage(error.message)
  const names = entries?.map(({ id }) => id)
  if (outcome === 'refused' && (names ? !names.includes(target.model) : status === 404 && /model/i.test(said))) {
    const near = names && nearModel(target.model, names)
    const meant = near === undefined ? '' : ` Did you mean '${oneLine(near, 100)}'?`
    const known = names?.slice(0, 10).map((name) => oneLine(name, 100))
    const has = known === undefined ? 'Check the name of the model.' : `It has: ${known.join(', ')}.`
    return usage(`${shown} has no model '${oneLine(target.model, 100)}': ${oneLine(said)}.${meant} ${has}`)
  }
  return usage(
    `Expected an OpenAI-compatible server at ${shown}, but it answered the plainest chat completion with ${describeFailure(error)}. Check the base URL, which mostly ends in /v1, the name of the model, and its chat template.`,
  )
}
