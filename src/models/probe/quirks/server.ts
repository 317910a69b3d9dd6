import * as z from 'zod'
import { askProps, nearModel } from '../identity.js'
import type { Found, Probed, Quirk } from '../quirk.js'
import { sentence } from '../quirk.js'
import { bound } from '../said.js'
import { outsideApi } from '../../raw-call.js'
import { sayFailed } from '../session.js'
import { commonLetter, greedy, logprobs, maxTokens, reasoning, seed, severalReplies, stop, usage } from './replies.js'
import {
  chatTemplate,
  consecutiveRoles,
  plainCompletions,
  promptLogprobs,
  systemRole,
  tokenCount,
  tools,
} from './requests.js'
import { samplers } from './samplers.js'

/** Whether the model takes a chat, or plain text only. */
const endpoint: Quirk = {
  name: 'endpoint',
  find({ words: { manner, noChat } }) {
    return {
      value: manner.endpoint,
      evidence:
        noChat === undefined ? '/chat/completions answers' : `/completions answers, /chat/completions says ${noChat}`,
      traits: { endpoint: manner.endpoint },
    }
  },
  means: (value) =>
    sentence(
      {
        chat: 'Conversations are sent as messages.',
        completions: 'There is no chat: conversations are sent as one plain text.',
      },
      value,
    ),
}

/** Whether the server has the model in its list. Some answer to any name, with whatever model they have. */
const modelListed: Quirk = {
  name: 'model listed',
  find({ model, list, words, session }) {
    const { model: answered } = words.first
    const as =
      answered === undefined || answered === model
        ? ''
        : `; replies are signed '${bound(session.target.redact(answered), 100)}'`
    if (list.names === undefined)
      return { value: list.isUnknown ? 'unknown' : 'no list', evidence: `${bound(list.said, 200)}${as}` }
    if (list.names.includes(model)) return { value: 'yes', evidence: `${countNames(list.names)}${as}` }
    const near = nearModel(model, list.names)
    const known = near === undefined ? list.names.slice(0, 3) : [near]
    return {
      value: 'no',
      evidence: `${countNames(list.names)}, such as ${known.map((name) => `'${bound(name, 100)}'`).join(', ')}${as}`,
    }
  },
  means: (value) =>
    sentence(
      {
        yes: 'The name is one that the server knows.',
        no: 'The server answers all the same: check that it is the model that you mean.',
        'no list': 'The name cannot be checked; the model answers to it.',
      },
      value,
    ),
}

function countNames(names: readonly string[]): string {
  return names.length === 1 ? '1 model in its list' : `${String(names.length)} models in its list`
}

/**
 * Names under which servers list what one conversation may hold: vLLM, OpenRouter and Together, Groq, Mistral, LM
 * Studio.
 */
const fields = [
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'loaded_context_length',
  'n_ctx',
] as const
const least = 64
const most = 1e9
/** More than most models have room for. */
const tooMany = 300_000
const deadlineMs = 2000

/** How many tokens prompt and reply may have together. */
const context: Quirk = {
  name: 'context',
  async find(probed) {
    return fromList(probed) ?? (await fromProps(probed)) ?? (await fromRefusal(probed))
  },
  means: (value) =>
    typeof value === 'number'
      ? 'The oldest history is left out before a conversation grows longer than that.'
      : 'Nothing is left out beforehand; an episode that grows too long ends as context-overflow.',
}

function fromList({ list: { entry } }: Probed): Found | undefined {
  const meta = entry?.['meta']
  for (const [place, object] of [['', entry] as const, ['meta.', meta] as const]) {
    for (const field of fields) {
      const tokens = numberAt(object, field)
      if (tokens !== undefined) return foundContext(tokens, `${place}${field} in the list of models`)
    }
  }
  return undefined
}

/**
 * A llama.cpp server lists what the model was trained for (`meta.n_ctx_train`) and tells what it has room for in
 * `/props`.
 */
