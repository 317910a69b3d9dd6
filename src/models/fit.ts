import { ShaketableError } from '../core/errors.js'
import { type Failure, type OverflowCounts, CallError } from './call-error.js'
import type { Attempt, Completion, Message, Model, Sampling, ToolDefinition } from '../core/model.js'

/** A prompt whose oldest part can be left out. */
export interface CuttablePrompt {
  messages(): readonly Message[]
  tools?(): readonly ToolDefinition[]
  /** @returns whether there was anything left to leave out */
  cut?(): boolean
}

/**
 * Characters per token, from the densest text to the sparsest: household histories measure 2.43 with the vocabulary of
 * Llama 2, BabyAI's 3.8, English prose up to 4.5.
 */
const charactersPerToken = { least: 2.4, most: 4.5 } as const
/** Characters per token; a count outside of these bounds is not of the whole prompt: 0, or without cached tokens. */
const credible = { least: 0.25, most: 8 } as const
/** Maximum that a chat template adds to a message. */
const tokensPerMessage = 6
/** After this many refusals of one call, everything that can be left out is. */
const maxRefusals = 6
/** Above this share of the room an empty reply may mean that there was none. */
const shareFull = 0.9
/** Share of a prompt that is kept after a refusal without its length. */
const shareKept = 0.8

interface Size {
  readonly characters: number
  readonly messages: number
}

/**
 * Keeps the prompts of one episode within the model's context. The length of a prompt is derived from the last one with
 * known tokens (from the usage of its reply or a refusal), with the densest text for what was added since. Everything
 * is learned within the episode, so that an episode is cut alike whichever others are played at the same time.
 */
export function createContextFitter(model: Model, maxTokens: Sampling['maxTokens']) {
  let room = model.contextTokens === undefined ? Infinity : model.contextTokens - maxTokens
  let known: { readonly size: Size; readonly tokens: number } | undefined
  /** Until a shorter prompt did not help a reply without a token. */
  let mayBeCured = true

  const sizeOf = (prompt: CuttablePrompt): Size => {
    const messages = prompt.messages()
    return { characters: charactersOf(messages, prompt.tools?.()), messages: messages.length }
  }
  const learn = (size: Size, tokens: number | undefined): void => {
    if (tokens === undefined || !isCredible(size, tokens)) return
    known = { size, tokens }
  }
  const boundsOf = ({ characters, messages }: Size): ReturnType<typeof boundTokens> => {
    if (known === undefined) return boundTokens(characters, messages)
    const { size, tokens } = known
    const added = boundTokens(characters - size.characters, Math.max(0, messages - size.messages))
    return { least: tokens + added.least, most: tokens + added.most }
  }
  const fit = (prompt: CuttablePrompt): number => {
    let cut = 0
    while (boundsOf(sizeOf(prompt)).most > room && prompt.cut?.() === true) cut++
    return cut
  }
  /** Makes a refused prompt shorter. @returns how many parts were left out */
  const shorten = (prompt: CuttablePrompt, counts: OverflowCounts, refusals: number): number => {
    const refused = sizeOf(prompt)
    const { promptTokens, contextTokens = Infinity, maxPromptTokens = Infinity } = counts
    room = Math.min(room, contextTokens - maxTokens, maxPromptTokens)
    learn(refused, promptTokens)
    const isExplained = boundsOf(refused).most > room
    for (let cut = 0; ; cut++) {
      const size = sizeOf(prompt)
      const isShorter = isExplained ? boundsOf(size).most <= room : size.characters <= shareKept * refused.characters
      if ((isShorter && cut > 0 && refusals < maxRefusals) || prompt.cut?.() !== true) return cut
    }
  }
  /** Whether an empty reply may mean that the prompt left no room for one. */
  const isFull = (prompt: CuttablePrompt, completion: Completion): boolean => {
    const { text, reasoning, toolCalls, unparsed, finish, promptTokens, completionTokens } = completion
    if (text !== '' || (reasoning ?? toolCalls ?? unparsed) !== undefined || finish !== 'stop') return false
    if (completionTokens !== undefined) return completionTokens === 0 && promptTokens !== undefined
    return boundsOf(sizeOf(prompt)).most > shareFull * room
  }
  /**
   * Sends a prompt that is cut until it fits. `ask` makes one call. The attempts of the completion include those that
   * were refused as too long; `cut` is how many parts of the prompt were left out.
   */
  return async (prompt: CuttablePrompt, ask: () => Completion | Promise<Completion>) => {
    const refused: Attempt[] = []
    let cut = 0
    let suspected = false
    for (let refusals = 1; ; refusals++) {
      if (room !== Infinity) cut += fit(prompt)
      try {
        const reply = ask()
        const completion = reply instanceof Promise ? await reply : reply
        if (mayBeCured && isFull(prompt, completion)) {
          mayBeCured = !suspected
          const shorter = suspected ? 0 : shorten(prompt, {}, refusals)
          if (shorter > 0) {
            suspected = true
            cut += shorter
            refused.push(...(completion.attempts ?? []))
            continue
          }
        }
        learn(sizeOf(prompt), completion.promptTokens)
        const attempts = [...refused, ...(completion.attempts ?? [])]
        return { completion: refused.length === 0 ? completion : { ...completion, attempts }, cut }
      } catch (thrown) {
        const { attempts, failure } = thrown instanceof CallError ? thrown : { attempts: [], failure: {} as Failure }
        const { mayBeOverflow: mayBe = false, overflow = {} } = failure
        if (!mayBe && !isOverflow(thrown)) throw thrown
        const shorter = mayBe && suspected ? 0 : shorten(prompt, overflow, refusals)
        refused.push(...attempts)
        if (shorter === 0) {
          const code = mayBe ? 'model' : 'context-overflow'
          throw new CallError(
            code,
            (thrown as Error).message,
            mayBe ? { cause: thrown } : { cause: thrown, overflow },
            refused,
          )
        }
        suspected ||= mayBe
        cut += shorter
      }
    }
  }
}

