import type { Conversation, Reading } from '../core/agent.js'
import { type ReplyFault, type Step, seedOf } from '../core/episode.js'
import type { Completion, Message, Model, Sampling } from '../core/model.js'
import { keptReasoning } from '../models/reasoning.js'
import { type CuttablePrompt, createContextFitter } from '../models/fit.js'

/** Maximum number of thoughts in a row without an action; AgentBoard has no limit here. */
const maxThoughts = 8

/** An action of a model with the replies that led to it. */
export interface Reply extends Reading {
  readonly action: string
  readonly text: string
  readonly thoughts: readonly string[]
  /** Of the reply; see {@link Completion.logprobs}. */
  readonly tokens: Completion['logprobs']
  readonly details: Pick<
    Step,
    'fault' | 'finishes' | 'reasoning' | 'toolCalls' | 'cut' | 'promptTokens' | 'completionTokens' | 'attempts'
  >
}

/** The names of an episode, or of a trial in it, that identify its calls. */
export interface CallNames {
  /** Identifies the episode, and so its calls, in the grid. */
  readonly episode?: string
  /**
   * Identifies the random numbers of servers: episodes with equal name and seed share them call by call. Absent where
   * every call is sent the plain seed.
   */
  readonly numbers?: string
}

/**
 * The place of a call, and the seed for the server. A server that honours seeds draws the first token of every reply
 * with the same random number for equal seeds, so each call is sent a hash of its own.
 * @param number of the call among those of its names, from 0
 */
export function identifyCall(
  { episode, numbers }: CallNames,
  seed: number,
  number: number,
): Pick<Sampling, 'call' | 'sentSeed'> {
  return {
    ...(episode !== undefined && { call: { episode, number } }),
    ...(numbers !== undefined && { sentSeed: seedOf(['call', seed, numbers, number]) }),
  }
}

/**
 * Makes the function that requests one action: as many calls as the agent needs, with a history that is cut to fit.
 */
export function createAsking(original: Conversation, model: Model, sampling: Sampling, names: CallNames) {
  let number = 0
  const reasoned: string[] = []
  const keeps = model.settings['reasoning'] === 'keep'
  const laid = keeps ? () => withReasoning(original.messages(), reasoned) : () => original.messages()
  const prompt: CuttablePrompt = {
    ...(original.tools && { tools: () => original.tools!() }),
    ...(original.cut && { cut: () => original.cut!() }),
    messages: laid,
  }
  const fitter = createContextFitter(model, sampling.maxTokens)
  const call = (): Completion | Promise<Completion> => {
    const tools = prompt.tools?.()
    return model.complete(prompt.messages(), {
      ...sampling,
      ...(tools && { tools }),
      ...identifyCall(names, sampling.seed, number++),
    })
  }
  return async (): Promise<Reply> => {
    let cut = 0
    const completions: Completion[] = []
    let reading: Reading
    for (;;) {
      const { completion, cut: left } = await fitter(prompt, call)
      cut += left
      completions.push(completion)
      reading = read(original, completion)
      if (reading.action !== undefined || completions.length > maxThoughts) break
    }
    const last = completions.at(-1)!
    reasoned.push(last.reasoning ?? '')
    return {
      ...reading,
      ...(reading.action === undefined && { formatError: `no action in ${String(completions.length)} replies` }),
      action: reading.action ?? '',
      text: last.text,
      tokens: last.logprobs,
      thoughts: completions.slice(0, -1).map(({ text }) => text),
      details: { ...detailsOf(completions, reading), ...(cut > 0 && { cut }) },
    }
  }
}

/** Messages with the reasoning of each step in front of its reply; the last reply is that of the last step. */
function withReasoning(messages: readonly Message[], reasoned: readonly string[]): readonly Message[] {
  const replies = messages.filter(({ role }) => role === 'assistant').length
  let place = reasoned.length - replies
  return messages.map((message) => {
    if (message.role !== 'assistant') return message
    return { ...message, content: `${keptReasoning(reasoned[place++] ?? '')}${message.content}` }
  })
}

/** A reply that the server could not parse is always a format error, and so is an action of punctuation alone. */
function read(conversation: Conversation, { text, toolCalls, reasoning, unparsed }: Completion): Reading {
  const reading = conversation.read(text, toolCalls, reasoning)
  if (unparsed === undefined) {
    const { action = '', formatError } = reading
    if (action === '' || formatError !== undefined || /[\p{L}\p{N}]/u.test(action)) return reading
    return { ...reading, formatError: 'the action has no letter' }
  }
  return { ...reading, action: reading.action ?? '', formatError: `the server could not parse the reply: ${unparsed}` }
}

function detailsOf(completions: readonly Completion[], { actionEnded }: Reading): Reply['details'] {
  const last = completions.at(-1)!
  const replyFault = faultOf(last)
  const fault = replyFault === 'length' && actionEnded ? undefined : replyFault
  const reasoning = completions.flatMap((completion) => completion.reasoning ?? [])
  const finishes = completions.flatMap((completion) => completion.finishReason ?? [])
  const attempts = completions.flatMap((completion) => completion.attempts ?? [])
  const promptTokens = total(completions.map((completion) => completion.promptTokens))
  const completionTokens = total(completions.map((completion) => completion.completionTokens))
  return {
    ...(fault && { fault }),
    ...(finishes.length > 0 && { finishes }),
    ...(reasoning.length > 0 && { reasoning }),
    ...(last.toolCalls && { toolCalls: last.toolCalls }),
    ...(promptTokens !== undefined && { promptTokens }),
    ...(completionTokens !== undefined && { completionTokens }),
    ...(attempts.length > 0 && { attempts }),
  }
}

/** Why a reply is incomplete, which differs from a format error. */
export function faultOf({ text, finish, unclosed, unparsed, tooLong, toolCalls }: Completion): ReplyFault | undefined {
  if (tooLong) return 'too-long'
  if (unclosed) return 'unclosed-reasoning'
  if (unparsed !== undefined) return undefined
  if (finish === 'length') return 'length'
  return text.trim() === '' && toolCalls === undefined ? 'empty' : undefined
}

function total(counts: readonly (number | undefined)[]): number | undefined {
  const known = counts.filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
}
