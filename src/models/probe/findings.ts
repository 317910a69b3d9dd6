import * as z from 'zod'
import type { Completion, Message, Sampling } from '../../core/model.js'
import { packagedData } from '../../files/packaged.js'
import type { Adaptation } from '../adapt.js'
import { CallError } from '../call-error.js'
import { reasoningMark } from '../reasoning.js'
import type { ToldByReply } from '../reply.js'
import type { ServerTraits } from '../traits.js'
import { type Asking, type ModelList, describeFailure, isUnknown, nearModel, oneLine } from './identity.js'

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
export interface Question extends Partial<Omit<Sampling, 'call' | 'sentSeed' | 'signal'>> {
  readonly messages?: readonly Message[]
  /** Body fields that are sent as well. */
  readonly fields?: Fields
}

type Fields = Readonly<Record<string, number>>

/** What the questions of a probe have in common. */
export interface Probing extends Asking {
  readonly list: ModelList
  /** The first reply, to a request with all that a run sends. */
  readonly first: Spoken
  /** What that request taught, with the words of the refusals. */
  readonly adaptations: readonly (Adaptation & { readonly evidence: string })[]
  /** Why the chat endpoint cannot be used; absent where it can. */
  readonly noChat?: string
  readonly traits: () => ServerTraits
  /** Asks the model; the failure where no reply comes. */
  speak(question: Question): Promise<Spoken | CallError>
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
export function refuses({ failure: { outcome, isAboutRequest, said = '' } }: CallError, thing: RegExp): boolean {
  return (outcome === 'refused' || isAboutRequest === true) && thing.test(said)
}

/** What follows from a failure: the thing is refused where the message names it, and otherwise unknown. */
function fromFailure(error: CallError, thing: RegExp, traits: Partial<ServerTraits> = {}): Found {
  const evidence = describeFailure(error)
  return refuses(error, thing) ? { value: 'refused', evidence, traits } : { value: 'unknown', evidence }
}

/** Reasoning and text, so that short replies of a model that reasons can be compared. */
const wholeOf = ({ reply: { reasoning = '', text } }: Spoken): string => `${reasoning}${text}`

/** Whether the server has the model in its list. Some answer to any name, with whatever model they have. */
function modelListed({ list, target: { model, redact } }: Probing): Found {
  const { entries, failure } = list
  if (entries === undefined) {
    return { value: isUnknown(list) ? 'unknown' : 'no list', evidence: describeFailure(failure!) }
  }
  const names = entries.map(({ id }) => (id === model ? id : redact(id)))
  const near = nearModel(model, names)
  const shown = near === undefined ? names.slice(0, 3) : [near]
  const evidence = `its list has ${shown.map((name) => `'${oneLine(name, 100)}'`).join(', ') || 'no model'}`
  return { value: names.includes(model) ? 'yes' : 'no', evidence }
}

function endpoint({ noChat, traits }: Probing): Found {
  const evidence =
    noChat === undefined ? '/chat/completions answers' : `/completions answers, /chat/completions says ${noChat}`
  return { value: traits().endpoint, evidence }
}

const templates = z.object({ chat_template: z.string(), eos_token: z.string().optional().catch(undefined) })

/**
 * What is unusual about the chat template of a llama.cpp server. For a model file without one the server fills in a
 * ChatML that only loops over messages; a model that was trained on ChatML ends its turns with `<|im_end|>`.
 */
async function chatTemplate({ list: { entry }, props, traits }: Probing): Promise<Found | undefined> {
  if (entry?.['owned_by'] !== 'llamacpp' || traits().endpoint === 'completions') return undefined
  const { chat_template: template = '', eos_token: end = '<|im_end|>' } =
    templates.safeParse(await props(entry)).data ?? {}
  const isStandIn =
    /^\s*\{%-?\s*for message in messages/.test(template) && template.includes("'<|im_start|>' + message.role")
  if (isStandIn && template.length < 400 && end !== '<|im_end|>') {
    const evidence = `llama.cpp's own ChatML, but texts of the model end with '${end.slice(0, 40)}'`
    return { value: 'invented', evidence }
  }
  return template.includes('strftime_now') ? { value: 'dated', evidence: 'it calls strftime_now' } : undefined
}

/** Whether replies report how many tokens they took. */
function usage({ first: { reply } }: Probing): Found {
  const { promptTokens, completionTokens } = reply
  const value = promptTokens === undefined || completionTokens === undefined ? 'none' : 'reported'
  return { value, evidence: `prompt ${String(promptTokens)}, reply ${String(completionTokens)}` }
}

/** Stop strings would end a reply inside its reasoning. */
const noStops = { stop: 0 }

/** Whether the model reasons before it answers, and in which field. */
async function reasoning({ first, traits, speak }: Probing): Promise<Found> {
  const { reply } = first
  const reasoning = describeReasoning(first, 'the first reply')
  if (reasoning !== undefined) return reasoning
  const none = { value: 'none', evidence: 'the first reply is text alone' }
  if (reply.text.trim() === '') {
    const evidence = `the first reply is empty (finish reason '${reply.finishReason ?? reply.finish ?? 'none'}')`
    return reply.finish === 'length' ? { value: 'hidden', evidence, traits: noStops } : { value: 'empty', evidence }
  }
  if (reply.finish !== 'length' || traits().endpoint === 'completions') return none
  // A template may open the reasoning, and the first reply be too short to close it.
  const messages = [{ role: 'user', content: 'Reply with the one word: yes.' }] as const
  const longer = await speak({ messages, temperature: 1, maxTokens: thoughtTokens })
  return (longer instanceof CallError ? undefined : describeReasoning(longer, 'a longer reply')) ?? none
}

function describeReasoning({ told: { reasoningField, content = '' } }: Spoken, place: string): Found | undefined {
  if (reasoningField !== undefined) {
    return { value: reasoningField, evidence: `${place} has the field ${reasoningField}`, traits: noStops }
  }
  const mark = reasoningMark(content)
  if (mark === undefined) return undefined
  if (mark !== '') {
    return { value: 'think', evidence: `${place} has ${oneLine(mark, 60)} in the text`, traits: noStops }
  }
  const evidence = `${place} closes reasoning in the text that the chat template opened`
  return { value: 'think', evidence, traits: { ...noStops, reasoning: 'opened' } }
}

/** OpenAI's own samplers at values without effect: what hosted APIs accept. */
const hosted: Fields = { top_p: 1, frequency_penalty: 0, presence_penalty: 0 }
/** With the samplers that servers add by themselves; every token is -1 for vLLM and SGLang, and 0 for others. */
const vllm: Fields = { ...hosted, top_k: -1, min_p: 0, repetition_penalty: 1 }
const samplersOf: Readonly<Partial<Record<string, Fields>>> = {
  vllm,
  sglang: vllm,
  llamacpp: {
    ...hosted,
    ...{ top_k: 0, min_p: 0, typical_p: 1, repeat_penalty: 1, xtc_probability: 0, dry_multiplier: 0, mirostat: 0 },
    ...{ dynatemp_range: 0, top_n_sigma: -1 },
  },
}
const anySamplers: Fields = { ...vllm, top_k: 0, repeat_penalty: 1 }

const samplerNames =
  /top_[pk]|min_p|typical_p|penalty|xtc_|dry_|mirostat|dynatemp|sigma|extra|unrecognized|unknown|unsupported|not (?:permitted|supported|allowed)/i

/**
 * Which samplers beside the temperature can be switched off, and whether temperature 0 then gives the same reply twice.
 * Servers add samplers of their own to every request that does not name them: llama.cpp its defaults, vLLM those of the
 * model's `generation_config.json`, Ollama its Modelfile.
 */
async function samplersAndGreedy({ list, speak }: Probing): Promise<Readonly<Record<'samplers' | 'greedy', Found>>> {
  const owner = String(list.entry?.['owned_by'])
  const wide = samplersOf[owner] ?? anySamplers
  let [sent, temperature] = [wide, 0]
  let refusedZero: CallError | undefined
  let evidence = 'they are sent at values without effect'
  let answer = await speak({ temperature, fields: sent })
  while (answer instanceof CallError) {
    if (temperature === 0 && refuses(answer, /temperature/i)) [refusedZero, temperature] = [answer, 1]
    else if (sent === wide && refuses(answer, samplerNames)) [sent, evidence] = [hosted, describeFailure(answer)]
    else break
    answer = await speak({ temperature, fields: sent })
  }
  const again = answer instanceof CallError || refusedZero ? answer : await speak({ temperature, fields: sent })
  const failure = refusedZero ?? (again instanceof CallError ? again : undefined)
  const greedy: Found = failure
    ? { value: refusedZero ? 'refused' : 'unknown', evidence: describeFailure(failure) }
    : {
        value: wholeOf(answer as Spoken) === wholeOf(again as Spoken) ? 'same' : 'different',
        evidence: 'two equal calls',
      }
  if (answer instanceof CallError) return { greedy, samplers: fromFailure(answer, samplerNames) }
  const value = sent === hosted ? 'in part' : owner === 'llamacpp' ? 'neutral' : 'accepted'
  return { greedy, samplers: { value, evidence, traits: { samplers: { sent } } } }
}

/** Whether a seed is accepted, and whether it decides what is sampled; the first reply had the seed 1. */
async function seed({ first, traits, adaptations, speak }: Probing): Promise<Found> {
  const refusal = () => adaptations.find(({ trait }) => trait === 'seed')
  const ask = (seed: number) => speak({ ...firstQuestion, seed })
  const answers = traits().seed === 'refused' ? [] : [first, ...(await Promise.all([ask(1), ask(2)]))]
  const failed = answers.find((answer) => answer instanceof CallError)
  if (failed !== undefined) return { value: 'unknown', evidence: describeFailure(failed) }
  const adaptation = refusal()
  if (adaptation !== undefined) return { value: 'refused', evidence: adaptation.evidence }
  const [one, same, another] = (answers as readonly Spoken[]).map(wholeOf)
  if (one !== same) return { value: 'ignored', evidence: 'one seed twice at temperature 1, different replies' }
  return one === another
    ? { value: 'accepted', evidence: 'the same reply at temperature 1 whatever the seed' }
    : { value: 'honoured', evidence: 'at temperature 1 one seed repeats its reply, another gives another' }
}

/** Whether log-probabilities come with replies. */
async function logprobs({ speak }: Probing): Promise<Found> {
  const answer = await speak({ logprobs: true, temperature: 1 })
  if (answer instanceof CallError) return fromFailure(answer, /logprobs/i)
  if (answer.reply.logprobs === undefined) return { value: 'ignored', evidence: 'not in the reply' }
  return { value: 'given', evidence: 'they come with the reply', traits: { logprobs: 'top' } }
}

const look = { name: 'look', description: 'Looks around.', parameters: [{ name: 'at', description: 'An item.' }] }

/** Whether functions can be offered to the model. */
async function tools({ traits, speak }: Probing): Promise<Found> {
  const refused = { tools: 'refused' } as const
  if (traits().endpoint === 'completions') return { value: 'refused', evidence: 'there is no chat', traits: refused }
  const messages = [{ role: 'user', content: "Call the function look with at = 'desk 1'." }] as const
  const answer = await speak({ messages, tools: [look], temperature: 1, maxTokens: 48 })
  if (answer instanceof CallError) return fromFailure(answer, /tool|function|jinja/i, refused)
  const { toolCalls, unparsed } = answer.reply
  const accepted = { tools: 'accepted' } as const
  if (toolCalls !== undefined) return { value: 'called', evidence: 'the function was called', traits: accepted }
  const evidence =
    unparsed === undefined ? 'answered in text' : 'the server could not parse the call that the model made'
  return { value: 'accepted', evidence, traits: accepted }
}

/** Fields with the context length in lists of models: vLLM, OpenRouter and Together, Groq, Mistral, LM Studio. */
const contextFields = [
  ...(['max_model_len', 'context_length', 'context_window', 'max_context_length'] as const),
  ...(['loaded_context_length', 'n_ctx'] as const),
]

/**
 * Maximum number of tokens of prompt and reply together. A llama.cpp server lists the trained length, and gives that of
 * its context in `/props`.
 */
async function contextLength({ list: { entry }, props }: Probing): Promise<Found> {
  const lengthAt = (object: unknown, field: string): number | undefined => {
    const value = (object as Readonly<Record<string, unknown>> | undefined)?.[field]
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 64 && value <= 1e9 ? value : undefined
  }
  const settings = (await props(entry))['default_generation_settings']
  const known = [
    ...contextFields.map((field) => [field, lengthAt(entry, field) ?? lengthAt(entry?.['meta'], field)] as const),
    ['n_ctx of /props', lengthAt(settings, 'n_ctx')] as const,
  ].find(([, tokens]) => tokens !== undefined)
  if (known === undefined) return { value: 'unknown', evidence: 'not listed' }
  return { value: known[1]!, evidence: known[0], traits: { contextTokens: known[1]! } }
}

/** The findings that are learned from refusals, by their traits. */
const learned: Readonly<Partial<Record<Adaptation['trait'], string>>> = {
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
    withLogprobs ? logprobs(probing) : undefined,
  ])
  const found: readonly (readonly [string | undefined, Found | undefined])[] = [
    ['model listed', modelListed(probing)],
    ['endpoint', endpoint(probing)],
    ['chat template', template],
    ...probing.adaptations.map(({ trait, change: { maxTokensField, stop }, evidence }) => {
      return [learned[trait], { value: maxTokensField ?? stop ?? 'refused', evidence }] as const
    }),
    ['usage', usage(probing)],
    ['reasoning', thought],
    ['temperature 0', greedy],
    ['samplers', samplers],
    ['seed', drawn],
    ['logprobs', probabilities],
    ['tools', ofTools],
    ['context', context],
  ]
  const known = found.filter((one): one is readonly [string, Found] => one[0] !== undefined && one[1] !== undefined)
  const { redact } = probing.target
  return {
    findings: known.map(([name, { value, evidence }]) => ({ name, value, evidence: redact(evidence) })),
    traits: known.reduce((traits, [, finding]) => ({ ...traits, ...finding.traits }), probing.traits()),
  }
}

/** What values mean for a run, in a sentence; `otherwise` stands for all that are not listed. */
const meanings = packagedData('src/models/probe/meanings.yaml', z.record(z.string(), z.record(z.string(), z.string())))

/** What a finding means for a run, in a sentence. */
export function meaningOf({ name, value }: Finding): string {
  const known = meanings()[name] ?? {}
  const word = String(value)
  return (
    known[word] ?? known['otherwise'] ?? (word === 'unknown' ? 'Unknown: the default is used.' : 'It does not apply.')
  )
}