/** Bounds for the tokens of characters in a number of messages; of a removed text where the characters are negative. */
export function boundTokens(characters: number, messages: number) {
  const bounds = [
    characters / charactersPerToken.least + messages * tokensPerMessage,
    characters / charactersPerToken.most,
  ]
  return { least: Math.min(...bounds), most: Math.max(...bounds) }
}

/** Whether an error means that the prompt does not fit the context. */
export function isOverflow(thrown: unknown): thrown is ShaketableError {
  return thrown instanceof ShaketableError && thrown.code === 'context-overflow'
}

function isCredible({ characters, messages }: Size, tokens: number): boolean {
  const { least, most } = credible
  return tokens > 0 && tokens >= characters / most && tokens <= characters / least + 32 * messages
}

/** Characters of English per token, on average: any tokenizer of our own would fit no model. */
const estimatedCharactersPerToken = 3.5
/** Tokens of role and separators, for each message. */
const estimatedTokensPerMessage = 4

/**
 * Estimates the tokens of messages and functions without the model's tokenizer; createContextFitter() uses safe bounds.
 */
export function estimateTokens(messages: readonly Message[], tools: readonly ToolDefinition[] = []): number {
  const called = messages.reduce((sum, { toolCalls = [] }) => sum + toolCalls.length, 0)
  return (
    Math.ceil(charactersOf(messages, tools) / estimatedCharactersPerToken) +
    estimatedTokensPerMessage * (messages.length + called)
  )
}

/** Characters of messages, the functions called in them, and the functions that are offered. */
export function charactersOf(messages: readonly Message[], tools: readonly ToolDefinition[] = []): number {
  const characters = messages.reduce(
    (sum, { content, toolCalls = [] }) =>
      toolCalls.reduce((all, call) => all + call.name.length + call.arguments.length, sum + content.length),
    0,
  )
  return characters + (tools.length === 0 ? 0 : JSON.stringify(tools).length)
}
