import * as z from 'zod'
import type { Samplers } from '../../traits.js'
import { refuses } from '../first-reply.js'
import { askProps } from '../identity.js'
import type { ProbeContext, Quirk, QuirkResult } from '../quirk.js'
import { oneLine } from '../error-text.js'
import { describeFailure } from '../session.js'

type Fields = Readonly<Record<string, number>>

/** OpenAI's own samplers at values without effect: what hosted APIs accept. */
const hosted: Fields = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }
/** With the samplers that vLLM and SGLang add; -1 is every token there. */
const vllm: Fields = { ...hosted, top_k: -1, min_p: 0, repetition_penalty: 1 }
/** For an unknown server; 0 is every token for llama.cpp and what is built on it. */
const other: Fields = { ...vllm, top_k: 0, repeat_penalty: 1 }
const llamaCpp: Fields = { ...hosted, top_k: 0, min_p: 0, typical_p: 1, repeat_penalty: 1 }
/** Sent to a llama.cpp server that lists them in its settings. */
const llamaCppMore: Fields = { xtc_probability: 0, dry_multiplier: 0, mirostat: 0, dynatemp_range: 0, top_n_sigma: -1 }

const names =
  /top_[pk]|min_p|typical_p|penalty|xtc_|dry_|mirostat|dynatemp|sigma|extra|unrecognized|unknown|unsupported|not (?:permitted|supported|allowed)/i

/**
 * Which samplers beside the temperature can be switched off. Servers add samplers of their own to every request that
 * does not name them: llama.cpp its defaults, vLLM those of the model's `generation_config.json`, Ollama its Modelfile.
 */
export const samplers: Quirk = {
  name: 'samplers',
  async find(context) {
    const owner = context.list.entry?.['owned_by']
    const isLlama = owner === 'llamacpp'
    const defaults = isLlama ? await readDefaults(context) : undefined
    const listed = Object.entries(llamaCppMore).filter(([name]) => defaults !== undefined && name in defaults)
    const wide = isLlama
      ? { ...llamaCpp, ...Object.fromEntries(listed) }
      : owner === 'vllm' || owner === 'sglang'
        ? vllm
        : other
    const refusals: string[] = []
    for (const sent of [wide, hosted]) {
      const answer = await context.request({ extra: sent })
      if (answer.kind === 'answered') return describe(context, sent, sent === wide, isLlama, defaults, refusals)
      refusals.push(oneLine(describeFailure(answer), 150))
      if (!refuses(answer, names)) return { value: 'unknown', evidence: refusals.join('; ') }
    }
    return { value: 'refused', evidence: refusals.join('; ') }
  },
  meanings: {
    neutral:
      'They are switched off with every call, so that the temperature alone decides, unless sampling sets others.',
    accepted:
      'They are sent without effect; whether the server has others of its own could not be seen: check its settings, or give them in sampling.',
    'in part':
      'top_p and the penalties are switched off; what else the server adds (top_k, min_p, a Modelfile) could not be seen.',
    refused: 'None is sent: what the server adds to the temperature could not be seen.',
    unknown: 'Unknown: none is sent, and what the server adds to the temperature is not known.',
  },
}

async function describe(
  { request }: ProbeContext,
  sent: Fields,
  isWide: boolean,
  isLlama: boolean,
  defaults: Fields | undefined,
  refusals: readonly string[],
): Promise<QuirkResult> {
  if (!isWide) return { value: 'in part', evidence: refusals.join('; '), traits: { samplers: { sent } } }
  if (isLlama) {
    const changing = Object.entries(defaults ?? {}).filter(([name, value]) => name in sent && value !== sent[name])
    const added = Object.fromEntries(changing)
    const listed = changing.map(([name, value]) => `${name} ${String(value)}`).join(', ')
    const evidence =
      defaults === undefined ? '/props does not say what the server adds' : `/props: by itself ${listed || 'none'}`
    const known: Samplers = { sent, ...(defaults !== undefined && { added }) }
    return { value: 'neutral', evidence, traits: { samplers: known } }
  }
  const answer = await request({ extra: { top_k: -7 } })
  const traits = { samplers: { sent } }
  if (answer.kind !== 'answered' && refuses(answer, /top_k/i)) {
    const refusal = oneLine(describeFailure(answer), 150)
    return { value: 'neutral', evidence: `accepted, and a top_k of -7 is refused: ${refusal}`, traits }
  }
  return { value: 'accepted', evidence: 'accepted, but a top_k of -7 is not refused', traits }
}

const settings = z.record(z.string(), z.unknown())

/** The samplers that a llama.cpp server adds to a request without any; it keeps them as 32-bit floats, so rounded. */
async function readDefaults({ model, list: { entry }, session }: ProbeContext): Promise<Fields | undefined> {
  const { props } = await askProps(session, model, entry)
  const all = settings.safeParse(props?.['default_generation_settings']).data
  if (all === undefined) return undefined
  const given = settings.safeParse(all['params']).data ?? all
  const numbers = Object.entries(given).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  const known = numbers.filter(([name]) => name in llamaCpp || name in llamaCppMore)
  return Object.fromEntries(known.map(([name, value]) => [name, Number(value.toPrecision(6))]))
}
