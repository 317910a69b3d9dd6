import * as z from 'zod'
import { hashOf } from '../../core/episode.js'
import { nearMiss } from '../../core/errors.js'
import type { ServedDifference, ServedIdentity } from '../../run/plan.js'
import type { Address, Target } from '../address.js'
import { EndpointError } from '../call-error.js'
import { readJson } from '../error-body.js'
import type { Fetch } from '../fetch.js'
import { describeBadReply } from '../refusals.js'
import type { ExchangeLimits } from '../wire.js'
import { besideApi, createWire } from '../wire.js'

/**
 * Asks a server for something beside completions, with repetitions.
 * @param read undefined for JSON that is not an answer
 * @throws EndpointError where no answer comes
 */
export type Ask = <T>(path: string, read: (json: unknown) => T | undefined) => Promise<T>

/** Makes the questions of a probe. */
export function createAsk(address: Address, fetch: Fetch, limits: ExchangeLimits, signal?: AbortSignal): Ask {
  const wire = createWire(address, fetch, limits)
  return async (path, read) => {
    const { text, requestId } = await wire(path, undefined, signal)
    const value = read(readJson(text, address, requestId))
    if (value === undefined) throw describeBadReply('other JSON', address, requestId)
    return value
  }
}

/** The status and message of a failure, without a full stop. */
export function describeFailure({ message, failure: { status, said } }: EndpointError): string {
  return oneLine(status === undefined || status === 200 || !said ? message : `status ${String(status)}: ${said}`)
}

/** A text on one line without a full stop at its end, cut to `max` characters and `…`. */
export function oneLine(text: string, max = 300): string {
  const line = text
    .slice(0, 100_000)
    .replace(/\s+/g, ' ')
    .replace(/(?<![ .])[ .]+$/, '')
    .trim()
  return line.length > max ? `${line.slice(0, max)}…` : line
}

/** Of an entry of the list of models, and of its `meta` (llama.cpp). */
const entryFields = ['owned_by', 'root', 'max_model_len'] as const
const metaFields = ['n_params', 'size', 'n_vocab', 'n_embd', 'n_ctx_train', 'ftype'] as const
/** Servers that a user runs: their version and weights change with a restart, and only then. */
const ownServers: readonly unknown[] = ['llamacpp', 'vllm', 'sglang', 'library']
const daySeconds = 86_400

const tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string().min(1) })).max(100_000) })

/** What a server is asked about a model, and where its messages are redacted. */
export interface Asking {
  readonly ask: Ask
  readonly target: Target
  /** llama.cpp's `/props`, asked for once. */
  readonly props: (entry: ModelList['entry']) => Promise<Props>
}

/**
 * Reads what identifies the model behind a name: the list of models, llama.cpp's `/props`, Ollama's `/api/tags`. What a
 * server does not give is left out.
 */
export async function identify(asking: Asking, { names, entry }: ModelList): Promise<ServedIdentity> {
  const { ask, target } = asking
  const { model } = target
  const identity: Record<string, string | number> = {}
  const keep = (name: string, value: unknown): void => {
    if (typeof value === 'string' && value !== '') identity[name] = oneLine(target.redact(value), 200)
    if (typeof value === 'number' && Number.isSafeInteger(value)) identity[name] = value
  }
  if (names !== undefined) keep('listed as', entry?.['id'] ?? 'not listed')
  for (const field of entryFields) keep(field, entry?.[field])
  const meta = z.record(z.string(), z.unknown()).safeParse(entry?.['meta']).data ?? {}
  for (const field of metaFields) keep(`meta.${field}`, meta[field])
  const owner = entry?.['owned_by']
  // For servers that users run this is the time of the start, or of the request.
  const created = ownServers.includes(owner) ? undefined : entry?.['created']
  if (typeof created === 'number' && created > 0 && created < Date.now() / 1000 - daySeconds) keep('created', created)
  if (owner === 'llamacpp') {
    const { props } = await asking.props(entry)
    keep('build_info', props?.['build_info'])
    keep('model_path', baseName(props?.['model_path']))
    if (typeof props?.['chat_template'] === 'string') keep('chat_template', hashOf(props['chat_template'], 12))
  } else if (owner === 'library') {
    const read = (json: unknown) => tags.safeParse(json).data
    const listed = await ask(`${besideApi}api/tags`, read).catch((thrown: unknown) => {
      if (!(thrown instanceof EndpointError)) throw thrown
    })
    keep('digest', listed?.models.find(({ name }) => name === model || name === `${model}:latest`)?.digest)
  }
  return identity
}

/** How the served model differs from before, in the values that are known both times. */
interface ServedComparison {
  /** Values that differ with another model, template or build, or after a restart. */
  readonly decisive: readonly ServedDifference[]
  /** Values that change with each deployment of a hosted API. */
  readonly volatile: readonly ServedDifference[]
}

