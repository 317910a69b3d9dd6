import * as z from 'zod'
import { hashOf } from '../../core/episode.js'
import { nearMiss } from '../../core/errors.js'
import type { ServedDifference, ServedIdentity } from '../../core/report.js'
import { bound } from './said.js'
import type { Session } from './session.js'
import { outsideApi } from '../raw-call.js'
import { sayFailed } from './session.js'

/** Of an entry of the list of models, and of its `meta` (llama.cpp). */
const entryFields = ['owned_by', 'root', 'max_model_len'] as const
const metaFields = ['n_params', 'size', 'n_vocab', 'n_embd', 'n_ctx_train', 'ftype'] as const
/** Servers that a user runs: their version and weights change when somebody starts them anew, and only then. */
const ownServers: readonly unknown[] = ['llamacpp', 'vllm', 'sglang', 'library']
const daySeconds = 86_400

const tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string().min(1) })).max(100_000) })
const modelInfo = z.object({ model_path: z.string().min(1) })

/**
 * Asks what identifies the model behind a name, as far as this kind of server tells: its list of models, llama.cpp's
 * `/props`, Ollama's `/api/tags`, SGLang's `/get_model_info`. Two requests at most beside the list; what is not told is
 * left out.
 */
export async function identify(session: Session, model: string, { names, entry }: ModelList): Promise<ServedIdentity> {
  const told: Record<string, string | number> = {}
  const keep = (name: string, value: unknown): void => {
    if (typeof value === 'string' && value !== '') told[name] = bound(session.target.redact(value), 200)
    if (typeof value === 'number' && Number.isSafeInteger(value)) told[name] = value
  }
  if (names !== undefined) keep('listed as', entry?.['id'] ?? 'not listed')
  for (const field of entryFields) keep(field, entry?.[field])
  const meta = z.record(z.string(), z.unknown()).safeParse(entry?.['meta']).data ?? {}
  for (const field of metaFields) keep(`meta.${field}`, meta[field])
  const owner = entry?.['owned_by']
  // Servers that users run give the time of their start, or of the request.
  const created = ownServers.includes(owner) ? undefined : entry?.['created']
  if (typeof created === 'number' && created > 0 && created < Date.now() / 1000 - daySeconds) keep('created', created)
  if (owner === 'llamacpp') {
    const { props } = await askProps(session, model, entry)
    keep('build_info', props?.['build_info'])
    keep('model_path', baseName(props?.['model_path']))
    if (typeof props?.['chat_template'] === 'string') keep('chat_template', hashOf(props['chat_template'], 12))
  } else if (owner === 'library') {
    const answer = await session.ask(`${outsideApi}api/tags`, (json) => tags.safeParse(json).data)
    const listed = answer.kind === 'answered' ? answer.value.models : []
    keep('digest', listed.find(({ name }) => name === model || name === `${model}:latest`)?.digest)
  } else if (owner === 'sglang') {
    const answer = await session.ask(`${outsideApi}get_model_info`, (json) => modelInfo.safeParse(json).data)
    if (answer.kind === 'answered') keep('model_path', baseName(answer.value.model_path))
  }
  return told
}

/** How what is served differs from what was served, of what was told both times. */
interface ServedComparison {
  /** What another model, template, build or start of the server shows. */
  readonly decisive: readonly ServedDifference[]
  /** What changes at a hosted API whenever it is deployed. */
  readonly volatile: readonly ServedDifference[]
}

/** Compares what is served with what was. */
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
export function sayDifferences(differences: readonly ServedDifference[]): string {
  const show = (value: string | number): string => (typeof value === 'number' ? value.toLocaleString('en') : value)
  return differences.map(({ name, was, is }) => `${name} was ${show(was)}, is ${show(is)}`).join('; ')
}

/** What else a reply tells of who gave it. */
export function withFingerprint(
  served: ServedIdentity,
  fingerprint: string | undefined,
  redact: (text: string) => string = (text) => text,
): ServedIdentity {
  return fingerprint ? { ...served, system_fingerprint: bound(redact(fingerprint), 200) } : served
}

