import * as z from 'zod'
import { hashOf } from '../../core/episode.js'
import { nearMiss } from '../../core/errors.js'
import type { ServedDifference, ServedIdentity } from '../../run/plan.js'
import type { Target } from '../address.js'
import { CallError } from '../call-error.js'
import { besideApi } from '../wire.js'

/** What a server is asked about a model beside completions, and where its messages are redacted. */
export interface Asking {
  readonly target: Target
  /**
   * Asks for the JSON of a path, with repetitions.
   * @throws CallError where no answer comes, or none that the schema takes
   */
  ask<T>(path: string, schema: z.ZodType<T>): Promise<T>
  /** llama.cpp's `/props`, asked for once; empty where the server does not give them. */
  props(entry: Entry | undefined): Promise<Props>
}

type Props = Readonly<Record<string, unknown>>

/** The status and message of a failure, without a full stop. */
export function describeFailure({ message, failure: { status, said } }: CallError): string {
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

const entry = z.looseObject({ id: z.string() })
const list = z.object({ data: z.array(entry).max(100_000) })

/** An entry of a list of models. */
export type Entry = z.infer<typeof entry>

/** The list of models of a server. */
export interface ModelList {
  /** Undefined where there is no list. */
  readonly entries?: readonly Entry[]
  /** The entry of the requested model, or the only entry. */
  readonly entry?: Entry | undefined
  /** Why there is no list. */
  readonly failure?: CallError
}

/** Requests the list of models, which not every server has. */
export async function readModelList({ ask, target: { model } }: Asking): Promise<ModelList> {
  const answer = await ask('/models', list).catch(failureOf)
  if (answer instanceof CallError) return { failure: answer }
  const { data: entries } = answer
  return { entries, entry: entries.find(({ id }) => id === model) ?? (entries.length === 1 ? entries[0] : undefined) }
}

/** A failed call; anything else is thrown again. */
export function failureOf(thrown: unknown): CallError {
  if (thrown instanceof CallError) return thrown
  throw thrown
}

/** Whether a list may be there another time. */
export function isUnknown({ failure }: ModelList): boolean {
  return failure !== undefined && failure.failure.outcome !== 'refused'
}

const status = z.object({ status: z.object({ value: z.string().max(100) }) })

/** The status of a model in the list of a llama.cpp router: `loaded`, `loading`, `unloaded`; undefined elsewhere. */
export function statusOf(entry: Entry | undefined): string | undefined {
  return status.safeParse(entry).data?.status.value
}

/** The model of a list that a name most likely means: `llama-8b` for `meta/Llama-8B-Instruct`. */
export function nearModel(model: string, names: readonly string[]): string | undefined {
  return nearMiss(model, names) ?? names.find((name) => name.toLowerCase().includes(model.toLowerCase()))
}

const props = z
  .record(z.string(), z.unknown())
  .refine((props) => ['default_generation_settings', 'total_slots', 'chat_template'].some((name) => name in props))

/**
 * Requests llama.cpp's `/props`: beside `/v1`, where the server has it, and below it, where some gateways have it. A
 * router needs the name of the model in the request.
 */
export async function askProps({ ask, target }: Omit<Asking, 'props'>, entry: Entry | undefined): Promise<Props> {
  const query = statusOf(entry) === undefined ? '' : `?model=${encodeURIComponent(target.model)}`
  for (const path of [`${besideApi}props`, '/props']) {
    const answer = await ask(`${path}${query}`, props).catch(failureOf)
    if (!(answer instanceof CallError)) return answer
  }
  return {}
}

/** Of an entry of the list of models, and of its `meta` (llama.cpp). */
const entryFields = ['owned_by', 'root', 'max_model_len'] as const
const metaFields = ['n_params', 'size', 'n_vocab', 'n_embd', 'n_ctx_train', 'ftype'] as const
/** Servers that a user runs: their version and weights change with a restart, and only then. */
const ownServers: readonly unknown[] = ['llamacpp', 'vllm', 'sglang', 'library']
const daySeconds = 86_400

const tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string().min(1) })).max(100_000) })

/**
 * Reads what identifies the model behind a name: the list of models, llama.cpp's `/props`, Ollama's `/api/tags`. What a
 * server does not give is left out.
 */
export async function identify(asking: Asking, { entries, entry }: ModelList): Promise<ServedIdentity> {
  const { model, redact } = asking.target
  const identity: Record<string, string | number> = {}
  const keep = (name: string, value: unknown): void => {
    if (typeof value === 'string' && value !== '') identity[name] = oneLine(redact(value), 200)
    if (typeof value === 'number' && Number.isSafeInteger(value)) identity[name] = value
  }
  if (entries !== undefined) keep('listed as', entry?.id ?? 'not listed')
  for (const field of entryFields) keep(field, entry?.[field])
  const meta = z.record(z.string(), z.unknown()).safeParse(entry?.['meta']).data ?? {}
  for (const field of metaFields) keep(`meta.${field}`, meta[field])
  const owner = entry?.['owned_by']
  // For servers that users run this is the time of the start, or of the request.
  const created = ownServers.includes(owner) ? undefined : entry?.['created']
  if (typeof created === 'number' && created > 0 && created < Date.now() / 1000 - daySeconds) keep('created', created)
  if (owner === 'llamacpp') {
    const { build_info: build, model_path: path, chat_template: template } = await asking.props(entry)
    keep('build_info', build)
    // The rest of a path identifies a machine rather than a model.
    if (typeof path === 'string') keep('model_path', path.split(/[/\\]/).at(-1))
    if (typeof template === 'string') keep('chat_template', hashOf(template, 12))
  } else if (owner === 'library') {
    const listed = await asking.ask(`${besideApi}api/tags`, tags).catch(failureOf)
    if (listed instanceof CallError) return identity
    keep('digest', listed.models.find(({ name }) => name === model || name === `${model}:latest`)?.digest)
  }
  return identity
}

/** Compares the identity of the served model with an earlier one, in the values that are known both times. */
export function compareServed(was: ServedIdentity, is: ServedIdentity) {
  const differences = Object.entries(is)
    .filter(([name, value]) => Object.hasOwn(was, name) && was[name] !== value)
    .map(([name, value]) => ({ name, was: was[name]!, is: value }))
  const isOwn = [was, is].some((server) => ownServers.includes(server['owned_by']))
  const isVolatile = ({ name }: ServedDifference): boolean => !isOwn && /^(?:system_fingerprint|created)$/.test(name)
  return {
    /** Values that differ with another model, template or build, or after a restart. */
    decisive: differences.filter((difference) => !isVolatile(difference)),
    /** Values that change with each deployment of a hosted API. */
    volatile: differences.filter(isVolatile),
  }
}

/** `meta.n_params was 292,800, is 585,600`. */
export function describeDifferences(differences: readonly ServedDifference[]): string {
  const show = (value: string | number): string => (typeof value === 'number' ? value.toLocaleString('en') : value)
  return differences.map(({ name, was, is }) => `${name} was ${show(was)}, is ${show(is)}`).join('; ')
}

/** Adds the `system_fingerprint` of a reply, without secrets, to an identity. */
export function withFingerprint(served: ServedIdentity, fingerprint: string | undefined): ServedIdentity {
  return fingerprint ? { ...served, system_fingerprint: oneLine(fingerprint, 200) } : served
}
