import * as z from 'zod'
import type { Completion, Message, Sampling } from '../../core/model.js'
import { packagedData } from '../../files/packaged.js'
import type { Lesson } from '../adapt.js'
import { describeFailure, oneLine } from '../ask.js'
import { EndpointError } from '../call-error.js'
import { reasoningMark } from '../reasoning.js'
import type { ToldByReply } from '../reply.js'
import type { Samplers, ServerTraits } from '../traits.js'
import type { Asking, ModelList } from './identity.js'
import { nearModel } from './identity.js'

/** One result of a probe. */
export interface Finding {
  readonly name: string
  readonly value: string | number
  readonly evidence: string
}

/** A finding, and what follows from it for requests. */
type Found = Omit<Finding, 'name'> & { readonly traits?: Partial<ServerTraits> }

/** A reply of the model, and what it told of the server. */
export interface Spoken {
  readonly reply: Completion
  readonly told: ToldByReply
}

/** How to ask a model for a reply; whatever is left out is that of a short sample. */
export interface Question extends Partial<Pick<Sampling, 'temperature' | 'maxTokens' | 'seed' | 'tools' | 'scored'>> {
  readonly messages?: readonly Message[]
  readonly stop?: readonly string[]
  /** Body fields that are sent as well. */
  readonly fields?: Readonly<Record<string, number>>
  readonly logprobs?: true
}

/** What the questions of a probe have in common. */
export interface Probing extends Asking {
  readonly list: ModelList
  /** The first reply, to a request with all that a run sends. */
  readonly first: Spoken
  /** What that request, or a simpler one, taught, with the words of the refusals. */
  readonly lessons: readonly (Lesson & { readonly evidence: string })[]
  /** Why the first request was refused, where only a simpler one was answered. */
  readonly refused?: string
  /** Why the chat endpoint cannot be used; absent where it can. */
  readonly noChat?: string
  readonly traits: () => ServerTraits
  /** Asks the model; the failure where no reply comes. */
  speak(question: Question): Promise<Spoken | EndpointError>
}

/** Long enough that two samples of a reply differ, short enough to cost nothing. */
export const sample: readonly Message[] = [{ role: 'user', content: 'Write one short sentence about a kitchen.' }]
export const sampleTokens = 16
/** The first question, with all that a run sends: a system message, two messages of one role in a row, stop strings. */
export const firstQuestion: Question = {
  messages: [{ role: 'system', content: 'You are brief.' }, { role: 'user', content: 'Hello.' }, ...sample],
  temperature: 1,
  stop: Array.from({ length: 16 }, (_, index) => `[stop ${String(index + 1)}]`),
}
/** Room for a short thought about a question that needs none. */
export const thoughtTokens = 512

/** Whether a failure is a refusal of one thing, which its message names. */
export function refuses({ failure: { outcome, isAboutRequest, said = '' } }: EndpointError, thing: RegExp): boolean {
  return (outcome === 'refused' || isAboutRequest === true) && thing.test(said)
}

/** What follows from a failure: the thing is refused where the message names it, and otherwise unknown. */
function fromFailure(error: EndpointError, thing: RegExp, refused: Omit<Found, 'evidence'>): Found {
  return { ...(refuses(error, thing) ? refused : { value: 'unknown' }), evidence: describeFailure(error) }
}

/** Reasoning and text, so that short replies of a model that reasons can be compared. */
const wholeOf = ({ reply: { reasoning = '', text } }: Spoken): string => `${reasoning}${text}`

/** Whether the server has the model in its list. Some answer to any name, with whatever model they have. */
function modelListed({ list: { names, message, isUnknown }, first, target: { model } }: Probing): Found {
  const { servedBy } = first.reply
  const as = servedBy === undefined || servedBy === model ? '' : `; replies are signed '${oneLine(servedBy, 100)}'`
  if (names === undefined)
    return { value: isUnknown ? 'unknown' : 'no list', evidence: `${oneLine(message, 200)}${as}` }
  const count = names.length === 1 ? '1 model in its list' : `${String(names.length)} models in its list`
  if (names.includes(model)) return { value: 'yes', evidence: `${count}${as}` }
  const near = nearModel(model, names)
  const known = (near === undefined ? names.slice(0, 3) : [near]).map((name) => `'${oneLine(name, 100)}'`)
  return { value: 'no', evidence: `${count}, such as ${known.join(', ')}${as}` }
}

