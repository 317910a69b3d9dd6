import type { Message, Sampling } from '../core/model.js'
import type { RenderedPrompt } from './chat-templates.js'
import { renderTemplate } from './chat-templates.js'
import type { RequestSettings } from './request-settings.js'
import type { ServerTraits } from './traits.js'
import { wireMessages, wireTools } from './wire-messages.js'

/** A request as a server of these traits takes it. */
export interface WireRequest {
  readonly path: '/chat/completions' | '/completions'
  readonly body: Readonly<Record<string, unknown>>
  /** Where the text has to end, whether or not the server was told. */
  readonly stop: readonly string[]
}

/** Lays a call out for one model of a server. */
export function buildRequest(
  model: string,
  messages: readonly Message[],
  sampling: Sampling,
  traits: ServerTraits,
  settings: RequestSettings = {},
): WireRequest {
  const { temperature, seed, sentSeed = seed, maxTokens, tools, scored } = sampling
  if (scored !== undefined) return scoringRequest(model, messages, sampling, traits, settings)
  const settled = shapeMessages(messages, traits)
  const prompt = renderText(settled, sampling, traits, settings)
  const stop = [...sampling.stop, ...(prompt?.stop ?? [])]
  const sent = stop.slice(0, traits.stop)
  return {
    path: prompt ? '/completions' : '/chat/completions',
    stop,
    body: {
      ...settings.extraBody,
      ...settings.sampling,
      model,
      ...(prompt ? { prompt: prompt.text } : { messages: wireMessages(settled, traits.reasoning === 'sent back') }),
      temperature,
      ...(traits.seed === 'sent' && { seed: sentSeed }),
      [traits.maxTokensField]: maxTokens,
      ...(sent.length > 0 && { stop: sent }),
      ...(tools && !prompt && { tools: wireTools(tools) }),
      ...(sampling.logprobs && askLogprobs(prompt ? 'completions' : 'chat', traits)),
    },
  }
}

/**
 * The likeliest tokens that are asked for at each place, where the server does not score a text that it is given: as
 * many as OpenAI's completions give.
 */
const maxTop = 5

/** vLLM wants `top_logprobs` beside `logprobs`, SGLang had no 0 of them, and llama.cpp takes 0 for none at all. */
function askLogprobs(endpoint: 'chat' | 'completions', { logprobs }: ServerTraits): object {
  const top = logprobs === 'continuations' ? 1 : maxTop
  return endpoint === 'chat' ? { logprobs: true, top_logprobs: top } : { logprobs: top }
}

/**
 * Asks for the log-probabilities of a text that is given: over completions with `echo` (OpenAI's legacy API, vLLM,
 * SGLang), over a chat with vLLM's `prompt_logprobs` and a last message that is gone on with. One token is generated,
 * since not every server takes 0.
 */
function scoringRequest(
  model: string,
  messages: readonly Message[],
  sampling: Sampling,
  traits: ServerTraits,
  settings: RequestSettings,
): WireRequest {
  const { temperature } = sampling
  const settled = shapeMessages(messages, traits)
  const prompt = renderText(settled.slice(0, -1), sampling, traits, settings)
  return {
    path: prompt ? '/completions' : '/chat/completions',
    stop: [],
    body: {
      ...settings.extraBody,
      model,
      ...(prompt
        ? { prompt: prompt.text + settled.at(-1)!.content, ...echoing }
        : { messages: wireMessages(settled), ...goingOn }),
      temperature,
      [traits.maxTokensField]: 1,
    },
  }
}

/** What asks for the tokens of the prompt over completions. */
export const echoing = { echo: true, logprobs: 1 } as const
/** What asks for the tokens of the prompt over a chat, whose last message is the assistant's. */
export const goingOn = { add_generation_prompt: false, continue_final_message: true, prompt_logprobs: 0 } as const

/**
 * A conversation as one text, where it goes over completions: by the model's template, unless the agent's prompt has
 * one filled in already.
 */
export function renderText(
  messages: readonly Message[],
  { endpoint }: Pick<Sampling, 'endpoint'>,
  traits: Pick<ServerTraits, 'endpoint'>,
  { template }: RequestSettings,
): RenderedPrompt | undefined {
  if ((endpoint ?? traits.endpoint) !== 'completions') return undefined
  return template === undefined || endpoint !== undefined ? renderPrompt(messages) : renderTemplate(messages, template)
}

/**
 * Messages as the template of a model takes them: without a system role, and without two of a role in a row, where it
 * must be.
 */
export function shapeMessages(
  messages: readonly Message[],
  { systemRole, consecutiveRoles }: Pick<ServerTraits, 'systemRole' | 'consecutiveRoles'>,
): readonly Message[] {
  const folded = systemRole === 'fold' ? foldSystem(messages) : messages
  return consecutiveRoles === 'merge' ? mergeRoles(folded) : folded
}

function foldSystem(messages: readonly Message[]): readonly Message[] {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  if (system.length === 0) return messages
  const others = messages.filter(({ role }) => role !== 'system')
  const first = others.findIndex(({ role }) => role === 'user')
  if (first === -1) return [{ role: 'user', content: system.join('\n\n') }, ...others]
  return others.map((message, index) =>
    index === first ? { ...message, content: [...system, message.content].join('\n\n') } : message,
  )
}

function mergeRoles(messages: readonly Message[]): readonly Message[] {
  const merged: Message[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last?.role !== message.role || isOfTools(last) || isOfTools(message)) merged.push(message)
    else merged[merged.length - 1] = { ...last, content: `${last.content}\n\n${message.content}` }
  }
  return merged
}

function isOfTools({ toolCalls, toolCallId }: Message): boolean {
  return toolCalls !== undefined || toolCallId !== undefined
}

const labels = { user: 'User', tool: 'User', assistant: 'Assistant' } as const

/**
 * One text for a model without a chat template. Turns are labelled only where there is more than one side to tell
 * apart.
 */
export function renderPrompt(messages: readonly Message[]): RenderedPrompt {
  if (messages.every(({ role }) => role === 'system' || role === 'user')) {
    return { text: messages.map(({ content }) => content).join('\n\n'), stop: [] }
  }
  const turns = messages.map(({ role, content }) => (role === 'system' ? content : `${labels[role]}: ${content}`))
  return { text: [...turns, `${labels.assistant}:`].join('\n\n'), stop: [`\n${labels.user}:`] }
}
