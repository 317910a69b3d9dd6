import { setTimeout as wait } from 'node:timers/promises'
import { ShaketableError } from '../../core/errors.js'
import { createRandom } from '../../core/random.js'
import type { ServedIdentity } from '../../core/report.js'
import type { AddressOptions } from '../address.js'
import { readAddress } from '../address.js'
import { sayDuration } from '../retry-after.js'
import { createFetch } from '../fetch.js'
import { proxyFor } from '../proxy.js'
import type { RequestSettings } from '../request-settings.js'
import type { ServerTraits } from '../traits.js'
import { plainTraits } from '../traits.js'
import { firstWords } from './first-words.js'
import { identify, readModelList, statusOf, withFingerprint } from './identity.js'
import { measure, meaningOfMeasured, repeatUnderLoad } from './load.js'
import type { Probed } from './quirk.js'
import { quirks } from './quirks/server.js'
import { promptLogprobs } from './quirks/requests.js'
import type { RawCall } from '../raw-call.js'
import { createRawCall } from '../raw-call.js'
import { unreachable } from './refusals.js'
import type { Session } from './session.js'
import { openSession } from './session.js'
import { speak } from './speak.js'

/** The list of models of a large gateway is about one megabyte; nothing that a probe asks for is longer. */
const maxBytes = 4 << 20

const usualTimeoutMs = 60_000

/** Which server is looked at, and for which of its models. */
export interface ProbeOptions extends AddressOptions {
  /** What the report calls the model. Default: what the server does. */
  readonly name?: string
  readonly settings?: RequestSettings
  /** For one call, body included. Default one minute. */
  readonly timeoutMs?: number
  /** Makes so many calls at once besides, and measures failures and times. Default: neither. */
  readonly load?: number
  /** Whether it is asked for log-probabilities of a text that it is given. Default: no. */
  readonly logprobs?: boolean
  readonly sleep?: (ms: number) => Promise<void>
  /** Hears of each long wait before it begins. */
  readonly warn?: (message: string) => void
  readonly signal?: AbortSignal
}

/** What a server does; plain JSON without secrets. */
export interface ProbeReport {
  readonly schema: 1
  /** Origin and path, without credentials. */
  readonly address: string
  readonly model: string
  /** The model's name on the server, where it is another. */
  readonly servedAs?: string
  readonly findings: readonly Finding[]
  readonly traits: ServerTraits
  /** What identifies the model; absent in runs of versions that did not ask. */
  readonly served?: ServedIdentity
  /** How many calls it took. */
  readonly calls: number
}

/** One thing that was found out. */
export interface Finding {
  readonly name: string
  readonly value: string | number
  readonly evidence: string
}

/**
 * Finds out with a handful of short calls, one after the other, what a server does where servers differ. A call that
 * breaks off is tried again as any other is. A trait is learned from an answer, or from a refusal that names it; what
 * cannot be told is `unknown`, and the default is assumed.
 * @throws ShaketableError `model` where the server does not answer; `usage` for a refused key, a model that is not
 * there, or a server of another kind
 */
export async function probeServer(options: ProbeOptions): Promise<ProbeReport> {
  return inSession(options, (session, shown) => probe(session, shown, options))
}

/**
 * Asks only what identifies the model that is served, with a few small requests and no call of the model; undefined
 * where the server does not answer, lets nobody in, or has no list of models.
 */
export async function identifyServed(options: ProbeOptions): Promise<ServedIdentity | undefined> {
  return inSession(options, async (session) => {
    const { list } = await readModelList(session, options.model)
    return list.names === undefined ? undefined : identify(session, options.model, list)
  })
}

async function inSession<T>(options: ProbeOptions, work: (session: Session, shown: string) => Promise<T>): Promise<T> {
  const { model, timeoutMs = usualTimeoutMs, warn = () => undefined, signal } = options
  const address = readAddress(options)
  proxyFor(new URL(address.baseUrl), process.env)
  const { fetch, close } = createFetch({ maxSockets: options.load ?? 1, maxBytes })
  const sleep = options.sleep ?? (async (ms) => wait(ms, undefined, { ...(signal && { signal }) }))
  const random = createRandom(`waits of the probe of ${model}`)
  const waiting = { timeoutMs, sleep, random, warn, ...(signal && { signal }) }
  try {
    const call = withBody(createRawCall(address, fetch), options.settings)
    return await work(openSession(call, address, waiting), address.shownUrl.replace(/\/+$/, ''))
  } catch (thrown) {
    if (!(thrown instanceof ShaketableError)) throw thrown
    const { code, message, retryable } = thrown
    throw new ShaketableError(code, address.redact(message), { retryable })
  } finally {
    close()
  }
}

async function probe(session: Session, shown: string, options: ProbeOptions): Promise<ProbeReport> {
  const { model, name = model, timeoutMs = usualTimeoutMs, load, warn } = options
  const { redact } = session.target
  let { list, dead } = await readModelList(session, model)
  if (dead !== undefined) throw unreachable(shown, dead)
  const status = statusOf(list.entry)
  const isLoaded = status === undefined || status === 'loaded'
  if (!isLoaded) {
    const longest = sayDuration(timeoutMs)
    warn?.(
      `${shown}: '${model}' is not loaded yet (${status}). The first call loads it, for which ${longest} are waited.`,
    )
  }
  const words = await firstWords(session, shown, model, list)
  // What a model is made of is listed once it is loaded.
  if (!isLoaded) ({ list, dead } = await readModelList(session, model))
  const findings: Finding[] = []
  const probed: Probed = {
    model,
    list,
    words,
    session,
    found: (name) => findings.find((finding) => finding.name === name)?.value,
    speak: (more) => speak(session, model, words.manner, more),
  }
  let traits = plainTraits
  for (const quirk of quirks) {
    if (quirk === promptLogprobs && options.logprobs !== true) continue
    const found = await quirk.find(probed)
    if (found === undefined) continue
    findings.push({ name: quirk.name, value: found.value, evidence: redact(found.evidence) })
    traits = { ...traits, ...found.traits }
  }
  if (load !== undefined) {
    const repeated = await repeatUnderLoad(probed, load)
    const place = findings.findIndex((finding) => finding.name === repeated?.name)
    if (repeated !== undefined) findings[place] = repeated
    findings.push(...measure(session.exchanges()))
  }
  const as = name === model ? {} : { servedAs: model }
  const served = withFingerprint(await identify(session, model, list), words.first.fingerprint, redact)
  return { schema: 1, address: shown, model: name, ...as, findings, traits, served, calls: session.calls() }
}

/** The same call, with the fields that every request of the model has. */
function withBody(call: RawCall, { extraBody }: RequestSettings = {}): RawCall {
  return (path, body, signal) =>
    call(path, body && path.endsWith('/completions') ? { ...extraBody, ...body } : body, signal)
}

/** What a finding means for a run, in a sentence. */
export function meaningOf({ name, value }: Finding): string {
  return quirks.find((quirk) => quirk.name === name)?.means(value) ?? meaningOfMeasured[name] ?? ''
}