function endpoint({ noChat, traits }: Probing): Found {
  const evidence =
    noChat === undefined ? '/chat/completions answers' : `/completions answers, /chat/completions says ${noChat}`
  return { value: traits().endpoint, evidence }
}

const templates = z.object({ chat_template: z.string(), eos_token: z.string().optional().catch(undefined) })

/**
 * Where the chat template of a llama.cpp server comes from. For a model file without one the server fills in a ChatML
 * that only loops over messages; a model that was trained on ChatML ends its turns with `<|im_end|>`.
 */
async function chatTemplate({ list: { entry }, props: askProps, traits }: Probing): Promise<Found | undefined> {
  if (entry?.['owned_by'] !== 'llamacpp' || traits().endpoint === 'completions') return undefined
  const { props, source } = await askProps(entry)
  const read = templates.safeParse(props)
  if (!read.success)
    return { value: 'not told', evidence: props === undefined ? source : `${source}: no chat_template` }
  const { chat_template: template, eos_token: end } = read.data
  const isStandIn =
    /^\s*\{%-?\s*for message in messages/.test(template) && template.includes("'<|im_start|>' + message.role")
  if (isStandIn && template.length < 400 && end !== undefined && end !== '<|im_end|>') {
    const ends = `the model ends its texts with '${end.slice(0, 40)}'`
    return { value: 'invented', evidence: `/props: llama.cpp's own ChatML, but ${ends}` }
  }
  if (template.includes('strftime_now')) return { value: 'dated', evidence: '/props: the template calls strftime_now' }
  return { value: 'own', evidence: '/props: no sign of a template that llama.cpp filled in' }
}

/** Whether replies report how many tokens they took. */
function usage({ first: { reply } }: Probing): Found {
  const counts = [reply.promptTokens, reply.completionTokens]
  const evidence = `prompt ${String(counts[0] ?? 'not given')}, reply ${String(counts[1] ?? 'not given')}`
  const value = ['none', 'in part', 'reported'][counts.filter((one) => one !== undefined).length]!
  return { value, evidence }
}

/** Stop strings would end a reply inside its reasoning. */
const noStops = { stop: 0 }

/** Whether the model reasons before it answers, and in which field. */
async function reasoning({ first, traits, speak }: Probing): Promise<Found> {
  const { reply } = first
  const found = describeReasoning(first, 'the first reply')
  if (found !== undefined) return found
  if (reply.text.trim() !== '') {
    const none = { value: 'none', evidence: 'the first reply is text alone' }
    if (reply.finish !== 'length' || traits().endpoint === 'completions') return none
    // A template may open the reasoning, and the first reply be too short to close it.
    const messages = [{ role: 'user', content: 'Reply with the one word: yes.' }] as const
    const longer = await speak({ messages, temperature: 1, maxTokens: thoughtTokens })
    const place = `a reply of up to ${String(thoughtTokens)} tokens`
    return (longer instanceof EndpointError ? undefined : describeReasoning(longer, place)) ?? none
  }
  const evidence = `the first reply is empty (finish reason '${reply.finishReason ?? reply.finish ?? 'none'}')`
  return reply.finish === 'length' ? { value: 'hidden', evidence, traits: noStops } : { value: 'empty', evidence }
}

function describeReasoning({ told: { reasoningField, content = '' } }: Spoken, place: string): Found | undefined {
  const mark = reasoningMark(content)
  if (reasoningField !== undefined) {
    return { value: reasoningField, evidence: `${place} has the field ${reasoningField}`, traits: noStops }
  }
  if (mark === undefined) return undefined
  if (mark.isOpening) {
    return { value: 'think', evidence: `${place} has ${oneLine(mark.mark, 60)} in the text`, traits: noStops }
  }
  const evidence = `${place} closes reasoning in the text that the chat template opened`
  return { value: 'think', evidence, traits: { ...noStops, reasoning: 'opened' } }
}

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

const samplerNames =
  /top_[pk]|min_p|typical_p|penalty|xtc_|dry_|mirostat|dynatemp|sigma|extra|unrecognized|unknown|unsupported|not (?:permitted|supported|allowed)/i

/**
 * Which samplers beside the temperature can be switched off, and whether temperature 0 then gives the same reply twice.
 * Servers add samplers of their own to every request that does not name them: llama.cpp its defaults, vLLM those of the
 * model's `generation_config.json`, Ollama its Modelfile.
 */
async function samplersAndGreedy(probing: Probing): Promise<Readonly<Record<'samplers' | 'greedy', Found>>> {
  const { list, speak } = probing
  const owner = list.entry?.['owned_by']
  const defaults = owner === 'llamacpp' ? await readDefaults(probing) : undefined
  const listed = Object.entries(llamaCppMore).filter(([name]) => defaults !== undefined && name in defaults)
  const wide =
    owner === 'llamacpp'
      ? { ...llamaCpp, ...Object.fromEntries(listed) }
      : owner === 'vllm' || owner === 'sglang'
        ? vllm
        : other
  let [sent, temperature] = [wide, 0]
  let [refusedZero, refusedWide]: (EndpointError | undefined)[] = []
  let answer = await speak({ temperature, fields: sent })
  while (answer instanceof EndpointError) {
    if (temperature === 0 && refuses(answer, /temperature/i)) [refusedZero, temperature] = [answer, 1]
    else if (sent === wide && refuses(answer, samplerNames)) [refusedWide, sent] = [answer, hosted]
    else break
    answer = await speak({ temperature, fields: sent })
  }
  const brief = (error: EndpointError): string => oneLine(describeFailure(error), 150)
  const again =
    temperature === 0 && !(answer instanceof EndpointError) ? await speak({ temperature, fields: sent }) : answer
  const greedy: Found = refusedZero
    ? { value: 'refused', evidence: describeFailure(refusedZero) }
    : again instanceof EndpointError
      ? { value: 'unknown', evidence: describeFailure(again) }
      : wholeOf(answer as Spoken) === wholeOf(again)
        ? { value: 'same', evidence: 'two equal calls, equal replies' }
        : { value: 'different', evidence: 'two equal calls, different replies' }
  if (answer instanceof EndpointError) {
    const evidence = [...(refusedWide ? [brief(refusedWide)] : []), brief(answer)].join('; ')
    return { greedy, samplers: { value: refuses(answer, samplerNames) ? 'refused' : 'unknown', evidence } }
  }
  if (refusedWide) {
    return { greedy, samplers: { value: 'in part', evidence: brief(refusedWide), traits: { samplers: { sent } } } }
  }
  if (owner !== 'llamacpp') {
    const evidence = 'accepted; whether the server has others is not known'
    return { greedy, samplers: { value: 'accepted', evidence, traits: { samplers: { sent } } } }
  }
  const changing = Object.entries(defaults ?? {}).filter(([name, value]) => name in sent && value !== sent[name])
  const added = changing.map(([name, value]) => `${name} ${String(value)}`).join(', ')
  const evidence =
    defaults === undefined ? '/props does not say what the server adds' : `/props: by itself ${added || 'none'}`
  const samplers: Samplers = { sent, ...(defaults !== undefined && { added: Object.fromEntries(changing) }) }
  return { greedy, samplers: { value: 'neutral', evidence, traits: { samplers } } }
}

const settings = z.record(z.string(), z.unknown())

/** The samplers that a llama.cpp server adds to a request without any; it keeps them as 32-bit floats, so rounded. */
async function readDefaults({ list: { entry }, props: askProps }: Probing): Promise<Fields | undefined> {
  const { props } = await askProps(entry)
  const all = settings.safeParse(props?.['default_generation_settings']).data
  if (all === undefined) return undefined
  const given = settings.safeParse(all['params']).data ?? all
  const numbers = Object.entries(given).filter((entry): entry is [string, number] => typeof entry[1] === 'number')
  const known = numbers.filter(([name]) => name in llamaCpp || name in llamaCppMore)
  return Object.fromEntries(known.map(([name, value]) => [name, Number(value.toPrecision(6))]))
}

/** Whether a seed is accepted, and whether it decides what is sampled; the first reply had the seed 1. */
async function seed({ first, refused, traits, lessons, speak }: Probing): Promise<Found> {
  const refusal = (): Found | undefined => {
    const lesson = lessons.find(({ trait }) => trait === 'seed')
    return lesson && { value: 'refused', evidence: lesson.evidence }
  }
  if (traits().seed === 'refused') return refusal()!
  const question = refused === undefined ? firstQuestion : { temperature: 1 }
  const ask = (seed: number) => speak({ ...question, seed })
  const answers = await Promise.all([refused === undefined ? first : ask(1), ask(1), ask(2)])
  const failed = answers.find((answer) => answer instanceof EndpointError)
  if (failed !== undefined) return { value: 'unknown', evidence: describeFailure(failed) }
  if (refusal() !== undefined) return refusal()!
  const [one, same, another] = (answers as readonly Spoken[]).map(wholeOf)
  if (one !== same) return { value: 'ignored', evidence: 'one seed twice at temperature 1, different replies' }
  return one === another
    ? { value: 'accepted', evidence: 'the same reply at temperature 1 whatever the seed' }
    : { value: 'honoured', evidence: 'at temperature 1 one seed repeats its reply, another gives another' }
}

const given = 'The kitchen is warm and bright'

/** Whether log-probabilities are given, of replies and of a text that the server is given. */
async function logprobs({ speak }: Probing): Promise<readonly [string, Found][]> {
  const refused = { value: 'refused' }
  const own = await speak({ logprobs: true, temperature: 1 })
  if (own instanceof EndpointError) return [['logprobs', fromFailure(own, /logprobs/i, refused)]]
  if (own.reply.logprobs === undefined) return [['logprobs', { value: 'ignored', evidence: 'not in the reply' }]]
  const messages = [...sample, { role: 'assistant', content: given } as const]
  const scored = await speak({ messages, scored: given.length, temperature: 1 })
  const names = /echo|prompt_logprobs|continue_final_message|add_generation_prompt|extra/i
  const values = scored instanceof EndpointError ? [] : (scored.reply.logprobs ?? []).map(({ logprob }) => logprob)
  // Some servers return 0 for every token that they did not score.
  const isConstant = values.length > 1 && new Set(values).size === 1
  const found: Found =
    scored instanceof EndpointError
      ? fromFailure(scored, names, refused)
      : values.length === 0
        ? { value: 'ignored', evidence: 'requested, but not in the reply' }
        : isConstant
          ? { value: 'ignored', evidence: `every token has ${String(values[0])}, which is not a measurement` }
          : { value: 'given', evidence: 'they come with the reply' }
  const trait = found.value === 'given' ? 'continuations' : 'top'
  return [
    ['logprobs', { value: 'given', evidence: 'they come with the reply' }],
    ['prompt-logprobs', { ...found, traits: { logprobs: trait } }],
  ]
}

const look = { name: 'look', description: 'Looks around.', parameters: [{ name: 'at', description: 'An item.' }] }

/** Whether functions can be offered to the model. */
async function tools({ traits, speak }: Probing): Promise<Found> {
  const refused = { value: 'refused', traits: { tools: 'refused' } } as const
  if (traits().endpoint === 'completions') return { ...refused, evidence: 'there is no chat' }
  const messages = [{ role: 'user', content: "Call the function look with at = 'desk 1'." }] as const
  const answer = await speak({ messages, tools: [look], temperature: 1, maxTokens: 48 })
  if (answer instanceof EndpointError) return fromFailure(answer, /tool|function|jinja/i, refused)
  const accepted = { tools: 'accepted' } as const
  const { toolCalls, unparsed } = answer.reply
  if (toolCalls !== undefined) return { value: 'called', evidence: 'the function was called', traits: accepted }
  const but = unparsed === undefined ? 'answered in text' : 'the server could not parse the call that the model made'
  return { value: 'accepted', evidence: `accepted, but ${but}`, traits: accepted }
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

/**
 * Maximum number of tokens of prompt and reply together. A llama.cpp server lists the trained length
 * (`meta.n_ctx_train`) and gives that of its context in `/props`.
 */
async function contextLength({ list: { entry, isUnknown, message }, props: askProps }: Probing): Promise<Found> {
  const found = (tokens: number, evidence: string): Found => ({
    value: tokens,
    evidence,
    traits: { contextTokens: tokens },
  })
  const meta = entry?.['meta']
  for (const [place, object] of [['', entry] as const, ['meta.', meta] as const]) {
    for (const field of contextFields) {
      const tokens = lengthAt(object, field)
      if (tokens !== undefined) return found(tokens, `${place}${field} in the list of models`)
    }
  }
  const trained = lengthAt(meta, 'n_ctx_train')
  const { props, source, isUnknown: isAway } = await askProps(entry)
  const room = lengthAt(props?.['default_generation_settings'], 'n_ctx')
  if (room !== undefined) return found(room, `n_ctx of ${source}`)
  if (trained !== undefined && !isAway) return found(trained, 'meta.n_ctx_train in the list of models')
  const why = isUnknown ? `the list of models could not be read (${oneLine(message, 100)})` : 'not listed'
  return { value: 'unknown', evidence: isAway ? oneLine(source, 200) : why }
}

function lengthAt(object: unknown, field: string): number | undefined {
  const value = (object as Readonly<Record<string, unknown>> | null | undefined)?.[field]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 64 && value <= 1e9 ? value : undefined
}

/** The findings that are learned from refusals, by their traits. */
const learned: Readonly<Partial<Record<Lesson['trait'], string>>> = {
  maxTokensField: 'length limit',
  systemRole: 'system role',
  consecutiveRoles: 'same role twice',
  stop: 'stop strings',
}

/** All findings about a server, and what follows for requests. The questions are asked side by side. */
export async function findAll(
  probing: Probing,
  withLogprobs: boolean,
): Promise<{ readonly findings: readonly Finding[]; readonly traits: ServerTraits }> {
  const [thought, { greedy, samplers }, drawn, ofTools, template, context, probabilities] = await Promise.all([
    reasoning(probing),
    samplersAndGreedy(probing),
    seed(probing),
    tools(probing),
    chatTemplate(probing),
    contextLength(probing),
    withLogprobs ? logprobs(probing) : [],
  ])
  const found: readonly (readonly [string | undefined, Found | undefined])[] = [
    ['model listed', modelListed(probing)],
    ['endpoint', endpoint(probing)],
    ['chat template', template],
    ...probing.lessons.map(
      ({ trait, change, evidence }) => [learned[trait], { value: valueOf(change), evidence }] as const,
    ),
    ['usage', usage(probing)],
    ['reasoning', thought],
    ['temperature 0', greedy],
    ['samplers', samplers],
    ['seed', drawn],
    ...probabilities,
    ['tools', ofTools],
    ['context', context],
  ]
  const known = found.filter((one): one is readonly [string, Found] => one[0] !== undefined && one[1] !== undefined)
  const { redact } = probing.target
  return {
    findings: known.map(([name, { value, evidence }]) => ({ name, value, evidence: redact(evidence) })),
    traits: known.reduce((traits, [, one]) => ({ ...traits, ...one.traits }), probing.traits()),
  }
}

/** `refused`, or what is sent in place of what was refused. */
function valueOf({ maxTokensField, stop }: Partial<ServerTraits>): string | number {
  return maxTokensField ?? stop ?? 'refused'
}

/** What values mean for a run, in a sentence; `otherwise` stands for all that are not listed. */
const meanings = packagedData('src/models/probe/meanings.yaml', z.record(z.string(), z.record(z.string(), z.string())))

/** What a finding means for a run, in a sentence. */
export function meaningOf({ name, value }: Finding): string {
  const known = meanings()[name] ?? {}
  const word = String(value)
  if (Object.hasOwn(known, word)) return known[word]!
  return known['otherwise'] ?? (word === 'unknown' ? 'Unknown: the default is used.' : 'It does not apply.')
}
