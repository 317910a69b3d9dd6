import { ShaketableError } from '../../core/errors.js'
import { createRandom } from '../../core/random.js'
import type { ServedIdentity } from '../../run/plan.js'
import type { AddressOptions } from '../address.js'
import { readAddress } from '../address.js'
import { formatDuration } from '../retry-after.js'
import { createFetch } from '../fetch.js'
import { proxyFor } from '../proxy.js'
import type { RequestSettings } from '../request-settings.js'
import { sleep } from '../signals.js'
import type { ServerTraits } from '../traits.js'
import { plainTraits } from '../traits.js'
import { requestFirstReply, unreachable } from './first-reply.js'
import { oneLine } from './error-text.js'
import { identify, readModelList, readNames, statusOf, withFingerprint } from './identity.js'
import { measure, meaningsOfMeasured, repeatUnderLoad } from './load.js'
import type { ProbeContext } from './quirk.js'
import { meaningOfValue } from './quirk.js'
import { quirks } from './quirks/server.js'
import { promptLogprobs } from './quirks/requests.js'
import type { RawCall } from '../raw-call.js'
import { createRawCall } from '../raw-call.js'
import { requestReply } from './reply.js'
import type { Session } from './session.js'
import { openSession } from './session.js'

/** The list of models of a large gateway has about one megabyte; no other answer to a probe is longer. */
const maxBytes = 4 << 20

const defaultTimeoutMs = 60_000

/** Between two messages that the probe still goes on. */
const progressMs = 10_000

/** The server to probe, and the model. */
export interface ProbeOptions extends AddressOptions {
  /** The model's name in the report. Default: its name on the server. */
  readonly name?: string
  readonly settings?: RequestSettings
  /** For one call, body included. Default one minute. */
  readonly timeoutMs?: number
  /** Number of calls at once for measuring failures and latency. Default: neither is measured. */
  readonly load?: number
  /** Whether to request log-probabilities of a given text. Default: no. */
  readonly logprobs?: boolean
  readonly sleep?: (ms: number) => Promise<void>
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

/** One result of a probe. */
export interface Finding {
  readonly name: string
  readonly value: string | number
  readonly evidence: string
}

/**
 * Probes with a few short calls, one after the other, the points in which servers differ. A call that breaks off is
 * repeated as any other. A trait is learned from an answer, or from a refusal that names it; otherwise it is `unknown`,
 * and the default is assumed.
 * @throws ShaketableError `model` where the server does not answer; `usage` for a refused key, a model that is not
 * there, or a server of another kind
 */
export async function probeServer(options: ProbeOptions): Promise<ProbeReport> {
  return inSession(options, (session, shown) => probe(session, shown, options))
}

/**
 * Requests only what identifies the served model, with a few small requests and no call of the model; undefined where
 * the server does not answer, refuses the key, or has no list of models.
 */
export async function identifyServed(options: ProbeOptions): Promise<ServedIdentity | undefined> {
  return inSession(options, async (session) => {
    const { list } = await readModelList(session, options.model)
    return list.names === undefined ? undefined : identify(session, options.model, list)
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
  return inSession(options, async (session) => {
    const answer = await session.ask('/models', readNames, undefined, { tries: 1 })
    if (answer.kind === 'unavailable') return { why: oneLine(answer.message, 200) }
    if (answer.kind !== 'answered') return {}
    const names = answer.value.data.flatMap(({ id, owned_by }) =>
      owned_by === 'llamacpp' ? [id, fileName(id)] : owned_by === 'library' ? [id, id.replace(/:latest$/, '')] : [id],
    )
    return { names: [...new Set(names)] }
  })
}

/** `tuned-200` for `/models/tuned-200.gguf`. */
function fileName(path: string): string {
  return (path.split(/[/\\]/).at(-1) ?? '').replace(/\.gguf$/i, '')
}

async function inSession<T>(options: ProbeOptions, work: (session: Session, shown: string) => Promise<T>): Promise<T> {
  const { model, timeoutMs = defaultTimeoutMs, warn = () => undefined, signal } = options
  const address = readAddress(options)
  proxyFor(new URL(address.baseUrl), process.env)
  const { fetch, close } = createFetch({ maxSockets: options.load ?? 1, maxBytes })
  const random = createRandom(`waits of the probe of ${model}`)
  const pause = options.sleep ?? (async (ms: number) => sleep(ms, signal))
  const waiting = { timeoutMs, sleep: pause, random, warn, ...(signal && { signal }) }
  const call = withBody(createRawCall(address, fetch), options.settings)
  const session = openSession(call, address, waiting)
  const shown = address.shownUrl.replace(/\/+$/, '')
  const progress = setInterval(() => {
    warn(`${shown} is still being asked about '${model}': ${String(session.calls())} calls so far.`)
  }, progressMs)
  try {
    return await work(session, shown)
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    const { code, message, retryable } = thrown
    throw new ShaketableError(code, address.redact(message), { retryable })
  } finally {
    clearInterval(progress)
    close()
  }
}

async function probe(session: Session, shown: string, options: ProbeOptions): Promise<ProbeReport> {
  const { model, name = model, timeoutMs = defaultTimeoutMs, load, warn } = options
  const { redact } = session.target
  let { list, dead } = await readModelList(session, model)
  if (dead !== undefined) throw unreachable(shown, dead)
  const status = statusOf(list.entry)
  const isLoaded = status === undefined || status === 'loaded'
  if (!isLoaded) {
    const longest = formatDuration(timeoutMs)
    warn?.(`${shown}: '${model}' is not loaded yet (${status}). The first call loads it, which may take ${longest}.`)
  }
  const first = await requestFirstReply(session, shown, model, list)
  // The list describes a model once it is loaded.
  if (!isLoaded) ({ list, dead } = await readModelList(session, model))
  const findings: Finding[] = []
  const context: ProbeContext = {
    model,
    list,
    first,
    session,
    valueOf: (name) => findings.find((finding) => finding.name === name)?.value,
    request: (request) => requestReply(session, model, first.style, request),
  }
  let traits = plainTraits
  for (const quirk of quirks) {
    if (quirk === promptLogprobs && options.logprobs !== true) continue
    const result = await quirk.find(context)
    if (result === undefined) continue
    findings.push({ name: quirk.name, value: result.value, evidence: redact(result.evidence) })
    traits = { ...traits, ...result.traits }
  }
  if (load !== undefined) {
    const repeated = await repeatUnderLoad(context, load)
    const place = findings.findIndex((finding) => finding.name === repeated?.name)
    if (repeated !== undefined) findings[place] = repeated
    findings.push(...measure(session.exchanges()))
  }
  const as = name === model ? {} : { servedAs: model }
  const served = withFingerprint(await identify(session, model, list), first.reply.fingerprint, redact)
  return { schema: 1, address: shown, model: name, ...as, findings, traits, served, calls: session.calls() }
}

/** Adds the fields of every request of the model to calls. */
function withBody(call: RawCall, { extraBody }: RequestSettings = {}): RawCall {
  return (path, body, signal) =>
    call(path, body && path.endsWith('/completions') ? { ...extraBody, ...body } : body, signal)
}

/** What a finding means for a run, in a sentence. */
export function meaningOf({ name, value }: Finding): string {
  const quirk = quirks.find((one) => one.name === name)
  return quirk === undefined ? (meaningsOfMeasured[name] ?? '') : meaningOfValue(quirk, value)
}