/** Compares the identity of the served model with an earlier one. */
export function compareServed(was: ServedIdentity, is: ServedIdentity): ServedComparison {
  const differences = Object.entries(is)
    .filter(([name, value]) => Object.hasOwn(was, name) && was[name] !== value)
    .map(([name, value]) => ({ name, was: was[name]!, is: value }))
  const isOwn = [was, is].some((one) => ownServers.includes(one['owned_by']))
  const isVolatile = ({ name }: ServedDifference): boolean => !isOwn && /^(?:system_fingerprint|created)$/.test(name)
  return {
    decisive: differences.filter((one) => !isVolatile(one)),
    volatile: differences.filter(isVolatile),
  }
}

/** `meta.n_params was 292,800, is 585,600`. */
export function describeDifferences(differences: readonly ServedDifference[]): string {
  const show = (value: string | number): string => (typeof value === 'number' ? value.toLocaleString('en') : value)
  return differences.map(({ name, was, is }) => `${name} was ${show(was)}, is ${show(is)}`).join('; ')
}

/** Adds the `system_fingerprint` of a reply to an identity. */
export function withFingerprint(
  served: ServedIdentity,
  fingerprint: string | undefined,
  redact: (text: string) => string = (text) => text,
): ServedIdentity {
  return fingerprint ? { ...served, system_fingerprint: oneLine(redact(fingerprint), 200) } : served
}

/** The rest of a path identifies a machine rather than a model. */
function baseName(path: unknown): string | undefined {
  return typeof path === 'string' ? path.split(/[/\\]/).findLast((part) => part !== '') : undefined
}

/** The list of models of a server. */
export interface ModelList {
  /** Undefined where there is no list. */
  readonly names: readonly string[] | undefined
  /** The entry of the requested model, or the only entry. */
  readonly entry: Readonly<Record<string, unknown>> | undefined
  /** Why there is no list; empty where there is one. */
  readonly message: string
  /** The question was not answered, so that there may be a list another time. */
  readonly isUnknown?: true
}

const status = z.object({ status: z.object({ value: z.string().max(100) }) })

/** The status of a model in the list of a llama.cpp router: `loaded`, `loading`, `unloaded`; undefined elsewhere. */
export function statusOf(entry: ModelList['entry']): string | undefined {
  return status.safeParse(entry).data?.status.value
}

const list = z.object({ data: z.array(z.looseObject({ id: z.string() })).max(100_000) })

/** Reads a list of models; undefined where a body is not one. */
export const readNames = (json: unknown): z.infer<typeof list> | undefined => list.safeParse(json).data

/**
 * Requests the list of models, which not every server has.
 * @throws EndpointError if there is no connection
 */
export async function readModelList({ ask, target }: Asking): Promise<ModelList> {
  const { model, redact } = target
  try {
    const { data } = await ask('/models', readNames)
    const entry = data.find(({ id }) => id === model) ?? (data.length === 1 ? data[0] : undefined)
    return { names: data.map(({ id }) => (id === model ? id : redact(id))), entry, message: '' }
  } catch (thrown) {
    if (!(thrown instanceof EndpointError) || (thrown.failure.decisive === true && thrown.failure.status === undefined))
      throw thrown
    const isUnknown = thrown.failure.outcome !== 'refused'
    return { names: undefined, entry: undefined, message: describeFailure(thrown), ...(isUnknown && { isUnknown }) }
  }
}

/** The model of a list that a name most likely means: `llama-8b` for `meta/Llama-8B-Instruct`. */
export function nearModel(model: string, names: readonly string[]): string | undefined {
  const wanted = model.toLowerCase()
  return (
    nearMiss(model, names) ??
    (wanted.length < 3 ? undefined : names.find((name) => name.toLowerCase().includes(wanted)))
  )
}

/** The properties of a llama.cpp server. */
interface Props {
  /** Absent where the server does not give them. */
  readonly props?: Readonly<Record<string, unknown>>
  /** A path did not answer, so that it may another time. */
  readonly isUnknown?: true
}

const schema = z
  .record(z.string(), z.unknown())
  .refine((props) => ['default_generation_settings', 'total_slots', 'chat_template'].some((name) => name in props))

/**
 * Requests llama.cpp's `/props`: beside `/v1`, where the server has it, and below it, where some gateways have it.
 * @param entry the model's entry in the list of models; a router needs the name of the model in the request
 */
export async function askProps(ask: Ask, model: string, entry: ModelList['entry']): Promise<Props> {
  const query = statusOf(entry) === undefined ? '' : `?model=${encodeURIComponent(model)}`
  let isUnknown = false
  for (const path of [`${besideApi}props`, '/props']) {
    try {
      return { props: await ask(`${path}${query}`, (json) => schema.safeParse(json).data) }
    } catch (thrown) {
      if (!(thrown instanceof EndpointError)) throw thrown
      isUnknown ||= thrown.failure.outcome !== 'refused'
    }
  }
  return isUnknown ? { isUnknown } : {}
}
