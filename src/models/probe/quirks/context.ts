import type { Found, Probed, Quirk } from '../quirk.js'
import { bound } from '../said.js'
import { askProps } from '../props.js'
import { sayFailed } from '../session.js'
import { commonLetter } from './stop.js'

/** Names under which servers list what one conversation may hold: vLLM, OpenRouter and Together, Groq, Mistral, LM Studio. */
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
export const context: Quirk = {
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
      if (tokens !== undefined) return found(tokens, `${place}${field} in the list of models`)
    }
  }
  return undefined
}

/** A llama.cpp server lists what the model was trained for (`meta.n_ctx_train`) and tells what it has room for in `/props`. */
async function fromProps({ list: { entry }, session, model }: Probed): Promise<Found | undefined> {
  const trained = numberAt(entry?.['meta'], 'n_ctx_train')
  const { props, said, isUnknown } = await askProps(session, model, entry)
  const room = numberAt(props?.['default_generation_settings'], 'n_ctx')
  if (room !== undefined) return found(room, `n_ctx of ${said}`)
  if (trained === undefined) return undefined
  if (isUnknown) return { value: 'unknown', evidence: bound(said, 200) }
  return found(trained, 'meta.n_ctx_train in the list of models')
}

/**
 * What a server says to a limit that few models can keep. A server that takes it must not generate as much: a stop string ends the reply at
 * one of its first letters, and a deadline the call. Not asked where no stop string is taken, nor of plain text.
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
    ? found(tokens, bound(said, 200))
    : { value: 'unknown', evidence: bound(said, 200) }
}

function found(contextTokens: number, evidence: string): Found {
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