/** A path says more of a machine than of a model. */
function baseName(path: unknown): string | undefined {
  return typeof path === 'string' ? path.split(/[/\\]/).findLast((part) => part !== '') : undefined
}

/** What a server says about its models. */
export interface ModelList {
  /** Undefined where there is no list. */
  readonly names: readonly string[] | undefined
  /** The entry of the model that is asked for; where there is but one model, that one's. */
  readonly entry: Readonly<Record<string, unknown>> | undefined
  /** Why there is no list. */
  readonly said: string
  /** Whether that may be different another time: the question was not answered. */
  readonly isUnknown?: true
}

const status = z.object({ status: z.object({ value: z.string().max(100) }) })

/**
 * What a router (llama.cpp) says of a model in its list: `loaded`, `loading`, `unloaded`; undefined where it is none.
 */
export function statusOf(entry: ModelList['entry']): string | undefined {
  return status.safeParse(entry).data?.status.value
}

const list = z.object({ data: z.array(z.looseObject({ id: z.string() })).max(100_000) })

/** Reads a list of models; undefined where a body is none. */
export const readNames = (json: unknown): z.infer<typeof list> | undefined => list.safeParse(json).data

/** Asks for the list of models, which not every server has. @returns `dead` with the reason where nobody listens */
export async function readModelList(
  session: Session,
  model: string,
): Promise<{ readonly list: ModelList; readonly dead?: string }> {
  const answer = await session.ask('/models', readNames)
  if (answer.kind === 'answered') {
    const { data } = answer.value
    const entry = data.find(({ id }) => id === model) ?? (data.length === 1 ? data[0] : undefined)
    return { list: { names: data.map(({ id }) => (id === model ? id : session.target.redact(id))), entry, said: '' } }
  }
  const said = sayFailed(answer)
  const isDead = answer.kind === 'silent' && answer.why === 'nobody'
  return {
    list: { names: undefined, entry: undefined, said, ...(answer.kind !== 'refused' && { isUnknown: true }) },
    ...(isDead && { dead: said }),
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

/** What a llama.cpp server says of itself, and where, or why it does not. */
interface Props {
  readonly props?: Readonly<Record<string, unknown>>
  /** Such as `/props`, or each place with what it answered. */
  readonly said: string
  /** Whether that may be different another time: a place did not answer. */
  readonly isUnknown?: true
}

const schema = z
  .record(z.string(), z.unknown())
  .refine((props) => ['default_generation_settings', 'total_slots', 'chat_template'].some((name) => name in props))
const asked = new WeakMap<Session, Promise<Props>>()

/**
 * Asks for llama.cpp's `/props`, once in a session: beside `/v1`, where the server has it, and below it, where some
 * gateways do.
 * @param entry the model's entry in the list of models; a router tells the status of each there, and wants to know of
 * which it is asked
 */
export function askProps(session: Session, model: string, entry: ModelList['entry']): Promise<Props> {
  let props = asked.get(session)
  if (props === undefined) asked.set(session, (props = ask(session, statusOf(entry) === undefined ? undefined : model)))
  return props
}

async function ask(session: Session, model: string | undefined): Promise<Props> {
  const query = model === undefined ? '' : `?model=${encodeURIComponent(model)}`
  const failures: string[] = []
  let isUnknown = false
  for (const [place, path] of [
    ['/props', `${outsideApi}props`],
    ['/v1/props', '/props'],
  ] as const) {
    const answer = await session.ask(`${path}${query}`, (json) => schema.safeParse(json).data, undefined, { tries: 3 })
    if (answer.kind === 'answered') return { props: answer.value, said: place }
    isUnknown ||= answer.kind !== 'refused'
    failures.push(`${place}: ${bound(sayFailed(answer), 100)}`)
  }
  return { said: failures.join('; '), ...(isUnknown && { isUnknown }) }
}
