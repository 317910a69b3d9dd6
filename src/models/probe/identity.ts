import * as z from 'zod'
import { hashOf } from '../../core/episode.js'
import type { ServedDifference, ServedIdentity } from '../../core/report.js'
import { askProps } from './props.js'
import type { ModelList } from './model-list.js'
import { bound } from './said.js'
import { besideApi } from './session.js'
import type { Session } from './session.js'

/** Of an entry of the list of models, and of its `meta` (llama.cpp). */
const entryFields = ['owned_by', 'root', 'max_model_len'] as const
const metaFields = ['n_params', 'size', 'n_vocab', 'n_embd', 'n_ctx_train', 'ftype'] as const
/** Servers that a user runs: their version and weights change when somebody starts them anew, and only then. */
const ownServers: readonly unknown[] = ['llamacpp', 'vllm', 'sglang', 'library']
const daySeconds = 86_400

const tags = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string().min(1) })).max(100_000) })
const modelInfo = z.object({ model_path: z.string().min(1) })

/**
 * Asks what identifies the model behind a name, as far as this kind of server tells: its list of models, llama.cpp's `/props`,
 * Ollama's `/api/tags`, SGLang's `/get_model_info`. Two requests at most beside the list; what is not told is left out.
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
    const answer = await session.ask(`${besideApi}api/tags`, (json) => tags.safeParse(json).data)
    const listed = answer.kind === 'answered' ? answer.value.models : []
    keep('digest', listed.find(({ name }) => name === model || name === `${model}:latest`)?.digest)
  } else if (owner === 'sglang') {
    const answer = await session.ask(`${besideApi}get_model_info`, (json) => modelInfo.safeParse(json).data)
    if (answer.kind === 'answered') keep('model_path', baseName(answer.value.model_path))
  }
  return told
}

/** How what is served differs from what was served, of what was told both times. */
export interface ServedComparison {
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