async function fromProps({ list: { entry }, session, model }: Probed): Promise<Found | undefined> {
  const trained = numberAt(entry?.['meta'], 'n_ctx_train')
  const { props, said, isUnknown } = await askProps(session, model, entry)
  const room = numberAt(props?.['default_generation_settings'], 'n_ctx')
  if (room !== undefined) return foundContext(room, `n_ctx of ${said}`)
  if (trained === undefined) return undefined
  if (isUnknown) return { value: 'unknown', evidence: bound(said, 200) }
  return foundContext(trained, 'meta.n_ctx_train in the list of models')
}

/**
 * What a server says to a limit that few models can keep. A server that takes it must not generate as much: a stop
 * string ends the reply at one of its first letters, and a deadline the call. Not asked where no stop string is taken,
 * nor of plain text.
 */
async function fromRefusal({ list, words: { manner, first }, found: valueOf, speak }: Probed): Promise<Found> {
  const unlisted = list.isUnknown ? `the list of models could not be read (${bound(list.said, 100)})` : 'not listed'
  const taken = Number(valueOf('stop strings'))
  const letter = commonLetter(first.text)
  if (manner.endpoint === 'completions' || !(taken > 0) || letter === undefined) {
    return { value: 'unknown', evidence: unlisted }
  }
  const stop = [letter, ' ', 'e', '\n'].slice(0, taken)
  const heard = await speak({ extra: { [manner.maxTokensField]: tooMany, stop }, how: { deadlineMs } })
  if (heard.kind === 'spoken')
    return {
      value: 'unknown',
      evidence: `${unlisted}, and ${tooMany.toLocaleString('en')} tokens are not too many for it`,
    }
  const said = sayFailed(heard)
  const match = /(?:context (?:length|size|window)|n_ctx)(?:\s*(?:is|of|:|=|\())*\s*(?:only\s+)?(\d[\d,_]*)/i.exec(said)
  const tokens = Number(match?.[1]?.replace(/[,_]/g, ''))
  return heard.kind === 'refused' && isLength(tokens)
    ? foundContext(tokens, bound(said, 200))
    : { value: 'unknown', evidence: bound(said, 200) }
}

function foundContext(contextTokens: number, evidence: string): Found {
  return { value: contextTokens, evidence, traits: { contextTokens } }
}

function numberAt(object: unknown, field: string): number | undefined {
  if (object === null || typeof object !== 'object' || !Object.hasOwn(object, field)) return undefined
  const value = (object as Readonly<Record<string, unknown>>)[field]
  return isLength(value) ? value : undefined
}

function isLength(value: unknown): value is number {
  return (
    typeof value === 'number' && Number.isSafeInteger(value) && value >= least && value <= most && value !== tooMany
  )
}

const count = z.number().int().min(1).max(100_000)
const list = z.array(z.object({ id: z.number() })).transform(({ length }) => length)

/** How many calls a llama.cpp server works on at once: in `/props`, or else in `/slots`, which lists them. */
const slots: Quirk = {
  name: 'slots',
  async find({ list: { entry }, session, model }: Probed) {
    if (entry?.['owned_by'] !== 'llamacpp') return undefined
    const { props, said } = await askProps(session, model, entry)
    const total = count.safeParse(props?.['total_slots']).data
    if (total !== undefined) return found(total, said)
    const answer = await session.ask(`${outsideApi}slots`, (json) => list.pipe(count).safeParse(json).data)
    if (answer.kind === 'answered') return found(answer.value, '/slots')
    const why = props === undefined ? said : `${said}: no total_slots`
    return { value: 'not told', evidence: `${why}; /slots: ${bound(sayFailed(answer), 100)}` }
  },
  means: (value) =>
    typeof value === 'number'
      ? 'A run begins with so many calls at once, --concurrency at most.'
      : 'A run begins with as many calls at once as --concurrency says.',
}

function found(value: number, place: string): Found {
  return { value, evidence: `${place} of the server`, traits: { slots: value } }
}

/** Everything that a probe finds out, in the order in which it asks and reports. */
export const quirks: readonly Quirk[] = [
  modelListed,
  endpoint,
  chatTemplate,
  maxTokens,
  usage,
  reasoning,
  greedy,
  samplers,
  seed,
  systemRole,
  consecutiveRoles,
  stop,
  severalReplies,
  logprobs,
  promptLogprobs,
  tools,
  context,
  slots,
  tokenCount,
  plainCompletions,
]
