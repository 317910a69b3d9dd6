import * as z from 'zod'
import { hashOf } from '../../core/episode.js'
import { nearMiss } from '../../core/errors.js'
import type { ServedDifference, ServedIdentity } from '../../run/plan.js'
import type { Target } from '../address.js'
import type { Ask } from '../ask.js'
import { describeFailure, oneLine } from '../ask.js'
import { EndpointError } from '../call-error.js'
import { besideApi } from '../wire.js'

/** Of an entry of the list of models, and of its `meta` (llama.cpp). */
const entryFields = ['owned_by', 'root', 'max_model_len'] as const
const metaFields = ['n_params', 'size', 'n_vocab', 'n_embd', 'n_ctx_train', 'ftype'] as const
/** Servers that a user runs: their version and weights change with a restart, and only then. */
const ownServers: readonly unknown[] = ['llamacpp', 'vllm', 'sglang', 'library']
const daySeconds = 86_400

const tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string().min(1) })).max(100_000) })
const modelInfo = z.object({ model_path: z.string().min(1) })

/** What a server is asked about a model, and where its messages are redacted. */
export interface Asking {
  readonly ask: Ask
  readonly target: Target
  /** llama.cpp's `/props`, asked for once. */
  readonly props: (entry: ModelList['entry']) => Promise<Props>
}

/**
 * Reads what identifies the model behind a name: the list of models, llama.cpp's `/props`, Ollama's `/api/tags`,
 * SGLang's `/get_model_info`. Two requests at most beside the list; what a server does not give is left out.
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
    const listed = await ask(`${besideApi}api/tags`, (json) => tags.safeParse(json).data).catch(unanswered)
    keep('digest', listed?.models.find(({ name }) => name === model || name === `${model}:latest`)?.digest)
  } else if (owner === 'sglang') {
    const info = await ask(`${besideApi}get_model_info`, (json) => modelInfo.safeParse(json).data).catch(unanswered)
    keep('model_path', baseName(info?.model_path))
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

/** Nothing where a question was not answered; anything else is thrown again. */
function unanswered(thrown: unknown): undefined {
  if (!(thrown instanceof EndpointError)) throw thrown
}

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
  /** The path that gave them, such as `/props`, or each path with its failure. */
  readonly source: string
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
  const failures: string[] = []
  let isUnknown = false
  for (const [place, path] of [
    ['/props', `${besideApi}props`],
    ['/v1/props', '/props'],
  ] as const) {
    try {
      return { props: await ask(`${path}${query}`, (json) => schema.safeParse(json).data), source: place }
    } catch (thrown) {
      if (!(thrown instanceof EndpointError)) throw thrown
      isUnknown ||= thrown.failure.outcome !== 'refused'
      failures.push(`${place}: ${oneLine(describeFailure(thrown), 100)}`)
    }
  }
  return { source: failures.join('; '), ...(isUnknown && { isUnknown }) }
}
