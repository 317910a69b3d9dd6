import * as z from 'zod'
import { askProps, nearModel } from '../identity.js'
import type { ProbeContext, Quirk, QuirkResult } from '../quirk.js'
import { oneLine } from '../error-text.js'
import { outsideApi } from '../../raw-call.js'
import { describeFailure } from '../session.js'
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

/** Whether the model accepts chats, or plain text only. */
const endpoint: Quirk = {
  name: 'endpoint',
  find({ first: { style, noChat } }) {
    return {
      value: style.endpoint,
      evidence:
        noChat === undefined ? '/chat/completions answers' : `/completions answers, /chat/completions says ${noChat}`,
      traits: { endpoint: style.endpoint },
    }
  },
  meanings: {
    chat: 'Conversations are sent as messages.',
    completions: 'There is no chat: conversations are sent as one plain text.',
  },
}

/** Whether the server has the model in its list. Some answer to any name, with whatever model they have. */
const modelListed: Quirk = {
  name: 'model listed',
  find({ model, list, first, session }) {
    const { model: signed } = first.reply
    const as =
      signed === undefined || signed === model
        ? ''
        : `; replies are signed '${oneLine(session.target.redact(signed), 100)}'`
    if (list.names === undefined)
      return { value: list.isUnknown ? 'unknown' : 'no list', evidence: `${oneLine(list.message, 200)}${as}` }
    if (list.names.includes(model)) return { value: 'yes', evidence: `${countNames(list.names)}${as}` }
    const near = nearModel(model, list.names)
    const known = near === undefined ? list.names.slice(0, 3) : [near]
    return {
      value: 'no',
      evidence: `${countNames(list.names)}, such as ${known.map((name) => `'${oneLine(name, 100)}'`).join(', ')}${as}`,
    }
  },
  meanings: {
    yes: 'The name is one that the server knows.',
    no: 'The server answers all the same: check that it is the model that you mean.',
    'no list': 'The name cannot be checked; the model answers to it.',
  },
}

function countNames(names: readonly string[]): string {
  return names.length === 1 ? '1 model in its list' : `${String(names.length)} models in its list`
}

/** Fields with the context length in lists of models: vLLM, OpenRouter and Together, Groq, Mistral, LM Studio. */
const contextFields = [
  'max_model_len',
  'context_length',
  'context_window',
  'max_context_length',
  'loaded_context_length',
  'n_ctx',
] as const
const minContext = 64
const maxContext = 1e9
/** More than the context of most models. */
const tooMany = 300_000
const deadlineMs = 2000

/** Maximum number of tokens of prompt and reply together. */
const context: Quirk = {
  name: 'context',
  async find(context) {
    return fromList(context) ?? (await fromProps(context)) ?? (await fromRefusal(context))
  },
  meanings: {
    unknown: 'Nothing is left out beforehand; an episode that grows too long ends as context-overflow.',
    otherwise: 'The oldest history is left out before a conversation grows longer than that.',
  },
}

function fromList({ list: { entry } }: ProbeContext): QuirkResult | undefined {
  const meta = entry?.['meta']
  for (const [place, object] of [['', entry] as const, ['meta.', meta] as const]) {
    for (const field of contextFields) {
      const tokens = numberAt(object, field)
      if (tokens !== undefined) return foundContext(tokens, `${place}${field} in the list of models`)
    }
  }
  return undefined
}

/** A llama.cpp server lists the trained length (`meta.n_ctx_train`) and gives that of its context in `/props`. */
async function fromProps({ list: { entry }, session, model }: ProbeContext): Promise<QuirkResult | undefined> {
  const trained = numberAt(entry?.['meta'], 'n_ctx_train')
  const { props, source, isUnknown } = await askProps(session, model, entry)
  const room = numberAt(props?.['default_generation_settings'], 'n_ctx')
  if (room !== undefined) return foundContext(room, `n_ctx of ${source}`)
  if (trained === undefined) return undefined
  if (isUnknown) return { value: 'unknown', evidence: oneLine(source, 200) }
  return foundContext(trained, 'meta.n_ctx_train in the list of models')
}

/**
 * The context length in a server's refusal of a limit that few models can keep. A server that accepts it must not
 * generate as much: a stop string ends the reply at one of its first letters, and a deadline the call. Not requested
 * where no stop string is accepted, nor over plain text.
 */
async function fromRefusal({ list, first: { style, reply }, valueOf, request }: ProbeContext): Promise<QuirkResult> {
  const unlisted = list.isUnknown
    ? `the list of models could not be read (${oneLine(list.message, 100)})`
    : 'not listed'
  const maxStops = Number(valueOf('stop strings'))
  const letter = commonLetter(reply.text)
  if (style.endpoint === 'completions' || !(maxStops > 0) || letter === undefined) {
    return { value: 'unknown', evidence: unlisted }
  }
  const stop = [letter, ' ', 'e', '\n'].slice(0, maxStops)
  const answer = await request({ extra: { [style.maxTokensField]: tooMany, stop }, options: { deadlineMs } })
  if (answer.kind === 'answered') {
    const evidence = `${unlisted}, and ${tooMany.toLocaleString('en')} tokens are not too many for it`
    return { value: 'unknown', evidence }
  }
  const message = describeFailure(answer)
  const match = /(?:context (?:length|size|window)|n_ctx)(?:\s*(?:is|of|:|=|\())*\s*(?:only\s+)?(\d[\d,_]*)/i.exec(
    message,
  )
  const tokens = Number(match?.[1]?.replace(/[,_]/g, ''))
  return answer.kind === 'refused' && isLength(tokens)
    ? foundContext(tokens, oneLine(message, 200))
    : { value: 'unknown', evidence: oneLine(message, 200) }
}

function foundContext(contextTokens: number, evidence: string): QuirkResult {
  return { value: contextTokens, evidence, traits: { contextTokens } }
}

function numberAt(object: unknown, field: string): number | undefined {
  if (object === null || typeof object !== 'object' || !Object.hasOwn(object, field)) return undefined
  const value = (object as Readonly<Record<string, unknown>>)[field]
  return isLength(value) ? value : undefined
}

function isLength(value: unknown): value is number {
  return (
    typeof value === 'number' &&
    Number.isSafeInteger(value) &&
    value >= minContext &&
    value <= maxContext &&
    value !== tooMany
  )
}

const count = z.number().int().min(1).max(100_000)
const list = z.array(z.object({ id: z.number() })).transform(({ length }) => length)

/** How many calls a llama.cpp server processes at once: in `/props`, or else in `/slots`, which lists them. */
const slots: Quirk = {
  name: 'slots',
  async find({ list: { entry }, session, model }) {
    if (entry?.['owned_by'] !== 'llamacpp') return undefined
    const { props, source } = await askProps(session, model, entry)
    const total = count.safeParse(props?.['total_slots']).data
    if (total !== undefined) return foundSlots(total, source)
    const answer = await session.ask(`${outsideApi}slots`, (json) => list.pipe(count).safeParse(json).data)
    if (answer.kind === 'answered') return foundSlots(answer.value, '/slots')
    const why = props === undefined ? source : `${source}: no total_slots`
    return { value: 'not told', evidence: `${why}; /slots: ${oneLine(describeFailure(answer), 100)}` }
  },
  meanings: {
    'not told': 'A run begins with --concurrency calls at once.',
    otherwise: 'A run begins with this many calls at once, at most --concurrency.',
  },
}

function foundSlots(value: number, place: string): QuirkResult {
  return { value, evidence: `${place} of the server`, traits: { slots: value } }
}

/** All quirks, in the order in which they are probed and reported. */
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
